/* Starting the ranks of an MPI program from the program itself. */
#ifndef MPI_LAUNCH_H
#define MPI_LAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* If this process was not started by an MPI launcher, replaces it by `launcher -n RANKS program
 * arguments...`: srun inside a Slurm job, mpirun otherwise. RANKS is what --ranks says, else `ranks`.
 * Returns only in a process that is a rank, or if there is to be just one. Call before MPI_Init. */
void mpiLaunch(int argc, char **argv, int ranks);

#ifdef __cplusplus
}
#endif

#endif
