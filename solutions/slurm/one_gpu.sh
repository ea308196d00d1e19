#!/bin/bash
#SBATCH --job-name=course
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --time=00:20:00
#SBATCH --output=course-%j.out
# All solutions on one GPU beside the CPU baseline, and what differs from the recorded timings. On a
# login node:
#     solutions/slurm/one_gpu.sh
# builds all programs, and then submits itself: no GPU waits for a compiler. Options of sbatch stand
# in the environment: SBATCH_PARTITION=gpu. Words go to bench: solutions/slurm/one_gpu.sh --quick
# ex01. A job that ran into its time limit goes on with: solutions/slurm/one_gpu.sh --resume
if [ -z "$SLURM_JOB_ID" ]; then
    cd "$(dirname "$0")/../.." && ./course build && exec sbatch solutions/slurm/one_gpu.sh "$@"
    exit
fi
cd "$SLURM_SUBMIT_DIR" || exit 2
[ $# -gt 0 ] || set -- --csv "results-$SLURM_JOB_ID.csv" --compare
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" ./course bench "$@"
