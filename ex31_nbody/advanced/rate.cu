/* TASK     how often the device can do what an interaction takes at least: twelve multiply-adds (or
 *          additions, or products) and a reciprocal root.
 * TRAFFIC  none.
 * LIMIT    the multiprocessors' rate of instructions. */
#include "best_time.h"
#include "cuda_utils.h"
#include "measure.h"
#include "nbody.h"
#include "instructions.cuh"

enum { RATE_CHAINS = 12, RATE_STEPS = 4096, RATE_BLOCK = 256 };

/* Chains that do not wait for one another. */
__global__ void interactionsAtBest(float factor, float summand, float *result)
{
    float x[RATE_CHAINS], root = (float)threadIdx.x + 1.0f;

    for (int k = 0; k < RATE_CHAINS; k++)
        x[k] = (float)(threadIdx.x + k);
#pragma unroll 4
    for (int i = 0; i < RATE_STEPS; i++) {
#pragma unroll
        for (int k = 0; k < RATE_CHAINS; k++)
            x[k] = x[k] * factor + summand;
        root = reciprocalRoot(root);
    }
    for (int k = 0; k < RATE_CHAINS; k++)
        root += x[k];
    /* or the compiler would drop it all */
    result[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = root;
}

extern "C" double interactionRate(void)
{
#ifdef __CUDA_EMULATED__
    return 0.0;
#else
    const int blocks = multiprocessors() * 16;
    struct best_time t = bestTimeBegin();
    float *d_result = NULL;

    cudaVerify(cudaMalloc((void **)&d_result, sizeof(float) * RATE_BLOCK * blocks));
    while (bestTimeNext(&t))
        cudaVerifyKernel((interactionsAtBest<<<blocks, RATE_BLOCK>>>(1.0001f, 0.5f, d_result)));
    cudaVerify(cudaFree(d_result));
    return (double)RATE_STEPS * RATE_BLOCK * blocks / t.seconds;
#endif
}
