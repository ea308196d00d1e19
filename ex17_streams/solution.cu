/* TASK     c = f(a), n floats that start and end on the host: copies and kernels at the same time.
 * TRAFFIC  4 n bytes to the device and 4 n bytes back, over the link between host and device.
 * LIMIT    the link, both directions at once; with many steps of f, arithmetic. */
#include "cuda_utils.h"
#include "measure.h"
#include "streams.h"
#include "device.cuh"   /* struct device: arrays, streams, events */
#include "timeline.cuh" /* when did what run? */

typedef void submit_fn(const struct device *d);

/* f: every element is an oscillator, at rest at a[i]. */
__global__ void oscillate(const float *a, float *c, size_t n, int steps)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float place, speed = 0.0f;

    if (i >= n)
        return;
    place = a[i];
    for (int s = 0; s < steps; s++)
        OSCILLATOR_STEP(place, speed);
    c[i] = place;
}

static void launch(const float *d_from, float *d_to, size_t n, int steps, cudaStream_t stream)
{
    const int block = blockSize(256);
    const size_t grid = (n + block - 1) / block;

    cudaVerifyKernel((oscillate<<<(unsigned)grid, block, 0, stream>>>(d_from, d_to, n, steps)));
}

/* The way of the first exercise. The link is used in one direction at a time, and not at all while
 * the kernel runs. */
static void inTurn(const struct work *w)
{
    float *d_a = newOnDevice(w->n), *d_c = newOnDevice(w->n);

    if (d_a != NULL && d_c != NULL) {
        MEASURE (run) {
            // TODO 1 begin: copy w->a to d_a, launch(d_a, d_c, w->n, w->steps, 0), copy d_c to w->c
            cudaVerify(cudaMemcpy(d_a, w->a, w->n * sizeof *d_a, cudaMemcpyHostToDevice));
            launch(d_a, d_c, w->n, w->steps, 0);
            cudaVerify(cudaMemcpy(w->c, d_c, w->n * sizeof *d_c, cudaMemcpyDeviceToHost));
            // TODO 1 end
        }
    }
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_c));
}

/* Of pageable memory the driver makes copies of its own, piece by piece, on one core. From here on
 * a and c are page-locked, and the copy engines fetch them by themselves; only such copies can run
 * beside anything else. */
extern "C" float *newPageLocked(size_t n)
{
    float *array = NULL;

    // TODO 2 begin: allocate page-locked host memory for n floats
    cudaVerify(cudaMallocHost((void **)&array, n * sizeof *array));
    // TODO 2 end
    return array;
}

extern "C" void freePageLocked(float *array)
{
    if (array != NULL)
        cudaVerify(cudaFreeHost(array));
}

/* The pieces of everything below: one activity for chunk i, put into a stream. The host waits for
 * none of them; the timeline shows when they ran. */
void copyIn(const struct work *w, size_t i, float *d_to, cudaStream_t stream)
{
    timelineBegin(COPY_IN, stream);
    // TODO 3 begin: start copying chunk i of w->a to d_to, in this stream, without waiting for it
    cudaVerify(cudaMemcpyAsync(d_to, w->a + i * w->chunk, chunkLength(w, i) * sizeof *d_to,
                               cudaMemcpyHostToDevice, stream));
    // TODO 3 end
    timelineEnd(stream);
}

void compute(const struct work *w, size_t i, const float *d_from, float *d_to, cudaStream_t stream)
{
    timelineBegin(KERNEL, stream);
    launch(d_from, d_to, chunkLength(w, i), w->steps, stream);
    timelineEnd(stream);
}

void copyOut(const struct work *w, size_t i, const float *d_from, cudaStream_t stream)
{
    timelineBegin(COPY_OUT, stream);
    // TODO 4 begin: start copying chunk i of w->c from d_from to the host
    cudaVerify(cudaMemcpyAsync(w->c + i * w->chunk, d_from, chunkLength(w, i) * sizeof *d_from,
                               cudaMemcpyDeviceToHost, stream));
    // TODO 4 end
    timelineEnd(stream);
}

/* The host goes on when all that was put into these streams is done, and c may be read. */
static void waitFor(const cudaStream_t *stream, int streams)
{
    // TODO 5 begin: wait for each of these streams
    for (int k = 0; k < streams; k++)
        cudaVerify(cudaStreamSynchronize(stream[k]));
    // TODO 5 end
}

/* The code around the rungs that follow; afterwards once more, with events, for the timeline. */
template <submit_fn submit, int whole> static void overlapped(const struct work *w)
{
    struct device d;

    if (openDevice(&d, w, whole)) {
        MEASURE (run) {
            submit(&d);
            waitFor(d.stream, MOST_SLOTS);
        }
        timelineStart();
        submit(&d);
        timelineStop();
    }
    closeDevice(&d);
}

/* In turn, nothing overlaps. In chunks and in several streams it can: all copies to the device, all
 * kernels, all copies back, chunk i in stream i % slots. */
void breadthFirst(const struct device *d)
{
    const struct work *w = d->w;
    const size_t chunks = chunksOf(w);

    // TODO 6 begin: three loops over all chunks; buffers begin at i * w->chunk
    for (size_t i = 0; i < chunks; i++)
        copyIn(w, i, d->d_a + i * w->chunk, d->stream[i % w->slots]);
    for (size_t i = 0; i < chunks; i++)
        compute(w, i, d->d_a + i * w->chunk, d->d_c + i * w->chunk, d->stream[i % w->slots]);
    for (size_t i = 0; i < chunks; i++)
        copyOut(w, i, d->d_c + i * w->chunk, d->stream[i % w->slots]);
    // TODO 6 end
}

/* Chunk 0 came back late: in its stream, the copies and kernels of other chunks were queued before
 * its copy back. Reordered: everything for a chunk, then everything for the next one. */
void depthFirst(const struct device *d)
{
    const struct work *w = d->w;
    const size_t chunks = chunksOf(w);

    // TODO 7 begin: one loop over all chunks; buffers and streams as before
    for (size_t i = 0; i < chunks; i++) {
        const cudaStream_t stream = d->stream[i % w->slots];
        const size_t begin = i * w->chunk;

        copyIn(w, i, d->d_a + begin, stream);
        compute(w, i, d->d_a + begin, d->d_c + begin, stream);
        copyOut(w, i, d->d_c + begin, stream);
    }
    // TODO 7 end
}

/* Arrays that are larger than the device's memory cannot be there as a whole, and need not be: a
 * chunk that has left makes room for another one. The order within a stream sees to it that a slot
 * is free again. */
void ring(const struct device *d)
{
    const struct work *w = d->w;
    const size_t chunks = chunksOf(w);

    // TODO 8 begin: chunk i in slot i % w->slots: the slot's stream, its buffers at slot * w->chunk
    for (size_t i = 0; i < chunks; i++) {
        const size_t slot = i % w->slots, begin = slot * w->chunk;

        copyIn(w, i, d->d_a + begin, d->stream[slot]);
        compute(w, i, d->d_a + begin, d->d_c + begin, d->stream[slot]);
        copyOut(w, i, d->d_c + begin, d->stream[slot]);
    }
    // TODO 8 end
}

/* A slot's next copy in waits for its last copy out, although its input buffer has been free since
 * the kernel. Three streams, one for each activity, wait for exactly what they need: events say
 * so. */
void pipeline(const struct device *d)
{
    const struct work *w = d->w;
    const size_t chunks = chunksOf(w);

    // TODO 9 begin: (advanced) all chunks, copied in by stream[0]; events arrived, computed, left
    const cudaStream_t in = d->stream[0], kernels = d->stream[1], out = d->stream[2];

    for (size_t i = 0; i < chunks; i++) {
        const size_t slot = i % w->slots, begin = slot * w->chunk;
        const int isReused = i >= (size_t)w->slots;

        if (isReused) /* its last kernel has read the input */
            cudaVerify(cudaStreamWaitEvent(in, d->computed[slot], 0));
        copyIn(w, i, d->d_a + begin, in);
        cudaVerify(cudaEventRecord(d->arrived[slot], in));

        cudaVerify(cudaStreamWaitEvent(kernels, d->arrived[slot], 0));
        if (isReused) /* its last result has left */
            cudaVerify(cudaStreamWaitEvent(kernels, d->left[slot], 0));
        compute(w, i, d->d_a + begin, d->d_c + begin, kernels);
        cudaVerify(cudaEventRecord(d->computed[slot], kernels));

        cudaVerify(cudaStreamWaitEvent(out, d->computed[slot], 0));
        copyOut(w, i, d->d_c + begin, out);
        cudaVerify(cudaEventRecord(d->left[slot], out));
    }
    // TODO 9 end

    /* The first stream goes on when all is done: a graph begins and ends in one stream. */
    cudaVerify(cudaStreamWaitEvent(d->stream[0], d->left[(chunks - 1) % w->slots], 0));
}

/* Each of these calls costs the host some microseconds. Captured once into a graph, all of them are
 * one call. */
static void pipelineInGraph(const struct work *w)
{
#if CUDART_VERSION >= 12000
    cudaGraph_t graph = NULL;
    cudaGraphExec_t program = NULL;
    struct device d;

    if (openDevice(&d, w, 0)) {
        // TODO 10 begin: (advanced) capture pipeline(&d), begun in d.stream[0]; instantiate it
        cudaVerify(cudaStreamBeginCapture(d.stream[0], cudaStreamCaptureModeGlobal));
        pipeline(&d);
        cudaVerify(cudaStreamEndCapture(d.stream[0], &graph));
        cudaVerify(cudaGraphInstantiate(&program, graph, 0));
        // TODO 10 end
        verifyThat(program != NULL, "no program: cudaGraphInstantiate() makes it of the graph");
        MEASURE (run) {
            if (program != NULL)
                cudaVerify(cudaGraphLaunch(program, d.stream[0]));
            waitFor(d.stream, 1);
        }
        if (program != NULL)
            cudaVerify(cudaGraphExecDestroy(program));
        if (graph != NULL)
            cudaVerify(cudaGraphDestroy(graph));
    }
    closeDevice(&d);
#else
    rowSkip("needs CUDA 12");
    (void)w;
#endif
}

#include "advanced/managed.cuh" /* managed memory, prefetched in chunks */
#include "advanced/small.cuh"   /* 64 small kernels, in 1, 8 and 32 streams; priorities */

extern "C" const struct variant deviceVariants[] = {
    {"pageable, in turn", inTurn},
    {"page-locked, in turn", inTurn},
    {"all in, all kernels, all out", overlapped<breadthFirst, 1>},
    {"chunk after chunk", overlapped<depthFirst, 1>},
    {"ring of streams", overlapped<ring, 0>},
    {"pipeline of three streams", overlapped<pipeline, 0>},
    {"pipeline in a graph", pipelineInGraph},
    {"managed memory, prefetched", managed},
    {"64 small kernels, 1 stream", small<1>},
    {"64 small kernels, 8 streams", small<8>},
    {"64 small kernels, 32 streams", small<32>},
    {"64 small kernels behind a long one", behindLongKernel<0>},
    {"64 small kernels, with priority", behindLongKernel<1>},
    {NULL, NULL},
};
