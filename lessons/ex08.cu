/* Counts values into four bins: in global memory, then in shared memory
 * first; and the largest value, by a compare-and-swap of one's own. With an
 * argument: without atomics. */
#include "../common/cuda_utils.h"

enum { BINS = 4, BLOCK = 128, N = 4 * BLOCK };

__global__ void countGlobal(const int *x, int *count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    atomicAdd(&count[x[i] % BINS], 1);
}

__global__ void countShared(const int *x, int *count)
{
    __shared__ int own[BINS];
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (threadIdx.x < BINS)
        own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&own[x[i] % BINS], 1);
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&count[threadIdx.x], own[threadIdx.x]);
}

__global__ void countPlain(const int *x, int *count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    count[x[i] % BINS]++;
}

/* What atomicMax() does, if there were none. */
__device__ void raiseTo(int *address, int value)
{
    int found = *(volatile int *)address, expected;

    do {
        expected = found;
        found = atomicCAS(address, expected, max(expected, value));
    } while (found != expected);
}

__global__ void largest(const int *x, int *result)
{
    raiseTo(result, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main(int argc, char **argv)
{
    int x[N], count[BINS + 1], *d_x = NULL, *d_count = NULL;

    (void)argv;
    for (int i = 0; i < N; i++)
        x[i] = (i * 37 + i / 7) % 1000;
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_count, sizeof count));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    /* Fills bytes, not ints, which is right for 0. */
    cudaVerify(cudaMemset(d_count, 0, sizeof count));
    if (argc == 1) {
        cudaVerifyKernel((countGlobal<<<N / BLOCK, BLOCK>>>(d_x, d_count)));
        cudaVerifyKernel((countShared<<<N / BLOCK, BLOCK>>>(d_x, d_count)));
    } else {
        cudaVerifyKernel((countPlain<<<N / BLOCK, BLOCK>>>(d_x, d_count)));
    }
    cudaVerifyKernel((largest<<<N / BLOCK, BLOCK>>>(d_x, d_count + BINS)));
    cudaVerify(
        cudaMemcpy(count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_count));
    for (int b = 0; b < BINS; b++)
        printf("bin %d: %d\n", b, count[b]);
    printf("largest: %d\n", count[BINS]);
    return 0;
}
