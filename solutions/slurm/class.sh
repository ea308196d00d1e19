#!/bin/bash
#SBATCH --job-name=class
#SBATCH --nodes=1
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=16
#SBATCH --time=02:00:00
#SBATCH --output=class-%j.out
# A GPU that a whole class uses for the hours of the course. The job only holds it; each student
# runs steps in it, which --overlap lets share what it holds:
#     sbatch solutions/slurm/class.sh                                        once, by the instructor
#     srun --jobid=JOB --overlap --ntasks=1 ./course check ex03              as often as needed
# They must be the same user, such as an account made for the course: Slurm lets nobody into another
# one's job. A word is the number of seconds to hold it, otherwise until the time limit.
sleep "${1:-infinity}"
