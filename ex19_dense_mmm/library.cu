/* TASK     C = A B by cuBLAS, and what the multiply-add units could do.
 * TRAFFIC  4 (m k + k n + m n) bytes: A and B read once, C written once.
 * LIMIT    multiply-adds, of floats or on the tensor cores. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "measure.h"
#include "dense_mmm.h"

/* cuBLAS takes matrices by columns: what it sees are the transposed ones, and the transpose of C =
 * A B is C' = B' A'. */
static void product(const float *a, const float *b, float *c, int m, int n, int k, int tf32)
{
    const size_t bytesA = (size_t)m * k * sizeof(float), bytesB = (size_t)k * n * sizeof(float);
    const size_t bytesC = (size_t)m * n * sizeof(float);
    const float one = 1.0f, zero = 0.0f;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cublasHandle_t handle;

    cublasVerify(cublasCreate(&handle));
#if CUDART_VERSION >=                                                                              \
    11000 /* tensor cores take floats, rounded to TF32, since compute capability 8.0 */
    if (tf32)
        cublasVerify(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
#endif
    cudaVerify(cudaMalloc((void **)&d_a, bytesA));
    cudaVerify(cudaMalloc((void **)&d_b, bytesB));
    cudaVerify(cudaMalloc((void **)&d_c, bytesC));
    cudaVerify(cudaMemcpy(d_a, a, bytesA, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, bytesB, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cublasVerify(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k,
                                 &zero, d_c, n));
    }
    cudaVerify(cudaMemcpy(c, d_c, bytesC, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
    cublasVerify(cublasDestroy(handle));
}

static void cublasFloat(const float *a, const float *b, float *c, int m, int n, int k)
{
    product(a, b, c, m, n, k, 0);
}

static void cublasTf32(const float *a, const float *b, float *c, int m, int n, int k)
{
    product(a, b, c, m, n, k, 1);
}

/* As many multiply-adds as the product has, and no memory: eight chains in a thread, x = x / 2 + 1,
 * which end at 2. The factor comes as an argument, so that the compiler cannot tell. */
enum { CHAINS = 8, TURNS = 64 };

__global__ void multiplyAdd(float *c, size_t n, int turns, float factor, float summand)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    float x[CHAINS], mean = 0.0f;

    for (int i = 0; i < CHAINS; i++)
        x[i] = (float)i;
    for (int turn = 0; turn < turns; turn++)
#pragma unroll
        for (int step = 0; step < TURNS; step++)
#pragma unroll
            for (int i = 0; i < CHAINS; i++)
                x[i] = x[i] * factor + summand;
    for (int i = 0; i < CHAINS; i++)
        mean += x[i] / CHAINS;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = mean;
}

static void multiplyAdds(const float *, const float *, float *c, int m, int n, int k)
{
    const size_t elements = (size_t)m * n, bytes = elements * sizeof *c;
    const double turns = (double)elements * k / (CHAINS * TURNS); /* of all threads together */
    int block = 256, grid = multiprocessors() * (threadsPerMultiprocessor() / block);
    float *d_c = NULL;

    if (turns < block)
        block = 32;
    if (turns < (double)grid * block)
        grid = (int)(turns / block) + 1;
    cudaVerify(cudaMalloc((void **)&d_c, bytes));
    MEASURE (run) {
        cudaVerifyKernel((multiplyAdd<<<grid, block>>>(
            d_c, elements, (int)(turns / ((double)grid * block)) + 1, 0.5f, 1.0f)));
    }
    cudaVerify(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_c));
}

extern "C" const struct variant libraryVariants[] = {
    {"multiply-adds in registers", multiplyAdds, NO_PRODUCT},
    {"cublasSgemm", cublasFloat},
#if CUDART_VERSION >= 11000
    {"cublasSgemm with TF32", cublasTf32, ROUNDS_TO_TF32},
#endif
    {NULL, NULL},
};
