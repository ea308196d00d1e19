/* What a half keeps of a number, and the softmax of three scores, from the
 * formula and online. */
#include "../common/cuda_utils.h"
#include <cuda_fp16.h>

__global__ void roundAll(const float *x, float *y)
{
    y[threadIdx.x] = __half2float(__float2half(x[threadIdx.x]));
}

/* Of exp(x[0]) + exp(x[1]) + exp(x[2]): the logarithm. */
__global__ void logOfSum(const float *x, float *result)
{
    float sum = 0.0f, most = -INFINITY, total = 0.0f;

    for (int j = 0; j < 3; j++)
        sum += expf(x[j]);
    for (int j = 0; j < 3; j++) {
        const float larger = fmaxf(most, x[j]);

        total = total * expf(most - larger) + expf(x[j] - larger);
        most = larger;
    }
    result[0] = logf(sum);
    result[1] = most + logf(total);
}

int main(void)
{
    const float x[5] = {0.1f, 2049.0f, 65519.0f, 65520.0f, 1e-8f};
    const float scores[3] = {99.0f, 100.0f, 98.0f};
    float y[5], *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_y, sizeof y));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((roundAll<<<1, 5>>>(d_x, d_y)));
    cudaVerify(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 5; i++)
        printf("%-8g becomes %.9g\n", x[i], y[i]);

    cudaVerify(
        cudaMemcpy(d_x, scores, sizeof scores, cudaMemcpyHostToDevice));
    cudaVerifyKernel((logOfSum<<<1, 1>>>(d_x, d_y)));
    cudaVerify(cudaMemcpy(y, d_y, 2 * sizeof *y, cudaMemcpyDeviceToHost));
    printf("log of the sum of exp(99), exp(100), exp(98): %g, online %g\n",
           y[0], y[1]);
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    return 0;
}
