/* TASK     what the device can do if it does one thing only: the limits of this exercise.
 * TRAFFIC  none.
 * LIMIT    multiply-adds, or the special function unit. */
#include "best_time.h"
#include "cuda_utils.h"
#include "measure.h"
#include "simpson.h"

enum { CHAINS = 8, STEPS = 8192, RATE_BLOCK = 256 };

/* Eight chains per thread, so that none has to wait for its last result. */
template <typename real> __global__ void multiplyAndAdd(real factor, real summand, real *result)
{
    real x[CHAINS], sum = 0;

    for (int k = 0; k < CHAINS; k++)
        x[k] = (real)(threadIdx.x + k);
#pragma unroll 8
    for (int i = 0; i < STEPS; i++)
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            x[k] = x[k] * factor + summand;
    for (int k = 0; k < CHAINS; k++)
        sum += x[k];
    /* or the compiler would drop it all */
    result[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void reciprocalRoots(float start, float *result)
{
    float x[CHAINS], sum = 0.0f;

    for (int k = 0; k < CHAINS; k++)
        x[k] = start + (float)(threadIdx.x + k);
#pragma unroll 8
    for (int i = 0; i < STEPS; i++)
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            x[k] = reciprocalRoot(x[k]);
    for (int k = 0; k < CHAINS; k++)
        sum += x[k];
    result[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

enum rate { IN_SINGLE, IN_DOUBLE, OF_SPECIALS };

/* Instructions per second, the best of five runs. */
static double rateOf(enum rate rate, void *d_result, int blocks)
{
    struct best_time t = bestTimeBegin();

    while (bestTimeNext(&t)) {
        if (rate == IN_SINGLE)
            cudaVerifyKernel(
                (multiplyAndAdd<<<blocks, RATE_BLOCK>>>(1.0001f, 0.5f, (float *)d_result)));
        else if (rate == IN_DOUBLE)
            cudaVerifyKernel(
                (multiplyAndAdd<<<blocks, RATE_BLOCK>>>(1.0001, 0.5, (double *)d_result)));
        else
            cudaVerifyKernel((reciprocalRoots<<<blocks, RATE_BLOCK>>>(0.5f, (float *)d_result)));
    }
    return (double)CHAINS * STEPS * RATE_BLOCK * blocks / t.seconds;
}

extern "C" struct rates measureRates(void)
{
    struct rates rates = {0.0, 0.0, 0.0};
#ifndef __CUDA_EMULATED__
    const int blocks = multiprocessors() * 16;
    void *d_result;

    cudaVerify(cudaMalloc(&d_result, sizeof(double) * RATE_BLOCK * blocks));
    rates.multiplyAdds = rateOf(IN_SINGLE, d_result, blocks);
    rates.doubleMultiplyAdds = rateOf(IN_DOUBLE, d_result, blocks);
    rates.specials = rateOf(OF_SPECIALS, d_result, blocks);
    cudaVerify(cudaFree(d_result));
#endif
    return rates;
}
