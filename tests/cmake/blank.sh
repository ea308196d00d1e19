# blank.sh EMULATED_CC EMULATED_FOLDER FOLDER: in a folder with a blank in its name, a kernel is
# compiled again when a header that it includes has changed, and is left alone otherwise.
emulated_cc=$1 emulated=$2 folder=$3/"a b"
rm -rf "$3" && mkdir -p "$3" && cp -r "$(dirname "$0")/blank" "$folder" && cd "$folder" || exit 2
printf '#include "mine.h"\n__global__ void kernel(int *x) { *x = VALUE; }\n' >kernel.cu
echo '#define VALUE 1' >mine.h
build() { cmake --build build >out 2>&1 ||
    { cat out; exit 1; }; grep -c 'Compiling kernel.cu' out; }
cmake -S . -B build -DEMULATED_CC="$emulated_cc" -DEMULATED_FOLDER="$emulated" >out ||
    { cat out; exit 2; }
[ "$(build)" = 1 ] || { echo "not compiled"; cat out; exit 1; }
[ "$(build)" = 0 ] || { echo "compiled again without need"; exit 1; }
sleep 1.1 # dates of whole seconds
echo '#define VALUE 2' >mine.h
[ "$(build)" = 1 ] || { echo "a changed header was not noticed"; exit 1; }
echo "a changed header is noticed"
