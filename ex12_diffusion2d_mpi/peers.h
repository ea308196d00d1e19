/* The neighbours' slabs in this process's address space (CUDA IPC). */
#ifndef PEERS_H
#define PEERS_H

#include "stencil.h"

/* Index 0: the rank above, 1: the rank below. */
struct peers {
    int rank[2];       /* MPI_PROC_NULL: none */
    void *memory[2];   /* their slabs */
    float *halo[2][3]; /* the halo that this rank fills, in their start, field[0], field[1] */
    /* This rank's rows have arrived. Two events, used by turns: a neighbour may still be about to
     * wait for the one before. */
    cudaEvent_t sent[2];
    cudaEvent_t theirs[2][2]; /* theirs[k]: those of rank[k] */
    int turn;
};

/* Maps the slabs of the neighbours on all ranks of the slab's communicator. Returns 1; or, where
 * the GPUs cannot reach each other, 0 on all ranks, and the row is skipped. */
int peersOpen(struct peers *peers, const struct device_slab *d);
/* Waits for all ranks, then unmaps. Peers that were never opened are left alone. */
void peersClose(struct peers *peers, const struct device_slab *d);

#endif
