# by_hand.sh SOURCE NVCC FOLDER: the README's commands for old toolkits, which CMake does not drive,
# make a program; the architecture is one that this nvcc knows.
source=$1 nvcc=$2 folder=$3
[ -x "$nvcc" ] || { echo "SKIPPED: no nvcc"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
cp -r "$source/common" "$source/ex03_vector_add" . || exit 2
PATH=$(dirname "$nvcc"):$PATH
sed -n '/^## Supported toolkits/,$p' "$source/README.md" | sed -n 's/^    //p' >commands
grep -q '^nvcc -arch=sm_20 ' commands || { echo "the README has no such commands"; exit 1; }
newest=$(nvcc --list-gpu-arch | sed -n 's/compute_//p' | sort -n | tail -n 1)
sed -i "s/sm_20/sm_${newest:-20}/" commands
sh -e ./commands >out 2>&1 || { cat commands out; exit 1; }
./ex03_solution --list | grep -q '^one float4 per thread\|float4' ||
    { echo "no program that knows its variants"; exit 1; }
echo "made by hand"
