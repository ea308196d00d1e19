/* As ex01.cu, but every thread believes that it has an element: three of
 * the 24 have none. */
#include "../common/cuda_utils.h"

__global__ void squares(int *x)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    x[i] = i * i;
}

int main(void)
{
    enum { N = 21 };
    int x[N], *d_x = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, N * sizeof *d_x));
    cudaVerifyKernel((squares<<<3, 8>>>(d_x)));
    cudaVerify(cudaMemcpy(x, d_x, N * sizeof *x, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    printf("x[20] = %d\n", x[20]);
    return 0;
}
