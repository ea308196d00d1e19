/* The differences between neighbours, through a tile in shared memory with
 * a halo of one. With an argument: without the barrier. */
#include "../common/cuda_utils.h"

enum { BLOCK = 64, N = 4 * BLOCK };

template <bool waits> __global__ void differences(const float *x, float *d)
{
    __shared__ float tile[1 + BLOCK]; /* tile[0] is the halo */
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int k = (int)threadIdx.x + 1;

    tile[k] = x[i];
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? x[i - 1] : 0.0f;
    if (waits)
        __syncthreads();
    d[i] = tile[k] - tile[k - 1];
}

int main(int argc, char **argv)
{
    float x[N], d[N], *d_x = NULL, *d_d = NULL;

    (void)argv;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * i);
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_d, sizeof d));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    if (argc == 1)
        cudaVerifyKernel(
            (differences<true><<<N / BLOCK, BLOCK>>>(d_x, d_d)));
    else
        cudaVerifyKernel(
            (differences<false><<<N / BLOCK, BLOCK>>>(d_x, d_d)));
    cudaVerify(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_d));
    for (int i = 1; i < N; i++)
        if (d[i] != (float)(2 * i - 1))
            printf("d[%d] = %g is wrong\n", i, d[i]);
    printf("d[64] = %g\n", d[64]);
    return 0;
}
