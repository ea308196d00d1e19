/* The parts of ex10's barriers, the counter that turns, and the kernels that use the barriers. */
#ifndef EXCHANGE_CUH
#define EXCHANGE_CUH

#include "cuda_utils.h"
#include "block_barrier.h"

/* In device memory, all zero at first. The counters lie in cache lines of their own. */
enum { GROUP = 16, MOST_GROUPS = 1024, LINE = 32 };

struct barrier {
    unsigned int arrived[LINE]; /* [0]: the blocks, or of two levels the groups */
    unsigned int member[MOST_GROUPS][LINE];
    int *gaveUp; /* host memory, for the watchdog */
};

/* A counter turns when all have arrived: its top bit changes, its other bits are 0 again. So nobody
 * needs to reset it, and the next barrier can use it at once. This is what number `number` of
 * `count` adds, so that all together turn the counter. */
__device__ unsigned int arrival(unsigned int number, unsigned int count)
{
    return number == 0 ? 0x80000000u - (count - 1) : 1;
}

__device__ int hasTurned(unsigned int before, unsigned int now)
{
    return ((before ^ now) & 0x80000000u) != 0;
}

/* The watchdog: ends a kernel that waits in vain, after some seconds. */
__device__ void countPoll(struct barrier *barrier, unsigned int *polls)
{
    if (++*polls == 1u << 22) {
        *(volatile int *)barrier->gaveUp = 1;
        __threadfence_system();
        __trap();
    }
}

/* Fermi's L1 keeps what other blocks have changed since, whatever is fenced. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300
#define PAST_L1 volatile
#else
#define PAST_L1
#endif

/* The exchange of one block: from[] to to[block]. Its last thread writes, when others are long
 * done. */
__device__ void exchange(const PAST_L1 unsigned int *from, unsigned int *to, int blocks, int round)
{
    __shared__ unsigned int sum;
    unsigned int own = 0;

    for (int b = threadIdx.x; b < blocks; b += blockDim.x)
        own += from[b];
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, own);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        to[blockIdx.x] = newValue(sum, blockIdx.x, round);
}

/* value[2 * blocks]: round r reads one half and writes the other, so one barrier a round is
 * enough. */
template <void barrierOf(struct barrier *)>
__global__ void exchangeRounds(unsigned int *value, int rounds, struct barrier *barrier)
{
    for (int round = 0; round < rounds; round++) {
        exchange(value + (round % 2 ? gridDim.x : 0), value + (round % 2 ? 0 : gridDim.x),
                 gridDim.x, round);
        barrierOf(barrier);
    }
}

template <void barrierOf(struct barrier *)>
__global__ void barriersOnly(int rounds, struct barrier *barrier)
{
    for (int round = 0; round < rounds; round++)
        barrierOf(barrier);
}

/* The limit for every kernel: the number of blocks of this many threads that all multiprocessors
 * can hold. */
static inline int blocksOfAllThreads(int block)
{
    struct cudaDeviceProp properties;
    int device;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaGetDeviceProperties(&properties, device));
    return properties.maxThreadsPerMultiProcessor / block * properties.multiProcessorCount;
}

typedef void exchange_kernel(unsigned int *value, int rounds, struct barrier *barrier);

/* Ends the program: more blocks than the device holds at a time would wait for each other for
 * ever. On the emulated device only threads limit so few blocks, and a `resident` that is too small
 * is WRONG. */
static void endWithTooMany(int blocks, int block, int resident)
{
#ifdef __CUDA_EMULATED__
    const int most = blocksOfAllThreads((block + 31) / 32 * 32);

    if (blocks <= most && blocks <= 8 * multiprocessors()) {
        verifyThat(0, "residentBlocks() says %d, but this device holds %d blocks of %d: see TODO 1",
                   resident, blocks, block);
        return;
    }
#endif
    fflush(stdout);
    fprintf(stderr,
            "ex10: %d blocks of %d threads cannot meet at a barrier, the device holds %d at a "
            "time: use --grid %d or less, or a smaller --block\n",
            blocks, block, resident, resident);
    exit(2);
}

#endif
