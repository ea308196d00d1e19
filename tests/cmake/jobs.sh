# jobs.sh COURSE FOLDER: how many jobs ./course asks cmake for: the cores that it may use, and what
# it is told.
. "$(dirname "$0")/../runner/prelude.sh"
printf '#!/bin/sh\necho "$*" >"%s/asked"; exit 1\n' "$folder" >bin/cmake
# jobs WANTED COMMAND...: a check that is started so asks for that many jobs
jobs() {
    wanted=$1
    shift
    "$@" "$course" check ex77 --device=emulated >/dev/null 2>&1 </dev/null
    grep -q -e " --parallel $wanted " "$folder/asked" ||
        fail "not $wanted jobs with $*: $(cat "$folder/asked")"
}
unset CMAKE_BUILD_PARALLEL_LEVEL SLURM_CPUS_PER_TASK
jobs 1 env SLURM_CPUS_PER_TASK=1
jobs 40 env CMAKE_BUILD_PARALLEL_LEVEL=40 SLURM_CPUS_PER_TASK=1
if command -v taskset >/dev/null 2>&1; then
    first=$(taskset -c -p $$ | sed 's/.*: \([0-9]*\).*/\1/')
    jobs 1 taskset -c "$first"
fi
env CMAKE_BUILD_PARALLEL_LEVEL=nonsense \
    "$course" check ex77 --device=emulated >/dev/null 2>&1 </dev/null
asked=$(sed 's/.* --parallel \([0-9]*\) .*/\1/' "$folder/asked")
[ "$asked" -ge 1 ] && [ "$asked" -le 16 ] || fail "$asked jobs"
echo "the number of jobs is right"
