/* TASK     the limits of this exercise that a copy does not show: what the caches deliver.
 * TRAFFIC  from the caches only.
 * LIMIT    the caches. */
#include "best_time.h"
#include "cuda_utils.h"
#include "measure.h"
#include "textures.h"

#ifdef __CUDA_EMULATED__ /* has no caches, and no times */
extern "C" double rateOfL1(void) { return 0.0; }

extern "C" double rateOfL2(double) { return 0.0; }
#else
enum { RATE_BLOCK = 512 };

/* Each block reads all of x, `rounds` times, from a place of its own on. quads is a power of
 * two. */
template <int FROM_L2>
__global__ void readAgain(const float4 *x, unsigned quads, unsigned rounds, float *sums)
{
    float sum = 0.0f;

#pragma unroll 4
    for (unsigned k = 0; k < rounds * quads; k += RATE_BLOCK) {
        const float4 *from =
            x + ((blockIdx.x * 4099u * RATE_BLOCK + k + threadIdx.x) & (quads - 1));
        float4 v;

        if (FROM_L2) /* past L1 */
            asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                         : "l"(from));
        else
            asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                         : "l"(from));
        sum += v.x + v.y + v.z + v.w;
    }
    sums[blockIdx.x * RATE_BLOCK + threadIdx.x] = sum; /* or the compiler would drop it all */
}

/* Bytes/s, the best of five runs. */
template <int FROM_L2> static double rateOfReading(unsigned quads, unsigned rounds)
{
    const int blocks = multiprocessors() * 4;
    const double bytes = sizeof(float4) * (double)quads * rounds * blocks;
    struct best_time t = bestTimeBegin();
    float4 *d_x = NULL;
    float *d_sums = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, quads * sizeof *d_x));
    cudaVerify(cudaMemset(d_x, 0, quads * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_sums, sizeof(float) * RATE_BLOCK * blocks));
    while (bestTimeNext(&t))
        cudaVerifyKernel((readAgain<FROM_L2><<<blocks, RATE_BLOCK>>>(d_x, quads, rounds, d_sums)));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_sums));
    return bytes / t.seconds;
}

extern "C" double rateOfL1(void) { return rateOfReading<0>(TABLE / 4, 512); }

extern "C" double rateOfL2(double bytes)
{
    int device = 0, cache = 0;
    unsigned quads = 1u << 16;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
    if (bytes > 0.5 * cache)
        return 0.0;
    while (quads > RATE_BLOCK && sizeof(float4) * quads > 0.25 * cache)
        quads /= 2;
    return rateOfReading<1>(quads, 8);
}
#endif
