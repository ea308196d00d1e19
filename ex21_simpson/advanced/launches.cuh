/* What the kernels of ex21 share besides their ideas: the last sum, and a launch for each
 * function. */
#ifndef LAUNCHES_CUH
#define LAUNCHES_CUH

#include "advanced/work.cuh"
#include <stdlib.h>

/* factor * (the blocks' sums), by one block. */
__global__ void addSums(const double *sums, int count, double factor, double *integral)
{
    double own = 0.0;

    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        own += sums[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        *integral = factor * own;
}

/* The sum of the areas of all threads' intervals, block by block. */
__global__ void addAreas(const double *areas, size_t n, double *sums)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    double own = 0.0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        own += areas[i];
    storeSum(own, sums);
}

/* With intervals for all threads, every block has a sum. Chunks of 64 need many intervals. */
static void verifyShares(const struct work *w)
{
    double *sums;
    int idle = 0;

    if (w->d_sums == NULL || w->n / 64 / MAX_BLOCK < (size_t)w->blocks)
        return;
    sums = (double *)mustAllocate(w->blocks * sizeof *sums, "the sums of the blocks");
    cudaVerify(cudaMemcpy(sums, w->d_sums, w->blocks * sizeof *sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < w->blocks; i++)
        idle += sums[i] == 0.0;
    verifyThat(2 * idle <= w->blocks,
               "%d of %d blocks add up no intervals: the blocks are to share the work", idle,
               w->blocks);
    free(sums);
}

/* A variant made of a launch template: it chooses the launch for the function. A new line of
 * FUNCTIONS needs its name here, too. */
#define VARIANT(run, launch, hasAreas)                                                             \
    static void run(enum function f, double a, double b, size_t n, double *integral)               \
    {                                                                                              \
        static launch_fn *const launches[] = {launch<circle>, launch<sine>, launch<exponential>,   \
                                              launch<root>};                                       \
        typedef char                                                                               \
            hasAllFunctions[sizeof launches / sizeof *launches == FUNCTION_COUNT ? 1 : -1];        \
                                                                                                   \
        (void)sizeof(hasAllFunctions);                                                             \
        integrate(launches[f], a, b, n, hasAreas, integral);                                       \
    }

#endif
