#!/bin/bash
#SBATCH --job-name=diffusion
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gres=gpu:4
#SBATCH --cpus-per-task=4
#SBATCH --time=00:10:00
#SBATCH --output=diffusion-%j.out
# Exercise 12 on several nodes, a rank for each GPU: strong scaling of a large field. The build
# folder must be one that all nodes see, and the MPI the one that the course was built with. Submit
# from the course's folder:
#     sbatch --nodes=4 solutions/slurm/several_nodes.sh
# Further words go to bench. COURSE_LAUNCHER='srun --mpi=pmix' in the environment names the way to
# start the ranks, if the one that is found is not the one you want.
cd "$SLURM_SUBMIT_DIR" || exit 2
[ $# -gt 0 ] || set -- --size 65536 --steps 64 --scaling strong --csv "strong-$SLURM_JOB_ID.csv"
./course bench ex12 --ranks "$SLURM_NTASKS" "$@"
