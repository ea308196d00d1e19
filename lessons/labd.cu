/* A mistake to practise on: 8 threads add up 20 numbers, each its part; the sum is too small. */
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void sum(const int *x, int n, int *result)
{
    int part = n / blockDim.x, from = threadIdx.x * part, to = from + part;

    if (threadIdx.x == 0 || threadIdx.x == blockDim.x - 1)
        printf("thread %d: from %d to %d\n", threadIdx.x, from, to);
    for (int i = from; i < to; i++)
        atomicAdd(result, x[i]);
}

int main(void)
{
    int x[20], result = 0, *d_x, *d_result;

    for (int i = 0; i < 20; i++)
        x[i] = 1; /* so that the sum says how many were added */
    if (cudaMalloc((void **)&d_x, sizeof x) != cudaSuccess ||
        cudaMalloc((void **)&d_result, sizeof result) != cudaSuccess ||
        cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice) !=
            cudaSuccess ||
        cudaMemset(d_result, 0, sizeof result) != cudaSuccess)
        return 1;
    sum<<<1, 8>>>(d_x, 20, d_result);
    if (cudaMemcpy(&result, d_result, sizeof result,
                   cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    printf("%d of 20\n", result);
    cudaFree(d_x);
    cudaFree(d_result);
    return 0;
}
