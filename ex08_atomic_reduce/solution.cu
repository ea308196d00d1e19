/* TASK     the scalar product of x and y, n doubles, whose parts are added up by atomic additions.
 * TRAFFIC  16 n bytes: x and y read.
 * LIMIT    memory bandwidth, unless so many threads add to one address that they queue for it. */
#include "cuda_utils.h"
#include "measure.h"
#include "warp_utils.h"
#include "atomic_reduce.h"

enum { MAX_BLOCK = 1024, WARP = 32 };
enum how { NATIVE, COMPARE_AND_SWAP };

/* *address += value, for devices (before compute capability 6.0) that cannot add doubles atomically but
 * can swap 64 bits under the condition that they are as expected. Whoever is overtaken by another
 * thread between reading and swapping tries again with what it found. */
__device__ void addBySwapping(double *address, double value)
{
    // TODO 4 begin: read the sum, add to it, swap with atomicCAS; again until nobody came between
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long found = *(volatile unsigned long long *)bits, expected;

    do {
        expected = found;
        found = atomicCAS(bits, expected,
                          (unsigned long long)__double_as_longlong(
                              value + __longlong_as_double((long long)expected)));
    } while (found != expected); /* the bits: a NaN is not equal to itself */
    // TODO 4 end
}

/* *address += value, atomically. */
template <how method>
__device__ void add(double *address, double value)
{
#if defined __CUDA_EMULATED__ || defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 600
    if (method == NATIVE) {
        atomicAdd(address, value);
        return;
    }
#endif
    addBySwapping(address, value);
}

/* The sum of this thread's terms, for any grid. */
__device__ double sumOfThread(const double *x, const double *y, size_t n)
{
    double own = 0.0;

    // TODO 2 begin: the terms from the thread's number in the grid in steps of all threads
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        own += x[i] * y[i];
    // TODO 2 end
    return own;
}

/* Every kernel adds to *sum, which must be 0 before. */
__global__ void atomicEveryTerm(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 1 begin: add every term to *sum
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        add<NATIVE>(sum, x[i] * y[i]);
    // TODO 1 end
}

template <how method>
__global__ void atomicEveryThread(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 3 begin: add the thread's sum to *sum
    add<method>(sum, sumOfThread(x, y, n));
    // TODO 3 end
}

template <how method>
__global__ void atomicEveryBlock(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 5 begin: zero a sum in shared memory, add every thread's sum to it, then it to *sum, once
    __shared__ double sumOfBlock;

    if (threadIdx.x == 0)
        sumOfBlock = 0.0;
    __syncthreads();
    add<method>(&sumOfBlock, sumOfThread(x, y, n));
    __syncthreads();
    if (threadIdx.x == 0)
        add<method>(sum, sumOfBlock);
    // TODO 5 end
}

// TODO 8 begin: (advanced) sums of warps by shuffles, vector loads, two kernels without an atomic
/* The sum of a warp's values, in lane 0. The last warp of a block may lack some lanes. */
__device__ double warpSum(double value)
{
    const unsigned int lane = threadIdx.x % WARP, left = blockDim.x - (threadIdx.x - lane);
    const unsigned int lanes = left < WARP ? left : WARP;

    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2) {
        const double other = shuffleDown(value, distance, lanes);

        if (lane + distance < lanes)
            value += other;
    }
    return value;
}

/* All lanes must take part in a shuffle, so a warp goes on until its first lane has no term. */
__global__ void atomicEveryTermOfWarp(const double *x, const double *y, double *sum, size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x, lane = threadIdx.x % WARP;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += stride) {
        const double sumOfWarp = warpSum(i < n ? x[i] * y[i] : 0.0);

        if (lane == 0)
            add<NATIVE>(sum, sumOfWarp);
    }
}

__global__ void atomicEveryWarp(const double *x, const double *y, double *sum, size_t n)
{
    const double sumOfWarp = warpSum(sumOfThread(x, y, n));

    if (threadIdx.x % WARP == 0)
        add<NATIVE>(sum, sumOfWarp);
}

__device__ double dot2(double2 a, double2 b)
{
    return a.x * b.x + a.y * b.y;
}

/* As sumOfThread, with 16 bytes a load and four loads under way at a time (see ex06). */
__device__ double sumOfThreadVector(const double *x, const double *y, size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x, pairs = n / 2;
    const double2 *x2 = (const double2 *)x, *y2 = (const double2 *)y;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double even = 0.0, odd = i == 0 && n % 2 == 1 ? x[n - 1] * y[n - 1] : 0.0;

    for (; i + stride < pairs; i += 2 * stride) {
        const double2 a = x2[i], b = y2[i], c = x2[i + stride], d = y2[i + stride];

        even += dot2(a, b);
        odd += dot2(c, d);
    }
    if (i < pairs)
        even += dot2(x2[i], y2[i]);
    return even + odd;
}

/* Each step adds where the adders are few or near: registers, the warp, shared memory, memory. */
__global__ void atomicEveryBlockOfWarps(const double *x, const double *y, double *sum, size_t n)
{
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
}

/* Without an atomic: partial sums in memory, which a second kernel adds up (ex06, by halves). */
__device__ double blockSum(double value)
{
    __shared__ double sums[MAX_BLOCK];

    sums[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int count = blockDim.x, half; count > 1; count = half) {
        half = (count + 1) / 2;
        if (threadIdx.x + half < count)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    return sums[0];
}

__global__ void partialSums(const double *x, const double *y, double *partials, size_t n)
{
    const double sumOfBlock = blockSum(sumOfThread(x, y, n));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = sumOfBlock;
}

__global__ void sumPartials(const double *partials, size_t count, double *sum)
{
    double own = 0.0;

    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        own += partials[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        *sum = own;
}
// TODO 8 end

/* Blocks for one thread per element, but for no more threads than `most`; --grid goes before. */
static unsigned int gridFor(size_t n, int block, size_t most)
{
    const size_t threads = n < most ? n : most;
    const size_t own = (threads + block - 1) / block;

    return (unsigned int)gridSize(own > 0 ? own : 1);
}

/* Threads that can run at a time, on devices of the last ten years. */
static size_t allThreads(void)
{
    return (size_t)multiprocessors() * 2048;
}

typedef void kernel_fn(const double *x, const double *y, double *sum, size_t n);

/* What surrounds a kernel that adds to *sum; it runs with at most mostThreads threads. */
static void reduce(const double *x, const double *y, double *sum, size_t n, kernel_fn *kernel,
                   size_t mostThreads)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, mostThreads);
    double *d_x = NULL, *d_y = NULL, *d_sum = NULL;

    // TODO 6 begin: allocate the two vectors and the sum on the device, copy the vectors there
    const size_t bytes = n * sizeof(double);

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof(double)));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
    // TODO 6 end

    MEASURE (run) {
        // TODO 7 begin: what must happen before every run, and the launch
        cudaVerify(cudaMemset(d_sum, 0, sizeof(double)));
        cudaVerifyKernel((kernel<<<grid, block>>>(d_x, d_y, d_sum, n)));
        // TODO 7 end
    }

    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_sum));
}

static void everyTerm(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryTerm, allThreads());
}

static void everyThread(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryThread<NATIVE>, allThreads());
}

/* Few threads: all of them would take seconds. */
static void everyThreadSwapping(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryThread<COMPARE_AND_SWAP>, 4096);
}

static void everyBlock(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryBlock<NATIVE>, allThreads());
}

static void everyBlockSwapping(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryBlock<COMPARE_AND_SWAP>, allThreads());
}

// TODO 9 begin: (advanced) the host functions of the advanced kernels
static void everyTermOfWarp(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryTermOfWarp, allThreads());
}

static void everyWarp(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryWarp, allThreads());
}

static void everyBlockOfWarps(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryBlockOfWarps, allThreads());
}

static void twoKernels(const double *x, const double *y, double *sum, size_t n)
{
    const size_t bytes = n * sizeof(double);
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());
    double *d_x = NULL, *d_y = NULL, *d_partials = NULL, *d_sum = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMalloc((void **)&d_partials, grid * sizeof(double)));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof(double)));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cudaVerifyKernel((partialSums<<<grid, block>>>(d_x, d_y, d_partials, n)));
        cudaVerifyKernel((sumPartials<<<1, block>>>(d_partials, grid, d_sum)));
    }
    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_partials));
    cudaVerify(cudaFree(d_sum));
}
// TODO 9 end

extern "C" const struct variant deviceVariants[] = {
    {"every term", everyTerm},
    {"every thread", everyThread},
    {"every thread, compare-and-swap", everyThreadSwapping},
    {"every block", everyBlock},
    {"every block, compare-and-swap", everyBlockSwapping},
    // TODO 10 begin: (advanced) the rows of the advanced kernels
    {"every term, warps first", everyTermOfWarp},
    {"every warp", everyWarp},
    {"every block, warps first, double2", everyBlockOfWarps},
    {"two kernels", twoKernels},
    // TODO 10 end
    {NULL, NULL},
};
