/* The two kernels of ex06, for comparison: a reduction without an atomic. */
#ifndef TWO_KERNELS_CUH
#define TWO_KERNELS_CUH

#include "cuda_utils.h"
#include "launches.cuh"

__device__ double sumOfThread(const double *x, const double *y, size_t n); /* TODO 3 */

__global__ void partialSums(const double *x, const double *y, double *partials, size_t n)
{
    const double own = blockSum(sumOfThread(x, y, n));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = own;
}

__global__ void sumPartials(const double *partials, size_t count, double *sum)
{
    double own = 0.0;

    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        own += partials[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        *sum = own;
}

void launchTwoKernels(const double *d_x, const double *d_y, double *d_partials, double *d_sum,
                      size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, allThreads());

    cudaVerifyKernel((partialSums<<<grid, block>>>(d_x, d_y, d_partials, n)));
    cudaVerifyKernel((sumPartials<<<1, block>>>(d_partials, grid, d_sum)));
}

#endif
