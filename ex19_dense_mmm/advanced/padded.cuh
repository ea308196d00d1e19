/* The code around the kernels of this folder. They know no edges: where a dimension is no multiple
 * of their tile, they work on copies of A and B with zeros around them, which are made within the
 * measured time. */
#ifndef PADDED_CUH
#define PADDED_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "advanced/tensor_cores.cuh"

/* A product as these kernels see it: `depth` x `columns` elements of b, and `rows` x `depth` of a,
 * or what enum form makes of that; all multiples of the tile. C is as it was asked for, m x n.
 * Device pointers. */
struct padded {
    const float *a, *b;
    float *c;
    int rows, columns, depth, m, n;
};
typedef void padded_launch_fn(const struct padded *p);

/* The copy of A. SPLIT: its first bits as TF32, then, as many rows again, the rest of it. */
enum form { AS_IT_IS, TRANSPOSED, SPLIT };

/* y, allRows x allColumns or the transpose of that, is x with zeros to the right of it and below. A
 * block moves 32 x 32 elements, by rows on both sides; ex11's lesson explains the unused column. */
template <enum form FORM>
static __global__ void copyWithZeros(const float *__restrict__ x, int rows, int columns,
                                     float *__restrict__ y, int allRows, int allColumns)
{
    __shared__ float tile[32][33];
    const int column = blockIdx.x * 32, row = blockIdx.y * 32, lane = threadIdx.x;

#pragma unroll
    for (int r = 0; r < 32; r += 8) {
        const int i = row + threadIdx.y + r, j = column + lane;

        tile[threadIdx.y + r][lane] = i < rows && j < columns ? x[(size_t)i * columns + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 32; r += 8) {
        const int k = threadIdx.y + r;

        if (FORM == TRANSPOSED && column + k < allColumns && row + lane < allRows)
            y[(size_t)(column + k) * allRows + row + lane] = tile[lane][k];
        if (FORM == AS_IT_IS && row + k < allRows && column + lane < allColumns)
            y[(size_t)(row + k) * allColumns + column + lane] = tile[k][lane];
        if (FORM == SPLIT && row + k < allRows && column + lane < allColumns) {
            const float high = cutOff(rounded(tile[k][lane]));

            y[(size_t)(row + k) * allColumns + column + lane] = high;
            y[(size_t)(allRows + row + k) * allColumns + column + lane] = tile[k][lane] - high;
        }
    }
}

template <enum form FORM>
static void launchCopy(const float *x, int rows, int columns, float *y, int allRows, int allColumns)
{
    const dim3 grid((allColumns + 31) / 32, (allRows + 31) / 32);

    cudaVerifyKernel(
        (copyWithZeros<FORM><<<grid, dim3(32, 8)>>>(x, rows, columns, y, allRows, allColumns)));
}

static inline int roundedUp(int x, int unit) { return (x + unit - 1) / unit * unit; }

/* Rows are rounded up to multiples of HEIGHT, columns of WIDTH, k of DEPTH. */
template <padded_launch_fn launch, int HEIGHT, int WIDTH, int DEPTH, enum form FORM>
static void paddedMmm(const float *a, const float *b, float *c, int m, int n, int k)
{
    const size_t bytesA = (size_t)m * k * sizeof(float), bytesB = (size_t)k * n * sizeof(float);
    const size_t bytesC = (size_t)m * n * sizeof(float);
    struct padded p = {
        NULL, NULL, NULL, roundedUp(m, HEIGHT), roundedUp(n, WIDTH), roundedUp(k, DEPTH), m, n};
    const int copiesA = FORM != AS_IT_IS || p.rows != m || p.depth != k;
    const int copiesB = p.columns != n || p.depth != k;
    float *d_a = NULL, *d_b = NULL, *d_paddedA = NULL, *d_paddedB = NULL;

    cudaVerify(cudaMalloc((void **)&d_a, bytesA));
    cudaVerify(cudaMalloc((void **)&d_b, bytesB));
    cudaVerify(cudaMalloc((void **)&p.c, bytesC));
    if (copiesA)
        cudaVerify(cudaMalloc((void **)&d_paddedA,
                              (FORM == SPLIT ? 2 : 1) * (size_t)p.rows * p.depth * sizeof(float)));
    if (copiesB)
        cudaVerify(cudaMalloc((void **)&d_paddedB, (size_t)p.depth * p.columns * sizeof(float)));
    cudaVerify(cudaMemcpy(d_a, a, bytesA, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, bytesB, cudaMemcpyHostToDevice));
    p.a = copiesA ? d_paddedA : d_a;
    p.b = copiesB ? d_paddedB : d_b;

    MEASURE (run) {
        if (copiesA)
            launchCopy<FORM>(d_a, m, k, d_paddedA, p.rows, p.depth);
        if (copiesB)
            launchCopy<AS_IT_IS>(d_b, k, n, d_paddedB, p.depth, p.columns);
        launch(&p);
    }

    cudaVerify(cudaMemcpy(c, p.c, bytesC, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(p.c));
    cudaVerify(cudaFree(d_paddedA)); /* NULL is no error */
    cudaVerify(cudaFree(d_paddedB));
}

/* Stores four neighbouring elements of C, those of them that C has: element (i, j) and the three to
 * the right of it. With rows of 4 x n floats, all of them at once. */
static __device__ inline void storeFour(float *c, int m, int n, int i, int j, float4 four)
{
    float *to = c + (size_t)i * n + j;

    if (i >= m || j >= n)
        return;
    if (n % 4 == 0) {
        *(float4 *)to = four;
        return;
    }
    to[0] = four.x;
    if (j + 1 < n)
        to[1] = four.y;
    if (j + 2 < n)
        to[2] = four.z;
    if (j + 3 < n)
        to[3] = four.w;
}

/* N numbers of a row of a tile in shared memory for this lane, as float4 that are 4 x LANES numbers
 * apart: those of the other lanes lie in between. */
template <int N, int LANES>
static __device__ __forceinline__ void loadNumbers(float (&to)[N], const float *from)
{
#pragma unroll
    for (int i = 0; i < N; i += 4)
        *(float4 *)(to + i) = *(const float4 *)(from + i * LANES);
}

template <int R, int S>
static __device__ __forceinline__ void multiplyAdd(float (&sum)[R][S], const float (&left)[R],
                                                   const float (&right)[S])
{
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int s = 0; s < S; s++) {
            const int there =
                r % 2 ? S - 1 - s : s; /* to and fro: one operand is the same as before */

            sum[r][there] += left[r] * right[there];
        }
}

#endif
