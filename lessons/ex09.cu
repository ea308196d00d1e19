/* Makes a list of the elements above a limit, by slots from an atomic
 * counter; loads them by inline PTX. */
#include "../common/cuda_utils.h"

enum { N = 100, BLOCK = 32 };

/* *x, which nobody will want again soon: the caches need not keep it. */
__device__ float loadStreaming(const float *x)
{
    float value;

    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(value) : "l"(x));
    return value;
}

__global__ void collect(const float *x, float limit, int *list, int *length)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < N && loadStreaming(x + i) > limit)
        list[atomicAdd(length, 1)] = i;
}

int main(void)
{
    float x[N], *d_x = NULL;
    int list[N], length = 0, *d_list = NULL, *d_length = NULL;

    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 37 % 100);
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_list, sizeof list));
    cudaVerify(cudaMalloc((void **)&d_length, sizeof length));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemset(d_length, 0, sizeof length));
    cudaVerifyKernel((collect<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(
        d_x, 94.0f, d_list, d_length)));
    cudaVerify(cudaMemcpy(&length, d_length, sizeof length,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(list, d_list, length * sizeof *list,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_list));
    cudaVerify(cudaFree(d_length));
    for (int k = 0; k < length; k++)
        printf("x[%d] = %g\n", list[k], x[list[k]]);
    return 0;
}
