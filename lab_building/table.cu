#include "horner.h"
#include "table.h"
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(float *y, int count, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        y[i] = horner((float)i, c, n);
}

int table(float *y, int count, const float *c, int n)
{
    float *d_y = NULL, *d_c = NULL;
    cudaError_t error = cudaMalloc((void **)&d_y, count * sizeof *y);

    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_c, n * sizeof *c);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_c, c, n * sizeof *c, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        fill<<<(count + 127) / 128, 128>>>(d_y, count, d_c, n);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(y, d_y, count * sizeof *y, cudaMemcpyDeviceToHost);
    cudaFree(d_y);
    cudaFree(d_c);
    if (error != cudaSuccess)
        fprintf(stderr, "table: %s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
