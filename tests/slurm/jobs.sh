# jobs.sh SOURCE BUILD FOLDER: the course in the jobs of a Slurm with its defaults
# (MpiDefault=none), which this machine stands in for, as two nodes with GPUs that are none. Skipped
# where Slurm is not installed.
source=$1 build=$2 slurm=$3
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
fail() {
    echo "$*"
    grep -h error "$slurm"/slurm*.log 2>/dev/null | tail -n 20
    exit 1
}
[ -x "$build/emulated/ex12_solution" ] || { echo "SKIPPED: ex12 was not built"; exit 77; }
"$build/emulated/ex12_solution" --list >/dev/null 2>&1 ||
    { echo "SKIPPED: ex12 does not run here"; exit 77; }
. "$here/slurm.sh"
node="NodeName=course[1-2] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1"
write_configuration GresTypes=gpu \
    "$node Port=$(free_port),$(free_port) CPUs=16 RealMemory=100 Gres=gpu:4"
for file in null zero full random; do
    echo "NodeName=course[1-2] Name=gpu File=/dev/$file"
done >"$slurm/gres.conf"
start_slurm course1 course2
COURSE_SOURCE=$source COURSE_BUILD=$build
export COURSE_SOURCE COURSE_BUILD
cd "$source" || exit 2

# job STATUS TEXT SCRIPT OPTIONS...: a job of that script ends with that exit status and prints the
# text.
job() {
    wanted=$1 text=$2
    printf '#!/bin/sh\n%s\n' "$3" >"$slurm/job"
    shift 3
    timeout 200 sbatch --wait --time=5 --output="$slurm/out" "$@" "$slurm/job" >"$slurm/log" 2>&1
    got=$?
    [ $got -eq "$wanted" ] ||
        fail "exit status $got instead of $wanted: $(cat "$slurm/job" "$slurm/out" "$slurm/log")"
    grep -qF -- "$text" "$slurm/out" || fail "'$text' is not in: $(cat "$slurm/out")"
}
program="$build/emulated/ex12_solution --size 67 --steps 3 --only cpu"
ex12="$program --ranks 2"

# Two ranks start in a job of two tasks, in one of one task, and in a step within a step.
job 0 "ranks=2" "$ex12" --ntasks=2
job 0 "ranks=2" "$ex12" --ntasks=1
job 0 "ranks=2" "srun --ntasks=1 --cpus-per-task=2 $ex12" --ntasks=1 --cpus-per-task=2
# On two nodes, by the way that works there.
job 0 "ranks=2" "$ex12" --nodes=2 --ntasks=2
# Steps of one task and of two, whichever interface srun offers them: one rank, more ranks than
# tasks, and as many.
job 0 "PASS" "for interface in none pmi2 pmix; do
    srun --mpi=list 2>&1 | grep -q \$interface || continue
    srun --mpi=\$interface --ntasks=1 $program --list >/dev/null || exit
    srun --mpi=\$interface --ntasks=1 $program --ranks 1 || exit
    srun --mpi=\$interface --ntasks=1 $program --ranks 3 || exit
    srun --mpi=\$interface --ntasks=2 $program || exit
done" --ntasks=2
for ranks in 2 3; do
    [ "$(grep -c "ranks=$ranks" "$slurm/out")" -eq "$(grep -c ranks=1 "$slurm/out")" ] ||
        fail "steps: $(cat "$slurm/out")"
done
# And a job without a step.
job 0 "ranks=1" "$program --ranks 1" --ntasks=1
# By itself, srun starts no ranks here: an error, never a verdict; and so if nothing does.
job 2 "that is no verdict" "COURSE_LAUNCHER='srun --mpi=none' $ex12" --ntasks=2
printf '#!/bin/sh\nexit 1\n' >"$slurm/srun" && chmod +x "$slurm/srun"
job 2 "nothing starts 2 ranks in this job; tried: srun" \
    "PATH=$slurm:\$PATH OMPI_MCA_plm=none $ex12" --ntasks=2
rm "$slurm/srun"
# A verdict stays one.
job 0 "variants are right" \
    "$build/course check ex12 --solution --device=emulated --size 67 --steps 3 --ranks 2" --ntasks=2

# The README's line, and the scripts, with their arguments.
srun --gres=gpu:1 --cpus-per-task=8 --time=10 "$build/course" bench ex12 --device=emulated --quick \
    --size 67 --csv "$slurm/results.csv" \
    >"$slurm/out" 2>&1 || fail "the README's line: $(cat "$slurm/out")"
[ -s "$slurm/results.csv" ] || fail "no results: $(cat "$slurm/out")"
# script NAME TEXT WORDS...: submits one of the scripts, with options in $options.
options=
script() {
    name=$1 text=$2
    shift 2
    # shellcheck disable=SC2086
    timeout 400 sbatch --wait --time=7 \
        --output="$slurm/out" $options "solutions/slurm/$name.sh" "$@" >"$slurm/log" 2>&1 ||
        fail "$name.sh: $(cat "$slurm/out" "$slurm/log")"
    grep -qF -- "$text" "$slurm/out" || fail "$name.sh: '$text' is not in: $(cat "$slurm/out")"
}
script one_gpu "ex25_many_gpus: " --device=emulated --quick --only device # of every exercise
script one_node "ranks=4" --device=emulated --quick --size 67 --only cpu
options=--ntasks-per-node=2
script several_nodes "ranks=4" --device=emulated --quick --size 67 --only cpu
id=$(sbatch --parsable --time=5 --output="$slurm/class" solutions/slurm/class.sh 60) ||
    fail "class.sh is not taken"
until [ "$(squeue -h -j "$id" -o %t)" = R ]; do sleep 0.2; done
for _ in 1 2; do
    timeout 100 srun --jobid="$id" --overlap --ntasks=1 "$build/course" list >"$slurm/out" 2>&1 ||
        fail "class.sh: $(cat "$slurm/out")"
done
scancel "$id"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do # its steps end before the daemons
    [ -n "$(squeue -h)" ] || break
    sleep 0.5
done
echo "the course runs under Slurm $(srun --version | tr -dc 0-9.)"
