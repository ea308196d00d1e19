/* A kernel that reads and writes the host's memory, without a copy; and a
 * kernel whose time is taken by events. */
#include "../common/cuda_utils.h"

__global__ void square(int *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        x[i] *= x[i];
}

int main(void)
{
    enum { N = 21 };
    int *x = NULL, *d_x = NULL;
    cudaEvent_t begin, end;
    float milliseconds = -1.0f;

    cudaVerify(
        cudaHostAlloc((void **)&x, N * sizeof *x, cudaHostAllocMapped));
    cudaVerify(cudaHostGetDevicePointer((void **)&d_x, x, 0));
    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaEventCreate(&end));
    for (int i = 0; i < N; i++)
        x[i] = i;

    cudaVerify(cudaEventRecord(begin, 0));
    cudaVerifyKernel((square<<<1, 32>>>(d_x, N)));
    cudaVerify(cudaEventRecord(end, 0));
    cudaVerify(cudaEventSynchronize(end)); /* now the host may look at x */
    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));

    printf("x[13] = %d, x[20] = %d; the kernel took %s\n", x[13], x[20],
           milliseconds > 0.0f ? "some time" : "no time");
    cudaVerify(cudaEventDestroy(begin));
    cudaVerify(cudaEventDestroy(end));
    cudaVerify(cudaFreeHost(x));
    return 0;
}
