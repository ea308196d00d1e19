/* TASK     x += alpha (A x - f), A dense of n x n floats, until || A x - f || is small enough.
 * TRAFFIC  4 n^2 bytes a step: A read.
 * LIMIT    memory bandwidth: 2 operations for 4 bytes; for small n the latency of a step. */
#include "cuda_utils.h"
#include "surroundings.cuh" /* struct arrays, warpSum(), blockSum(), gridBarrier(), solve(), ... */

/* The kernel of the slide: a thread for each row. The lanes read elements that are a row apart. */
__global__ void threadPerRow(struct arrays d)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (row >= d.n)
        return;
    for (int k = 0; k < d.n; k++)
        sum += d.a[row * d.stride + k] * d.x[k];
    d.r[row] = sum - d.f[row];
}

void launchThreadPerRow(struct arrays d)
{
    cudaVerifyKernel((threadPerRow<<<blocksFor(d.n, BLOCK), BLOCK>>>(d)));
}

/* Each lane had a sector of its own. With A by columns, element (row, k) at k * stride + row, lanes
 * read side by side. */
__global__ void threadPerRowTransposed(struct arrays d)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (row >= d.n)
        return;
    // TODO 1 begin: add up the products of the row, with A stored by columns
    for (int k = 0; k < d.n; k++)
        sum += d.a[k * d.stride + row] * d.x[k];
    // TODO 1 end
    d.r[row] = sum - d.f[row];
}

void launchTransposed(struct arrays d)
{
    cudaVerifyKernel((threadPerRowTransposed<<<blocksFor(d.n, BLOCK), BLOCK>>>(d)));
}

/* n threads are too few: an H200 holds 270,336. A block for each row has enough, with A by rows. */
__global__ void blockPerRow(struct arrays d)
{
    // TODO 2 begin: the threads of a block share row blockIdx.x; blockSum() adds up what they have
    const float *a = d.a + blockIdx.x * d.stride;
    float sum = 0.0f;

    for (int k = threadIdx.x; k < d.n; k += blockDim.x)
        sum += a[k] * d.x[k];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        d.r[blockIdx.x] = sum - d.f[blockIdx.x];
    // TODO 2 end
}

void launchBlockPerRow(struct arrays d) { cudaVerifyKernel((blockPerRow<<<d.n, BLOCK>>>(d))); }

/* The product of row `row` of A, of `quads` float4, and x, by a warp: lane 0 has the sum. */
__device__ float warpProduct(const float4 *a, const float4 *x, int quads)
{
    float sum = 0.0f;

    // TODO 3 begin: each lane every 32nd quad of both; then warpSum()
#pragma unroll 8
    for (int k = threadIdx.x % 32; k < quads; k += 32)
        sum += dot4(a[k], x[k]);
    sum = warpSum(sum);
    // TODO 3 end
    return sum;
}

/* The block waited for its slowest thread, and loaded 4 bytes at a time. A warp for each row needs
 * no barrier, and float4 has four times the bytes in flight. Rows are padded with zeros to whole
 * warps. */
__global__ void warpPerRow(struct arrays d)
{
    const int row = blockIdx.x * WARPS + threadIdx.x / 32;

    if (row < d.n) {
        const float sum =
            warpProduct((const float4 *)(d.a + row * d.stride), (const float4 *)d.x, d.quads);

        if (threadIdx.x % 32 == 0)
            d.r[row] = sum - d.f[row];
    }
}

void launchWarpPerRow(struct arrays d)
{
    cudaVerifyKernel((warpPerRow<<<blocksFor(d.n, WARPS), BLOCK>>>(d)));
}

/* Adds the squares that the threads of a block have to the norm of step k, as all blocks do. All
 * threads must call it. */
__device__ void addToNorm(struct arrays d, int k, float squares)
{
    // TODO 4 begin: add them up by blockSum(), and the sum to d.norm[k]
    squares = blockSum(squares);
    if (threadIdx.x == 0)
        atomicAdd(&d.norm[k], squares);
    // TODO 4 end
}

/* Three kernels a step, and x, r and f read more often than needed. The warp of a row can do all
 * that belongs to the row. Old elements of x are still being read, so the new ones go elsewhere. */
__global__ void fused(struct arrays d, int k)
{
    const float *x = d.x + k % 2 * d.stride;
    float *xNew = d.x + (k + 1) % 2 * d.stride;
    const int row = blockIdx.x * WARPS + threadIdx.x / 32;
    float r = 0.0f;

    if (k > 0 && !(d.norm[k - 1] > d.limit))
        return; /* step k - 1 was the last one */
    // TODO 4 begin: r of the warp's row in lane 0, 0 in others; new x; r * r to the norm
    if (row < d.n)
        r = warpProduct((const float4 *)(d.a + row * d.stride), (const float4 *)x, d.quads);
    if (row < d.n && threadIdx.x % 32 == 0) {
        r -= d.f[row];
        xNew[row] = x[row] + d.alpha * r;
    } else {
        r = 0.0f;
    }
    addToNorm(d, k, r * r);
    // TODO 4 end
}

void launchFused(struct arrays d, int k)
{
    cudaVerifyKernel((fused<<<blocksFor(d.n, WARPS), BLOCK>>>(d, k)));
}

/* For a small system a step takes little longer than a launch. One kernel does all of them: where a
 * kernel would end, the grid waits at a barrier. All blocks must be resident; each has all of x in
 * shared memory. */
__global__ void oneKernel(struct arrays d)
{
    // TODO 5 begin: (advanced) all steps; the grid's warps share the rows; a gridBarrier() a step
    extern __shared__ float4 s_x[];
    unsigned target = 0;

    for (int k = 0;; k++) {
        const volatile float *x = d.x + k % 2 * d.stride; /* other blocks write it */
        float *xNew = d.x + (k + 1) % 2 * d.stride;
        float squares = 0.0f;

        for (int i = threadIdx.x; i < (int)d.stride; i += BLOCK)
            ((float *)s_x)[i] = x[i];
        __syncthreads();
        for (int row = blockIdx.x * WARPS + threadIdx.x / 32; row < d.n; row += gridDim.x * WARPS) {
            float r = warpProduct((const float4 *)(d.a + row * d.stride), s_x, d.quads);

            if (threadIdx.x % 32 == 0) {
                r -= d.f[row];
                xNew[row] = ((const float *)s_x)[row] + d.alpha * r;
                squares += r * r;
            }
        }
        addToNorm(d, k, squares);
        gridBarrier(d.arrived, &target);
        if (!(*(volatile float *)&d.norm[k] > d.limit) || k == d.maxSteps)
            break; /* all blocks see the same norm */
    }
    // TODO 5 end
}

/* Two operations for 4 bytes of A: the multiprocessors wait for memory. With several right-hand
 * sides there are two for each of them, and A is read once for all. */
__global__ void severalSides(struct arrays d, int k)
{
    const float *x = d.x + k % 2 * SIDES * d.stride;
    float *xNew = d.x + (k + 1) % 2 * SIDES * d.stride;
    const int row = (blockIdx.x * WARPS + threadIdx.x / 32) * ROWS;
    float sum[ROWS][SIDES] = {{0.0f}}, squares = 0.0f;

    if (k > 0 && !(d.norm[k - 1] > d.limit))
        return;
    // TODO 6 begin: (advanced) ROWS rows and SIDES sides a warp: a quad of x serves ROWS rows
    const int lane = threadIdx.x % 32;

#pragma unroll 2
    for (int q = lane; q < d.quads && row < d.n; q += 32) {
        float4 a[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            a[i] = quadOf(d, row + i, q);
#pragma unroll
        for (int side = 0; side < SIDES; side++) {
            const float4 xq = ((const float4 *)(x + side * d.stride))[q];

#pragma unroll
            for (int i = 0; i < ROWS; i++)
                sum[i][side] += dot4(a[i], xq);
        }
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int side = 0; side < SIDES; side++)
            sum[i][side] = warpSum(sum[i][side]);
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int side = 0; side < SIDES; side++)
            if (lane == 0 && row + i < d.n) {
                const float r = sum[i][side] - d.f[side * d.stride + row + i];

                xNew[side * d.stride + row + i] = x[side * d.stride + row + i] + d.alpha * r;
                squares += r * r;
            }
    addToNorm(d, k, squares);
    // TODO 6 end
}

void launchSeveralSides(struct arrays d, int k)
{
    cudaVerifyKernel((severalSides<<<blocksFor(d.n, WARPS * ROWS), BLOCK>>>(d, k)));
}

/* The same step for all rows and all k takes many of them. Jacobi's divides the residual of a row
 * by its element on the diagonal; Chebyshev's also goes on in the direction of the step before, by
 * factors that depend on k. */
template <int byJacobi> __global__ void steered(struct arrays d, int k, float a, float b)
{
    const float *x = d.x + k % 2 * d.stride;
    float *xNew = d.x + (k + 1) % 2 * d.stride; /* holds the old x, of step k - 1 */
    const int row = blockIdx.x * WARPS + threadIdx.x / 32;
    float r = 0.0f;

    if (k > 0 && !(d.norm[k - 1] > d.limit))
        return;
    // TODO 7 begin: (advanced) as fused, but x' = x + a r (/ diagonal if byJacobi) + b (x - old x)
    if (row < d.n)
        r = warpProduct((const float4 *)(d.a + row * d.stride), (const float4 *)x, d.quads);
    if (row < d.n && threadIdx.x % 32 == 0) {
        const float divisor = byJacobi ? d.a[row * d.stride + row] : 1.0f;

        r -= d.f[row];
        xNew[row] = x[row] + a * r / divisor + b * (x[row] - xNew[row]);
    } else {
        r = 0.0f;
    }
    addToNorm(d, k, r * r);
    // TODO 7 end
}

void launchJacobi(struct arrays d, int k)
{
    cudaVerifyKernel((steered<1><<<blocksFor(d.n, WARPS), BLOCK>>>(d, k, -1.0f, 0.0f)));
}

void launchChebyshev(struct arrays d, int k)
{
    double a = 0.0, b = 0.0;

    // TODO 8 begin: (advanced) a, b of step k from d.least, d.most by coshRatio(); mind step one
    const double middle = 0.5 * (d.most + d.least), half = 0.5 * (d.most - d.least);
    const double sigma = fabs(middle) / half, q = sigma - sqrt(sigma * sigma - 1.0);

    a = (k == 0 ? 1.0 : 2.0) * coshRatio(q, k) / half * (middle > 0.0 ? -1.0 : 1.0);
    b = k == 0 ? 0.0 : coshRatio(q, k) * coshRatio(q, k - 1);
    // TODO 8 end
    cudaVerifyKernel((steered<0><<<blocksFor(d.n, WARPS), BLOCK>>>(d, k, a, b)));
}

#include "advanced/block_fused.cuh" /* launchBlockFused */
#include "advanced/x_on_chip.cuh"   /* launchXShared, launchXConstant */
#include "advanced/a_on_chip.cuh"   /* solveOnChip */

extern "C" const struct variant deviceVariants[] = {
    {"thread per row", solve<launchThreadPerRow, 0>},
    {"thread per row, transposed", solve<launchTransposed, 1>},
    {"block per row", solve<launchBlockPerRow, 0>},
    {"warp per row, float4", solve<launchWarpPerRow, 0>},
    {"fused", solveAhead<launchFused, 1, 0>},
    {"fused, block per row", solveAhead<launchBlockFused, 1, 0>},
    {"x in shared memory", solveAhead<launchXShared, 1, 0>},
    {"x in constant memory", solveWithConstant},
    {"all steps in one kernel", solveAtOnce<oneKernel>},
    {"the same, A in registers", solveOnChip},
    {"8 right-hand sides", solveAhead<launchSeveralSides, SIDES, 0>},
    {"Jacobi's steps", solveAhead<launchJacobi, 1, 0>},
    {"Chebyshev's steps", solveAhead<launchChebyshev, 1, 0>},
    {NULL, NULL},
};
