/* The sums of a matrix's rows and of its columns, a thread for each sum:
 * the same reads, in another order. */
#include "../common/cuda_utils.h"

enum { SIZE = 64 };

__global__ void sumColumns(const float *m, float *sum)
{
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float s = 0.0f;

    for (int row = 0; row < SIZE; row++)
        s += m[row * SIZE + column];
    sum[column] = s;
}

__global__ void sumRows(const float *m, float *sum)
{
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float s = 0.0f;

    for (int column = 0; column < SIZE; column++)
        s += m[row * SIZE + column];
    sum[row] = s;
}

int main(void)
{
    static float m[SIZE * SIZE], sums[2][SIZE];
    float *d_m = NULL, *d_sum = NULL;

    for (int i = 0; i < SIZE * SIZE; i++)
        m[i] = (float)(i % SIZE);
    cudaVerify(cudaMalloc((void **)&d_m, sizeof m));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof sums));
    cudaVerify(cudaMemcpy(d_m, m, sizeof m, cudaMemcpyHostToDevice));
    cudaVerifyKernel((sumColumns<<<2, 32>>>(d_m, d_sum)));
    cudaVerifyKernel((sumRows<<<2, 32>>>(d_m, d_sum + SIZE)));
    cudaVerify(
        cudaMemcpy(sums, d_sum, sizeof sums, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_m));
    cudaVerify(cudaFree(d_sum));
    printf("column 5: %g, row 5: %g\n", sums[0][5], sums[1][5]);
    return 0;
}
