/* TASK     what the device can do if it only multiplies and adds: the limit of this exercise.
 * TRAFFIC  none.
 * LIMIT    arithmetic. */
#include "best_time.h"
#include "cuda_utils.h"
#include "measure.h"

enum { RATE_CHAINS = 8, RATE_STEPS = 16384, RATE_BLOCK = 256 };

/* Eight chains per thread, so that none has to wait for its last result. */
__global__ void multiplyAndAdd(float factor, float summand, float *result)
{
    float x[RATE_CHAINS], sum = 0.0f;

    for (int k = 0; k < RATE_CHAINS; k++)
        x[k] = (float)(threadIdx.x + k);
#pragma unroll 8
    for (int i = 0; i < RATE_STEPS; i++)
#pragma unroll
        for (int k = 0; k < RATE_CHAINS; k++)
            x[k] = fmaf(x[k], factor, summand);
    for (int k = 0; k < RATE_CHAINS; k++)
        sum += x[k];
    /* or the compiler would drop it all */
    result[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Operations per second, the best of five runs; 0 on the emulated device. */
extern "C" double multiplyAddRate(void)
{
#ifdef __CUDA_EMULATED__
    return 0.0;
#else
    const int blocks = multiprocessors() * 16;
    const double flops = 2.0 * RATE_CHAINS * RATE_STEPS * RATE_BLOCK * blocks;
    struct best_time t = bestTimeBegin();
    float *d_result = NULL;

    cudaVerify(cudaMalloc((void **)&d_result, sizeof(float) * RATE_BLOCK * blocks));
    while (bestTimeNext(&t))
        cudaVerifyKernel((multiplyAndAdd<<<blocks, RATE_BLOCK>>>(1.0001f, 0.5f, d_result)));
    cudaVerify(cudaFree(d_result));
    return flops / t.seconds;
#endif
}
