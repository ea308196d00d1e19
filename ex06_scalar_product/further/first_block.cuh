/* One kernel without a counter: the first block collects the partial sums of all others. Includes
 * what it needs but blockSumShuffle() and dotThread(), which the including file has. */
#ifndef FIRST_BLOCK_CUH
#define FIRST_BLOCK_CUH

#include "launches.cuh"

/* Waits for a partial sum and takes it away. Value and flag being one word, no fence need order
 * them. */
template <typename real>
__device__ real take(volatile real *place)
{
    real found;

    do
        found = *place;
    while (isEmpty(found));
    makeEmpty(place);
    return found;
}

/* The first block waits for the others, so the device must have room for two blocks. partials must
 * be empty, and is so again afterwards. */
template <typename real>
__global__ void dotFirstBlock(const real *x, const real *y, volatile real *partials, real *sum,
                              size_t n)
{
    real own = blockSumShuffle(dotThread(x, y, n));

    if (blockIdx.x > 0) {
        if (threadIdx.x == 0)
            partials[blockIdx.x] = own;
        return;
    }
    if (threadIdx.x > 0)
        own = 0;
    for (unsigned int i = 1 + threadIdx.x; i < gridDim.x; i += blockDim.x)
        own += take(&partials[i]);
    __syncthreads();
    own = blockSumShuffle(own);
    if (threadIdx.x == 0)
        *sum = own;
}

#endif
