/* TASK     rounds exchanges between the blocks of one kernel: a barrier that no block leaves before
 *          all have reached it.
 * TRAFFIC  rounds blocks sizeof(unsigned) bytes that each block reads; all of it stays in caches.
 * LIMIT    the latency of a barrier: each is a trip to the L2 cache and back, and another. */
#include "cuda_utils.h"
#include "measure.h"
#include "block_barrier.h"
#include "exchange.cuh" /* the counter that turns, the watchdog, the kernels that use a barrier */
#if CUDART_VERSION >= 9000
#define _CG_LIMIT_INCLUDED_DEPENDENCIES /* which take nvcc longer than all else here */
#include <cooperative_groups.h>
#endif

/* How many blocks of this many threads the device can hold at the same time; a barrier takes no
 * more. */
static int residentBlocks(exchange_kernel *kernel, int block)
{
    int perMultiprocessor = 0;

    // TODO 1 begin: ask the occupancy calculator (before toolkit 6.5: one block is always possible)
#if CUDART_VERSION >= 6050
    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel, block, 0));
#else
    perMultiprocessor = kernel != NULL && block > 0;
#endif
    // TODO 1 end
    return perMultiprocessor * multiprocessors();
}

/* Ends the program if the blocks cannot all run at a time. Returns 0 in an unfilled template. */
static int allResident(exchange_kernel *kernel, int blocks, int block)
{
    const int resident = residentBlocks(kernel, block), most = blocksOfAllThreads(block);

    verifyThat(resident <= most,
               "residentBlocks() says %d, but the device has threads for %d blocks of %d only",
               resident, most, block);
    if (blocks > resident && resident > 0)
        endWithTooMany(blocks, block, resident);
    return resident > 0 && resident <= most;
}

/* Device memory. */
struct arrays {
    unsigned int *first, *value;
    struct barrier *barrier;
};

/* A launch starts all rounds of exchanges, or of barriers with nothing between them. */
typedef void launch_fn(struct arrays d, int blocks, int rounds, enum timed timed);

/* The launch of every barrier that needs no special one. */
template <void barrierOf(struct barrier *)>
void launchBarrier(struct arrays d, int blocks, int rounds, enum timed timed)
{
    const int block = blockSize(256);

    if (!allResident(exchangeRounds<barrierOf>, blocks, block))
        return;
    if (timed == EXCHANGES)
        cudaVerifyKernel(
            (exchangeRounds<barrierOf><<<blocks, block>>>(d.value, rounds, d.barrier)));
    else
        cudaVerifyKernel((barriersOnly<barrierOf><<<blocks, block>>>(rounds, d.barrier)));
}

/* The exchanges begin with the values before round 0. */
static void begin(struct arrays d, int blocks, enum timed timed)
{
    if (timed == EXCHANGES)
        cudaVerify(
            cudaMemcpyAsync(d.value, d.first, blocks * sizeof *d.value, cudaMemcpyDeviceToDevice));
}

/* The exchanges once, whatever is timed: a barrier that hangs shows here, in *gaveUp. */
template <launch_fn launch>
static void tryOnce(struct arrays d, int blocks, int rounds, const int *gaveUp)
{
    cudaError_t error;

    begin(d, blocks, EXCHANGES);
    launch(d, blocks, rounds, EXCHANGES);
    error = cudaDeviceSynchronize();
    if (*gaveUp)
        variantFailed(
            "a block has waited for seconds at a barrier that never opened, and the watchdog "
            "ended the kernel: does every block arrive, once, at every barrier?");
    cudaVerify(error);
}

/* The code around every kernel: memory on the device, the copies there and back. */
template <launch_fn launch>
static void synchronise(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                        enum timed timed)
{
    struct arrays d = {NULL, NULL, NULL};
    int *gaveUp = NULL, *d_gaveUp = NULL; /* host memory that a kernel can write */

    cudaVerify(cudaMalloc((void **)&d.first, blocks * sizeof *d.first));
    cudaVerify(cudaMalloc((void **)&d.value, 2 * blocks * sizeof *d.value));
    cudaVerify(cudaMalloc((void **)&d.barrier, sizeof *d.barrier));
    cudaVerify(cudaHostAlloc((void **)&gaveUp, sizeof *gaveUp, cudaHostAllocMapped));
    *gaveUp = 0;
    cudaVerify(cudaHostGetDevicePointer((void **)&d_gaveUp, gaveUp, 0));
    cudaVerify(cudaMemset(d.barrier, 0, sizeof *d.barrier));
    cudaVerify(cudaMemcpy(&d.barrier->gaveUp, &d_gaveUp, sizeof d_gaveUp, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d.first, first, blocks * sizeof *first, cudaMemcpyHostToDevice));

    tryOnce<launch>(d, blocks, rounds, gaveUp);
    if (timed == EXCHANGES) /* the result is to come from the run below */
        cudaVerify(cudaMemset(d.value, 0xFF, 2 * blocks * sizeof *d.value));
    MEASURE (run) {
        begin(d, blocks, timed);
        launch(d, blocks, rounds, timed);
    }

    cudaVerify(cudaMemcpy(value, d.value + (rounds % 2 ? blocks : 0), blocks * sizeof *value,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d.first));
    cudaVerify(cudaFree(d.value));
    cudaVerify(cudaFree(d.barrier));
    cudaVerify(cudaFreeHost(gaveUp));
}

/* No barrier but the end of a kernel, and one launch a round: what the others must beat. */
__global__ void exchangeOnce(const unsigned int *from, unsigned int *to, int blocks, int round)
{
    exchange(from, to, blocks, round);
}

__global__ void nothing(void) {}

void launchRounds(struct arrays d, int blocks, int rounds, enum timed timed)
{
    const int block = blockSize(256);

    for (int round = 0; round < rounds; round++) {
        // TODO 2 begin: launch exchangeOnce, or nothing<<<>>> when barriers are timed
        if (timed == EXCHANGES)
            cudaVerifyKernel((exchangeOnce<<<blocks, block>>>(d.value + (round % 2 ? blocks : 0),
                                                              d.value + (round % 2 ? 0 : blocks),
                                                              blocks, round)));
        else
            cudaVerifyKernel((nothing<<<blocks, block>>>()));
        // TODO 2 end
    }
}

/* A launch a round is expensive. Here the blocks meet in the kernel, at one counter, with fences
 * around it that order what they have written. */
__device__ void barrierVolatile(struct barrier *barrier)
{
    // TODO 3 begin: one thread of the block arrives at the counter and waits until it has turned
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned int add = arrival(blockIdx.x, gridDim.x);
        unsigned int polls = 0, before, now;

        __threadfence(); /* what the block has written is seen before its arrival is */
        before = atomicAdd(barrier->arrived, add);
        for (now = before + add; !hasTurned(before, now);
             now = *(volatile unsigned int *)barrier->arrived)
            countPoll(barrier, &polls);
        __threadfence(); /* nothing is read before the others have arrived */
    }
    __syncthreads();
    // TODO 3 end
}

/* A fence orders more than the counter needs. From compute capability 7.0 on instructions carry the
 * memory order themselves: an addition that releases what was written before and acquires what
 * others have released, and loads that acquire. */
__device__ unsigned int arriveRelease(unsigned int *counter, unsigned int add)
{
    unsigned int before = 0;

    // TODO 4 begin: (advanced) atom.acq_rel.gpu.global.add.u32, or fences around atomicAdd()
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 700
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(counter), "r"(add)
                 : "memory");
#else
    __threadfence();
    before = atomicAdd(counter, add);
    __threadfence();
#endif
    // TODO 4 end
    return before;
}

__device__ unsigned int loadAcquire(const unsigned int *counter)
{
    unsigned int now = 0;

    // TODO 4 begin: (advanced) ld.acquire.gpu.global.u32, or a volatile load and a fence
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 700
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
#else
    now = *(const volatile unsigned int *)counter;
    __threadfence();
#endif
    // TODO 4 end
    return now;
}

__device__ void barrierAcquire(struct barrier *barrier)
{
    // TODO 4 begin: (advanced) as barrierVolatile, with arriveRelease() and loadAcquire()
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned int add = arrival(blockIdx.x, gridDim.x);
        const unsigned int before = arriveRelease(barrier->arrived, add);
        unsigned int polls = 0;

        /* The last block to arrive has turned the counter itself, and need not look. */
        for (unsigned int now = before + add; !hasTurned(before, now);
             now = loadAcquire(barrier->arrived))
            countPoll(barrier, &polls);
    }
    __syncthreads();
    // TODO 4 end
}

/* All blocks queue up at one counter. With two levels they arrive at their group's, and the block
 * that completes a group arrives at the common counter for it. */
__device__ void barrierTwoLevels(struct barrier *barrier)
{
    // TODO 5 begin: (advanced) arrive at the group's counter; if that turns it, at the common one
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned int group = blockIdx.x / GROUP, groups = (gridDim.x - 1) / GROUP + 1;
        const unsigned int members = min(gridDim.x - group * GROUP, (unsigned int)GROUP);
        const unsigned int add = arrival(blockIdx.x % GROUP, members);
        const unsigned int before = arriveRelease(barrier->member[group], add);
        unsigned int polls = 0;

        if (hasTurned(before, before + add))
            arriveRelease(barrier->arrived, arrival(group, groups));
        /* All counters turn once a barrier: the group's tells how the common one stood before. */
        while (!hasTurned(before, loadAcquire(barrier->arrived)))
            countPoll(barrier, &polls);
    }
    __syncthreads();
    // TODO 5 end
}

/* The toolkit has a barrier of its own; the kernel needs a launch that vouches for resident
 * blocks. */
#if CUDART_VERSION >= 9000
__device__ void barrierCooperative(struct barrier *barrier)
{
    (void)barrier;
    // TODO 6 begin: (advanced) synchronise the grid with cooperative groups
    cooperative_groups::this_grid().sync();
    // TODO 6 end
}

void launchCooperative(struct arrays d, int blocks, int rounds, enum timed timed)
{
    void *forExchange[] = {&d.value, &rounds, &d.barrier}, *forBarriers[] = {&rounds, &d.barrier};
    const int block = blockSize(256);

    if (!allResident(exchangeRounds<barrierCooperative>, blocks, block))
        return;
    if (timed == EXCHANGES)
        cudaVerify(cudaLaunchCooperativeKernel(exchangeRounds<barrierCooperative>, blocks, block,
                                               forExchange, 0, 0));
    else
        cudaVerify(cudaLaunchCooperativeKernel(barriersOnly<barrierCooperative>, blocks, block,
                                               forBarriers, 0, 0));
}

static void cooperative(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                        enum timed timed)
{
    int device, possible = 0;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, device));
    if (possible)
        synchronise<launchCooperative>(first, value, blocks, rounds, timed);
    else
        rowSkip("this device has no cooperative launch; devices from compute capability 6.0 on "
                "have it");
}
#endif

#define BY(barrier) launchBarrier<barrier> /* C++98 reads >> as a shift */

extern "C" const struct variant deviceVariants[] = {
    {"kernel after kernel", synchronise<launchRounds>},
    {"one counter, volatile and fences", synchronise<BY(barrierVolatile)>},
    {"one counter, release and acquire", synchronise<BY(barrierAcquire)>},
    {"two levels, release and acquire", synchronise<BY(barrierTwoLevels)>},
#if CUDART_VERSION >= 9000
    {"cooperative launch", cooperative},
#endif
    {NULL, NULL},
};
