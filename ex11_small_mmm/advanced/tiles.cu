/* TASK     c = a b for many pairs of n x n matrices: as mmmColumn, with rows of a as float4 and
 *          asynchronous copies.
 * TRAFFIC  12 n^2 bytes a pair: a and b read once, c written once.
 * LIMIT    memory bandwidth. */
#include "launches.cuh"
#include "small_mmm.h"
#include "advanced/tiles.h"

/* Threads to an N x N matrix: a power of two. */
#define LANES_FOR(n) ((n) > 8 ? 16 : (n) > 4 ? 8 : (n) > 2 ? 4 : (n))

/* How mmmTiles deals out N x N matrices: LANES threads, a power of two, to each, and from N = 17 on
 * two columns to a thread, which halves the reads of a. Two neighbouring lanes then never belong to
 * different matrices: a float4 that both of a pair want costs shared memory half the time. Rows of
 * a start at whole float4 there, and are copied in the largest pieces that divide them. */
template <int N> struct tiles {
    enum {
        LANES = LANES_FOR(N),
        COLUMNS = (N + LANES - 1) / LANES,
        MATRICES = THREADS / LANES,
        ROW = (N + 3) / 4 * 4,
        PIECE = N % 4 == 0 ? 4 : 2 - N % 2
    };
};

#if defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11 && !defined __CUDA_EMULATED__
#include <cuda_pipeline_primitives.h>
#define HAVE_ASYNCHRONOUS_COPIES
#endif

/* Copies 1, 2 or 4 floats to shared memory. From compute capability 8.0 on they need no registers
 * on their way, and the thread goes on at once: here to its loads of b. */
template <int FLOATS> static __device__ void startCopy(float *to, const float *from)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_memcpy_async(to, from, FLOATS * sizeof *to);
#else
    if (FLOATS == 4)
        *(float4 *)to = *(const float4 *)from;
    else if (FLOATS == 2)
        *(float2 *)to = *(const float2 *)from;
    else
        *to = *from;
#endif
}

static __device__ void waitForCopies(void)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
}

/* One read of shared memory for each multiplication was still the limit. Rows of a are read as
 * float4, and each serves two columns of b. */
template <int N>
__global__ void mmmTiles(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, size_t count)
{
    typedef tiles<N> T;
    __shared__ float4 s_a[T::MATRICES * N * T::ROW / 4];
    const size_t first = ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * T::MATRICES;
    const int here = matricesHere(first, count, T::MATRICES);
    const int m = threadIdx.x / T::LANES, v = threadIdx.x % T::LANES;
    const int rows = m < here ? N : 0;
    const float *bm = b + (first + m) * (N * N);
    float *cm = c + (first + m) * (N * N);
    float column[T::COLUMNS][N];

#pragma unroll
    for (int p = 0; p < T::MATRICES * N * N; p += THREADS * T::PIECE) {
        const int i = p + threadIdx.x * T::PIECE;

        if (i < here * N * N)
            startCopy<T::PIECE>((float *)s_a + i + i / N * (T::ROW - N), a + first * (N * N) + i);
    }
#pragma unroll
    for (int k = 0; k < N; k++)
#pragma unroll
        for (int x = 0; x < T::COLUMNS; x++)
            if (k < rows && v + x * T::LANES < N)
                column[x][k] = bm[k * N + v + x * T::LANES];
    waitForCopies();
    __syncthreads();
#pragma unroll 4
    for (int u = 0; u < rows; u++) {
        const float4 *row = s_a + (m * N + u) * (T::ROW / 4);
        float sum[T::COLUMNS] = {0.0f};

#pragma unroll
        for (int k = 0; k + 3 < N; k += 4) {
            const float4 four = row[k / 4];

#pragma unroll
            for (int x = 0; x < T::COLUMNS; x++)
                sum[x] += four.x * column[x][k] + four.y * column[x][k + 1] +
                          four.z * column[x][k + 2] + four.w * column[x][k + 3];
        }
#pragma unroll
        for (int k = N / 4 * 4; k < N; k++)
#pragma unroll
            for (int x = 0; x < T::COLUMNS; x++)
                sum[x] += ((const float *)row)[k] * column[x][k];
#pragma unroll
        for (int x = 0; x < T::COLUMNS; x++)
            if (v + x * T::LANES < N)
                cm[u * N + v + x * T::LANES] = sum[x];
    }
}

void launchTiles(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    static kernel_for_n *const kernels[MAX_N] = {EVERY_N(mmmTiles)};
    const dim3 grid = allBlocks(count, THREADS / LANES_FOR(n));

    cudaVerifyKernel((kernels[n - 1]<<<grid, THREADS>>>(d_a, d_b, d_c, count)));
}
