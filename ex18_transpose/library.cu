/* TASK     y = x transposed, x of ny rows of nx floats: what one would call instead of writing a
 *          kernel, and a copy to compare with.
 * TRAFFIC  8 nx ny bytes: x read, y written.
 * LIMIT    memory bandwidth. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "measure.h"
#include "transpose.h"

/* y = 1 x' + 0 y. cuBLAS counts along columns: what it sees of x are its rows as columns of nx
 * elements, and what it makes of y has columns of ny. */
static void cublas(const float *x, float *y, size_t nx, size_t ny)
{
    const size_t bytes = nx * ny * sizeof(float);
    const float one = 1.0f, zero = 0.0f;
    const int columns = (int)nx, rows = (int)ny;
    float *d_x = NULL, *d_y = NULL;
    cublasHandle_t handle;

    cublasVerify(cublasCreate(&handle));
    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cublasVerify(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, d_x,
                                 columns, &zero, d_y, rows, d_y, rows));
    }
    cudaVerify(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cublasVerify(cublasDestroy(handle));
}

/* No transpose. */
static void copy(const float *x, float *y, size_t nx, size_t ny)
{
    const size_t bytes = nx * ny * sizeof(float);
    float *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cudaVerify(cudaMemcpyAsync(d_y, d_x, bytes, cudaMemcpyDeviceToDevice));
    }
    cudaVerify(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

extern "C" const struct variant libraryVariants[] = {
    {"cublasSgeam", cublas},
    {"copy (no transpose)", copy, NO_KERNEL | OTHER_WORK | AS_IT_IS},
    {NULL, NULL},
};
