/* TASK     c[i] = a[i] * b, n floats: the CUDA kernel beside which the directives are measured.
 * TRAFFIC  8 n bytes: a read, c written.
 * LIMIT    memory bandwidth: one multiplication per 8 bytes. */
#include "cuda_utils.h"
#include "measure.h"
#include "vector_scale.h"

__global__ void vectorScale(const float *a, float b, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] * b;
}

extern "C" void scaleOnDevice(const float *a, float b, float *c, size_t n)
{
    const size_t grid = (n + 255) / 256;

    cudaVerifyKernel((vectorScale<<<(unsigned)grid, 256>>>(a, b, c, n)));
    cudaVerify(cudaDeviceSynchronize());
}

static void onePerThread(const float *a, float b, float *c, size_t n)
{
    const int block = blockSize(256);
    const size_t grid = (n + block - 1) / block;
    float *d_a = NULL, *d_c = NULL;

    cudaVerify(cudaMalloc((void **)&d_a, n * sizeof *d_a));
    cudaVerify(cudaMalloc((void **)&d_c, n * sizeof *d_c));
    cudaVerify(cudaMemcpy(d_a, a, n * sizeof *d_a, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cudaVerifyKernel((vectorScale<<<(unsigned)grid, block>>>(d_a, b, d_c, n)));
    }
    cudaVerify(cudaMemcpy(c, d_c, n * sizeof *c, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_c));
}

extern "C" const struct variant libraryVariants[] = {
    {"CUDA, one element per thread", onePerThread},
    {NULL, NULL},
};
