/* TASK     f' = f + alpha (left + right + up + down - 4 f): the CUDA kernel beside which the
 *          directives are measured.
 * TRAFFIC  8 (nx - 2)(ny - 2) bytes a step: f read, f' written.
 * LIMIT    memory bandwidth. */
#include "cuda_utils.h"
#include "measure.h"
#include "diffusion2d.h"

__global__ void diffusion(const float *f, float *to, size_t nx, size_t ny, float alpha)
{
    const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x + 1;
    const size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y + 1;
    const size_t i = y * nx + x;

    if (x < nx - 1 && y < ny - 1)
        to[i] = f[i] + alpha * (f[i - 1] + f[i + 1] + f[i - nx] + f[i + nx] - 4.0f * f[i]);
}

static void onePerThread(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps)
{
    const size_t bytes = nx * ny * sizeof *f;
    const dim3 block(64, 4);
    const dim3 grid((unsigned)((nx + block.x - 3) / block.x),
                    (unsigned)((ny + block.y - 3) / block.y));
    float *d_start = NULL, *d_f = NULL, *d_other = NULL;

    cudaVerify(cudaMalloc((void **)&d_start, bytes));
    cudaVerify(cudaMalloc((void **)&d_f, bytes));
    cudaVerify(cudaMalloc((void **)&d_other, bytes));
    cudaVerify(cudaMemcpy(d_start, start, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_f, d_start, bytes, cudaMemcpyDeviceToDevice));
    cudaVerify(cudaMemcpy(d_other, d_start, bytes, cudaMemcpyDeviceToDevice));
    MEASURE (run) {
        const float *from = d_start;

        for (int s = steps; s > 0; s--) {
            float *to = s % 2 == 1 ? d_f : d_other;

            cudaVerifyKernel((diffusion<<<grid, block>>>(from, to, nx, ny, alpha)));
            from = to;
        }
    }
    cudaVerify(cudaMemcpy(f, d_f, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_start));
    cudaVerify(cudaFree(d_f));
    cudaVerify(cudaFree(d_other));
}

extern "C" const struct variant libraryVariants[] = {
    {"CUDA, one point per thread", onePerThread},
    {NULL, NULL},
};
