/* The GPU squares ten numbers. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void square(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = x[i] * x[i];
}

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

int main(void)
{
    int x[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, *d_x;

    must(cudaMalloc((void **)&d_x, sizeof x));
    must(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    square<<<3, 4>>>(d_x, 10); /* 3 blocks of 4 threads */
    must(cudaGetLastError());
    must(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    must(cudaFree(d_x));
    for (int i = 0; i < 10; i++)
        printf(i < 9 ? "%d " : "%d\n", x[i]);
    return 0;
}
