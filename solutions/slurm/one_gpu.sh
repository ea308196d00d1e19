#!/bin/bash
#SBATCH --job-name=course
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --time=00:20:00
#SBATCH --output=course-%j.out
# All solutions on one GPU beside the CPU baseline, and what differs from the recorded timings:
#     sbatch solutions/slurm/one_gpu.sh
# Further words go to bench: sbatch solutions/slurm/one_gpu.sh --quick ex01. Submit from the course's folder. A job that
# ran into its time limit goes on with: sbatch solutions/slurm/one_gpu.sh --resume
cd "$SLURM_SUBMIT_DIR" || exit 2
[ $# -gt 0 ] || set -- --csv "results-$SLURM_JOB_ID.csv" --compare
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" ./course bench "$@"
