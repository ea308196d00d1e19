/* TASK     the scalar product of x and y, n elements of type real, which is float or double.
 * TRAFFIC  2 n sizeof(real) bytes: x and y read; the blocks' partial sums are too few to count.
 * LIMIT    memory bandwidth for long vectors, the latency of a launch for short ones. */
#include "cuda_utils.h"
#include "warp_utils.h"
#include "scalar_product.h"
#include "launches.cuh"

template <typename real>
void launchFirstBlock(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n);

/* What surrounds the kernels: memory on the device, the copies there, the launch, the copy back. A
 * launch writes the scalar product of d_x and d_y to d_sum; d_partials has room for a partial sum
 * per block. */
template <typename real, void launch(const real *, const real *, real *, real *, size_t)>
static void scalarProduct(const real *x, const real *y, real *sum, size_t n)
{
    const size_t blocks = gridSize((size_t)multiprocessors() * threadsPerMultiprocessor());
    real *d_x = NULL, *d_y = NULL, *d_partials = NULL, *d_sum = NULL;

    // TODO 1 begin: allocate the four arrays (as many partial sums as blocks), copy x and y there
    NOT_IMPLEMENTED(1);
    // TODO 1 end

    if (launch == launchFirstBlock<real>) /* its partial sums begin as empty */
        cudaVerify(cudaMemset(d_partials, 0xFF, blocks * sizeof(real)));
    MEASURE (run) {
        launch(d_x, d_y, d_partials, d_sum, n);
    }
    launch(d_x, d_x, d_partials, d_sum, n); /* once more, after another product: what that has */
    launch(d_x, d_y, d_partials, d_sum, n); /* left in memory must not enter into this one */

    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(real), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_partials));
    cudaVerify(cudaFree(d_sum));
}

/* The sum of the block's values, in thread 0, for any block size. All threads of the block must
 * call it, and synchronise before they call it again. */
template <typename real> __device__ real blockSum(real value)
{
    // TODO 2 begin: store value in shared memory, add pairs until one sum is left: the new value
    NOT_IMPLEMENTED_VALUE(2, value);
    // TODO 2 end
    return value;
}

/* One block: its threads share all terms, and each adds up its own in a register. */
template <typename real>
__global__ void dotOneBlock(const real *x, const real *y, real *sum, size_t n)
{
    // TODO 3 begin: add this thread's terms in a register, then the block's sums; thread 0 writes
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

template <typename real>
void launchOneBlock(const real *d_x, const real *d_y, real *, real *d_sum, size_t n)
{
    const int block = blockSize(1024); /* --block and --grid override these choices */

    cudaVerifyKernel((dotOneBlock<real><<<1, block>>>(d_x, d_y, d_sum, n)));
}

/* One block keeps one multiprocessor busy, and all others are idle. Many blocks cannot wait for
 * each other, so each leaves a partial sum, and a second kernel, of one block, adds these. */
template <typename real>
__global__ void dotPartials(const real *x, const real *y, real *partials, size_t n)
{
    // TODO 4 begin: as dotOneBlock, with the terms shared by all threads of the grid
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

template <typename real> __global__ void sumPartials(const real *partials, size_t count, real *sum)
{
    // TODO 5 begin: as dotOneBlock, with the partial sums as terms
    NOT_IMPLEMENTED(5);
    // TODO 5 end
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

/* The tree makes the whole block wait at each halving. The lanes of a warp can read each other's
 * registers, without shared memory and without a barrier: the sum of a warp's first `lanes` values,
 * in lane 0. */
template <typename real> __device__ real warpSum(real value, unsigned int lanes)
{
    // TODO 7 begin: (advanced) the tree again, by shuffleDown; only lanes that exist count
    NOT_IMPLEMENTED_VALUE(7, value);
    // TODO 7 end
    return value;
}

/* As blockSum, with one barrier: each warp adds its values, the first warp adds the warps' sums. */
template <typename real> __device__ real blockSumShuffle(real value)
{
    // TODO 8 begin: (advanced) a sum per warp to shared memory, a barrier, the first warp adds them
    NOT_IMPLEMENTED_VALUE(8, value);
    // TODO 8 end
    return value;
}

template <typename real>
__global__ void dotShuffle(const real *x, const real *y, real *partials, size_t n)
{
    // TODO 8 begin: (advanced) as dotPartials, with this sum of a block
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

template <typename real>
void launchShuffle(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, 1);

    cudaVerifyKernel((dotShuffle<real><<<grid, block>>>(d_x, d_y, d_partials, n)));
    cudaVerifyKernel((sumPartials<real><<<1, block>>>(d_partials, grid, d_sum)));
}

/* The adding never took the time; the loads do. Packets of 16 bytes, four of them in flight per
 * thread, and two sums that do not wait for each other: the sum of this thread's terms. */
template <typename real> __device__ real dotThread(const real *x, const real *y, size_t n)
{
    const size_t perPacket = 16 / sizeof(real), packets = n / perPacket;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t rest = packets * perPacket + i; /* past the packets: one element or none */
    real even = 0, odd = rest < n ? x[rest] * y[rest] : 0;

    // TODO 9 begin: (advanced) packets i and i + stride at a time, while there are both; then one
    NOT_IMPLEMENTED_VALUE(9, even + odd);
    // TODO 9 end
    return even + odd;
}

template <typename real>
__global__ void dotVector(const real *x, const real *y, real *partials, size_t n)
{
    const real own = blockSumShuffle(dotThread(x, y, n));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = own;
}

template <typename real>
void launchVector(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(512);
    const unsigned int grid = gridFor(n, block, 2 * 16 / sizeof(real));

    cudaVerifyKernel((dotVector<real><<<grid, block>>>(d_x, d_y, d_partials, n)));
    cudaVerifyKernel((sumPartials<real><<<1, block>>>(d_partials, grid, d_sum)));
}

/* For short vectors the second launch costs as much as all the rest. In one kernel the block that
 * finishes last finds all partial sums there and adds them. A counter shows that it is the last. */
__device__ unsigned int blocksDone = 0;

template <typename real>
__global__ void dotLastBlock(const real *x, const real *y, real *partials, real *sum, size_t n)
{
    // TODO 10 begin: (advanced) leave the partial sum, count the block; the last one adds them all
    NOT_IMPLEMENTED(10);
    // TODO 10 end
}

template <typename real>
void launchLastBlock(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(512);
    const unsigned int grid = gridFor(n, block, 2 * 16 / sizeof(real));

    cudaVerifyKernel((dotLastBlock<real><<<grid, block>>>(d_x, d_y, d_partials, d_sum, n)));
}

/* The counter costs a trip to the L2 cache, and the fence before it another. A partial sum that is
 * not empty has arrived, and the first block waits for all of them. */
// TODO 11 begin: (advanced) a kernel dotFirstBlock, with the arguments of dotLastBlock
// TODO 11 end

template <typename real>
void launchFirstBlock(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(512);
    const unsigned int grid = gridFor(n, block, 2 * 16 / sizeof(real));

    // TODO 12 begin: (advanced) launch dotFirstBlock
    NOT_IMPLEMENTED(12);
    // TODO 12 end
}

extern "C" const struct variant deviceVariants[] = {
    {"one block", scalarProduct<float, launchOneBlock>, scalarProduct<double, launchOneBlock>},
    {"two kernels", scalarProduct<float, launchTwoKernels>,
     scalarProduct<double, launchTwoKernels>},
    {"two kernels, warp shuffles", scalarProduct<float, launchShuffle>,
     scalarProduct<double, launchShuffle>},
    {"two kernels, vector loads", scalarProduct<float, launchVector>,
     scalarProduct<double, launchVector>},
    {"one kernel, last block adds", scalarProduct<float, launchLastBlock>,
     scalarProduct<double, launchLastBlock>},
    {"one kernel, first block collects", scalarProduct<float, launchFirstBlock>,
     scalarProduct<double, launchFirstBlock>},
    {NULL, NULL, NULL},
};
