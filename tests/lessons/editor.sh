# editor.sh SOURCE BUILD FOLDER...: clangd finds no error in the templates of these exercises, and
# finds a beginner's in a wrong file.
command -v clangd >/dev/null 2>&1 || { echo "SKIPPED: no clangd"; exit 77; }
source=$1 build=$2
shift 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
# What an editor does at each word, such as a window with its type, finds no error, and takes most
# of the time: at line 1 only, where clangd can be told so.
words=
! clangd --help-hidden | grep -q -e --check-lines || words=--check-lines=1

# findings FILE DATABASE: the errors that an editor would underline. (clangd --check counts other
# failures of its own as well.)
findings() {
    clangd --compile-commands-dir="$2" --check="$1" $words >"$folder/log" 2>&1
    grep -q 'All checks completed' "$folder/log" ||
        { echo "clangd has not checked $1"; tail -3 "$folder/log"; }
    sed -n 's/^[EW]\[[^]]*\] \(\[[a-z_-]*\] Line .*\)/\1/p' "$folder/log"
}

for exercise; do
    for file in "$exercise"/template.cu "$exercise"/template.c; do
        [ -e "$file" ] || continue
        found=$(findings "$file" "$build/editor")
        [ -z "$found" ] || { echo "in $file clangd finds"; echo "$found"; exit 1; }
    done
done

# The same flags for a wrong file.
file=$folder/wrong.cu
sed "s|$source/lessons/ex01.cu|$file|g" "$build/editor/compile_commands.json" \
    >"$folder/compile_commands.json"
for wrong in '__syncthread();' 'host();' 'x = blockidx.x;'; do
    printf 'void host(void);\n__global__ void f(int x)\n{\n    %s\n}\n' "$wrong" >"$file"
    findings "$file" "$folder" | grep -q 'Line 4' || { echo "NOT CAUGHT: $wrong"; exit 1; }
done
printf '__global__ void f(int *x)\n{\n    __syncthreads();\n    x[threadIdx.x] = warpSize;\n}\n' \
    >"$file"
found=$(findings "$file" "$folder")
[ -z "$found" ] || { echo "in a good file clangd finds"; echo "$found"; exit 1; }
