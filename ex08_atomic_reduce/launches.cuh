/* Shared by the kernels of ex08: grids, the choice of an addition, ex06's tree. */
#ifndef LAUNCHES_CUH
#define LAUNCHES_CUH

#include "measure.h"

enum { MAX_BLOCK = 1024, WARP = 32 };

/* Threads that the device can hold at a time. */
static inline size_t allThreads(void)
{
    return (size_t)multiprocessors() * threadsPerMultiprocessor();
}

/* Blocks for one thread per element, but for no more threads than maxThreads; --grid overrides
 * this. */
static inline unsigned int gridFor(size_t n, int block, size_t maxThreads)
{
    const size_t threads = n < maxThreads ? n : maxThreads;
    const size_t own = (threads + block - 1) / block;

    return (unsigned int)gridSize(own > 0 ? own : 1);
}

/* Which atomic addition: before compute capability 6.0 there is none for doubles, but any device
 * can swap 64 bits under the condition that they are as expected. addBySwapping() is for you to
 * write. */
enum how { NATIVE, COMPARE_AND_SWAP };

__device__ void addBySwapping(double *address, double value);

/* *address += value, atomically. */
template <how method> __device__ void add(double *address, double value)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 600
    if (method == NATIVE) {
        atomicAdd(address, value);
        return;
    }
#endif
    addBySwapping(address, value);
}

static __device__ inline double dot2(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }

/* The sum of the block's values, in thread 0, by halves (ex06). All threads of the block must call
 * it. */
static __device__ inline double blockSum(double value)
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

#endif
