/* Three arrays in one piece of dynamic shared memory, and a function that
 * does not know in which memory its pointer points. */
#include "../common/cuda_utils.h"

enum { BLOCK = 32 };

/* A generic pointer: the hardware finds the memory by the address. */
__device__ double sum(const double *x, int n)
{
    double total = 0.0;

    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}

__global__ void divide(const double *x, double *sums)
{
    /* Two arrays declared extern would begin at the same address. The one
     * that there is gets the strictest alignment, and its parts stand in
     * the order of their alignments, the widest type first. */
    extern __shared__ double memory[];
    double *values = memory;
    int *places = (int *)(values + blockDim.x);
    char *marks = (char *)(places + blockDim.x);
    const int t = (int)threadIdx.x;

    values[t] = 2.0 * x[t];
    places[t] = t;
    marks[t] = (char)(t % 2);
    __syncthreads();
    if (t == 0) {
        sums[0] = sum(x, BLOCK);      /* global memory */
        sums[1] = sum(values, BLOCK); /* shared memory */
        sums[2] = places[BLOCK - 1] + marks[BLOCK - 1];
    }
}

int main(void)
{
    const size_t shared =
        BLOCK * (sizeof(double) + sizeof(int) + sizeof(char));
    double x[BLOCK], sums[3], *d_x = NULL, *d_sums = NULL;

    for (int i = 0; i < BLOCK; i++)
        x[i] = i;
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_sums, sizeof sums));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((divide<<<1, BLOCK, shared>>>(d_x, d_sums)));
    cudaVerify(
        cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_sums));
    printf("global %g, shared %g, last %g\n", sums[0], sums[1], sums[2]);
    return 0;
}
