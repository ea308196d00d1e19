#!/bin/bash
#SBATCH --job-name=diffusion
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --gres=gpu:4
#SBATCH --cpus-per-task=4
#SBATCH --time=00:10:00
#SBATCH --output=diffusion-%j.out
# Exercise 12 on the GPUs of one node, one rank each; the program starts its ranks in a way that
# works here. Fewer GPUs:
#     sbatch --ntasks=2 --gres=gpu:2 solutions/slurm/one_node.sh
# Further words go to bench. Submit from the course's folder.
cd "$SLURM_SUBMIT_DIR" || exit 2
[ $# -gt 0 ] || set -- --size 32768 --scaling strong --csv "strong-$SLURM_JOB_ID.csv"
./course bench ex12 --ranks "$SLURM_NTASKS" "$@"
