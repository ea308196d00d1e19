/* The same kernel with fewer registers, and with the block size that the runtime chooses.
 * solution.cu includes this file behind what it builds on. */
#ifndef BOUNDS_CUH
#define BOUNDS_CUH

/* For two blocks of MAX_BLOCK threads on a multiprocessor that holds 2048, the compiler may use 32
 * registers for each thread. The occupancy goes up; whether the time goes down is another
 * question. */
template <int f>
__global__ void __launch_bounds__(MAX_BLOCK, 2)
    inChunksBounded(double a, double b, double h, size_t n, double *sums)
{
    storeSum(ownChunks<f, 1>(a, b, h, n), sums);
}

template <int f> void launchBounded(const struct work *w)
{
    remarkOccupancy((const void *)inChunksBounded<f>, w->block);
    cudaVerifyKernel(
        (inChunksBounded<f><<<w->blocks, w->block>>>(w->a, w->b, w->h, w->n, w->d_sums)));
}

/* The runtime knows what a kernel needs and what the device has of it, and finds the block size
 * with the highest occupancy; the grid that it suggests fills the device once, while that of w has
 * a sum to store for each block. */
template <int f> void launchSuggested(const struct work *w)
{
    int block = w->block;

#if CUDART_VERSION >= 6050 || defined __CUDA_EMULATED__
    int smallestGrid = 0;

    cudaVerify(cudaOccupancyMaxPotentialBlockSize(&smallestGrid, &block, inChunks<f, 1>, 0, 0));
#endif
    block = blockSize(block);
    remarkOccupancy((const void *)inChunks<f, 1>, block);
    cudaVerifyKernel((inChunks<f, 1><<<w->blocks, block>>>(w->a, w->b, w->h, w->n, w->d_sums)));
}

#endif
