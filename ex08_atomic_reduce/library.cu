/* TASK     the scalar product of x and y, n doubles: what one would call instead of writing a
 *          kernel.
 * TRAFFIC  16 n bytes: x and y read.
 * LIMIT    memory bandwidth for long vectors, the latency of the launches for short ones. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "measure.h"
#include "atomic_reduce.h"

/* The result stays on the device, as the kernels' does: the default, a result in host memory, makes
 * every call wait for the device. */
static void cublasDot(const double *x, const double *y, double *sum, size_t n)
{
    const size_t bytes = n * sizeof(double);
    double *d_x = NULL, *d_y = NULL, *d_sum = NULL;
    cublasHandle_t handle;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof(double)));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
    cublasVerify(cublasCreate(&handle));
    cublasVerify(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    MEASURE (run) {
        cublasVerify(cublasDdot(handle, (int)n, d_x, 1, d_y, 1, d_sum));
    }
    cublasVerify(cublasDestroy(handle));
    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_sum));
}

extern "C" const struct variant libraryVariants[] = {
    {"cuBLAS Ddot", cublasDot},
    {NULL, NULL},
};
