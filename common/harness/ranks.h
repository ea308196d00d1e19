/* The ranks of an MPI program, for the harness's own files. Alone, a process is rank 0 of 1. */
#ifndef RANKS_H
#define RANKS_H

#include <stddef.h>

int rankCount(void);
int rankNumber(void);
/* Number of this rank on its node. */
int rankOnNode(void);
/* The smallest and the largest x of all ranks, which wait for each other here. */
double rankMin(double x);
double rankMax(double x);
void rankBarrier(void);
/* Makes a verdict and its message (of `size` bytes) those of the rank with the worst one. */
void rankWorst(int *verdict, char *message, size_t size);
/* Ends MPI in all ranks, before an exit that all of them take. */
void rankFinish(void);

#endif
