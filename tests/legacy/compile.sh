# compile.sh WHAT SOURCE CLANG GXX [-I... -D...]: does SOURCE compile as in the days of CUDA 5.5?
# WHAT is sm_20, sm_30 or sm_35, for the device, with clang, or host, with g++, to which a kernel is
# a plain function: its launches lose what stands in <<< >>>, which clang has looked at. CUDA itself
# is the stand-in beside this script.
what=$1 source=$2 clang=$3 gxx=$4
shift 4
include=$(dirname "$0")/include
if [ "$what" = host ]; then
    text=$("$gxx" -std=gnu++98 -E -x c++ -include "$include/cuda_runtime.h" \
        -isystem "$include" "$@" "$source") || exit 1
    printf '%s\n' "$text" | sed -z -E 's/<<<[^;{}]*>>>//g' |
        "$gxx" -std=gnu++98 -fsyntax-only -x c++-cpp-output -Wall -Wno-unused -Wno-unknown-pragmas \
            - || exit 1
    exit 0
fi
exec "$clang" -x cuda -std=gnu++98 -nocudainc -nocudalib --cuda-device-only \
    --cuda-gpu-arch="$what" -Xclang -fcuda-allow-variadic-functions -S -o /dev/null \
    -include "$include/cuda_runtime.h" -isystem "$include" "$@" "$source"
