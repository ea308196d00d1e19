/* TASK     the scalar product of x and y, n doubles, with its parts added up by atomic additions.
 * TRAFFIC  16 n bytes: x and y read.
 * LIMIT    memory bandwidth, unless so many threads add to one address that they queue up. */
#include "cuda_utils.h"
#include "measure.h"
#include "warp_utils.h"
#include "atomic_reduce.h"
#include "launches.cuh"
#include "advanced/two_kernels.cuh" /* for comparison: without an atomic */

typedef void launch_fn(const double *d_x, const double *d_y, double *d_partials, double *d_sum,
                       size_t n);

/* The code around every kernel: memory on the device, the copies there, the launch, the copy back.
 * The kernels add to *d_sum; d_partials, with room for a sum of every thread, is for those that do
 * not. */
template <launch_fn launch>
static void reduce(const double *x, const double *y, double *sum, size_t n)
{
    const size_t bytes = n * sizeof(double);
    double *d_x = NULL, *d_y = NULL, *d_partials = NULL, *d_sum = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMalloc((void **)&d_partials, gridSize(allThreads()) * sizeof(double)));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof(double)));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));

    MEASURE (run) {
        // TODO 1 begin: what must happen before every run
        cudaVerify(cudaMemset(d_sum, 0, sizeof(double)));
        // TODO 1 end
        launch(d_x, d_y, d_partials, d_sum, n);
    }

    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_partials));
    cudaVerify(cudaFree(d_sum));
}

/* Every term is added to the one sum in memory: as many atomic additions as terms. */
__global__ void atomicEveryTerm(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 2 begin: add every term to *sum, by add<NATIVE>(sum, ...)
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        add<NATIVE>(sum, x[i] * y[i]);
    // TODO 2 end
}

void launchEveryTerm(const double *d_x, const double *d_y, double *, double *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((atomicEveryTerm<<<grid, block>>>(d_x, d_y, d_sum, n)));
}

/* A million additions to one address queue for it. Here each thread adds up its terms in a register
 * first, for any grid, */
__device__ double sumOfThread(const double *x, const double *y, size_t n)
{
    double own = 0.0;

    // TODO 3 begin: the terms from the thread's number in the grid in steps of all threads
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        own += x[i] * y[i];
    // TODO 3 end
    return own;
}

/* and then adds once: as many atomic additions as threads. */
template <how method>
__global__ void atomicEveryThread(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 4 begin: add the thread's sum to *sum by add<method>(): the next row has another method
    add<method>(sum, sumOfThread(x, y, n));
    // TODO 4 end
}

void launchEveryThread(const double *d_x, const double *d_y, double *, double *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((atomicEveryThread<NATIVE><<<grid, block>>>(d_x, d_y, d_sum, n)));
}

/* Before compute capability 6.0 there is no atomicAdd for doubles. In its place: read, add, and
 * swap only if nobody has changed the sum meanwhile; a thread that was overtaken tries again with
 * what it found. */
__device__ void addBySwapping(double *address, double value)
{
    // TODO 5 begin: read the sum, add to it, swap with atomicCAS; again until nobody came between
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long found = *(volatile unsigned long long *)bits, expected;

    do {
        expected = found;
        found = atomicCAS(bits, expected,
                          (unsigned long long)__double_as_longlong(
                              value + __longlong_as_double((long long)expected)));
    } while (found != expected); /* the bits: a NaN is not equal to itself */
    // TODO 5 end
}

void launchEveryThreadSwapping(const double *d_x, const double *d_y, double *, double *d_sum,
                               size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, 4096); /* all threads would take seconds */

    cudaVerifyKernel((atomicEveryThread<COMPARE_AND_SWAP><<<grid, block>>>(d_x, d_y, d_sum, n)));
}

/* All threads still queue for one address. The threads of a block add to a sum of their own in
 * shared memory, which is near, and only its total goes to memory: as many atomic additions there
 * as blocks. */
template <how method>
__global__ void atomicEveryBlock(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 6 begin: zero a shared sum, add<method>() each thread's sum to it, then it to *sum
    __shared__ double sumOfBlock;

    if (threadIdx.x == 0)
        sumOfBlock = 0.0;
    __syncthreads();
    add<method>(&sumOfBlock, sumOfThread(x, y, n));
    __syncthreads();
    if (threadIdx.x == 0)
        add<method>(sum, sumOfBlock);
    // TODO 6 end
}

void launchEveryBlock(const double *d_x, const double *d_y, double *, double *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((atomicEveryBlock<NATIVE><<<grid, block>>>(d_x, d_y, d_sum, n)));
}

void launchEveryBlockSwapping(const double *d_x, const double *d_y, double *, double *d_sum,
                              size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((atomicEveryBlock<COMPARE_AND_SWAP><<<grid, block>>>(d_x, d_y, d_sum, n)));
}

/* The threads of a block now queue for the block's sum. The lanes of a warp need no atomic at all
 * to add up their values: the warp's sum, in lane 0. */
__device__ double warpSum(double value)
{
    // TODO 7 begin: (advanced) the tree of ex06 by shuffleDown; the last warp may lack some lanes
    const unsigned int lane = threadIdx.x % WARP, left = blockDim.x - (threadIdx.x - lane);
    const unsigned int lanes = left < WARP ? left : WARP;

    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2) {
        const double other = shuffleDown(value, distance, lanes);

        if (lane + distance < lanes)
            value += other;
    }
    // TODO 7 end
    return value;
}

/* The gain of that alone: every term, but one addition per warp. All lanes must take part in a
 * shuffle, so a warp goes on until its first lane has no term. */
__global__ void atomicEveryTermOfWarp(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 8 begin: (advanced) a loop that a warp leaves together; lane 0 adds the warp's terms
    const size_t stride = (size_t)gridDim.x * blockDim.x, lane = threadIdx.x % WARP;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += stride) {
        const double sumOfWarp = warpSum(i < n ? x[i] * y[i] : 0.0);

        if (lane == 0)
            add<NATIVE>(sum, sumOfWarp);
    }
    // TODO 8 end
}

void launchEveryTermOfWarp(const double *d_x, const double *d_y, double *, double *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((atomicEveryTermOfWarp<<<grid, block>>>(d_x, d_y, d_sum, n)));
}

/* Registers first, then the warp: as many atomic additions as warps. */
__global__ void atomicEveryWarp(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 9 begin: (advanced) add up the sums of a warp's threads, then add that to *sum, once
    const double sumOfWarp = warpSum(sumOfThread(x, y, n));

    if (threadIdx.x % WARP == 0)
        add<NATIVE>(sum, sumOfWarp);
    // TODO 9 end
}

void launchEveryWarp(const double *d_x, const double *d_y, double *, double *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((atomicEveryWarp<<<grid, block>>>(d_x, d_y, d_sum, n)));
}

/* The additions no longer take the time; the loads do. 16 bytes a load, and four loads in flight
 * (ex06). */
__device__ double sumOfThreadVector(const double *x, const double *y, size_t n)
{
    double even = 0.0, odd = 0.0;

    // TODO 10 begin: (advanced) pairs i and i + stride while there are both; then the odd element
    const size_t stride = (size_t)gridDim.x * blockDim.x, pairs = n / 2;
    const double2 *x2 = (const double2 *)x, *y2 = (const double2 *)y;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i == 0 && n % 2 == 1)
        odd = x[n - 1] * y[n - 1];
    for (; i + stride < pairs; i += 2 * stride) {
        const double2 a = x2[i], b = y2[i], c = x2[i + stride], d = y2[i + stride];

        even += dot2(a, b);
        odd += dot2(c, d);
    }
    if (i < pairs)
        even += dot2(x2[i], y2[i]);
    // TODO 10 end
    return even + odd;
}

/* Each step adds where the adders are few or near: registers, the warp, shared memory, memory. */
__global__ void atomicEveryBlockOfWarps(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 11 begin: (advanced) as atomicEveryBlock, with one addition per warp to the block's sum
    __shared__ double sumOfBlock;
    double own;

    if (threadIdx.x == 0)
        sumOfBlock = 0.0;
    __syncthreads();
    own = warpSum(sumOfThreadVector(x, y, n));
    if (threadIdx.x % WARP == 0)
        add<NATIVE>(&sumOfBlock, own);
    __syncthreads();
    if (threadIdx.x == 0)
        add<NATIVE>(sum, sumOfBlock);
    // TODO 11 end
}

void launchEveryBlockOfWarps(const double *d_x, const double *d_y, double *, double *d_sum,
                             size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((atomicEveryBlockOfWarps<<<grid, block>>>(d_x, d_y, d_sum, n)));
}

extern "C" const struct variant deviceVariants[] = {
    {"every term", reduce<launchEveryTerm>},
    {"every thread", reduce<launchEveryThread>},
    {"every thread, compare-and-swap", reduce<launchEveryThreadSwapping>},
    {"every block", reduce<launchEveryBlock>},
    {"every block, compare-and-swap", reduce<launchEveryBlockSwapping>},
    {"every term, warps first", reduce<launchEveryTermOfWarp>},
    {"every warp", reduce<launchEveryWarp>},
    {"every block, warps first, double2", reduce<launchEveryBlockOfWarps>},
    {"two kernels", reduce<launchTwoKernels>},
    {NULL, NULL},
};
