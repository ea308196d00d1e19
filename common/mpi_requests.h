/* Non-blocking messages that a program has started and not waited for, counted by MPI's profiling
 * interface (MPI 3.1, chapter 14). A buffer of such a message must not be touched, and nothing else
 * detects that. */
#ifndef MPI_REQUESTS_H
#define MPI_REQUESTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Messages of this rank that are under way, by MPI_Isend and MPI_Irecv. */
long mpiRequestsPending(void);

#ifdef __cplusplus
}
#endif

#endif
