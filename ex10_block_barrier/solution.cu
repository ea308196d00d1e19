/* TASK     rounds exchanges between the blocks of one kernel: a barrier that no block leaves before all
 *          have reached it.
 * TRAFFIC  rounds blocks sizeof(unsigned) bytes that each block reads; all of it stays in caches.
 * LIMIT    the latency of a barrier: each is a trip to the L2 cache and back, and another. */
#include "cuda_utils.h"
#include "measure.h"
#include "block_barrier.h"
#if CUDART_VERSION >= 9000
#include <cooperative_groups.h>
#endif

/* In device memory, all zero at first. The counters lie in cache lines of their own. */
enum { GROUP = 16, MOST_GROUPS = 1024, LINE = 32 };

struct barrier {
    unsigned int arrived[LINE]; /* [0]: the blocks, or of two levels the groups */
    unsigned int member[MOST_GROUPS][LINE];
    int *gaveUp; /* host memory, for the watchdog */
};

/* A counter turns when all have arrived: its top bit changes, its other bits are 0 again. So nobody
 * needs to reset it, and the next barrier can use it at once. This is what number `number` of `count`
 * adds, so that all together turn the counter. */
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

/* One counter for all blocks. */
__device__ void barrierVolatile(struct barrier *barrier)
{
    // TODO 2 begin: one thread of the block arrives at the counter and waits until it has turned
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
    // TODO 2 end
}

/* Arriving and waiting with the memory order in the instructions: an atomic addition that both
 * releases what was written before and acquires what others have released, and loads that acquire.
 * Cheaper than fences, which order more than this; from compute capability 7.0 and toolkit 9 on. */
__device__ unsigned int arriveRelease(unsigned int *counter, unsigned int add)
{
    unsigned int before = 0;

    // TODO 4 begin: (advanced) atom.acq_rel.gpu.global.add.u32, or fences around atomicAdd()
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 700 && !defined __CUDA_EMULATED__
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
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 700 && !defined __CUDA_EMULATED__
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

/* Two levels: the last block of each group of GROUP arrives for its group. */
__device__ void barrierTwoLevels(struct barrier *barrier)
{
    // TODO 5 begin: (advanced) arrive at the group's counter; who turns it, arrives at the common one
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

/* The barrier of the toolkit; the kernel must be launched with cudaLaunchCooperativeKernel(). */
__device__ void barrierCooperative(struct barrier *barrier)
{
    (void)barrier;
#if CUDART_VERSION >= 9000
    // TODO 6 begin: (advanced) synchronise the grid with cooperative groups
    cooperative_groups::this_grid().sync();
    // TODO 6 end
#endif
}

/* Fermi's L1 keeps what other blocks have changed since, whatever is fenced. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300
#define PAST_L1 volatile
#else
#define PAST_L1
#endif

/* The exchange of one block: from[] to to[block]. Its last thread writes, when others are long done. */
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

/* value[2 * blocks]: round r reads one half and writes the other, so one barrier a round is enough. */
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

/* One round, for the barrier that every kernel ends with. */
__global__ void exchangeOnce(const unsigned int *from, unsigned int *to, int blocks, int round)
{
    exchange(from, to, blocks, round);
}

__global__ void nothing(void)
{
}

typedef void exchange_kernel(unsigned int *value, int rounds, struct barrier *barrier);
typedef void barriers_kernel(int rounds, struct barrier *barrier);

/* How many blocks of this many threads the device can hold at the same time; a barrier takes no more. */
static int residentBlocks(exchange_kernel *kernel, int block)
{
    int perMultiprocessor = 0;

    // TODO 1 begin: ask the occupancy calculator (before toolkit 6.5: one block is always possible)
#if CUDART_VERSION >= 6050
    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel, block, 0));
#else
    (void)kernel;
    (void)block;
    perMultiprocessor = 1;
#endif
    // TODO 1 end
    return perMultiprocessor * multiprocessors();
}

/* How a variant synchronises: the kernels whose barrier it is, NULL for the end of a kernel. */
struct method {
    exchange_kernel *exchange;
    barriers_kernel *barriers;
    int cooperative;
};

/* Device memory. */
struct arrays {
    unsigned int *first, *value;
    struct barrier *barrier;
};

/* No barrier but the end of a kernel: one launch a round. */
static void launchRounds(const struct arrays *d, int blocks, int rounds, enum timed timed)
{
    const int block = blockSize(256);

    for (int round = 0; round < rounds; round++) {
        // TODO 3 begin: launch exchangeOnce, or nothing<<<>>> when barriers are timed
        if (timed == EXCHANGES)
            cudaVerifyKernel((exchangeOnce<<<blocks, block>>>(d->value + (round % 2 ? blocks : 0),
                                                              d->value + (round % 2 ? 0 : blocks),
                                                              blocks, round)));
        else
            cudaVerifyKernel((nothing<<<blocks, block>>>()));
        // TODO 3 end
    }
}

/* Starts all rounds, the exchanges from the values before round 0. */
static void launch(const struct method *method, struct arrays d, int blocks, int rounds,
                   enum timed timed)
{
    const int block = blockSize(256);
#if CUDART_VERSION >= 9000
    void *exchangeArguments[] = {&d.value, &rounds, &d.barrier};
    void *barriersArguments[] = {&rounds, &d.barrier};
#endif

    if (timed == EXCHANGES)
        cudaVerify(
            cudaMemcpyAsync(d.value, d.first, blocks * sizeof *d.value, cudaMemcpyDeviceToDevice));
    if (method->exchange == NULL)
        launchRounds(&d, blocks, rounds, timed);
#if CUDART_VERSION >= 9000
    else if (method->cooperative && timed == EXCHANGES)
        cudaVerify(
            cudaLaunchCooperativeKernel(method->exchange, blocks, block, exchangeArguments, 0, 0));
    else if (method->cooperative)
        cudaVerify(
            cudaLaunchCooperativeKernel(method->barriers, blocks, block, barriersArguments, 0, 0));
#endif
    else if (timed == EXCHANGES)
        cudaVerifyKernel((method->exchange<<<blocks, block>>>(d.value, rounds, d.barrier)));
    else
        cudaVerifyKernel((method->barriers<<<blocks, block>>>(rounds, d.barrier)));
}

/* 1 if the blocks fit, 0 in an unfilled template; otherwise the end of the program. */
static int allResident(const struct method *method, int blocks)
{
    const int block = blockSize(256);
    const int resident =
        method->exchange == NULL ? blocks : residentBlocks(method->exchange, block);

    if (blocks > resident && resident > 0) {
        fflush(stdout);
        fprintf(stderr,
                "ex10: %d blocks of %d threads cannot meet at a barrier, the device holds %d at a "
                "time: use --grid %d or less, or a smaller --block\n",
                blocks, block, resident, resident);
        exit(2);
    }
    return resident > 0;
}

static void synchronise(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                        enum timed timed, const struct method *method)
{
    struct arrays d = {NULL, NULL, NULL};
    int *gaveUp = NULL, *d_gaveUp = NULL; /* host memory that a kernel can write */
    cudaError_t error;

    if (!allResident(method, blocks))
        return;
    cudaVerify(cudaMalloc((void **)&d.first, blocks * sizeof *d.first));
    cudaVerify(cudaMalloc((void **)&d.value, 2 * blocks * sizeof *d.value));
    cudaVerify(cudaMalloc((void **)&d.barrier, sizeof *d.barrier));
    cudaVerify(cudaHostAlloc((void **)&gaveUp, sizeof *gaveUp, cudaHostAllocMapped));
    *gaveUp = 0;
    cudaVerify(cudaHostGetDevicePointer((void **)&d_gaveUp, gaveUp, 0));
    cudaVerify(cudaMemset(d.barrier, 0, sizeof *d.barrier));
    cudaVerify(cudaMemcpy(&d.barrier->gaveUp, &d_gaveUp, sizeof d_gaveUp, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d.first, first, blocks * sizeof *first, cudaMemcpyHostToDevice));

    /* The exchanges once, whatever is timed: a barrier that hangs shows here. */
    launch(method, d, blocks, rounds, EXCHANGES);
    error = cudaDeviceSynchronize();
    if (*gaveUp) {
        fflush(stdout);
        fprintf(stderr,
                "ex10: a block has waited for seconds at a barrier that never opened, and the "
                "watchdog ended the kernel: does every block arrive, once, at every barrier?\n");
        exit(1);
    }
    cudaVerify(error);
    MEASURE (run) {
        launch(method, d, blocks, rounds, timed);
    }
    cudaVerify(cudaMemcpy(value, d.value + (rounds % 2 ? blocks : 0), blocks * sizeof *value,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d.first));
    cudaVerify(cudaFree(d.value));
    cudaVerify(cudaFree(d.barrier));
    cudaVerify(cudaFreeHost(gaveUp));
}

static void kernelAfterKernel(const unsigned int *first, unsigned int *value, int blocks,
                              int rounds, enum timed timed)
{
    const struct method method = {NULL, NULL, 0};

    synchronise(first, value, blocks, rounds, timed, &method);
}

static void volatileCounter(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                            enum timed timed)
{
    const struct method method = {exchangeRounds<barrierVolatile>, barriersOnly<barrierVolatile>,
                                  0};

    synchronise(first, value, blocks, rounds, timed, &method);
}

static void acquireCounter(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                           enum timed timed)
{
    const struct method method = {exchangeRounds<barrierAcquire>, barriersOnly<barrierAcquire>, 0};

    synchronise(first, value, blocks, rounds, timed, &method);
}

static void twoLevels(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                      enum timed timed)
{
    const struct method method = {exchangeRounds<barrierTwoLevels>, barriersOnly<barrierTwoLevels>,
                                  0};

    synchronise(first, value, blocks, rounds, timed, &method);
}

#if CUDART_VERSION >= 9000
static void cooperative(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                        enum timed timed)
{
    const struct method method = {exchangeRounds<barrierCooperative>,
                                  barriersOnly<barrierCooperative>, 1};
    int device, possible = 0;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, device));
    if (possible)
        synchronise(first, value, blocks, rounds, timed, &method);
    else
        rowSkip("this device has no cooperative launch; devices from compute capability 6.0 on "
                "have it");
}
#endif

extern "C" const struct variant deviceVariants[] = {
    {"kernel after kernel", kernelAfterKernel},
    {"one counter, volatile and fences", volatileCounter},
    {"one counter, release and acquire", acquireCounter},
    {"two levels, release and acquire", twoLevels},
#if CUDART_VERSION >= 9000
    {"cooperative launch", cooperative},
#endif
    {NULL, NULL},
};
