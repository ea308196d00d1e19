/* What the kernels of ex21 share besides their ideas: what a launch is to compute, and the sum of a
 * block. */
#ifndef WORK_CUH
#define WORK_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "simpson.h"
#include <string.h>

enum { MAX_BLOCK = 1024 };

/* What a launch is to compute, and where. d_areas has n doubles for the rung that stores an area
 * for each interval. */
struct work {
    double a, b, h; /* from a to b in intervals of width h */
    size_t n;
    int blocks, block;
    double *d_areas, *d_sums; /* a sum per block */
};

typedef void launch_fn(const struct work *w);

/* The sum of the block's values, in thread 0, for any block size. All threads of the block must
 * call it, once. Each lane of the first warp adds the values of its lane in all warps, and thread 0
 * adds the lanes'. */
static __device__ double blockSum(double value)
{
    __shared__ double sums[MAX_BLOCK];

    sums[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (unsigned int i = threadIdx.x + 32; i < blockDim.x; i += 32)
            value += sums[i];
        sums[threadIdx.x] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned int i = 1; i < 32 && i < blockDim.x; i++)
            value += sums[i];
    return value;
}

/* Stores the sum of the block's values. */
static __device__ void storeSum(double own, double *sums)
{
    own = blockSum(own);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = own;
}

/* What a kernel takes on a multiprocessor if its blocks have so many threads. */
struct kernel_use {
    int registers, local, shared; /* of a thread; bytes of a thread; bytes of a block */
    int resident;                 /* blocks; 0: this toolkit does not tell */
    int bestBlock, bestGrid;      /* for the highest occupancy, as the runtime finds them */
};

/* 1 if the device tells: the emulated one has no registers. */
static inline int usesOf(const void *kernel, int block, struct kernel_use *use)
{
    memset(use, 0, sizeof *use);
#ifdef __CUDA_EMULATED__
    (void)kernel;
    (void)block;
    return 0;
#else
    struct cudaFuncAttributes attributes;

    cudaVerify(cudaFuncGetAttributes(&attributes, kernel));
    use->registers = attributes.numRegs;
    use->local = (int)attributes.localSizeBytes;
    use->shared = (int)attributes.sharedSizeBytes;
#if CUDART_VERSION >= 6050
    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&use->resident, kernel, block, 0));
    cudaVerify(cudaOccupancyMaxPotentialBlockSize(&use->bestGrid, &use->bestBlock, kernel, 0, 0));
#else
    (void)block;
#endif
    return 1;
#endif
}

/* Says how many registers the kernel needs for each thread, and what part of a multiprocessor's
 * threads is resident; with --ptxas, all that usesOf() knows. */
static inline void remarkOccupancy(const void *kernel, int block)
{
    static const void *last; /* a launch is run many times: once is enough */
    static int lastBlock;
    struct kernel_use use;
    const double full = threadsPerMultiprocessor();

    if (kernel == last && block == lastBlock)
        return;
    last = kernel;
    lastBlock = block;
    if (!usesOf(kernel, block, &use))
        return;
    harnessRemark("%d registers a thread; %d blocks of %d on a multiprocessor: occupancy %.2f",
                  use.registers, use.resident, block, use.resident * block / full);
    if (showsUse)
        harnessRemark("%d bytes of local memory a thread, %d bytes of shared memory a block; "
                      "cudaOccupancyMaxPotentialBlockSize: blocks of %d, occupancy %.2f",
                      use.local, use.shared, use.bestBlock,
                      (double)use.bestGrid / multiprocessors() * use.bestBlock / full);
}

#endif
