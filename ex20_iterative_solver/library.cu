/* TASK     x += alpha (A x - f), A dense: what one would call instead of writing kernels.
 * TRAFFIC  4 n^2 bytes a step: A read.
 * LIMIT    memory bandwidth; for small n four launches and a copy to the host in each step. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "measure.h"
#include "iterative_solver.h"

/* cuBLAS counts along columns: what it sees of A is the transposed one, hence CUBLAS_OP_T. */
static void cublas(const struct system *s, struct solution *result)
{
    const size_t bytes = s->n * sizeof(float);
    const float one = 1.0f, minus = -1.0f, alpha = s->alpha;
    float *d_a = NULL, *d_f = NULL, *d_x = NULL, *d_r = NULL;
    cublasHandle_t handle;

    cublasVerify(cublasCreate(&handle));
    cudaVerify(cudaMalloc((void **)&d_a, s->n * bytes));
    cudaVerify(cudaMalloc((void **)&d_f, bytes));
    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_r, bytes));
    cudaVerify(cudaMemcpy(d_a, s->a, s->n * bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_f, s->f, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        int k = 0;

        cudaVerify(cudaMemsetAsync(d_x, 0, bytes));
        for (;;) {
            float norm = 0.0f;

            cublasVerify(cublasScopy(handle, s->n, d_f, 1, d_r, 1));
            cublasVerify(cublasSgemv(handle, CUBLAS_OP_T, s->n, s->n, &one, d_a, s->n, d_x, 1,
                                     &minus, d_r, 1));
            cublasVerify(cublasSnrm2(handle, s->n, d_r, 1, &norm)); /* waits for the norm */
            result->residual[k] = norm;
            if (!(norm > s->limit) || k == s->maxSteps)
                break;
            cublasVerify(cublasSaxpy(handle, s->n, &alpha, d_r, 1, d_x, 1));
            k++;
        }
        result->steps = k;
    }
    cudaVerify(cudaMemcpy(result->x, d_x, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_f));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_r));
    cublasVerify(cublasDestroy(handle));
}

extern "C" const struct variant libraryVariants[] = {
    {"cublasSgemv, nrm2, axpy", cublas},
    {NULL, NULL},
};
