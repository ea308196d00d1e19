/* How many blocks and warps of a kernel a multiprocessor can hold. */
#include "../common/cuda_utils.h"

__global__ void increment(float *x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += 1.0f;
}

int main(void)
{
    struct cudaDeviceProp device;

    cudaVerify(cudaGetDeviceProperties(&device, 0));
    printf("%d multiprocessors, each for up to %d threads\n",
           device.multiProcessorCount, device.maxThreadsPerMultiProcessor);
    printf("block  blocks  warps  occupancy\n");
    for (int block = 16; block <= 1024; block *= 2) {
        const int warps = (block + device.warpSize - 1) / device.warpSize;
        int blocks = 0;

        cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, increment, block, 0));
        printf("%5d  %6d  %5d  %7.0f %%\n", block, blocks, blocks * warps,
               100.0 * blocks * warps * device.warpSize /
                   device.maxThreadsPerMultiProcessor);
    }
    return 0;
}
