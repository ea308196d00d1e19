/* cuda_utils_test CASE: cudaVerify and cudaVerifyKernel on calls that succeed and on calls that fail. */
#include "cuda_utils.h"
#include <string.h>

__global__ void increment(int *x)
{
    *x += 1;
}

int main(int argc, char **argv)
{
    const char *test = argc > 1 ? argv[1] : "";
    int count = 0, x = 0, *d_x = NULL;

    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        printf("SKIPPED: no GPU here\n");
        return 77;
    }
    cudaVerify(cudaMalloc((void **)&d_x, sizeof *d_x));
    cudaVerify(cudaMemset(d_x, 0, sizeof *d_x));
    if (strcmp(test, "call") == 0)
        cudaVerify(cudaMemcpy(&x, d_x, sizeof x, (enum cudaMemcpyKind)99));
    if (strcmp(test, "launch") == 0)
        cudaVerifyKernel((increment<<<1, 4096>>>(d_x)));
    cudaVerifyKernel((increment<<<1, 1>>>(d_x)));
    cudaVerify(cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    printf("x = %d\n", x);
    return x == 1 ? 0 : 1;
}
