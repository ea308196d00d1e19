/* TASK     Attention in three steps, as one puts it together from a library: cuBLAS, a softmax,
 *          cuBLAS.
 * TRAFFIC  4 heads size (queries + keys) bytes; here also four times the scores.
 * LIMIT    the scores, in memory. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "measure.h"
#include "warp_utils.h"
#include "attention.h"

#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 11000
#include <cuda_fp16.h>

static __half *newCopy(const half_bits *x, size_t n)
{
    __half *d_x = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyHostToDevice));
    return d_x;
}

/* The first softmax that one would write: a warp per row, three passes. */
__global__ void quickSoftmax(__half *x, int rows, int queries, int keys, int shift)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const int seen = max(0, min(keys, row % queries + shift + 1));
    float most = -INFINITY, total = 0.0f;

    if (row >= rows)
        return;
    x += (size_t)row * keys;
    for (int j = lane; j < seen; j += 32)
        most = fmaxf(most, __half2float(x[j]));
    for (int distance = 16; distance > 0; distance /= 2)
        most = fmaxf(most, shuffleFrom(most, lane ^ distance));
    for (int j = lane; j < seen; j += 32)
        total += __expf(__half2float(x[j]) - most);
    for (int distance = 16; distance > 0; distance /= 2)
        total += shuffleFrom(total, lane ^ distance);
    for (int j = lane; j < keys; j += 32)
        x[j] = __float2half_rn(j < seen ? __expf(__half2float(x[j]) - most) / total : 0.0f);
}

/* cuBLAS takes matrices by columns: what it sees are the transposed ones. c' = factor b a' or, with
 * `transposed`, c' = factor b' a', for each head. */
static void product(cublasHandle_t handle, int heads, cublasOperation_t ofB, const __half *a,
                    const __half *b, __half *c, int m, int n, int depth, float factor)
{
    const float zero = 0.0f;

    cublasVerify(cublasGemmStridedBatchedEx(
        handle, ofB, CUBLAS_OP_N, n, m, depth, &factor, b, CUDA_R_16F,
        ofB == CUBLAS_OP_T ? depth : n, (long long)n * depth, a, CUDA_R_16F, depth,
        (long long)m * depth, &zero, c, CUDA_R_16F, n, (long long)m * n, heads, CUBLAS_COMPUTE_32F,
        CUBLAS_GEMM_DEFAULT));
}

static void threeSteps(const struct shape *s, const half_bits *q, const half_bits *k,
                       const half_bits *v, half_bits *o)
{
    const size_t sizeQ = (size_t)s->heads * s->queries * s->size;
    const size_t sizeK = (size_t)s->heads * s->keys * s->size;
    const size_t scores = (size_t)s->heads * s->queries * s->keys;
    const int rows = s->heads * s->queries;
    __half *d_q = newCopy(q, sizeQ), *d_k = newCopy(k, sizeK), *d_v = newCopy(v, sizeK);
    __half *d_o = NULL, *d_scores = NULL;
    cublasHandle_t handle;

    cublasVerify(cublasCreate(&handle));
    cudaVerify(cudaMalloc((void **)&d_o, sizeQ * sizeof *d_o));
    cudaVerify(cudaMalloc((void **)&d_scores, scores * sizeof *d_scores));
    MEASURE (run) {
        product(handle, s->heads, CUBLAS_OP_T, d_q, d_k, d_scores, s->queries, s->keys, s->size,
                1.0f / sqrtf((float)s->size));
        cudaVerifyKernel(
            (quickSoftmax<<<(rows + 7) / 8, 256>>>(d_scores, rows, s->queries, s->keys, s->shift)));
        product(handle, s->heads, CUBLAS_OP_N, d_scores, d_v, d_o, s->queries, s->size, s->keys,
                1.0f);
    }
    cudaVerify(cudaMemcpy(o, d_o, sizeQ * sizeof *d_o, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_q));
    cudaVerify(cudaFree(d_k));
    cudaVerify(cudaFree(d_v));
    cudaVerify(cudaFree(d_o));
    cudaVerify(cudaFree(d_scores));
    cublasVerify(cublasDestroy(handle));
}
#endif

extern "C" const struct variant libraryVariants[] = {
#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 11000
    {"cuBLAS, softmax, cuBLAS", threeSteps, IN_HALVES},
#endif
    {NULL, NULL},
};
