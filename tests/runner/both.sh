# both.sh COURSE SOURCE BUILD: the build of both devices' programs as it is, with a GPU or a script
# that stands in for one.
course=$1 COURSE_SOURCE=$2 COURSE_BUILD=$3
export COURSE_SOURCE COURSE_BUILD
[ -e "$COURSE_BUILD/has_gpu_programs" ] || { echo "SKIPPED: no nvcc here"; exit 77; }
mkdir -p runner_both && printf '#!/bin/sh\nexit 0\n' >runner_both/nvidia-smi &&
    chmod +x runner_both/nvidia-smi || exit 2
PATH=$PWD/runner_both:$PATH
# One that is built already is not built again, and its log says nothing.
rm -f "$COURSE_BUILD/gpu/ex01_solution"
"$course" check ex01 --solution --size 1000 --quick >runner_both/out 2>&1 ||
    { cat runner_both/out; exit 1; }
grep -q 'Built target ex01_solution_emulated' "$COURSE_BUILD/build.log" &&
    grep -q gpu "$COURSE_BUILD/build.log" || { cat "$COURSE_BUILD/build.log"; exit 1; }
