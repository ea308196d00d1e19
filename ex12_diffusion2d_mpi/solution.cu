/* TASK     The 2D diffusion on any number of GPUs: each MPI rank steps its rows on its GPU, and
 *          after every step neighbours exchange their boundary rows.
 * TRAFFIC  8 bytes per point and step within a GPU; between two GPUs 8 nx bytes per step.
 * LIMIT    memory bandwidth of all GPUs together, if the exchange hides behind the inner rows. */
#include "cuda_utils.h"
#include "mpi_utils.h"
#include "measure.h"
#include "peers.h"
#include "stencil.h"

/* The means of an exchange: buffers on the host for the rows that go and come, or peers. */
struct exchange {
    float *toAbove, *toBelow, *fromAbove, *fromBelow;
    struct peers peers;
};

static void divideBuffers(struct exchange *e, const struct device_slab *d, float *buffers)
{
    const size_t n = d->haloBytes / sizeof(float);

    e->toAbove = buffers;
    e->toBelow = buffers + n;
    e->fromAbove = buffers + 2 * n;
    e->fromBelow = buffers + 3 * n;
}

/* Both directions at once. At the field's border the neighbour is MPI_PROC_NULL: MPI then neither
 * sends nor receives. The pointers may be a GPU's, if MPI takes them. */
static void sendAndReceive(const struct device_slab *d, float *toAbove, float *toBelow,
                           float *fromAbove, float *fromBelow)
{
    // TODO 1 begin: send up and down, receive from above and below
    const struct slab *s = d->slab;
    const int n = (int)(d->haloBytes / sizeof(float)), up = 1, down = 2; /* tags */
    MPI_Request requests[4];

    beginWait(s);
    mpiVerify(MPI_Irecv(fromAbove, n, MPI_FLOAT, s->above, down, s->comm, &requests[0]));
    mpiVerify(MPI_Irecv(fromBelow, n, MPI_FLOAT, s->below, up, s->comm, &requests[1]));
    mpiVerify(MPI_Isend(toAbove, n, MPI_FLOAT, s->above, up, s->comm, &requests[2]));
    mpiVerify(MPI_Isend(toBelow, n, MPI_FLOAT, s->below, down, s->comm, &requests[3]));
    mpiVerify(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    mpiPatienceEnd();
    // TODO 1 end
}

/* The course's exchange: device - host - MPI - host - device. */
void exchangeStaged(const struct device_slab *d, struct exchange *e, float *g, cudaStream_t stream)
{
    // TODO 1 begin: rows to the host, and there before MPI sends them
    cudaVerify(cudaMemcpyAsync(e->toAbove, g, d->haloBytes, cudaMemcpyDeviceToHost, stream));
    cudaVerify(
        cudaMemcpyAsync(e->toBelow, lastRows(d, g), d->haloBytes, cudaMemcpyDeviceToHost, stream));
    cudaVerify(cudaStreamSynchronize(stream)); /* MPI must not send before the rows have arrived */
    // TODO 1 end
    sendAndReceive(d, e->toAbove, e->toBelow, e->fromAbove, e->fromBelow);
    // TODO 1 begin: halos to the device, but leave a border row as it is
    if (d->slab->above != MPI_PROC_NULL)
        cudaVerify(cudaMemcpyAsync(haloAbove(d, g), e->fromAbove, d->haloBytes,
                                   cudaMemcpyHostToDevice, stream));
    if (d->slab->below != MPI_PROC_NULL)
        cudaVerify(cudaMemcpyAsync(haloBelow(d, g), e->fromBelow, d->haloBytes,
                                   cudaMemcpyHostToDevice, stream));
    // TODO 1 end
}

/* The code around every kernel, and the simplest order: a step, the exchange, the next step. */
template <stencil_fn stencil, int pageLocked>
static void inTurn(const struct slab *slab, const float *start, float *end)
{
    struct exchange e = {};
    struct device_slab d;
    float *buffers = NULL, *f = NULL, *g = NULL;

    slabToDevice(&d, slab, 1, start);
    if (pageLocked)
        cudaVerify(cudaMallocHost((void **)&buffers, 4 * d.haloBytes));
    else
        buffers = (float *)mustAllocate(4 * d.haloBytes, "halo rows");
    divideBuffers(&e, &d, buffers);
    MEASURE (run) {
        f = d.start;
        for (int s = 0; s < slab->steps; s++) {
            g = d.field[s % 2];
            stencil(&d, f, g, 0, d.rows, 0);
            exchangeStaged(&d, &e, g, 0);
            f = g;
        }
    }
    slabToHost(&d, f, end);
    if (pageLocked)
        cudaVerify(cudaFreeHost(buffers));
    else
        free(buffers);
}

/* The GPU was idle during the exchange. Here the outer rows come first, on a stream of their own;
 * while the inner rows are computed on the other one, they are exchanged. With several steps to an
 * exchange there are fewer messages, and rows near the border are computed twice. */
exchange_fn exchangePeers;

void stepOverlapped(const struct slab *slab, const float *start, float *end, int halo,
                    exchange_fn *exchange)
{
    struct exchange e = {};
    struct device_slab d;
    cudaStream_t outer, inner;
    cudaEvent_t outerDone, innerDone;
    float *buffers = NULL, *f = NULL, *g = NULL;
    int least, greatest;

    if (slab->fewestRows < halo) { /* a neighbour's halo would reach past this rank's rows */
        harnessRemark("fewer than %d rows in a rank: exchanged after every step", halo);
        halo = 1;
    }
    slabToDevice(&d, slab, halo, start);
    cudaVerify(cudaMallocHost((void **)&buffers, 4 * d.haloBytes));
    divideBuffers(&e, &d, buffers);
    /* The outer rows' blocks go first wherever a multiprocessor has room. */
    cudaVerify(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaVerify(cudaStreamCreateWithPriority(&outer, cudaStreamDefault, greatest));
    cudaVerify(cudaStreamCreateWithPriority(&inner, cudaStreamDefault, least));
    cudaVerify(cudaEventCreateWithFlags(&outerDone, cudaEventDisableTiming));
    cudaVerify(cudaEventCreateWithFlags(&innerDone, cudaEventDisableTiming));

    if (exchange != exchangePeers || peersOpen(&e.peers, &d)) {
        if (halo > 1) /* start has one row of the halo only */
            exchange(&d, &e, d.start, outer);
        MEASURE (run) {
            f = d.start;
            for (int s = 0, pass = 0, n; s < slab->steps; s += n, pass++) {
                n = slab->steps - s >= halo ? halo : 1; /* the last few steps singly */
                g = d.field[pass % 2];
                // TODO 2 begin: f to g by stencilFast(&d, n, ...), two streams; exchange(... outer)
                const int top = halo < d.rows ? halo : d.rows; /* outer rows: below top, ... */
                const int bottom = d.rows - halo > top ? d.rows - halo : top; /* from bottom on */

                cudaVerify(cudaStreamWaitEvent(outer, innerDone, 0)); /* of the step before */
                cudaVerify(cudaStreamWaitEvent(inner, outerDone, 0));
                stencilFast(&d, n, f, g, 0, top, outer);
                stencilFast(&d, n, f, g, bottom, d.rows, outer);
                cudaVerify(cudaEventRecord(outerDone, outer));
                stencilFast(&d, n, f, g, top, bottom, inner);
                cudaVerify(cudaEventRecord(innerDone, inner));
                exchange(&d, &e, g, outer);
                // TODO 2 end
                f = g;
            }
        }
        cudaVerify(cudaDeviceSynchronize());
        peersClose(&e.peers, &d);
        slabToHost(&d, f, end);
    } else {
        slabToHost(&d, d.start, end);
    }
    cudaVerify(cudaEventDestroy(outerDone));
    cudaVerify(cudaEventDestroy(innerDone));
    cudaVerify(cudaStreamDestroy(outer));
    cudaVerify(cudaStreamDestroy(inner));
    cudaVerify(cudaFreeHost(buffers));
}

template <int stepsPerExchange, exchange_fn exchange>
static void overlapped(const struct slab *slab, const float *start, float *end)
{
    stepOverlapped(slab, start, end, stepsPerExchange, exchange);
}

/* The way through the host costs two copies. GPU-aware MPI reads and writes device memory itself,
 * but knows nothing of streams. */
void exchangeGpuAware(const struct device_slab *d, struct exchange *e, float *g,
                      cudaStream_t stream)
{
    (void)e;
    // TODO 3 begin: (advanced) the same without the copies
    cudaVerify(cudaStreamSynchronize(stream));
    sendAndReceive(d, g, lastRows(d, g), haloAbove(d, g), haloBelow(d, g));
    // TODO 3 end
}

static void overlapGpuAware(const struct slab *slab, const float *start, float *end)
{
    if (slab->gpuAware)
        overlapped<1, exchangeGpuAware>(slab, start, end);
    else
        rowSkip("this MPI does not take device pointers (if it does: --gpu-aware yes)");
}

/* The host was in the way of every message. Here the device writes into the neighbours' halos
 * itself, and MPI only announces that the event has been recorded: a stream that waits for an event
 * waits for the work recorded before. The neighbour is done with the halo's old rows, for it
 * computed with them what this rank has since received. */
void exchangePeers(const struct device_slab *d, struct exchange *e, float *g, cudaStream_t stream)
{
    // TODO 4 begin: (advanced) copy to the peers, record an event, tell them, wait for theirs
    const struct slab *s = d->slab;
    const int field = (int)((g - d->start) / (ptrdiff_t)d->fieldFloats);
    const int turn = e->peers.turn++ % 2;
    const float *rows[2] = {g, lastRows(d, g)};

    for (int k = 0; k < 2; k++)
        if (e->peers.rank[k] != MPI_PROC_NULL)
            cudaVerify(cudaMemcpyAsync(e->peers.halo[k][field], rows[k], d->haloBytes,
                                       cudaMemcpyDeviceToDevice, stream));
    cudaVerify(cudaEventRecord(e->peers.sent[turn], stream));
    beginWait(s);
    mpiVerify(MPI_Sendrecv(NULL, 0, MPI_BYTE, s->above, 1, NULL, 0, MPI_BYTE, s->below, 1, s->comm,
                           MPI_STATUS_IGNORE));
    mpiVerify(MPI_Sendrecv(NULL, 0, MPI_BYTE, s->below, 2, NULL, 0, MPI_BYTE, s->above, 2, s->comm,
                           MPI_STATUS_IGNORE));
    mpiPatienceEnd();
    for (int k = 0; k < 2; k++)
        if (e->peers.rank[k] != MPI_PROC_NULL)
            cudaVerify(cudaStreamWaitEvent(stream, e->peers.theirs[k][turn], 0));
    // TODO 4 end
}

extern "C" const struct variant deviceVariants[] = {
    {"plain kernel, staged exchange", inTurn<stencilPlain, 0>},
    {"page-locked buffers", inTurn<stencilPlain, 1>},
    {"float4, rows in registers", inTurn<stencilRows, 1>},
    {"overlapped exchange", overlapped<1, exchangeStaged>},
    {"overlapped, GPU-aware MPI", overlapGpuAware},
    {"overlapped, peer copies", overlapped<1, exchangePeers>},
    {"8 steps per exchange", overlapped<STEPS_PER_PASS, exchangeStaged>},
    {"8 steps, peer copies", overlapped<STEPS_PER_PASS, exchangePeers>},
    {NULL, NULL},
};
