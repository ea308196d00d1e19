/* TASK     the scalar product of x and y, n elements of type real, which is float or double.
 * TRAFFIC  2 n sizeof(real) bytes: x and y read; the blocks' partial sums are too few to count.
 * LIMIT    memory bandwidth for long vectors, the latency of a launch for short ones. */
#include "cuda_utils.h"
#include "measure.h"
#include "warp_utils.h"
#include "scalar_product.h"

enum { MAX_BLOCK = 1024, WARP = 32 };

/* The sum of the block's values, in thread 0, for any block size. All threads of the block must call
 * it, and synchronise before they call it again. */
template <typename real>
__device__ real blockSum(real value)
{
    // TODO 3 begin: store the value in shared memory, add pairs until one sum is left, put it into value
    NOT_IMPLEMENTED_VALUE(3, value);
    // TODO 3 end
    return value;
}

/* For one block: its threads share all terms. */
template <typename real>
__global__ void dotOneBlock(const real *x, const real *y, real *sum, size_t n)
{
    // TODO 2 begin: add this thread's terms in a register, then the block's sums; thread 0 writes
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

/* For any grid: one partial sum per block, for the next kernel. */
template <typename real>
__global__ void dotPartials(const real *x, const real *y, real *partials, size_t n)
{
    // TODO 4 begin: as dotOneBlock, with the terms shared by all threads of the grid
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

/* For one block: the sum of the partial sums. */
template <typename real>
__global__ void sumPartials(const real *partials, size_t count, real *sum)
{
    // TODO 5 begin: as dotOneBlock, with the partial sums as terms
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

// TODO 7 begin: (advanced) warp shuffles, vector loads, one kernel instead of two
// TODO 7 end

/* Blocks that give every thread `perThread` elements, but no more than can run at a time. */
static unsigned int gridFor(size_t n, int block, size_t perThread)
{
    const size_t needed = (n + block * perThread - 1) / (block * perThread);
    const size_t resident = (size_t)multiprocessors() * (2048 / block);
    const size_t own = needed < resident ? needed : resident;

    return (unsigned int)gridSize(own > 0 ? own : 1);
}

/* A launch writes the scalar product of d_x and d_y to d_sum; d_partials has room for one partial sum
 * per block. --block and --grid go before each launch's own choice. */
template <typename real>
void launchOneBlock(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(1024);

    (void)d_partials;
    cudaVerifyKernel((dotOneBlock<real><<<1, block>>>(d_x, d_y, d_sum, n)));
}

template <typename real>
void launchTwoKernels(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, 1);

    // TODO 6 begin: launch dotPartials, then sumPartials as one block
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

// TODO 8 begin: (advanced) the launches of the advanced kernels
// TODO 8 end

/* What surrounds the kernels: memory on the device, the copies there and back. */
template <typename real, void launch(const real *, const real *, real *, real *, size_t)>
static void scalarProduct(const real *x, const real *y, real *sum, size_t n)
{
    const size_t blocks = gridSize((size_t)multiprocessors() * 2048); /* no launch takes more */
    real *d_x = NULL, *d_y = NULL, *d_partials = NULL, *d_sum = NULL;

    // TODO 1 begin: allocate the four arrays (as many partial sums as blocks), copy x and y there
    NOT_IMPLEMENTED(1);
    // TODO 1 end

    // TODO 10 begin: (advanced) whatever your launches expect to find in d_partials
    // TODO 10 end

    MEASURE (run) {
        launch(d_x, d_y, d_partials, d_sum, n);
    }

    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(real), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_partials));
    cudaVerify(cudaFree(d_sum));
}

/* A row for each launch, in both types. */
#define ROW(launch) scalarProduct<float, launch>, scalarProduct<double, launch>

extern "C" const struct variant deviceVariants[] = {
    {"one block", ROW(launchOneBlock)},
    {"two kernels", ROW(launchTwoKernels)},
    // TODO 9 begin: (advanced) the rows of the advanced kernels
    // TODO 9 end
    {NULL, NULL, NULL},
};
