/* TASK     Map the memory of the neighbours' GPUs: handles go through MPI, once; rows never do.
 * TRAFFIC  none to speak of.
 * LIMIT    the GPUs must be in one node, and their ranks on one system image. */
#include "cuda_utils.h"
#include "mpi_utils.h"
#include "measure.h"
#include "peers.h"

#ifdef __CUDA_EMULATED__

int peersOpen(struct peers *peers, const struct device_slab *d)
{
    (void)peers;
    (void)d;
    rowSkip("the emulated device has no CUDA IPC");
    return 0;
}

void peersClose(struct peers *peers, const struct device_slab *d)
{
    (void)peers;
    (void)d;
}

#else

/* The message of a rank to its neighbours. */
struct introduction {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t sent[2];
    int rows;
};

/* Maps neighbour k's slab and events. Returns the first error. */
static cudaError_t openPeer(struct peers *p, int k, const struct device_slab *d,
                            const struct introduction *their)
{
    const size_t fieldFloats = (their->rows + 2 * d->halo) * d->pitch;
    cudaError_t error =
        cudaIpcOpenMemHandle(&p->memory[k], their->memory, cudaIpcMemLazyEnablePeerAccess);

    for (int i = 0; i < 2 && error == cudaSuccess; i++)
        error = cudaIpcOpenEventHandle(&p->theirs[k][i], their->sent[i]);
    /* This rank fills the halo below the rank above it, and the halo above the rank below it. */
    for (int i = 0; i < 3; i++)
        p->halo[k][i] = (float *)p->memory[k] + i * fieldFloats +
                        (k == 0 ? (d->halo + their->rows) * d->pitch : 0);
    return error;
}

int peersOpen(struct peers *p, const struct device_slab *d)
{
    const struct slab *s = d->slab;
    const int rank[2] = {s->above, s->below};
    struct introduction own, their[2];
    cudaError_t error = cudaSuccess;
    int failed = 0;

    memset(p, 0, sizeof *p);
    own.rows = d->rows;
    for (int i = 0; i < 2; i++) {
        cudaVerify(
            cudaEventCreateWithFlags(&p->sent[i], cudaEventInterprocess | cudaEventDisableTiming));
        if (error == cudaSuccess)
            error = cudaIpcGetEventHandle(&own.sent[i], p->sent[i]);
        p->rank[i] = rank[i];
    }
    if (error == cudaSuccess)
        error = cudaIpcGetMemHandle(&own.memory, d->memory);
    mpiPatience(s->patience, "rank %d waits to be introduced to its neighbours", s->rank);
    mpiVerify(MPI_Sendrecv(&own, sizeof own, MPI_BYTE, rank[0], 1, &their[1], sizeof own, MPI_BYTE,
                           rank[1], 1, s->comm, MPI_STATUS_IGNORE));
    mpiVerify(MPI_Sendrecv(&own, sizeof own, MPI_BYTE, rank[1], 2, &their[0], sizeof own, MPI_BYTE,
                           rank[0], 2, s->comm, MPI_STATUS_IGNORE));
    for (int k = 0; k < 2; k++)
        if (rank[k] != MPI_PROC_NULL && error == cudaSuccess)
            error = openPeer(p, k, d, &their[k]);
    failed = (int)error;
    mpiVerify(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, s->comm));
    mpiPatienceEnd();
    if (failed == 0)
        return 1;
    cudaGetLastError(); /* it is reported here, not at the next launch */
    rowSkip("the GPUs cannot map each other's memory: %s", cudaGetErrorString((cudaError_t)failed));
    peersClose(p, d);
    return 0;
}

void peersClose(struct peers *p, const struct device_slab *d)
{
    if (p->sent[0] == NULL)
        return;
    mpiPatience(d->slab->patience, "rank %d waits for all ranks to be done", d->slab->rank);
    mpiVerify(MPI_Barrier(d->slab->comm)); /* a neighbour may still write here */
    mpiPatienceEnd();
    for (int k = 0; k < 2; k++) {
        if (p->memory[k] != NULL)
            cudaVerify(cudaIpcCloseMemHandle(p->memory[k]));
        for (int i = 0; i < 2; i++)
            if (p->theirs[k][i] != NULL)
                cudaVerify(cudaEventDestroy(p->theirs[k][i]));
    }
    mpiPatience(d->slab->patience, "rank %d waits for all ranks to be done", d->slab->rank);
    mpiVerify(MPI_Barrier(d->slab->comm)); /* before this rank's memory goes, none has it mapped */
    mpiPatienceEnd();
    for (int i = 0; i < 2; i++)
        cudaVerify(cudaEventDestroy(p->sent[i]));
    memset(p, 0, sizeof *p);
}
#endif
