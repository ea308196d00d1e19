/* TASK     f = f0 + f0, n + 2 floats: the vector addition of ex03, to compare with.
 * TRAFFIC  12 (n + 2) bytes: two inputs read, one output written.
 * LIMIT    memory bandwidth: one addition per 12 bytes. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "diffusion1d.h"

__global__ void vectorAdd(const float *a, const float *b, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

static void vectorAddition(const float *f0, float *f, size_t n, int steps, float alpha)
{
    const size_t points = n + 2, bytes = points * sizeof *f;
    const int block = blockSize(256);
    const unsigned grid = blocksFor(points, block);
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    (void)steps;
    (void)alpha;
    cudaVerify(cudaMalloc((void **)&d_a, bytes));
    cudaVerify(cudaMalloc((void **)&d_b, bytes));
    cudaVerify(cudaMalloc((void **)&d_c, bytes));
    cudaVerify(cudaMemcpy(d_a, f0, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, f0, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cudaVerifyKernel((vectorAdd<<<grid, block>>>(d_a, d_b, d_c, points)));
    }
    cudaVerify(cudaMemcpy(f, d_c, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
}

extern "C" const struct variant libraryVariants[] = {
    {"vector addition (ex03)", vectorAddition, VECTOR_ADDITION},
    {NULL, NULL},
};
