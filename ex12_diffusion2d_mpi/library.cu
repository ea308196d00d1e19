/* TASK     The 2D diffusion on several GPUs with NCCL, which sends and receives on a stream.
 * TRAFFIC  8 bytes per point and step within a GPU; between two GPUs 8 nx bytes per step.
 * LIMIT    memory bandwidth of all GPUs together, if the exchange hides behind the inner rows. */
#include "cuda_utils.h"
#include "mpi_utils.h"
#include "measure.h"
#include "stencil.h"
#include <nccl.h>

#define ncclVerify(call) ncclVerifyAt((call), #call, __FILE__, __LINE__)

static void ncclVerifyAt(ncclResult_t result, const char *call, const char *file, int line)
{
    if (result != ncclSuccess) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, ncclGetErrorString(result));
        exit(2);
    }
}

/* NCCL wants a GPU for each rank. */
static int ranksShareGpus(const struct slab *s)
{
    MPI_Comm node;
    int ranks = 0, devices = 0, sharing;

    cudaVerify(cudaGetDeviceCount(&devices));
    mpiPatience(s->patience, "rank %d waits for the other ranks", s->rank);
    mpiVerify(MPI_Comm_split_type(s->comm, MPI_COMM_TYPE_SHARED, s->rank, MPI_INFO_NULL, &node));
    mpiVerify(MPI_Comm_size(node, &ranks));
    mpiVerify(MPI_Comm_free(&node));
    sharing = ranks > devices;
    mpiVerify(MPI_Allreduce(MPI_IN_PLACE, &sharing, 1, MPI_INT, MPI_MAX, s->comm));
    mpiPatienceEnd();
    return sharing;
}

static ncclComm_t openNccl(const struct slab *s)
{
    ncclUniqueId id;
    ncclComm_t opened;

    mpiPatience(s->patience, "rank %d waits for the other ranks to open NCCL", s->rank);
    if (s->rank == 0)
        ncclVerify(ncclGetUniqueId(&id));
    mpiVerify(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, s->comm));
    ncclVerify(ncclCommInitRank(&opened, s->ranks, id, s->rank));
    mpiPatienceEnd();
    return opened;
}

static ncclComm_t comm;

/* One group: all four go on together, as a kernel on the stream. No host waits for anything. */
static void exchangeNccl(const struct device_slab *d, struct exchange *, float *g,
                         cudaStream_t stream)
{
    const struct slab *s = d->slab;
    const size_t n = d->haloBytes / sizeof(float);

    ncclVerify(ncclGroupStart());
    if (s->above != MPI_PROC_NULL) {
        ncclVerify(ncclSend(g, n, ncclFloat, s->above, comm, stream));
        ncclVerify(ncclRecv(haloAbove(d, g), n, ncclFloat, s->above, comm, stream));
    }
    if (s->below != MPI_PROC_NULL) {
        ncclVerify(ncclSend(lastRows(d, g), n, ncclFloat, s->below, comm, stream));
        ncclVerify(ncclRecv(haloBelow(d, g), n, ncclFloat, s->below, comm, stream));
    }
    ncclVerify(ncclGroupEnd());
}

static void diffuse(const struct slab *slab, const float *start, float *end, int halo)
{
    if (ranksShareGpus(slab)) {
        rowSkip("NCCL wants a GPU for each rank");
        return;
    }
    comm = openNccl(slab);
    stepOverlapped(slab, start, end, halo, exchangeNccl);
    ncclVerify(ncclCommDestroy(comm));
}

static void everyStep(const struct slab *slab, const float *start, float *end)
{
    diffuse(slab, start, end, 1);
}

static void everyPass(const struct slab *slab, const float *start, float *end)
{
    diffuse(slab, start, end, STEPS_PER_PASS);
}

extern "C" const struct variant libraryVariants[] = {
    {"overlapped, NCCL", everyStep},
    {"8 steps, NCCL", everyPass, SAVES_TRAFFIC},
    {NULL, NULL},
};
