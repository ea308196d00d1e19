/* TASK     What a launch, a copy between host and device, and an operation cost.
 * TRAFFIC  4 bytes per float over the link, where something is copied or read.
 * LIMIT    latency for small things; the link and the multiprocessors for large ones. */
#include "cuda_utils.h"
#include "measure.h"
#include "overhead.h"
#include <string.h>

/* As good as empty: one thread of the grid leaves a mark that proves that this launch took
 * place. */
__global__ void mark(float *marks, size_t i)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        marks[i] = (float)i;
}

typedef void launches_fn(float *d_marks, size_t launches, cudaStream_t stream);

template <launches_fn launchAll> static void launches(const struct work *w)
{
    float *d_marks = NULL;
    cudaStream_t stream;

    cudaVerify(cudaMalloc((void **)&d_marks, w->n * sizeof *d_marks));
    cudaVerify(cudaStreamCreate(&stream));
    MEASURE (run) {
        launchAll(d_marks, w->n, stream);
    }
    cudaVerify(cudaMemcpy(w->y, d_marks, w->n * sizeof *d_marks, cudaMemcpyDeviceToHost));
    cudaVerify(cudaStreamDestroy(stream));
    cudaVerify(cudaFree(d_marks));
}

/* The host puts launches into the queue faster than the device works them off, or the other way
 * round: the slower of the two is what is measured. --grid and --block make the grids larger. */
void backToBack(float *d_marks, size_t launches, cudaStream_t stream)
{
    const size_t grid = gridSize(1);
    const int block = blockSize(32);

    for (size_t i = 0; i < launches; i++)
        cudaVerifyKernel((mark<<<(unsigned)grid, block, 0, stream>>>(d_marks, i)));
}

/* To wait for each means the way there and back, and an idle device in between. */
void waitingForEach(float *d_marks, size_t launches, cudaStream_t stream)
{
    // TODO 1 begin: as backToBack, but the host waits for each launch before the next one
    for (size_t i = 0; i < launches; i++) {
        cudaVerifyKernel((mark<<<1, 32, 0, stream>>>(d_marks, i)));
        cudaVerify(cudaStreamSynchronize(stream));
    }
    // TODO 1 end
}

/* Host memory that stays where it is: the device can copy from and to it by itself, and kernels can
 * read it. */
extern "C" float *newPageLocked(size_t n)
{
    float *array = NULL;

    // TODO 2 begin: allocate page-locked host memory for n floats that is mapped for the device
    cudaVerify(cudaHostAlloc((void **)&array, n * sizeof *array, cudaHostAllocMapped));
    // TODO 2 end
    return array;
}

extern "C" void freePageLocked(float *array)
{
    if (array != NULL)
        cudaVerify(cudaFreeHost(array));
}

/* Starts a copy, and waits until it is done. */
static void copyAndWait(float *to, const float *from, size_t n, enum cudaMemcpyKind direction,
                        cudaStream_t stream)
{
    // TODO 3 begin: start copying n floats in this stream, then wait for the stream
    cudaVerify(cudaMemcpyAsync(to, from, n * sizeof *to, direction, stream));
    cudaVerify(cudaStreamSynchronize(stream));
    // TODO 3 end
}

/* x or y may be pageable or page-locked: that makes the difference. */
template <int toDevice> static void copies(const struct work *w)
{
    float *d_x = NULL;
    cudaStream_t stream;

    cudaVerify(cudaMalloc((void **)&d_x, w->n * sizeof *d_x));
    cudaVerify(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (!toDevice)
        cudaVerify(cudaMemcpy(d_x, w->x, w->n * sizeof *d_x, cudaMemcpyHostToDevice));
    MEASURE (run) {
        if (toDevice)
            copyAndWait(d_x, w->x, w->n, cudaMemcpyHostToDevice, stream);
        else
            copyAndWait(w->y, d_x, w->n, cudaMemcpyDeviceToHost, stream);
    }
    if (toDevice)
        cudaVerify(cudaMemcpy(w->y, d_x, w->n * sizeof *d_x, cudaMemcpyDeviceToHost));
    cudaVerify(cudaStreamDestroy(stream));
    cudaVerify(cudaFree(d_x));
}

/* x to the device, and another copy of x back to z, at the same time. */
static void bothWays(const struct work *w)
{
    const size_t bytes = w->n * sizeof *w->x;
    float *d_in = NULL, *d_out = NULL;
    cudaStream_t in, out;

    cudaVerify(cudaMalloc((void **)&d_in, bytes));
    cudaVerify(cudaMalloc((void **)&d_out, bytes));
    cudaVerify(cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking));
    cudaVerify(cudaStreamCreateWithFlags(&out, cudaStreamNonBlocking));
    cudaVerify(cudaMemcpy(d_out, w->x, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        // TODO 4 begin: start x to d_in in stream in, d_out to z in stream out; wait for both
        cudaVerify(cudaMemcpyAsync(d_in, w->x, bytes, cudaMemcpyHostToDevice, in));
        cudaVerify(cudaMemcpyAsync(w->z, d_out, bytes, cudaMemcpyDeviceToHost, out));
        cudaVerify(cudaStreamSynchronize(in));
        cudaVerify(cudaStreamSynchronize(out));
        // TODO 4 end
    }
    cudaVerify(cudaMemcpy(w->y, d_in, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaStreamDestroy(in));
    cudaVerify(cudaStreamDestroy(out));
    cudaVerify(cudaFree(d_in));
    cudaVerify(cudaFree(d_out));
}

template <int times> __global__ void read(const float *x, float *y, size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = times == 1 ? x[i] : x[i] + x[n - 1 - i];
}

template <int times>
static void launchRead(const float *d_x, float *d_y, size_t n, cudaStream_t stream)
{
    const int block = blockSize(256);
    const size_t grid = gridSize((size_t)multiprocessors() * 8);

    cudaVerifyKernel((read<times><<<(unsigned)grid, block, 0, stream>>>(d_x, d_y, n)));
}

/* The copy, then the kernel: twice through a memory, but the device's own is fast. */
template <int times> static void copied(const struct work *w)
{
    float *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, w->n * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_y, w->n * sizeof *d_y));
    MEASURE (run) {
        copyAndWait(d_x, w->x, w->n, cudaMemcpyHostToDevice, 0);
        launchRead<times>(d_x, d_y, w->n, 0);
    }
    cudaVerify(cudaMemcpy(w->y, d_y, w->n * sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

/* No copy: the kernel reads the host's memory over the link, each time that it reads it. */
template <int times> static void mapped(const struct work *w)
{
    const float *d_x = NULL;
    float *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_y, w->n * sizeof *d_y));
    // TODO 5 begin: d_x is the device's pointer to the mapped array w->x, cast to (void *)
    cudaVerify(cudaHostGetDevicePointer((void **)&d_x, (void *)w->x, 0));
    // TODO 5 end
    MEASURE (run) {
        if (d_x != NULL)
            launchRead<times>(d_x, d_y, w->n, 0);
    }
    cudaVerify(cudaMemcpy(w->y, d_y, w->n * sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_y));
}

/* The kernel of the last row, timed by yourself: what MEASURE does around its body. */
static void timedByEvents(const struct work *w)
{
    float *d_x = NULL, *d_y = NULL, milliseconds = -1.0f;
    cudaEvent_t begin, end;

    cudaVerify(cudaMalloc((void **)&d_x, w->n * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_y, w->n * sizeof *d_y));
    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaEventCreate(&end));
    cudaVerify(cudaMemcpy(d_x, w->x, w->n * sizeof *d_x, cudaMemcpyHostToDevice));
    MEASURE (run) {
        launchRead<2>(d_x, d_y, w->n, 0);
    }

    // TODO 6 begin: record begin, launch, record end; wait for end; the milliseconds between them
    cudaVerify(cudaEventRecord(begin, 0));
    launchRead<2>(d_x, d_y, w->n, 0);
    cudaVerify(cudaEventRecord(end, 0));
    cudaVerify(cudaEventSynchronize(end));
    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));
    // TODO 6 end
    secondsBetween(begin, end, 1e-3 * milliseconds);
    cudaVerify(cudaMemcpy(w->y, d_y, w->n * sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaEventDestroy(begin));
    cudaVerify(cudaEventDestroy(end));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

/* The same launches as one: captured once, the host queues them all by a single call. */
static void launchesInGraph(const struct work *w)
{
#if CUDART_VERSION >= 12000
    float *d_marks = NULL;
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t program = NULL;

    cudaVerify(cudaMalloc((void **)&d_marks, w->n * sizeof *d_marks));
    cudaVerify(cudaStreamCreate(&stream));
    // TODO 7 begin: (advanced) capture backToBack(d_marks, w->n, stream) into graph; instantiate it
    cudaVerify(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    backToBack(d_marks, w->n, stream);
    cudaVerify(cudaStreamEndCapture(stream, &graph));
    cudaVerify(cudaGraphInstantiate(&program, graph, 0));
    // TODO 7 end
    MEASURE (run) {
        if (program != NULL)
            cudaVerify(cudaGraphLaunch(program, stream));
    }
    cudaVerify(cudaMemcpy(w->y, d_marks, w->n * sizeof *d_marks, cudaMemcpyDeviceToHost));
    if (program != NULL)
        cudaVerify(cudaGraphExecDestroy(program));
    if (graph != NULL)
        cudaVerify(cudaGraphDestroy(graph));
    cudaVerify(cudaStreamDestroy(stream));
    cudaVerify(cudaFree(d_marks));
#else
    rowSkip("needs CUDA 12");
    (void)w;
#endif
}

#include "advanced/managed.cuh" /* managed memory: page faults and prefetches */

/* advanced/instructions.cu: 75 kernels, compiled by themselves. */
template <int chains> variant_fn oneThread;
template <int operation> variant_fn instructions;

extern "C" const struct variant deviceVariants[] = {
    {"empty kernel", launches<backToBack>},
    {"launches, back to back", launches<backToBack>},
    {"launches, waiting for each", launches<waitingForEach>},
    {"launches in a graph", launchesInGraph},
    {"to the device, pageable", copies<1>},
    {"to the device, page-locked", copies<1>},
    {"from the device, pageable", copies<0>},
    {"from the device, page-locked", copies<0>},
    {"both at once", bothWays},
    {"copied, read once", copied<1>},
    {"mapped, read once", mapped<1>},
    {"copied, read twice", copied<2>},
    {"mapped, read twice", mapped<2>},
    {"managed, page faults", managed<0>},
    {"managed, prefetched", managed<1>},
    {"timed by events", timedByEvents},
    {"one thread, 1 chain", oneThread<1>},
    {"one thread, 2 chains", oneThread<2>},
    {"one thread, 4 chains", oneThread<4>},
    {"all threads: float add", instructions<ADD>},
    {"all threads: float multiply-add", instructions<MULTIPLY_ADD>},
    {"all threads: float division", instructions<DIVIDE>},
    {"all threads: sqrtf", instructions<SQUARE_ROOT>},
    {"all threads: __sinf", instructions<FAST_SINE>},
    {"all threads: sinf", instructions<SINE>},
    {"all threads: double multiply-add", instructions<DOUBLE_MULTIPLY_ADD>},
    {"all threads: integer multiply-add", instructions<INTEGER_MULTIPLY_ADD>},
    {NULL, NULL},
};
