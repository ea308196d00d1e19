/* Threads say who they are; then an array goes to the device, is worked on
 * there, and comes back. */
#include "../common/cuda_utils.h"

__global__ void whoAmI(void)
{
    printf("thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

__device__ int square(int x) { return x * x; }

__global__ void squares(int *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        x[i] = square(x[i]);
}

int main(void)
{
    enum { N = 21 };
    int x[N], *d_x = NULL;

    cudaVerifyKernel((whoAmI<<<2, 3>>>()));
    cudaVerify(cudaDeviceSynchronize()); /* until all is printed */

    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaVerify(cudaMalloc((void **)&d_x, N * sizeof *d_x));
    cudaVerify(cudaMemcpy(d_x, x, N * sizeof *x, cudaMemcpyHostToDevice));
    /* 24 threads for 21 elements */
    cudaVerifyKernel((squares<<<3, 8>>>(d_x, N)));
    cudaVerify(cudaMemcpy(x, d_x, N * sizeof *x, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));

    printf("x[13] = %d, x[20] = %d\n", x[13], x[20]);
    return 0;
}
