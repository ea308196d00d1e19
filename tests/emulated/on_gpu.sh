# on_gpu.sh NVCC ARCHITECTURE SOURCE FOLDER [options of nvcc]: what the emulated device's test
# demands of a program that is right, does a GPU give that, too? Compiles it in FOLDER and runs it.
# Exit status 77 without a GPU, or without the one that sm_90a wants.
nvcc=$1 arch=$2 source=$3 folder=$4
shift 4
nvidia-smi -L >/dev/null 2>&1 || { echo "SKIPPED: no GPU"; exit 77; }
case $arch,$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0) in
native,* | sm_90a,9.0) ;;
*) echo "SKIPPED: the GPU is not of compute capability 9.0"; exit 77 ;;
esac
mkdir -p "$folder" || exit 2
program=$folder/$(basename "$source" .cu)
"$nvcc" -w -std=c++17 -arch="$arch" -o "$program" "$source" "$@" ||
    { echo "nvcc does not compile $source"; exit 1; }
timeout 100 "$program"
