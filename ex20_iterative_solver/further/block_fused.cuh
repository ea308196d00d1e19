/* As fused, with a block for each row instead of a warp: better for long rows, where the threads of a
 * block have several quads each, and read them in longer stretches. */
#ifndef BLOCK_FUSED_CUH
#define BLOCK_FUSED_CUH

#include "arrays.cuh"

__global__ void blockFused(struct arrays d, int k)
{
    const float4 *a = (const float4 *)(d.a + blockIdx.x * d.stride);
    const float4 *x = (const float4 *)(d.x + k % 2 * d.stride);
    float *xNew = d.x + (k + 1) % 2 * d.stride;
    const int row = blockIdx.x;
    float r = 0.0f;

    if (k > 0 && !(d.norm[k - 1] > d.limit))
        return;
#pragma unroll 4
    for (int q = threadIdx.x; q < d.quads; q += BLOCK)
        r += dot4(a[q], x[q]);
    r = blockSum(r);
    if (threadIdx.x == 0) {
        r -= d.f[row];
        xNew[row] = ((const float *)x)[row] + d.alpha * r;
        atomicAdd(&d.norm[k], r * r);
    }
}

void launchBlockFused(struct arrays d, int k)
{
    cudaVerifyKernel((blockFused<<<d.n, BLOCK>>>(d, k)));
}

#endif
