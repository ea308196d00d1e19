#!/bin/sh
# arm.sh SOURCE FOLDER CMAKE CHECKS MEMORY [EX05]: builds these programs for aarch64 in FOLDER, runs
# them under qemu, and compares their status, findings and counters with this machine's. Prints
# nothing when all is well.
for tool in aarch64-linux-gnu-g++ qemu-aarch64; do
    command -v $tool >/dev/null 2>&1 || {
        echo "SKIPPED: no $tool: install g++-aarch64-linux-gnu and qemu-user"
        exit 77
    }
done
source=$1 folder=$2 cmake=$3 checks=$4 memory=$5 ex05=$6
tests=$source/tests/emulated failed=0
fail() { echo "FAILED: $*"; failed=1; }
# Where qemu looks for the libraries. It is slow: what takes long is not endless.
export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu CUDA_EMULATED_PATIENCE=60

mkdir -p "$folder" || exit 1
"$cmake" -S "$source" -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$tests/aarch64.cmake" \
    -DCMAKE_CXX_FLAGS=-DEMULATED_ARENA_UNIT=0x4000000ull -DCOURSE_ONLY=ex05 -DCOURSE_GPU=OFF \
    >"$folder/log" 2>&1 &&
    "$cmake" --build "$folder/build" --target ex05_solution_emulated emulated-cc \
        >>"$folder/log" 2>&1 || { cat "$folder/log"; fail "build"; exit 1; }
# cuBLAS and the like take long to compile, and these programs call none of them.
libraries=$folder/build/emulated-lib64/libemulated_cuda_libraries.a
[ -s "$libraries" ] || aarch64-linux-gnu-ar rc "$libraries" || exit 1

# on_arm FILE.cu: compiles and links it
on_arm() {
    qemu-aarch64 "$folder/build/emulated-cc" "$tests/$1" -o "$folder/$(basename "$1" .cu)" \
        -Xlinker --compress-debug-sections=zlib || # or counters would have columns
        fail "compile $1"
}

# compare NATIVE ARM [ARGUMENT...]: what both find and count
compare() {
    native=$1 arm=$2
    shift 2
    rm -f "$folder"/native.* "$folder"/arm.*
    for machine in native arm; do
        emulator=
        program=$native
        [ $machine = native ] || { emulator=qemu-aarch64 && program=$arm; }
        status=0
        CUDA_EMULATED_FINDINGS=$folder/$machine.findings \
            CUDA_EMULATED_COUNTERS=$folder/$machine.counters \
            $emulator "$program" "$@" >"$folder/$machine.out" 2>&1 || status=$?
        echo "status $status" >"$folder/$machine.status"
    done
    for what in status findings counters; do
        diff "$folder/native.$what" "$folder/arm.$what" ||
            fail "$arm $*: $what: < here, > on aarch64"
    done
    [ $failed -eq 0 ] || tail -n 20 "$folder/arm.out"
}

on_arm checks.cu
on_arm memory.cu
# What another processor does otherwise: where variables lie, how it divides, where a stack ends.
compare "$checks" "$folder/checks" staticSharedOverrun hostMalloc dividesByZero dividesByOthers \
    stackOverflow
compare "$memory" "$folder/memory"
[ -z "$ex05" ] || compare "$ex05" "$folder/build/emulated/ex05_solution" --size 1025 --only device
exit $failed
