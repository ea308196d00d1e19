# draw.sh PICTURES COURSE EMULATED-CC FOLDER: draws the lessons' pictures into FOLDER. What kernels
# do to memory is drawn by ./course picture from a trace of accesses.cu; what a program cannot do,
# such as a grid, by the program PICTURES.
here=$(cd "$(dirname "$0")" && pwd) pictures=$1
absolute() { echo "$(cd "$(dirname "$1")" && pwd)/${1##*/}"; }
course=$(absolute "$2") compiler=$(absolute "$3")
folder=$(cd "$4" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$pictures" "$folder" || exit 2
cd "$here" || exit 2 # the source lines are read here
"$compiler" accesses.cu -o "$work/accesses" &&
    CUDA_EMULATED_TRACE=$work/trace.csv "$work/accesses" || exit 2
for picture in sectors:load divergence:branch banks:load; do
    kernel=${picture%:*}
    "$course" picture --trace "$work/trace.csv" --kernel "$kernel" --event "${picture#*:}" \
        -o "$work/$kernel.svg" >"$work/out" ||
        exit 2
    sed 's/\(accesses\.cu:[0-9]*\):[0-9]*/\1/' "$work/$kernel.svg" >"$folder/$kernel.svg" ||
        exit 2 # compilers differ in columns
done
