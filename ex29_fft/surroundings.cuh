/* The code around the rungs: memory on the device, copies, the table of twiddles, and complex
 * arithmetic. Given; nothing to fill in here. */
#ifndef SURROUNDINGS_CUH
#define SURROUNDINGS_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "fft.h"
#include <math.h>

enum { POINTS = 16 }; /* that a thread keeps in registers */

struct job {
    const float2 *d_x;
    float2 *d_y, *d_work;  /* of the same size */
    const float2 *d_table; /* fillTable() */
    size_t n, batch;
};

typedef void run_fn(const struct job *job); /* measures its work */

static __device__ __forceinline__ float2 plus(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

static __device__ __forceinline__ float2 minus(float2 a, float2 b)
{
    return make_float2(a.x - b.x, a.y - b.y);
}

static __device__ __forceinline__ float2 times(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* w^m, w = exp(-2 pi i / n). sincospif() multiplies by pi itself, without an error: m / n is exact,
 * since n is a power of two. */
static __device__ __forceinline__ float2 turn(int m, int n)
{
    float2 w;

    sincospif(-2.0f * ((float)m / (float)n), &w.y, &w.x);
    return w;
}

/* Asks for the 128 bytes at `line`: the L2 cache loads them, and the thread does not wait. On the
 * emulated device it is a load, whose address is checked. */
static __device__ __forceinline__ void askFor(const float2 *line)
{
#ifdef __CUDA_EMULATED__
    (void)*(const volatile float *)line;
#else
    asm volatile("prefetch.global.L2 [%0];" : : "l"(line));
#endif
}

/* exp(-2 pi i k / 16). */
static __constant__ float2 ROOT[10] = {
    {1.0f, 0.0f},
    {0.923879533f, -0.382683432f},
    {0.707106781f, -0.707106781f},
    {0.382683432f, -0.923879533f},
    {0.0f, -1.0f},
    {-0.382683432f, -0.923879533f},
    {-0.707106781f, -0.707106781f},
    {-0.923879533f, -0.382683432f},
    {-1.0f, 0.0f},
    {-0.923879533f, 0.382683432f},
};

static __constant__ float2 ROOT_32 = {0.980785280f, -0.195090322f}; /* exp(-2 pi i / 32) */

/* The twiddles of passes of radix 16. If a pass makes transforms of m points out of m / 16 points,
 * exp(-2 pi i r k / m) is at m + r m / 16 + k. */
enum { LONGEST = 8192 };

static void fillTable(float2 *table)
{
    for (int m = 32; m <= LONGEST; m *= 2)
        for (int i = 0; i < m; i++) {
            const int r = i / (m / 16), k = i % (m / 16);
            const double angle = -2.0 * M_PI * (double)(r * k) / (double)m;

            table[m + i] = make_float2((float)cos(angle), (float)sin(angle));
        }
}

/* Lets a kernel have so many bytes of shared memory; more than 48 KB must be asked for. Returns 0
 * if the device has not so many, and the row is skipped. */
template <typename kernel_type> static int allowShared(kernel_type kernel, size_t bytes)
{
    int device = 0, most = 48 * 1024;

    cudaVerify(cudaGetDevice(&device));
#if CUDART_VERSION >= 9000
    cudaVerify(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (bytes <= (size_t)most)
        cudaVerify(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
#else
    (void)kernel;
#endif
    if (bytes <= (size_t)most)
        return 1;
    rowSkip("needs %zu KB of shared memory in a block; this device has %d KB", bytes / 1024,
            most / 1024);
    return 0;
}

template <run_fn run>
static void fft(const struct point *x, struct point *y, size_t n, size_t batch)
{
    const size_t bytes = n * batch * sizeof(float2), tableBytes = 2 * LONGEST * sizeof(float2);
    float2 *table = (float2 *)mustAllocate(tableBytes, "a table of twiddles");
    float2 *d_x = NULL, *d_table = NULL;
    struct job job = {NULL, NULL, NULL, NULL, n, batch};

    fillTable(table);
    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&job.d_y, bytes));
    cudaVerify(cudaMalloc((void **)&job.d_work, bytes));
    cudaVerify(cudaMalloc((void **)&d_table, tableBytes));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_table, table, tableBytes, cudaMemcpyHostToDevice));
    job.d_x = d_x;
    job.d_table = d_table;
    run(&job);
    cudaVerify(cudaMemcpy(y, job.d_y, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(job.d_y));
    cudaVerify(cudaFree(job.d_work));
    cudaVerify(cudaFree(d_table));
    free(table);
}

#endif
