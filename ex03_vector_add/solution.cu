/* TASK     c[i] = a[i] + b[i], n floats, and the execution configuration that does it best.
 * TRAFFIC  12 n bytes: a and b read, c written.
 * LIMIT    memory bandwidth: one addition per 12 bytes. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "vector_add.h"

typedef void launch_fn(const float *d_a, const float *d_b, float *d_c, size_t n);

/* The code around every kernel, as in ex01: memory on the device, the copies there, the launch, the
 * copy back. */
template <launch_fn launch>
static void vectorAdd(const float *a, const float *b, float *c, size_t n)
{
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    cudaVerify(cudaMalloc((void **)&d_a, n * sizeof *d_a));
    cudaVerify(cudaMalloc((void **)&d_b, n * sizeof *d_b));
    cudaVerify(cudaMalloc((void **)&d_c, n * sizeof *d_c));
    cudaVerify(cudaMemcpy(d_a, a, n * sizeof *d_a, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, n * sizeof *d_b, cudaMemcpyHostToDevice));

    MEASURE (run) {
        launch(d_a, d_b, d_c, n);
    }

    cudaVerify(cudaMemcpy(c, d_c, n * sizeof *c, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
}

/* A grid of any size shares the work: thread t of T adds the elements t, t + T, t + 2T, ... */
__global__ void vectorAddGridStride(const float *a, const float *b, float *c, size_t n)
{
    // TODO 1 begin: add every (number of threads in the grid)-th element
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + b[i];
    // TODO 1 end
}

void launchGridStride(const float *d_a, const float *d_b, float *d_c, size_t n)
{
    const int block = blockSize(256); /* --block and --grid override these choices */
    const size_t grid = gridSize((size_t)multiprocessors() * 8);

    cudaVerifyKernel((vectorAddGridStride<<<(unsigned)grid, block>>>(d_a, d_b, d_c, n)));
}

/* The loop makes a thread wait for one element before it asks for the next. One element per thread
 * needs no loop, but the grid must have at least n threads: --grid has no say here. */
__global__ void vectorAddOnePerThread(const float *a, const float *b, float *c, size_t n)
{
    // TODO 2 begin: add one element, if this thread has one
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
    // TODO 2 end
}

void launchOnePerThread(const float *d_a, const float *d_b, float *d_c, size_t n)
{
    const int block = blockSize(256);

    cudaVerifyKernel((vectorAddOnePerThread<<<blocksFor(n, block), block>>>(d_a, d_b, d_c, n)));
}

/* Times one launch by hand: the clock shows one thing before cudaDeviceSynchronize() and another
 * after it. MEASURE then times the same kernel properly. */
template <launch_fn launch>
static void vectorAddTimed(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d_x = NULL, *d_y = NULL, *d_z = NULL;
    double launched = 0.0, finished = 0.0; /* s */
    Timer timer;

    vectorAdd<launch>(a, b, c, n);
    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMalloc((void **)&d_z, bytes));
    cudaVerify(cudaMemset(d_x, 0, bytes));
    cudaVerify(cudaMemset(d_y, 0, bytes));
    launch(d_x, d_y, d_z, n); /* the first launch also loads the kernel */
    cudaVerify(cudaDeviceSynchronize());
    timeByHand();
    initTimer(&timer);
    // TODO 3 begin: call launch(); read the timer into launched; synchronise; read it into finished
    launch(d_x, d_y, d_z, n);
    launched = getTimer(&timer);
    cudaVerify(cudaDeviceSynchronize());
    finished = getTimer(&timer);
    // TODO 3 end
    timedByHand(launched, finished);
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_z));
}

/* One float per thread keeps too few bytes in flight. A float4 is 16 bytes a load, and a thread
 * issues all its loads before it uses the first. Thread 0 also adds the n % 4 elements that fill no
 * float4. */
enum { IN_FLIGHT = 2 };

__global__ void vectorAddFloat4(const float *a, const float *b, float *c, size_t n)
{
    // TODO 4 begin: (advanced) read and write float4, IN_FLIGHT of them per thread
    const size_t quads = n / 4;
    const size_t first = (size_t)blockIdx.x * blockDim.x * IN_FLIGHT + threadIdx.x;
    const float4 *a4 = (const float4 *)a, *b4 = (const float4 *)b;
    float4 x[IN_FLIGHT], y[IN_FLIGHT];

#pragma unroll
    for (int k = 0; k < IN_FLIGHT; k++)
        if (first + k * blockDim.x < quads) {
            x[k] = a4[first + k * blockDim.x];
            y[k] = b4[first + k * blockDim.x];
        }
#pragma unroll
    for (int k = 0; k < IN_FLIGHT; k++)
        if (first + k * blockDim.x < quads)
            ((float4 *)c)[first + k * blockDim.x] =
                make_float4(x[k].x + y[k].x, x[k].y + y[k].y, x[k].z + y[k].z, x[k].w + y[k].w);
    if (first == 0)
        for (size_t i = 4 * quads; i < n; i++)
            c[i] = a[i] + b[i];
    // TODO 4 end
}

void launchFloat4(const float *d_a, const float *d_b, float *d_c, size_t n)
{
    const int block = blockSize(256);
    const size_t perBlock = (size_t)block * 4 * IN_FLIGHT;
    const size_t grid = (n + perBlock - 1) / perBlock;

    cudaVerifyKernel((vectorAddFloat4<<<(unsigned)grid, block>>>(d_a, d_b, d_c, n)));
}

/* The kernel is at the limit, and the copies take hundreds of times as long: the driver copies
 * pageable memory piece by piece through a page-locked buffer of its own. The same kernel, with
 * host arrays that are page-locked: */
extern "C" float *newPageLocked(size_t n)
{
    float *array = NULL;

    cudaVerify(cudaMallocHost((void **)&array, n * sizeof *array));
    return array;
}

extern "C" void freePageLocked(float *array) { cudaVerify(cudaFreeHost(array)); }

extern "C" const struct variant deviceVariants[] = {
    {"grid-stride loop", vectorAdd<launchGridStride>},
    {"one element per thread", vectorAddTimed<launchOnePerThread>},
    {"float4, two in flight", vectorAdd<launchFloat4>},
    {"float4, page-locked host memory", vectorAdd<launchFloat4>},
    {NULL, NULL},
};
