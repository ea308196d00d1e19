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
    ncclComm_t comm;

    mpiPatience(s->patience, "rank %d waits for the other ranks to open NCCL", s->rank);
    if (s->rank == 0)
        ncclVerify(ncclGetUniqueId(&id));
    mpiVerify(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, s->comm));
    ncclVerify(ncclCommInitRank(&comm, s->ranks, id, s->rank));
    mpiPatienceEnd();
    return comm;
}

/* One group: all four go on together, as a kernel on the stream. No host waits for anything. */
static void exchange(const struct device_slab *d, ncclComm_t comm, float *g, cudaStream_t stream)
{
    const struct slab *s = d->slab;
    const size_t n = d->haloBytes / sizeof(float);

    ncclVerify(ncclGroupStart());
    if (s->above != MPI_PROC_NULL) {
        ncclVerify(ncclSend(g, n, ncclFloat, s->above, comm, stream));
        ncclVerify(ncclRecv(g - d->halo * d->pitch, n, ncclFloat, s->above, comm, stream));
    }
    if (s->below != MPI_PROC_NULL) {
        ncclVerify(
            ncclSend(g + (d->rows - d->halo) * d->pitch, n, ncclFloat, s->below, comm, stream));
        ncclVerify(ncclRecv(g + d->rows * d->pitch, n, ncclFloat, s->below, comm, stream));
    }
    ncclVerify(ncclGroupEnd());
}

static void diffuse(const struct slab *slab, const float *start, float *end, int halo)
{
    struct device_slab d;
    cudaStream_t outer, inner;
    cudaEvent_t outerDone, innerDone;
    ncclComm_t comm;
    float *f = NULL;
    int least, greatest, top, bottom;

    if (ranksShareGpus(slab)) {
        rowSkip("NCCL wants a GPU for each rank");
        return;
    }
    halo = slab->fewestRows < halo ? 1 : halo;
    comm = openNccl(slab);
    slabToDevice(&d, slab, halo, start);
    cudaVerify(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaVerify(cudaStreamCreateWithPriority(&outer, cudaStreamDefault, greatest));
    cudaVerify(cudaStreamCreateWithPriority(&inner, cudaStreamDefault, least));
    cudaVerify(cudaEventCreateWithFlags(&outerDone, cudaEventDisableTiming));
    cudaVerify(cudaEventCreateWithFlags(&innerDone, cudaEventDisableTiming));
    top = halo < d.rows ? halo : d.rows;
    bottom = d.rows - halo > top ? d.rows - halo : top;
    exchange(&d, comm, d.start, outer);
    MEASURE (run) {
        f = d.start;
        for (int s = 0, pass = 0, n; s < slab->steps; s += n, pass++) {
            float *g = d.field[pass % 2];

            n = slab->steps - s >= halo ? halo : 1;
            cudaVerify(cudaStreamWaitEvent(outer, innerDone, 0));
            cudaVerify(cudaStreamWaitEvent(inner, outerDone, 0));
            stencilFast(&d, n, f, g, 0, top, outer);
            stencilFast(&d, n, f, g, bottom, d.rows, outer);
            cudaVerify(cudaEventRecord(outerDone, outer));
            stencilFast(&d, n, f, g, top, bottom, inner);
            cudaVerify(cudaEventRecord(innerDone, inner));
            exchange(&d, comm, g, outer);
            f = g;
        }
    }
    cudaVerify(cudaDeviceSynchronize());
    slabToHost(&d, f, end);
    cudaVerify(cudaEventDestroy(outerDone));
    cudaVerify(cudaEventDestroy(innerDone));
    cudaVerify(cudaStreamDestroy(outer));
    cudaVerify(cudaStreamDestroy(inner));
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
