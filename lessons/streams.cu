/* An array in four parts, each copied, worked on and copied back in a
 * stream of its own; the last kernel waits for all of them. */
#include "../common/cuda_utils.h"

enum { PARTS = 4, PART = 256, BLOCK = 128 };

__global__ void square(float *x)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    x[i] *= x[i];
}

/* One thread is enough for four numbers. */
__global__ void addFirsts(const float *x, float *sum)
{
    *sum = 0.0f;
    for (int p = 0; p < PARTS; p++)
        *sum += x[p * PART];
}

int main(void)
{
    float *x = NULL, *sum = NULL, *d_x = NULL, *d_sum = NULL;
    cudaStream_t stream[PARTS], last;
    cudaEvent_t done[PARTS];

    /* page-locked */
    cudaVerify(cudaMallocHost((void **)&x, PARTS * PART * sizeof *x));
    cudaVerify(cudaMallocHost((void **)&sum, sizeof *sum));
    cudaVerify(cudaMalloc((void **)&d_x, PARTS * PART * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof *d_sum));
    cudaVerify(cudaStreamCreate(&last));
    for (int i = 0; i < PARTS * PART; i++)
        x[i] = (float)(i / PART + 1);

    for (int p = 0; p < PARTS; p++) {
        float *part = x + p * PART, *d_part = d_x + p * PART;

        cudaVerify(cudaStreamCreate(&stream[p]));
        cudaVerify(
            cudaEventCreateWithFlags(&done[p], cudaEventDisableTiming));
        cudaVerify(cudaMemcpyAsync(d_part, part, PART * sizeof *x,
                                   cudaMemcpyHostToDevice, stream[p]));
        cudaVerifyKernel(
            (square<<<PART / BLOCK, BLOCK, 0, stream[p]>>>(d_part)));
        cudaVerify(cudaEventRecord(done[p], stream[p]));
        cudaVerify(cudaMemcpyAsync(part, d_part, PART * sizeof *x,
                                   cudaMemcpyDeviceToHost, stream[p]));
        cudaVerify(cudaStreamWaitEvent(last, done[p], 0));
    }
    cudaVerifyKernel((addFirsts<<<1, 1, 0, last>>>(d_x, d_sum)));
    cudaVerify(cudaMemcpyAsync(sum, d_sum, sizeof *sum,
                               cudaMemcpyDeviceToHost, last));
    cudaVerify(cudaDeviceSynchronize()); /* only now may the host look */
    printf("last part: %g, sum: %g\n", x[PARTS * PART - 1], *sum);

    for (int p = 0; p < PARTS; p++) {
        cudaVerify(cudaEventDestroy(done[p]));
        cudaVerify(cudaStreamDestroy(stream[p]));
    }
    cudaVerify(cudaStreamDestroy(last));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_sum));
    cudaVerify(cudaFreeHost(x));
    cudaVerify(cudaFreeHost(sum));
    return 0;
}
