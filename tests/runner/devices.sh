# devices.sh COURSE FOLDER: the facts and costs of the devices, and the doctor, with scripts in
# place of the tools.
. "$(dirname "$0")/prelude.sh"
for device in gpu emulated; do
    cat >"$folder/build/$device/device_info" <<END2
#!/bin/sh
[ ! -e broken ] || { echo "CUDA driver version is insufficient"; exit 2; }
echo "Device 0: made up $device"
echo "  PCI bus:                            0000:0B:00.0"
echo "The driver supports CUDA 12.0"
END2
    sed "s/ex77_template/device_costs/" "$folder/build/$device/ex77_template" \
        >"$folder/build/$device/device_costs"
    chmod +x "$folder/build/$device/"device_*
done
# tool NAME: a tool on the PATH, which does what is on standard input. Only those tools that the
# test makes are there.
mkdir tools empty
for name in sh sed sleep cat touch env dirname mkdir rm
do ln -s "$(command -v $name)" tools/$name; done
tool() { { echo '#!/bin/sh'; cat; } >"bin/$1"; chmod +x "bin/$1"; }
alone() { env PATH="$PWD/bin:$PWD/tools" "$@"; }

# Without a GPU.
if [ ! -e /dev/nvidia0 ]; then
    expect 0 "No GPU in this machine." alone "$course" device
    grep -q 'made up emulated' out && grep -q 'use: emulated' out ||
        fail "the emulated device's facts: $(cat out)"
    expect 77 "SKIPPED: no GPU" alone "$course" device --measure
    expect 0 "none in this machine" alone "$course" device --doctor
fi
echo 'echo "ran with $arguments"; verdict PASS; exit 0' | behave
expect 0 "ran with --quick --csv x.csv --verdict" \
    "$course" device --measure --device=emulated --quick --csv x.csv
echo 'verdict WRONG 1; exit 1' | behave
expect 1 "" "$course" device --measure --device=emulated
expect 2 "one at a time" "$course" device --measure --doctor
expect 2 "device: '--nonsense' is not understood" "$course" device --nonsense
: >broken
expect 2 "device_info failed: CUDA driver version is insufficient" \
    "$course" device --device=emulated
rm broken

# With one: what nvidia-smi adds. query answers for each question.
: >"$folder/build/has_gpu_programs"
tool nvidia-smi <<'END2'
case "$*" in
"") cat smi ;;
-L) cat list; exit "$(cat status)" ;;
*pcie*0000:0B:00.0) echo "5, 16, 1, 8" ;;
"nvlink -s -i 0000:0B:00.0") printf 'GPU 0:\n\t Link 0: 26.562 GB/s\n\t Link 1: 26.562 GB/s\n' ;;
*compute_cap*) cat capability ;;
*memory.free*) cat memory ;;
*compute_mode*) cat mode ;;
*mig*) cat mig ;;
*compute-apps*) cat processes ;;
*) exit 1 ;;
esac
END2
fit() {
    echo "GPU 0: made up (UUID: x)" >list; echo 0 >status; echo "| CUDA Version: 13.0 |" >smi
    echo 9.0 >capability
    echo "1000, 1010" >memory; echo Default >mode; echo Disabled >mig; : >processes
    echo "release 13.0" >release
    rm -f refused parameters
    printf '%s\n90;100-real\n' "$PWD/bin/nvcc" >"$folder/build/has_gpu_programs"
}
fit
expect 0 "generation 5, 16 lanes" "$course" device --device=gpu
grep -qF '2 links of 26.56 GB/s each way' out && grep -qF 'generation 1, 8 lanes' out ||
    fail "more is known: $(cat out)"

# The doctor, where all is well.
tool nvcc <<'END2'
case $1 in
--version) cat release ;;
*) [ ! -e refused ] ||
    { echo "host_config.h:143: error: #error -- unsupported GNU version"; exit 1; } ;;
esac
END2
for name in mpicc mpirun ncu compute-sanitizer gnuplot clang; do tool $name </dev/null; done
echo 'echo mca:mpi:base:param:mpi_built_with_cuda_support:value:true' | tool ompi_info
COURSE_DRIVER_PARAMETERS=$PWD/parameters
export COURSE_DRIVER_PARAMETERS
doctor() { expect "$1" "$2" alone "$course" device --doctor; }
doctor 0 "the driver supports CUDA 13.0, the toolkit is 13.0"
grep -v -e '^ok' -e '^All is well' -e load -e 'host memory' -e 'could be better' out &&
    fail "nothing is amiss here: $(cat out)"
# Each problem, its message, and the exit status.
amiss() { doctor "$2" "$3"; grep -q "^$1" out || fail "not as a $1: $(cat out)"; fit; }
echo "release 14.1" >release; amiss MEND 2 "the toolkit is 14.1: install a newer driver"
echo "release 13.2" >release; amiss note 0 "programs run, but PTX does not"
: >smi; amiss note 0 "their versions cannot be read"
echo 8 >status; echo "Driver/library version mismatch" >list
amiss MEND 2 "nvidia-smi fails: Driver/library version mismatch"
echo 8.6 >capability; amiss MEND 2 "no program runs on it; cmake -DCMAKE_CUDA_ARCHITECTURES=86"
echo 12.0 >capability; amiss note 0 "the driver translates"
: >refused; amiss MEND 2 "nvcc cannot compile: error: #error -- unsupported GNU version"
echo "100, 1010" >memory; amiss note 0 "0.1 of 1.0 GiB are free: choose a smaller --size"
echo "42, blender, 900 MiB" >processes; amiss note 0 "no timing can be trusted: 42, blender"
echo Exclusive_Process >mode; amiss note 0 "exclusive: one process at a time"
echo Prohibited >mode; amiss MEND 2 "nvidia-smi -c 0"
echo Enabled >mig; amiss note 0 "the device is split"
if [ "$(id -u)" -ne 0 ]; then
    echo "RmProfilingAdminOnly: 1" >parameters; amiss note 0 "NVreg_RestrictProfilingToAdminUsers=0"
fi
echo 'exit 0' | tool ompi_info; amiss note 0 "not this one, so one row of ex12 is skipped"
for name in ncu mpicc gnuplot clang compute-sanitizer; do
    rm bin/$name; amiss note 0 "not on the PATH"
    tool $name </dev/null
done
rm bin/nvcc; : >"$folder/build/has_gpu_programs"
doctor 2 "install the CUDA toolkit"
echo "the facts, the costs and the doctor work"
