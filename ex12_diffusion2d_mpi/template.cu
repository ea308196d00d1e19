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
    NOT_IMPLEMENTED(1);
    // TODO 1 end
}

/* The course's exchange: device - host - MPI - host - device. */
void exchangeStaged(const struct device_slab *d, struct exchange *e, float *g, cudaStream_t stream)
{
    // TODO 1 begin: rows to the host, and there before MPI sends them
    NOT_IMPLEMENTED(1);
    // TODO 1 end
    sendAndReceive(d, e->toAbove, e->toBelow, e->fromAbove, e->fromBelow);
    // TODO 1 begin: halos to the device, but leave a border row as it is
    NOT_IMPLEMENTED(1);
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
                NOT_IMPLEMENTED(2);
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
    NOT_IMPLEMENTED(3);
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
    NOT_IMPLEMENTED(4);
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
