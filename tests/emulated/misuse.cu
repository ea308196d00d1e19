/* Mistakes of those who know CUDA well, each beside a close relative that is right. */
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <string.h>

#include "cases.h"

namespace cg = cooperative_groups;
enum { BLOCKS = 8, THREADS = 64, N = BLOCKS * THREADS };
static int *d_x, *d_y;
static int h[N];

static void prepare(void)
{
    for (int i = 0; i < N; i++)
        h[i] = i % 17 + 1;
    CHECK(cudaMalloc(&d_x, sizeof h));
    CHECK(cudaMalloc(&d_y, sizeof h));
    CHECK(cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, 0, sizeof h));
}
static void expectFirst(int wanted)
{
    CHECK(cudaMemcpy(h, d_y, sizeof h, cudaMemcpyDeviceToHost));
    if (h[0] != wanted) {
        printf("FAILED: %d instead of %d\n", h[0], wanted);
        exit(2);
    }
}

/* ---- __launch_bounds__ ----------------------------------------------------------------------- */
__global__ void __launch_bounds__(THREADS) bounded(int *y) { y[threadIdx.x] = 1; }
template <int Most> __global__ void __launch_bounds__(Most, 2) boundedTemplate(int *y)
{
    y[threadIdx.x] = 1;
}
static void withinBounds(void)
{
    bounded<<<1, THREADS>>>(d_y);
    boundedTemplate<THREADS><<<1, THREADS>>>(d_y);
    expectFirst(1);
}
static void beyondBounds(void)
{
    bounded<<<1, 2 * THREADS>>>(d_y);
    (void)cudaGetLastError();
}
static void beyondBoundsOfTemplate(void)
{
    boundedTemplate<THREADS><<<1, 2 * THREADS>>>(d_y);
    (void)cudaGetLastError();
}

/* ---- printf() in a kernel -------------------------------------------------------------------- */
__device__ const char there[] = "there";
__global__ void prints(const char *text, int times)
{
    for (int i = 0; i < times; i++)
        printf("%s %d %5.*f%%\n", text ? text : there, i, 1, 2.5);
}
static void printsItsOwn(void) { prints<<<1, 1>>>(NULL, 1); }
static void printsHostMemory(void)
{
    char text[] = "here";
    prints<<<1, 1>>>(text, 1);
}
__global__ void printsMuch(void) { printf("%d %d%c", 1, 2, threadIdx.x % 64 ? ' ' : '\n'); }
static void overflows(void) { printsMuch<<<64, 512>>>(); }

/* ---- the widths of shuffles ------------------------------------------------------------------ */
__global__ void shuffles(int *y, int width)
{
    y[threadIdx.x] = __shfl_down_sync(0xffffffff, (int)threadIdx.x, 1, width);
}
static void width8(void)
{
    shuffles<<<1, 32>>>(d_y, 8);
    expectFirst(1);
}
static void width12(void) { shuffles<<<1, 32>>>(d_y, 12); }

/* ---- atomics of block scope ------------------------------------------------------------------ */
__global__ void countsInBlock(int *y, int apart) { atomicAdd_block(&y[blockIdx.x * apart], 1); }
__global__ void countsByReference(int *y, int apart)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> count(y[blockIdx.x * apart]);
    count.fetch_add(1, cuda::memory_order_relaxed);
}
static void ownCounters(void)
{
    countsInBlock<<<BLOCKS, THREADS>>>(d_y, 1);
    countsByReference<<<BLOCKS, THREADS>>>(d_y, 1);
    expectFirst(2 * THREADS);
}
static void oneCounter(void) { countsInBlock<<<BLOCKS, THREADS>>>(d_y, 0); }
static void oneReference(void) { countsByReference<<<BLOCKS, THREADS>>>(d_y, 0); }

/* ---- graphs that cannot be updated ----------------------------------------------------------- */
__global__ void addsOne(int *y) { y[0]++; }
static cudaGraph_t captured(cudaStream_t stream, int kernels)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < kernels; i++)
        addsOne<<<1, 1, 0, stream>>>(d_y);
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}
static void update(bool again)
{
    cudaStream_t stream;
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t one = captured(stream, 1), two = captured(stream, 2);
    CHECK(cudaGraphInstantiate(&exec, one, 0));
    if (cudaGraphExecUpdate(exec, two, &info) != cudaSuccess && again) {
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphInstantiate(&exec, two, 0));
    }
    (void)cudaGetLastError();
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    expectFirst(again ? 2 : 1);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(one));
    CHECK(cudaGraphDestroy(two));
    CHECK(cudaStreamDestroy(stream));
}
static void instantiatesAgain(void) { update(true); }
static void launchesTheOldOne(void) { update(false); }

/* ---- streams --------------------------------------------------------------------------------- */
static void destroyedStream(void)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamDestroy(stream));
    addsOne<<<1, 1, 0, stream>>>(d_y);
    (void)cudaGetLastError();
}

/* ---- CUB's memory ---------------------------------------------------------------------------- */
template <bool Waits> __global__ void reducesTwice(int *y, const int *x)
{
    typedef cub::BlockReduce<int, THREADS> Reduce;
    __shared__ typename Reduce::TempStorage memory;
    const int v = x[threadIdx.x], sum = Reduce(memory).Sum(v);
    if (Waits)
        __syncthreads();
    const int twice = Reduce(memory).Sum(2 * v);
    if (threadIdx.x == 0)
        y[0] = sum + twice;
}
static void memoryUsedAgain(void)
{
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += h[i];
    reducesTwice<true><<<1, THREADS>>>(d_y, d_x);
    expectFirst(3 * sum);
}
static void memoryUsedTooEarly(void) { reducesTwice<false><<<1, THREADS>>>(d_y, d_x); }

/* ---- the last block, as in the Programming Guide --------------------------------------------- */
__device__ unsigned arrived;
template <bool Fence> __global__ void lastBlock(int *y, const int *x, volatile int *parts)
{
    __shared__ bool isLast;
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += x[blockIdx.x * THREADS + i];
        parts[blockIdx.x] = sum;
        if (Fence)
            __threadfence();
        isLast = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (isLast && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += parts[b];
        y[0] = sum;
    }
}
__global__ void lastBlockPlain(int *y, const int *x, int *parts)
{
    __shared__ bool isLast;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = x[blockIdx.x * THREADS];
        __threadfence();
        isLast = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (isLast && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += ((volatile int *)parts)[b];
        y[0] = sum;
    }
}
static void sumOfTheLast(void)
{
    int sum = 0, firsts = 0;
    for (int i = 0; i < N; i++)
        sum += h[i];
    for (int b = 0; b < BLOCKS; b++)
        firsts += h[b * THREADS];
    lastBlock<true><<<BLOCKS, THREADS>>>(d_y, d_x, d_y + 64);
    expectFirst(sum);
    lastBlockPlain<<<BLOCKS, THREADS>>>(d_y, d_x, d_y + 64);
    expectFirst(firsts);
}

/* ---- barriers by their names ----------------------------------------------------------------- */
__global__ void syncs(int *y, int some)
{
    cg::thread_block b = cg::this_thread_block();
    if ((int)threadIdx.x < some)
        b.sync();
    y[threadIdx.x] = 1;
}
static void allSync(void) { syncs<<<1, THREADS>>>(d_y, THREADS); }
static void someSync(void) { syncs<<<1, THREADS>>>(d_y, 32); }

/* ---- indices that overflow ------------------------------------------------------------------- */
__global__ void indexes(int *y, int rows, int row)
{
    const int stride = rows * 65536, at = row * stride;
    y[at] = 1;
}
static void smallIndex(void) { indexes<<<1, 1>>>(d_y, 1, 0); }
static void overflowedIndex(void) { indexes<<<1, 1>>>(d_y, 1, 40000); }

/* ---- an alignment of more than a page: an H200 gives one of 1024 bytes, whatever is asked for */
__global__ void aligned(int *y)
{
    __shared__ __align__(8192) int s[THREADS];
    s[threadIdx.x] = (int)((size_t)s % 1024);
    __syncthreads();
    y[threadIdx.x] = s[THREADS - 1 - threadIdx.x] + 1;
}
static void alignedToTwoPages(void)
{
    aligned<<<1, THREADS>>>(d_y);
    expectFirst(1);
}

/* ---- a variable of the device, passed to a kernel ------------------------------------------- */
__device__ int table[THREADS];
static void variablePassed(void) { indexes<<<1, 1>>>(table, 1, 0); }
static void variablePassedByAddress(void)
{
    int *d_table;

    CHECK(cudaGetSymbolAddress((void **)&d_table, table));
    indexes<<<1, 1>>>(d_table, 1, 0);
}

static const struct test tests[] = {
    CLEAN(withinBounds),
    CLEAN(printsItsOwn),
    CLEAN(width8),
    CLEAN(ownCounters),
    CLEAN(instantiatesAgain),
    CLEAN(memoryUsedAgain),
    CLEAN(sumOfTheLast),
    CLEAN(allSync),
    CLEAN(smallIndex),
    CLEAN(alignedToTwoPages),
    FINDS(beyondBounds, "invalid-launch", "__launch_bounds__ allow 64"),
    FINDS(beyondBoundsOfTemplate, "invalid-launch", "__launch_bounds__ allow 64"),
    FINDS(variablePassed, "bad-call", "cudaGetSymbolAddress() gives an address"),
    CLEAN(variablePassedByAddress),
    FINDS(printsHostMemory, "invalid-address", "lies in host memory"),
    FINDS(overflows, "printf-overflow", "1024 KB"),
    FINDS(width12, "shuffle-inactive", "a width of 12"),
    FINDS(oneCounter, "race", "block scope"),
    FINDS(oneReference, "race", "block scope"),
    FINDS(launchesTheOldOne, "bad-call", "has failed"),
    FINDS(destroyedStream, "bad-call", "has been destroyed"),
    FINDS(memoryUsedTooEarly, "race", "memory"),
    FINDS(someSync, "barrier-divergence", "at this b.sync()"),
    FINDS(overflowedIndex, "invalid-address", "overflows"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
