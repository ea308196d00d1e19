/* TASK     c = a b for many pairs of n x n matrices: what one would call instead of writing a
 *          kernel.
 * TRAFFIC  12 n^2 bytes a pair: a and b read once, c written once.
 * LIMIT    how well cuBLAS's kernels, made for large matrices, fit small ones. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "measure.h"
#include "small_mmm.h"
#include <limits.h>

#if CUDART_VERSION >= 8000 /* strided batches came with CUDA 8 */
/* cuBLAS takes matrices column by column: what it sees are the transposed ones, and the transpose
 * of c = a b is c' = b' a'. A call takes an int of matrices. */
static void cublas(const float *a, const float *b, float *c, int n, size_t count)
{
    const size_t nn = (size_t)n * n, bytes = count * nn * sizeof(float);
    const float one = 1.0f, zero = 0.0f;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cublasHandle_t handle;

    cublasVerify(cublasCreate(&handle));
    cudaVerify(cudaMalloc((void **)&d_a, bytes));
    cudaVerify(cudaMalloc((void **)&d_b, bytes));
    cudaVerify(cudaMalloc((void **)&d_c, bytes));
    cudaVerify(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        for (size_t m = 0; m < count; m += INT_MAX) {
            const int some = count - m < INT_MAX ? (int)(count - m) : INT_MAX;

            cublasVerify(cublasSgemmStridedBatched(
                handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d_b + m * nn, n, (long long)nn,
                d_a + m * nn, n, (long long)nn, &zero, d_c + m * nn, n, (long long)nn, some));
        }
    }
    cudaVerify(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
    cublasVerify(cublasDestroy(handle));
}

#endif

extern "C" const struct variant libraryVariants[] = {
#if CUDART_VERSION >= 8000
    {"cublasSgemmStridedBatched", cublas},
#endif
    {NULL, NULL},
};
