/* Starting the ranks of an MPI program from the program itself. */
#ifndef MPI_LAUNCH_H
#define MPI_LAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* If this process was not started by an MPI launcher, starts `launcher -n RANKS program arguments...`,
 * in the way that mpi_start.h chooses, and ends with its exit status; with 2 if the ranks cannot start. RANKS is what --ranks
 * says, else `ranks`. Returns only in a process that is a rank, or if there is to be just one. Call
 * before MPI_Init. */
void mpiLaunch(int argc, char **argv, int ranks);

#ifdef __cplusplus
}
#endif

#endif
