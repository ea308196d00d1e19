// Accesses with known pictures: tests/runner/picture.expected has them.
#include <cuda_runtime.h>

__global__ void patterns(const float *x, const float4 *x4, const unsigned char *bytes, float *y,
                         int *count)
{
    __shared__ float s[64];
    __shared__ double d[32];
    const int i = (int)threadIdx.x;
    float a;

    s[i] = 1.0f;
    s[i + 32] = 2.0f;
    d[i] = 3.0;
    __syncthreads();
    a = x[i];
    a += x[i + 1];
    a += x[8 * i];
    a += x4[i].w;
    a += bytes[i];
    a += s[2 * i];
    a += s[i % 2 * 32];
    a += (float)d[i];
    if (i < 3)
        y[2 * i] = a;
    else
        y[32 + i] = a;
    atomicAdd(count, 1);
}

int main(void)
{
    float *d_x = NULL, *d_y = NULL;
    int *d_count = NULL;

    if (cudaMalloc((void **)&d_x, 4096) != cudaSuccess ||
        cudaMalloc((void **)&d_y, 256) != cudaSuccess ||
        cudaMalloc((void **)&d_count, 4) != cudaSuccess ||
        cudaMemset(d_x, 0, 4096) != cudaSuccess || cudaMemset(d_count, 0, 4) != cudaSuccess)
        return 2;
    patterns<<<1, 32>>>(d_x, (const float4 *)d_x, (const unsigned char *)d_x, d_y, d_count);
    return cudaDeviceSynchronize() != cudaSuccess || cudaFree(d_x) != cudaSuccess ||
           cudaFree(d_y) != cudaSuccess || cudaFree(d_count) != cudaSuccess;
}
