/* What the kernels of ex21 share besides their ideas: the last sum, and a launch for each function. */
#ifndef LAUNCHES_CUH
#define LAUNCHES_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "simpson.h"

enum { MAX_BLOCK = 1024 };

/* What a launch is to compute, and where. d_areas has n doubles for the rung that stores an area for each interval. */
struct work {
    double a, b, h; /* from a to b in intervals of width h */
    size_t n;
    int blocks, block;
    double *d_areas, *d_sums; /* a sum per block */
};

typedef void launch_fn(const struct work *w);

/* The sum of the block's values, in all threads, for any block size (exercise 6). All threads of the block must call it,
 * once. */
static __device__ double blockSum(double value)
{
    __shared__ double sums[MAX_BLOCK];

    sums[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int count = blockDim.x; count > 1;) {
        const unsigned int half = (count + 1) / 2;

        if (threadIdx.x + half < count)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
        count = half;
    }
    return sums[0];
}

/* Stores the sum of the block's values. */
static __device__ void storeSum(double own, double *sums)
{
    own = blockSum(own);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = own;
}

/* factor * (the blocks' sums), by one block. */
__global__ void addSums(const double *sums, int count, double factor, double *integral)
{
    double own = 0.0;

    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        own += sums[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        *integral = factor * own;
}

/* The sum of the areas of all threads' intervals, block by block. */
__global__ void addAreas(const double *areas, size_t n, double *sums)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    double own = 0.0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        own += areas[i];
    storeSum(own, sums);
}

/* Says how many registers the kernel needs for each thread, and what part of a multiprocessor's threads is resident. */
static void remarkOccupancy(const void *kernel, int block)
{
#ifndef __CUDA_EMULATED__
    static const void *last; /* a launch is run many times: once is enough */
    static int lastBlock;
    struct cudaFuncAttributes attributes;

    if (kernel == last && block == lastBlock)
        return;
    last = kernel;
    lastBlock = block;
    cudaVerify(cudaFuncGetAttributes(&attributes, kernel));
#if CUDART_VERSION >= 6050
    int resident = 0;

    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block, 0));
    harnessRemark("%d registers a thread; %d blocks of %d on a multiprocessor: occupancy %.2f",
                  attributes.numRegs, resident, block,
                  (double)resident * block / threadsPerMultiprocessor());
#else
    (void)block;
    harnessRemark("%d registers a thread", attributes.numRegs);
#endif
#else
    (void)kernel;
    (void)block;
#endif
}

/* A variant made of a launch template: it chooses the launch for the function. A new line of FUNCTIONS needs its name here,
 * too. */
#define VARIANT(run, launch, hasAreas)                                                             \
    static void run(enum function f, double a, double b, size_t n, double *integral)               \
    {                                                                                              \
        static launch_fn *const launches[] = {launch<circle>, launch<sine>, launch<exponential>,   \
                                              launch<root>};                                       \
        typedef char                                                                               \
            hasAllFunctions[sizeof launches / sizeof *launches == FUNCTION_COUNT ? 1 : -1];        \
                                                                                                   \
        (void)sizeof(hasAllFunctions);                                                             \
        integrate(launches[f], a, b, n, hasAreas, integral);                                       \
    }

#endif
