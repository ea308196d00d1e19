/* As fused, with a block for each row instead of a warp, and its loads of A sent off before their
 * values are needed. */
#ifndef BLOCK_FUSED_CUH
#define BLOCK_FUSED_CUH

#include "arrays.cuh"

/* A is read once a step, so that what a cache keeps of it is in the way of x. */
static __device__ inline float4 readOnce(const float4 *from)
{
#if defined __CUDA_EMULATED__ ||                                                                   \
    (defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 350 && CUDART_VERSION >= 8000)
    return __ldcs(from);
#else
    return *from;
#endif
}

/* A thread waits where it first needs a value, and the compiler may put that close behind its load.
 * With all loads before all products, AHEAD of them are in flight. A block takes whole stretches of
 * a row in that way, and then the rest. */
__global__ void __launch_bounds__(BLOCK) blockFused(struct arrays d, int k)
{
    enum { AHEAD = 8 };
    const float4 *a = (const float4 *)(d.a + blockIdx.x * d.stride);
    const float4 *x = (const float4 *)(d.x + k % 2 * d.stride);
    float *xNew = d.x + (k + 1) % 2 * d.stride;
    const int row = blockIdx.x;
    int q = threadIdx.x;
    float r = 0.0f;

    if (k > 0 && !(d.norm[k - 1] > d.limit))
        return;
#pragma unroll 1
    for (; q + (AHEAD - 1) * BLOCK < d.quads; q += AHEAD * BLOCK) {
        float4 ahead[AHEAD];

#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            ahead[i] = readOnce(a + q + i * BLOCK);
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            r += dot4(ahead[i], x[q + i * BLOCK]);
    }
#pragma unroll 4
    for (; q < d.quads; q += BLOCK)
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
