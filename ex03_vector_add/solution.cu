/* TASK     c[i] = a[i] + b[i], n floats, and the execution configuration that does it best.
 * TRAFFIC  12 n bytes: a and b read, c written.
 * LIMIT    memory bandwidth: one addition per 12 bytes. */
#include "cuda_utils.h"
#include "measure.h"
#include "vector_add.h"

/* Any grid will do: thread t of T adds the elements t, t + T, t + 2T, ... */
__global__ void vectorAddGridStride(const float *a, const float *b, float *c, size_t n)
{
    // TODO 5 begin: add every (number of threads in the grid)-th element
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + b[i];
    // TODO 5 end
}

/* The grid must hold at least n threads. */
__global__ void vectorAddOnePerThread(const float *a, const float *b, float *c, size_t n)
{
    // TODO 6 begin: add one element, if this thread has one
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
    // TODO 6 end
}

/* 16 bytes a load, and the loads of a thread issued before the first is used: more bytes in flight
 * from fewer threads. Thread 0 also adds the n % 4 elements that fill no float4. */
enum { IN_FLIGHT = 2 };

__global__ void vectorAddFloat4(const float *a, const float *b, float *c, size_t n)
{
    // TODO 7 begin: (advanced) read and write float4, IN_FLIGHT of them per thread
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
    // TODO 7 end
}

/* The launches: --block and --grid go before each variant's own choice. A kernel that needs a thread
 * for every element takes no smaller grid. */
static void launchGridStride(const float *d_a, const float *d_b, float *d_c, size_t n)
{
    const int block = blockSize(256);
    const size_t grid = gridSize((size_t)multiprocessors() * 8);

    cudaVerifyKernel((vectorAddGridStride<<<(unsigned)grid, block>>>(d_a, d_b, d_c, n)));
}

static void launchOnePerThread(const float *d_a, const float *d_b, float *d_c, size_t n)
{
    const int block = blockSize(256);
    const size_t grid = (n + block - 1) / block;

    cudaVerifyKernel((vectorAddOnePerThread<<<(unsigned)grid, block>>>(d_a, d_b, d_c, n)));
}

static void launchFloat4(const float *d_a, const float *d_b, float *d_c, size_t n)
{
    const int block = blockSize(256);
    const size_t perBlock = (size_t)block * 4 * IN_FLIGHT;
    const size_t grid = (n + perBlock - 1) / perBlock;

    cudaVerifyKernel((vectorAddFloat4<<<(unsigned)grid, block>>>(d_a, d_b, d_c, n)));
}

typedef void launch_fn(const float *d_a, const float *d_b, float *d_c, size_t n);

/* What surrounds a kernel: memory on the device, the copies there and back. */
static void vectorAdd(const float *a, const float *b, float *c, size_t n, launch_fn *launch)
{
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    // TODO 1 begin: allocate d_a, d_b and d_c on the device
    cudaVerify(cudaMalloc((void **)&d_a, n * sizeof *d_a));
    cudaVerify(cudaMalloc((void **)&d_b, n * sizeof *d_b));
    cudaVerify(cudaMalloc((void **)&d_c, n * sizeof *d_c));
    // TODO 1 end

    // TODO 2 begin: copy a and b to the device
    cudaVerify(cudaMemcpy(d_a, a, n * sizeof *d_a, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, n * sizeof *d_b, cudaMemcpyHostToDevice));
    // TODO 2 end

    MEASURE (run) {
        launch(d_a, d_b, d_c, n);
    }

    // TODO 3 begin: copy the result to c, and free the device memory
    cudaVerify(cudaMemcpy(c, d_c, n * sizeof *c, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
    // TODO 3 end
}

/* Times one launch by hand, before MEASURE does it properly: what the clock shows without and with
 * cudaDeviceSynchronize() are two different things. */
static void timeByHand(launch_fn *launch, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d_x = NULL;
    double launched = 0.0, finished = 0.0; /* s */
    Timer timer;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMemset(d_x, 0, bytes));
    launch(d_x, d_x, d_x, n); /* the first launch also loads the kernel */
    cudaVerify(cudaDeviceSynchronize());
    initTimer(&timer);
    // TODO 4 begin: launch; read the timer into launched; synchronise; read it into finished
    launch(d_x, d_x, d_x, n);
    launched = getTimer(&timer);
    cudaVerify(cudaDeviceSynchronize());
    finished = getTimer(&timer);
    // TODO 4 end
    cudaVerify(cudaFree(d_x));
    harnessRemark("by hand: the launch returned after %.1f us, the kernel finished after %.1f us",
                  launched * 1e6, finished * 1e6);
}

static void gridStride(const float *a, const float *b, float *c, size_t n)
{
    vectorAdd(a, b, c, n, launchGridStride);
}

static void onePerThread(const float *a, const float *b, float *c, size_t n)
{
    vectorAdd(a, b, c, n, launchOnePerThread);
    timeByHand(launchOnePerThread, n);
}

static void float4s(const float *a, const float *b, float *c, size_t n)
{
    vectorAdd(a, b, c, n, launchFloat4);
}

extern "C" const struct variant deviceVariants[] = {
    {"grid-stride loop", gridStride},
    {"one element per thread", onePerThread},
    {"float4, two in flight", float4s},
    {NULL, NULL},
};
