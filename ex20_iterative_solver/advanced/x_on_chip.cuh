/* x in fast memory: pieces of it in shared memory, all of it in constant memory. */
#ifndef X_ON_CHIP_CUH
#define X_ON_CHIP_CUH

#include "surroundings.cuh"

/* Each warp read all of x from the L2 or L1 cache, as many bytes as of A. A block can read x once
 * for all of its warps, a piece at a time. */
__global__ void xShared(struct arrays d, int k)
{
    enum { PIECE = 1024 }; /* quads */
    const float4 *x = (const float4 *)(d.x + k % 2 * d.stride);
    float *xNew = d.x + (k + 1) % 2 * d.stride;
    const int row = blockIdx.x * WARPS + threadIdx.x / 32;
    float r = 0.0f;

    if (k > 0 && !(d.norm[k - 1] > d.limit))
        return;

    __shared__ float4 s_x[PIECE];

    for (int first = 0; first < d.quads; first += PIECE) {
        const int here = d.quads - first < PIECE ? d.quads - first : PIECE;

        __syncthreads();
        for (int i = threadIdx.x; i < here; i += BLOCK)
            s_x[i] = x[first + i];
        __syncthreads();
        if (row < d.n)
            r += warpProduct((const float4 *)(d.a + row * d.stride) + first, s_x, here);
    }
    if (row < d.n && threadIdx.x % 32 == 0) {
        r -= d.f[row];
        xNew[row] = ((const float *)x)[row] + d.alpha * r;
    } else {
        r = 0.0f;
    }
    addToNorm(d, k, r * r);
}

void launchXShared(struct arrays d, int k)
{
    cudaVerifyKernel((xShared<<<blocksFor(d.n, WARPS), BLOCK>>>(d, k)));
}

/* Constant memory gives all lanes the same word at once: what a lane for each row wants, with A by
 * columns. There are 64 KB of it, and a kernel cannot write it. */
enum { MOST_CONSTANT = 16384 };
__constant__ float c_x[MOST_CONSTANT];

/* A block takes 32 rows; its warps share the columns. */
__global__ void xConstant(struct arrays d, int k)
{
    __shared__ float part[WARPS][32];
    const float *x = d.x + k % 2 * d.stride;
    float *xNew = d.x + (k + 1) % 2 * d.stride;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 32 + lane;
    float r = 0.0f;

    if (k > 0 && !(d.norm[k - 1] > d.limit))
        return;

#pragma unroll 8
    for (int column = warp; column < d.n; column += WARPS)
        r += d.a[column * d.stride + row] * c_x[column];
    part[warp][lane] = r;
    __syncthreads();
    r = 0.0f;
    if (warp == 0 && row < d.n) {
        for (int w = 0; w < WARPS; w++)
            r += part[w][lane];
        r -= d.f[row];
        xNew[row] = x[row] + d.alpha * r;
    }
    addToNorm(d, k, r * r);
}

void launchXConstant(struct arrays d, int k)
{
    cudaVerify(cudaMemcpyToSymbolAsync(c_x, d.x + k % 2 * d.stride, d.n * sizeof(float), 0,
                                       cudaMemcpyDeviceToDevice));
    cudaVerifyKernel((xConstant<<<blocksFor(d.n, 32), BLOCK>>>(d, k)));
}

static void solveWithConstant(const struct system *s, struct solution *result)
{
    if (s->n > MOST_CONSTANT) {
        rowSkip("x does not fit into the 64 KB of constant memory");
        return;
    }
    solveAhead<launchXConstant, 1, 1>(s, result);
}

#endif
