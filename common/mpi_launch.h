/* Starting the ranks of an MPI program from the program itself. */
#ifndef MPI_LAUNCH_H
#define MPI_LAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* If this process was not started by an MPI launcher, starts `launcher -n RANKS program
 * arguments...` in the way that mpi_start.h chooses, and ends with its exit status, or with 2 if
 * the ranks cannot start. RANKS is the value of --ranks, otherwise `ranks`. Where srun has started
 * several tasks without connecting them, the first one starts as many ranks, and the others end.
 * Returns only in a rank, or if one rank is enough. Call before MPI_Init. */
void mpiLaunch(int argc, char **argv, int ranks);

#ifdef __cplusplus
}
#endif

#endif
