/* The product of a 64 x 64 matrix and a vector, with a thread and with a warp
 * for each row. */
#include "../common/cuda_utils.h"

enum { N = 64, WARP = 32 };

__global__ void threadPerRow(const float *a, const float *x, float *y)
{
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float sum = 0.0f;

    for (int k = 0; k < N; k++)
        sum += a[row * N + k] * x[k];
    y[row] = sum;
}

__global__ void warpPerRow(const float *a, const float *x, float *y)
{
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    const int lane = (int)threadIdx.x % WARP;
    float sum = 0.0f;

    for (int k = lane; k < N; k += WARP)
        sum += a[row * N + k] * x[k];
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, (unsigned)distance);
    if (lane == 0)
        y[row] = sum;
}

int main(void)
{
    static float a[N * N], x[N], y[2][N];
    float *d_a = NULL, *d_x = NULL, *d_y = NULL;

    for (int i = 0; i < N * N; i++)
        a[i] = (float)(i % 7);
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 3);
    cudaVerify(cudaMalloc((void **)&d_a, sizeof a));
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_y, sizeof y));
    cudaVerify(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((threadPerRow<<<N / WARP, WARP>>>(d_a, d_x, d_y)));
    cudaVerifyKernel((warpPerRow<<<N / 4, 4 * WARP>>>(d_a, d_x, d_y + N)));
    cudaVerify(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    printf("y[5] = %g and %g\n", y[0][5], y[1][5]);
    return 0;
}
