/* Asynchronous copies, pipelines, barriers and atomics of <cuda/...>: right programs, and the
 * mistakes made with them. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include "cases.h"

namespace cg = cooperative_groups;
enum { N = 1024, TILE = 64 };
static float *d_x, *d_y;
static int *d_n;

static void prepare(void)
{
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 3 % 17);
    CHECK(cudaMalloc(&d_x, sizeof x));
    CHECK(cudaMalloc(&d_y, sizeof x));
    CHECK(cudaMalloc(&d_n, 1024 * sizeof *d_n));
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, 0, sizeof x));
    CHECK(cudaMemset(d_n, 0, 1024 * sizeof *d_n));
}
/* y[i] must be x[i ^ reach] + 1. */
static void expectSwapped(int reach)
{
    float y[N];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        if (y[i] != (float)((i ^ reach) * 3 % 17) + 1) {
            printf("FAILED: y[%d] is %g\n", i, (double)y[i]);
            exit(2);
        }
}

/* ---- one copy, by each of the interfaces ----------------------------------------------------- */
enum way { PRIMITIVES, GROUP, BARRIER, PIPELINE, BLOCK_PIPELINE };
enum mistake { NONE, NO_WAIT, NO_BARRIER, NO_COMMIT, NEVER_ARRIVES };
template <way How, mistake Wrong> __global__ void swap(float *y, const float *x)
{
    __shared__ __align__(16) float tile[TILE];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    cg::thread_block block = cg::this_thread_block();
    const int t = threadIdx.x, base = blockIdx.x * TILE;
    if (How == PRIMITIVES) {
        __pipeline_memcpy_async(&tile[t], &x[base + t], sizeof(float));
        if (Wrong != NO_COMMIT)
            __pipeline_commit();
        if (Wrong != NO_WAIT)
            __pipeline_wait_prior(0);
    } else if (How == GROUP) {
        cg::memcpy_async(block, tile, x + base, sizeof tile);
        if (Wrong != NO_WAIT)
            cg::wait(block);
    } else if (How == BARRIER) {
        if (t == 0)
            init(&bar, TILE);
        __syncthreads();
        cuda::memcpy_async(block, tile, x + base, cuda::aligned_size_t<16>(sizeof tile), bar);
        if (Wrong == NO_WAIT)
            (void)bar.arrive();
        else if (Wrong == NEVER_ARRIVES && t >= 32)
            return;
        else
            bar.arrive_and_wait();
    } else if (How == PIPELINE) {
        cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[t], &x[base + t], sizeof(float), pipe);
        pipe.producer_commit();
        if (Wrong != NO_WAIT)
            pipe.consumer_wait();
        pipe.consumer_release();
    } else {
        cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &state);
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile, x + base, sizeof tile, pipe);
        pipe.producer_commit();
        if (Wrong != NO_WAIT)
            pipe.consumer_wait();
    }
    const bool waits_for_all = How == GROUP || How == BARRIER || How == BLOCK_PIPELINE;
    if (!waits_for_all && Wrong != NO_BARRIER)
        __syncthreads();
    y[base + t] = tile[t ^ 32] + 1;
}
template <way How> static void swaps(void)
{
    swap<How, NONE><<<N / TILE, TILE>>>(d_y, d_x);
    expectSwapped(32);
}
static void primitives(void) { swaps<PRIMITIVES>(); }
static void groupCopy(void) { swaps<GROUP>(); }
static void barrierCopy(void) { swaps<BARRIER>(); }
static void threadPipeline(void) { swaps<PIPELINE>(); }
static void blockPipeline(void) { swaps<BLOCK_PIPELINE>(); }
template <way How, mistake Wrong> static void one(void) { swap<How, Wrong><<<1, TILE>>>(d_y, d_x); }
static void noWait(void) { one<PRIMITIVES, NO_WAIT>(); }
static void noCommit(void) { one<PRIMITIVES, NO_COMMIT>(); }
static void noBarrier(void) { one<PRIMITIVES, NO_BARRIER>(); }
static void groupNoWait(void) { one<GROUP, NO_WAIT>(); }
static void barrierNoWait(void) { one<BARRIER, NO_WAIT>(); }
static void barrierNeverComplete(void) { one<BARRIER, NEVER_ARRIVES>(); }
static void pipelineNoWait(void) { one<PIPELINE, NO_WAIT>(); }
static void pipelineNoBarrier(void) { one<PIPELINE, NO_BARRIER>(); }
static void blockPipelineNoWait(void) { one<BLOCK_PIPELINE, NO_WAIT>(); }

/* ---- tiles in turn: the next one is on its way while this one is used ------------------------ */
template <mistake Wrong> __global__ void twoStages(float *y, const float *x, int tiles)
{
    __shared__ float tile[2][TILE];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof(float));
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &x[(k + 1) * TILE + t], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(Wrong == NO_WAIT ? 2 : 1);
        __syncthreads();
        y[k * TILE + t] = tile[k % 2][t ^ 32] + 1;
        if (Wrong != NO_BARRIER)
            __syncthreads();
    }
}
static void stages(void)
{
    twoStages<NONE><<<1, TILE>>>(d_y, d_x, N / TILE);
    expectSwapped(32);
}
static void oneGroupTooEarly(void) { twoStages<NO_WAIT><<<1, TILE>>>(d_y, d_x, 4); }
static void overwrittenWhileRead(void) { twoStages<NO_BARRIER><<<1, TILE>>>(d_y, d_x, 4); }

/* The same by a pipeline of the block, with warps that only copy and warps that only compute */
template <mistake Wrong> __global__ void specialised(float *y, const float *x, int tiles)
{
    __shared__ float tile[2][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    cg::thread_block block = cg::this_thread_block();
    cuda::pipeline<cuda::thread_scope_block> pipe =
        cuda::make_pipeline(block, &state, (size_t)TILE);
    const int t = threadIdx.x;
    if (t < TILE)
        for (int k = 0; k < tiles; k++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[k % 2][t], &x[k * TILE + t], sizeof(float), pipe);
            pipe.producer_commit();
        }
    else
        for (int k = 0; k < tiles; k++) {
            if (Wrong != NO_WAIT)
                pipe.consumer_wait();
            y[k * TILE + t - TILE] = tile[k % 2][(t - TILE) ^ 32] + 1;
            pipe.consumer_release();
        }
}
static void producersAndConsumers(void)
{
    specialised<NONE><<<1, 2 * TILE>>>(d_y, d_x, N / TILE);
    expectSwapped(32);
}
static void consumersDoNotWait(void) { specialised<NO_WAIT><<<1, 2 * TILE>>>(d_y, d_x, 2); }

/* ---- forbidden copies ------------------------------------------------------------------------ */
__global__ void copyOf(float *y, const float *x, int bytes, int from_shared, int to_global)
{
    __shared__ __align__(16) float tile[TILE];
    tile[threadIdx.x] = 0;
    __syncthreads();
    __pipeline_memcpy_async(to_global ? y : tile + 4 * threadIdx.x, from_shared ? tile : x, bytes);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
static void oddBytes(void) { copyOf<<<1, 1>>>(d_y, d_x, 6, 0, 0); }
static void oddAddress(void) { copyOf<<<1, 1>>>(d_y, d_x + 1, 16, 0, 0); }
static void fromShared(void) { copyOf<<<1, 1>>>(d_y, d_x, 4, 1, 0); }
static void toGlobal(void) { copyOf<<<1, 1>>>(d_y, d_x, 4, 0, 1); }
static void pastTheEnd(void) { copyOf<<<1, 1>>>(d_y, d_x + N, 4, 0, 0); }
static void uninitialisedSource(void)
{
    float *d_new;
    CHECK(cudaMalloc(&d_new, 64));
    copyOf<<<1, 1>>>(d_y, d_new, 16, 0, 0);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_new));
}
__global__ void withZeros(float *y, const float *x)
{
    __shared__ __align__(16) float tile[4];
    __pipeline_memcpy_async(tile, x, 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; i++)
        y[i] = tile[i];
}
static void zeroFill(void)
{
    float y[4], *d_two; /* there are no more than two elements */
    CHECK(cudaMalloc(&d_two, 2 * sizeof *d_two));
    CHECK(cudaMemcpy(d_two, d_x + 1, 2 * sizeof *d_two, cudaMemcpyDeviceToDevice));
    withZeros<<<1, 1>>>(d_y, d_two);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_two));
    if (y[0] != 3 || y[1] != 6 || y[2] != 0 || y[3] != 0)
        exit(2);
}

/* ---- <cuda/atomic>: a message from block 0 to block 1 ---------------------------------------- */
template <class Flag>
__device__ void message(float *y, int *n, Flag flag, cuda::memory_order release,
                        cuda::memory_order acquire)
{
    if (blockIdx.x == 0) {
        *n = 42;
        flag.store(1, release);
    } else {
        while (flag.load(acquire) == 0)
            ;
        *y = (float)*n;
    }
}
__global__ void byOrder(float *y, int *n, cuda::memory_order release, cuda::memory_order acquire)
{
    message(y, n, cuda::atomic_ref<int, cuda::thread_scope_device>(n[1]), release, acquire);
}
__global__ void byBlockScope(float *y, int *n)
{
    message(y, n, cuda::atomic_ref<int, cuda::thread_scope_block>(n[1]), cuda::memory_order_release,
            cuda::memory_order_acquire);
}
__global__ void byFences(float *y, int *n)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(n[1]);
    if (blockIdx.x == 0) {
        *n = 42;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        flag.store(1, cuda::memory_order_relaxed);
    } else {
        while (flag.load(cuda::memory_order_relaxed) == 0)
            ;
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *y = (float)*n;
    }
}
static void answered(void)
{
    float y;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    if (y != 42)
        exit(2);
}
static void releaseAcquire(void)
{
    byOrder<<<2, 1>>>(d_y, d_n, cuda::memory_order_release, cuda::memory_order_acquire);
    answered();
}
static void sequential(void)
{
    byOrder<<<2, 1>>>(d_y, d_n, cuda::memory_order_seq_cst, cuda::memory_order_seq_cst);
    answered();
}
static void fences(void)
{
    byFences<<<2, 1>>>(d_y, d_n);
    answered();
}
static void relaxedRelease(void)
{
    byOrder<<<2, 1>>>(d_y, d_n, cuda::memory_order_relaxed, cuda::memory_order_acquire);
}
static void relaxedAcquire(void)
{
    byOrder<<<2, 1>>>(d_y, d_n, cuda::memory_order_release, cuda::memory_order_relaxed);
}
static void blockScope(void) { byBlockScope<<<2, 1>>>(d_y, d_n); }

__device__ cuda::atomic<int, cuda::thread_scope_device> counter(5);
__global__ void everyOperation(int *n, double *sum)
{
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> s;
    if (threadIdx.x == 0)
        s.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    s.fetch_add(1u, cuda::memory_order_relaxed);
    s |= 1u << 20;
    cuda::atomic_ref<double, cuda::thread_scope_device>(*sum).fetch_add(0.5,
                                                                        cuda::memory_order_relaxed);
    cuda::atomic_ref<int> largest(n[0]), smallest(n[1]);
    largest.fetch_max((int)threadIdx.x);
    smallest.fetch_min(-(int)threadIdx.x);
    counter++;
    int old = n[2];
    while (!cuda::atomic_ref<int>(n[2]).compare_exchange_weak(old, old + 2))
        ;
    __syncthreads();
    if (threadIdx.x == 0) {
        n[3] = (int)s;
        n[4] = counter.exchange(7);
    }
}
static void arithmetic(void)
{
    int n[5];
    double *d_sum, sum;
    CHECK(cudaMalloc(&d_sum, sizeof sum));
    CHECK(cudaMemset(d_sum, 0, sizeof sum));
    everyOperation<<<1, 96>>>(d_n, d_sum);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(n, d_n, sizeof n, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sum));
    if (n[0] != 95 || n[1] != -95 || n[2] != 192 || n[3] != 96 + (1 << 20) || n[4] != 5 + 96 ||
        sum != 48) {
        printf("FAILED: %d %d %d %d %d %g\n", n[0], n[1], n[2], n[3], n[4], sum);
        exit(2);
    }
}

/* A barrier of half the block, several times, with a function that the last one to come runs */
__global__ void halves(int *n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
    __shared__ int s[128];
    const int t = threadIdx.x, half = t / 64;
    if (t < 2)
        init(&bar[t], 64);
    __syncthreads();
    s[t] = t;
    for (int k = 0; k < 3; k++) {
        bar[half].arrive_and_wait();
        const int other = s[t ^ 63];
        bar[half].wait(bar[half].arrive());
        s[t] = other + 1;
    }
    n[t] = s[t];
}
static void barriers(void)
{
    int n[128];
    halves<<<1, 128>>>(d_n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(n, d_n, sizeof n, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 128; t++)
        if (n[t] != (t ^ 63) + 3)
            exit(2);
}

static const struct test tests[] = {
    CLEAN(primitives),
    CLEAN(groupCopy),
    CLEAN(barrierCopy),
    CLEAN(threadPipeline),
    CLEAN(blockPipeline),
    FINDS(noWait, "uninitialised-read", "has been started, but not waited for"),
    FINDS(noCommit, "uninitialised-read", "has been started, but not waited for"),
    FINDS(noBarrier, "race", "shared variable tile"),
    FINDS(groupNoWait, "race", "shared variable tile"),
    FINDS(barrierNoWait, "race", "shared variable tile"),
    FINDS(barrierNeverComplete, "endless-kernel", ""),
    FINDS(pipelineNoWait, "uninitialised-read", "has been started, but not waited for"),
    FINDS(pipelineNoBarrier, "race", "shared variable tile"),
    FINDS(blockPipelineNoWait, "race", "shared variable tile"),
    CLEAN(stages),
    FINDS(oneGroupTooEarly, "uninitialised-read", "has been started, but not waited for"),
    FINDS(overwrittenWhileRead, "race", "shared variable tile"),
    CLEAN(producersAndConsumers),
    FINDS(consumersDoNotWait, "race", "shared variable tile"),
    FINDS(oddBytes, "misaligned", "copies 6 bytes asynchronously"),
    FINDS(oddAddress, "misaligned", "no multiple of 16"),
    FINDS(fromShared, "invalid-address", "from shared memory"),
    FINDS(toGlobal, "invalid-address", "the destination must be in shared memory"),
    FINDS(pastTheEnd, "out-of-bounds", "past the end"),
    FINDS(uninitialisedSource, "uninitialised-read", "d_new[0]"),
    CLEAN(zeroFill),
    CLEAN(releaseAcquire),
    CLEAN(sequential),
    CLEAN(fences),
    FINDS(relaxedRelease, "race", "d_n[0]"),
    FINDS(relaxedAcquire, "race", "d_n[0]"),
    FINDS(blockScope, "race", "d_n[0]"),
    CLEAN(arithmetic),
    CLEAN(barriers),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
