/* Counters that can be worked out by hand: each kernel's must come out exactly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_emulated.h"

__global__ void load(float *y, const float *x, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + offset];
}
__global__ void load4(float4 *y, const float4 *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
__global__ void loadDouble(double *y, const double *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
__global__ void chunk(float *y, const float *x, int each)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each; i++)
        y[i] = x[i];
}
__global__ void stride(float *y, const float *x) { y[threadIdx.x] = x[8 * threadIdx.x]; }
__global__ void writeThenRead(float *y)
{
    y[threadIdx.x] = 1;
    __syncthreads();
    if (y[63 - threadIdx.x] < 0)
        y[threadIdx.x] = 2;
}
__global__ void first(float *y, int threads, int each)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; i < threads && k < each; k++)
        y[each * i + k] = 1;
}
__global__ void enough(float *y, const float *x, int threads, int each)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; i < threads && k < each; k++)
        sum += x[k];
    if (i < threads)
        y[i] = sum;
}
__global__ void broadcast(float *y, const float *x) { y[threadIdx.x] = x[0]; }
/* A function that is a template's argument is inlined, as by nvcc: the lanes meet between its two
 * loops. */
typedef float sum_fn(const float *x, int n);
__device__ float sumOf(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
template <sum_fn sum> __device__ float twice(const float *x, int lane)
{
    float both = 0;
    for (int k = 0; k < 2; k++)
        both += sum(x, (lane + 16 * k) % 32);
    return both;
}
__global__ void sumsByArgument(float *y, const float *x)
{
    y[threadIdx.x] = twice<sumOf>(x, threadIdx.x);
}
template <int Columns> __global__ void column(float *y)
{
    __shared__ float tile[32][Columns];
    tile[threadIdx.x][0] = threadIdx.x;
    __syncwarp();
    y[threadIdx.x] = tile[31 - threadIdx.x][0];
}
__global__ void column16(float *y)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x % 16, row = threadIdx.x / 16;
    tile[x][row] = x;
    __syncthreads();
    y[threadIdx.x] = tile[15 - x][row];
}
__global__ void sharedBroadcast(float *y)
{
    __shared__ float s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    y[threadIdx.x] = s[7];
}
__global__ void sharedDouble(double *y)
{
    __shared__ double s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void sharedFloat4(float4 *y)
{
    __shared__ float4 s[32];
    s[threadIdx.x] = make_float4(1, 2, 3, threadIdx.x);
    __syncwarp();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void allToOne(int *n) { atomicAdd(n, 1); }
__global__ void eachItsOwn(int *n) { atomicAdd(n + threadIdx.x, 1); }
__global__ void fourEach(int *n) { atomicAdd(n + threadIdx.x / 4, 1); }
__global__ void oddAndEven(float *y)
{
    if (threadIdx.x % 2)
        y[threadIdx.x] = 1;
    else
        y[threadIdx.x + 64] = 2;
}
__global__ void warpByWarp(float *y)
{
    if (threadIdx.x / 32 % 2)
        y[threadIdx.x] = 1;
    else
        y[threadIdx.x + 64] = 2;
}

static int failures;

static void expect(const char *what, double found, double wanted)
{
    int wrong = !(found == wanted);
    printf("%-44s %10g %s\n", what, found, wrong ? "FAILED" : "ok");
    if (wrong)
        printf("    expected %g\n", wanted);
    failures += wrong;
}

static struct emulated_counters after(void)
{
    struct emulated_counters c;
    emulatedCountersGet(&c);
    emulatedCountersReset();
    return c;
}

int main(void)
{
    float *x, *y;
    struct emulated_counters c;
    if (cudaMalloc(&x, 1 << 20) != cudaSuccess || cudaMalloc(&y, 1 << 20) != cudaSuccess ||
        cudaMemset(x, 0, 1 << 20) != cudaSuccess || cudaMemset(y, 0, 1 << 20) != cudaSuccess)
        return 2;
    emulatedCountersReset();

    load<<<4, 256>>>(y, x, 0), c = after();
    expect("threads", c.threads, 1024);
    expect("aligned load, requests", c.global_load_requests, 32);
    expect("aligned load, sectors", c.global_load_sectors, 32 * 4);
    expect("aligned store, sectors", c.global_store_sectors, 32 * 4);
    expect("aligned, lines", c.lines, 64);
    expect("aligned, bytes used", c.bytes_used, 2 * 4096);
    expect("aligned, bytes moved", c.bytes_moved, 2 * 4096);
    expect("aligned, bytes in at least once", c.bytes_in, 4096);
    expect("aligned, bytes out at least once", c.bytes_out, 4096);
    load<<<4, 256>>>(y, x, 1), c = after();
    expect("offset 1, sectors per request", (double)c.global_load_sectors / c.global_load_requests,
           5);
    expect("offset 1, lines", c.lines, 32 + 64);
    load<<<4, 256>>>(y, x, 8), c = after();
    expect("offset 8, sectors per request", (double)c.global_load_sectors / c.global_load_requests,
           4);
    load4<<<1, 256>>>((float4 *)y, (float4 *)x), c = after();
    expect("float4, sectors per request", (double)c.global_load_sectors / c.global_load_requests,
           16);
    expect("float4, lines per request",
           (double)c.lines / (c.global_load_requests + c.global_store_requests), 4);
    loadDouble<<<1, 256>>>((double *)y, (double *)x), c = after();
    expect("double, sectors per request", (double)c.global_load_sectors / c.global_load_requests,
           8);
    chunk<<<1, 128>>>(y, x, 32), c = after();
    const struct emulated_counters chunked = c;
    expect("chunk per thread, requests", c.global_load_requests, 4 * 32);
    expect("chunk per thread, sectors per request",
           (double)c.global_load_sectors / c.global_load_requests, 32);
    expect("chunk per thread, lines per request",
           (double)c.lines / (c.global_load_requests + c.global_store_requests), 32);
    broadcast<<<1, 32>>>(y, x), c = after();
    expect("broadcast load, sectors", c.global_load_sectors, 1);
    expect("chunk per thread, bytes used again: in once", chunked.bytes_in, 128 * 32 * 4);
    expect("broadcast load, bytes used", c.bytes_used, 4 + 128);
    expect("broadcast load, bytes in", c.bytes_in, 32);
    first<<<8, 64>>>(y, 512, 4);
    c = after();
    expect("all threads share the work", c.one_block_steps + c.one_lane_requests, 0);
    first<<<8, 64>>>(y, 64, 100);
    c = after();
    expect("one block does it, steps of such launches", c.one_block_steps, c.steps);
    expect("its threads store several times", c.one_block_repeats, c.steps);
    expect("its lanes share it", c.one_lane_requests, 0);
    first<<<8, 64>>>(y, 1, 500);
    c = after();
    expect("one lane does it, requests", c.one_lane_requests, 500);
    enough<<<8, 64>>>(y, x, 64, 500);
    c = after();
    expect("one block does it, and it is enough", c.one_block_repeats, 0);
    enough<<<8, 64>>>(y, x, 128, 500);
    c = after();
    expect("two blocks do it", c.one_block_steps, 0);
    first<<<1, 1>>>(y, 1, 500);
    c = after();
    expect("a launch of one thread", c.one_block_steps + c.one_lane_requests, 0);
    sumsByArgument<<<1, 32>>>(y, x), c = after();
    expect("sums by a template's argument, requests", c.global_load_requests, 2 * 31);
    expect("sums by a template's argument, sectors", c.global_load_sectors, 2 * 31);
    load<<<4, 256>>>(y, y, 0), c = after();
    expect("in place, bytes in", c.bytes_in, 4096);
    expect("in place, bytes out", c.bytes_out, 4096);
    stride<<<1, 64>>>(y, x), c = after();
    expect("stride 8, bytes in: whole sectors", c.bytes_in, 64 * 32);
    expect("stride 8, bytes out", c.bytes_out, 256);
    writeThenRead<<<1, 64>>>(y), c = after();
    expect("written, then read: nothing comes in", c.bytes_in, 0);
    expect("written, then read: bytes out", c.bytes_out, 256);

    column<32><<<1, 32>>>(y), c = after();
    expect("tile[32][32] by column, wavefronts", c.shared_wavefronts, 2 * 32);
    expect("tile[32][32] by column, without conflict", c.shared_ideal, 2);
    column<33><<<1, 32>>>(y), c = after();
    expect("tile[32][33] by column, wavefronts", c.shared_wavefronts, 2);
    column16<<<1, 256>>>(y), c = after();
    expect("tile[16][16] by column, wavefronts", c.shared_wavefronts, 8 * 2 * 8);
    sharedBroadcast<<<1, 32>>>(y), c = after();
    expect("shared broadcast, wavefronts", c.shared_wavefronts, 2);
    sharedDouble<<<1, 32>>>((double *)y), c = after();
    expect("shared double, wavefronts", c.shared_wavefronts, 2 * 2);
    expect("shared double, without conflict", c.shared_ideal, 2 * 2);
    sharedFloat4<<<1, 32>>>((float4 *)y), c = after();
    expect("shared float4, wavefronts", c.shared_wavefronts, 2 * 4);

    allToOne<<<2, 64>>>((int *)y), c = after();
    expect("atomics on one address, degree", (double)c.atomic_conflicts / c.atomic_requests, 32);
    eachItsOwn<<<2, 64>>>((int *)y), c = after();
    expect("atomics, bytes in", c.bytes_in, 256);
    expect("atomics, bytes out", c.bytes_out, 256);
    expect("atomics on own addresses, degree", (double)c.atomic_conflicts / c.atomic_requests, 1);
    fourEach<<<2, 64>>>((int *)y), c = after();
    expect("atomics by fours, degree", (double)c.atomic_conflicts / c.atomic_requests, 4);

    oddAndEven<<<1, 64>>>(y), c = after();
    expect("odd and even, branches", c.branches, 2);
    expect("odd and even, divergent", c.divergent_branches, 2);
    expect("odd and even, store requests", c.global_store_requests, 4);
    warpByWarp<<<1, 128>>>(y), c = after();
    expect("warp by warp, branches", c.branches, 4);
    expect("warp by warp, divergent", c.divergent_branches, 0);
    expect("findings", c.findings, 0);
    printf("%d failed\n", failures);
    if (cudaFree(x) != cudaSuccess || cudaFree(y) != cudaSuccess)
        return 2;
    return failures != 0;
}
