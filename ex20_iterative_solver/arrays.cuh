/* The device memory of ex20, sums over a block, and the barrier of a grid. */
#ifndef ARRAYS_CUH
#define ARRAYS_CUH

#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "warp_utils.h"
#include "iterative_solver.h"
#include <math.h>
#include <stdlib.h>

enum { BLOCK = 256, WARPS = BLOCK / 32, MOST_SHARED = 48 << 10, ROWS = 4 };

/* Rows and vectors are `stride` elements long, a multiple of 128: whole float4 for each lane of a
 * warp, the last ones zero. Of several right-hand sides, f has one vector after another, and so has
 * each of the two x. */
struct arrays {
    const float *a, *f;
    float *x;          /* x of even steps, then of odd steps */
    float *r;          /* A x - f */
    float *norm;       /* [k]: sum of the squares of the residual of step k */
    unsigned *arrived; /* blocks at the barrier, counted on and on */
    size_t stride;
    int n, quads; /* float4 in a row of `stride` elements */
    int maxSteps;
    float alpha, limit; /* of norm[] */
    double least, most; /* the eigenvalues, or their real parts, lie between */
    float *hostNorm;
};

/* Element (row, k) to k * stride + row, for the kernel that wants A by columns. Not measured. */
__global__ void storeByColumns(const float *a, float *byColumns, int n, size_t stride)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;

    for (int row = blockIdx.y; row < n; row += gridDim.y)
        if (k < n)
            byColumns[k * stride + row] = a[row * stride + k];
}

/* Zeroes `rows` vectors of device memory, and copies `width` elements of each from the host, unless
 * that is NULL. */
static inline void fill(float *to, const float *from, size_t width, size_t rows, size_t stride)
{
    cudaVerify(cudaMemset(to, 0, rows * stride * sizeof(float)));
    if (from != NULL)
        cudaVerify(cudaMemcpy2D(to, stride * sizeof(float), from, width * sizeof(float),
                                width * sizeof(float), rows, cudaMemcpyHostToDevice));
}

/* Allocated one by one: a message about one of these arrays names it. */
static inline struct arrays upload(const struct system *s, int isTransposed, int sides)
{
    const size_t stride = ((size_t)s->n + 127) / 128 * 128, bytes = stride * sizeof(float);
    struct arrays d;

    d.n = s->n;
    d.stride = stride;
    d.quads = (int)(stride / 4);
    d.alpha = s->alpha;
    d.limit = (float)(s->limit * s->limit);
    d.maxSteps = s->maxSteps;
    d.least = s->least;
    d.most = s->most;
    cudaVerify(cudaMalloc((void **)&d.a, s->n * bytes));
    fill((float *)d.a, s->a, s->n, s->n, stride);
    if (isTransposed) {
        const dim3 grid(blocksFor(s->n, BLOCK), s->n < 1024 ? s->n : 1024);
        float *byRows = (float *)d.a;

        cudaVerify(cudaMalloc((void **)&d.a, s->n * bytes));
        fill((float *)d.a, NULL, 0, s->n, stride);
        cudaVerifyKernel((storeByColumns<<<grid, BLOCK>>>(byRows, (float *)d.a, s->n, stride)));
        cudaVerify(cudaFree(byRows));
    }
    cudaVerify(cudaMalloc((void **)&d.f, sides * bytes));
    fill((float *)d.f, s->f, s->n, sides, stride);
    cudaVerify(cudaMalloc((void **)&d.x, 2 * sides * bytes));
    fill(d.x, NULL, 0, 2 * sides, stride);
    cudaVerify(cudaMalloc((void **)&d.r, 2 * bytes));
    fill(d.r, NULL, 0, 2, stride);
    cudaVerify(cudaMalloc((void **)&d.norm, (s->maxSteps + 1) * sizeof *d.norm));
    fill(d.norm, NULL, 0, 1, s->maxSteps + 1);
    d.hostNorm = (float *)mustAllocate((s->maxSteps + 1) * sizeof(float), "the norms");
    cudaVerify(cudaMalloc((void **)&d.arrived, sizeof *d.arrived));
    cudaVerify(cudaMemset(d.arrived, 0, sizeof *d.arrived));
    return d;
}

static inline void release(struct arrays d)
{
    cudaVerify(cudaFree((void *)d.a));
    cudaVerify(cudaFree((void *)d.f));
    cudaVerify(cudaFree(d.x));
    cudaVerify(cudaFree(d.r));
    cudaVerify(cudaFree(d.norm));
    cudaVerify(cudaFree(d.arrived));
    free(d.hostNorm);
}

/* For a kernel that has done all steps: the norms, and which step was the last. */
static inline void takeNorms(struct arrays d, struct solution *result)
{
    int k = 0;

    cudaVerify(
        cudaMemcpy(d.hostNorm, d.norm, (d.maxSteps + 1) * sizeof(float), cudaMemcpyDeviceToHost));
    while (k < d.maxSteps && d.hostNorm[k] > d.limit)
        k++;
    result->steps = k;
}

/* How many blocks of BLOCK threads with so much shared memory the device can hold at a time. */
template <class Kernel> static inline unsigned residentBlocks(Kernel *kernel, size_t shared)
{
    int each = 1;

#if CUDART_VERSION >= 6050
    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, BLOCK, shared));
#else
    (void)kernel;
    (void)shared;
#endif
    return (unsigned)(each * multiprocessors());
}

/* Of hostNorm and x, after result->steps steps. */
static inline void takeResult(struct arrays d, struct solution *result, int sides)
{
    const float *x = d.x + result->steps % 2 * sides * d.stride;

    for (int k = 0; k <= result->steps; k++)
        result->residual[k] = sqrt((double)d.hostNorm[k]);
    cudaVerify(cudaMemcpy2D(result->x, d.n * sizeof(float), x, d.stride * sizeof(float),
                            d.n * sizeof(float), sides, cudaMemcpyDeviceToHost));
}

/* Quad q of row `row` of A; zeros beyond the last row. */
static __device__ inline float4 quadOf(struct arrays d, int row, int q)
{
    return row < d.n ? ((const float4 *)(d.a + row * d.stride))[q]
                     : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

static __device__ inline float dot4(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* The sum of what the lanes of a whole warp have, in lane 0. */
static __device__ inline float warpSum(float own)
{
    for (int distance = 16; distance > 0; distance /= 2)
        own += shuffleDown(own, distance);
    return own;
}

/* The sum of what the BLOCK threads of a block have, in thread 0. All threads must call it. */
static __device__ inline float blockSum(float own)
{
    __shared__ float s[WARPS];

    own = warpSum(own);
    __syncthreads(); /* s may still be read from the call before */
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int warp = 1; warp < WARPS; warp++)
            own += s[warp];
    return own;
}

/* All blocks wait for all (exercise 10); they must all be resident. *target counts for the caller,
 * from 0. */
static __device__ inline void gridBarrier(unsigned *arrived, unsigned *target)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        *target += gridDim.x;
        __threadfence();
        atomicAdd(arrived, 1u);
        while ((int)(*(volatile unsigned *)arrived - *target) < 0)
            continue;
        __threadfence();
    }
    __syncthreads();
}

/* cosh(k eta) / cosh((k + 1) eta) for q = e^-eta, without an overflow: Chebyshev's rho. */
static inline double coshRatio(double q, int k)
{
    return q * (1.0 + pow(q, 2 * k)) / (1.0 + pow(q, 2 * k + 2));
}

/* Sums of squares of r, by one block. */
__global__ void sumOfSquares(const float *r, int n, float *sum)
{
    float own = 0.0f;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        own += r[i] * r[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        *sum = own;
}

__global__ void addMultiple(float alpha, const float *r, float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += alpha * r[i];
}

#endif
