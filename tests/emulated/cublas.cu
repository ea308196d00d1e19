/* The emulated cuBLAS against sums by the definition, in every transposition and type; and its
 * messages on mistakes. */
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

#include "cases.h"

enum { M = 5, N = 4, K = 7, LD = 9, SIZE = LD * 9 };
static cublasHandle_t blas;
static double *d_a, *d_b, *d_c, h_a[SIZE], h_b[SIZE], h_c[SIZE];

#define BLAS(call)                                                                                 \
    do {                                                                                           \
        cublasStatus_t status_ = (call);                                                           \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cublasGetStatusName(status_));               \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

static void prepare(void)
{
    BLAS(cublasCreate(&blas));
    CHECK(cudaMalloc(&d_a, sizeof h_a));
    CHECK(cudaMalloc(&d_b, sizeof h_b));
    CHECK(cudaMalloc(&d_c, sizeof h_c));
    for (int i = 0; i < SIZE; i++) {
        h_a[i] = (i * 37 % 101) / 8.0 - 5;
        h_b[i] = (i * 53 % 97) / 16.0 - 3;
        h_c[i] = (i * 29 % 89) / 4.0 - 9;
    }
    CHECK(cudaMemcpy(d_a, h_a, sizeof h_a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, h_b, sizeof h_b, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_c, h_c, sizeof h_c, cudaMemcpyHostToDevice));
}

static double element(const double *x, cublasOperation_t op, int i, int j)
{
    return op == CUBLAS_OP_N ? x[i + j * LD] : x[j + i * LD];
}
/* The expected first `rows` rows and columns of C; the others stay as before. */
static void expect(const char *what, double (*value)(int i, int j), int rows, int columns)
{
    double got[SIZE];
    CHECK(cudaMemcpy(got, d_c, sizeof got, cudaMemcpyDeviceToHost));
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < LD; i++) {
            const double wanted = i < rows && j < columns ? value(i, j) : h_c[i + j * LD];
            if (!(fabs(got[i + j * LD] - wanted) <= 1e-12 * (1 + fabs(wanted)))) {
                printf("FAILED: %s: C(%d,%d) is %.17g instead of %.17g\n", what, i, j,
                       got[i + j * LD], wanted);
                exit(2);
            }
        }
    CHECK(cudaMemcpy(d_c, h_c, sizeof h_c, cudaMemcpyHostToDevice));
}

static cublasOperation_t op_a, op_b;
static double alpha = 1.5, beta = -0.5, zero;
static double productValue(int i, int j)
{
    double sum = 0;
    for (int p = 0; p < K; p++)
        sum += element(h_a, op_a, i, p) * element(h_b, op_b, p, j);
    return alpha * sum + beta * h_c[i + j * LD];
}
static double sumValue(int i, int j)
{
    return alpha * element(h_a, op_a, i, j) + beta * element(h_b, op_b, i, j);
}
static double transposeValue(int i, int j) { return alpha * element(h_a, op_a, i, j); }
static const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static void products(void)
{
    for (int device = 0; device < 2; device++) {
        double *scalars;
        CHECK(cudaMalloc(&scalars, 3 * sizeof alpha));
        CHECK(cudaMemcpy(scalars, &alpha, sizeof alpha, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(scalars + 1, &beta, sizeof beta, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(scalars + 2, &zero, sizeof zero, cudaMemcpyHostToDevice));
        const double *al = device ? scalars : &alpha, *be = device ? scalars + 1 : &beta,
                     *none = device ? scalars + 2 : &zero;
        BLAS(cublasSetPointerMode(blas,
                                  device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                op_a = operations[a];
                op_b = operations[b];
                BLAS(cublasDgemm(blas, op_a, op_b, M, N, K, al, d_a, LD, d_b, LD, be, d_c, LD));
                expect("Dgemm", productValue, M, N);
                BLAS(cublasDgeam(blas, op_a, op_b, M, N, al, d_a, LD, be, d_b, LD, d_c, LD));
                expect("Dgeam", sumValue, M, N);
            }
        op_a = CUBLAS_OP_T;
        BLAS(cublasDgeam(blas, op_a, CUBLAS_OP_N, M, N, al, d_a, LD, none, device ? d_b : NULL, LD,
                         d_c, LD));
        expect("a transpose", transposeValue, M, N);
        CHECK(cudaFree(scalars));
    }
}

/* One matrix of each batch begins where another ends, and C is the right one each time. */
static void batches(void)
{
    double one = 1, got[SIZE];
    BLAS(cublasDgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, &one, d_a, 2, 6, d_b, 2,
                                   6, &zero, d_c, 2, 4, 5));
    CHECK(cudaMemcpy(got, d_c, sizeof got, cudaMemcpyDeviceToHost));
    for (int m = 0; m < 5; m++)
        for (int i = 0; i < 4; i++) {
            double sum = 0;
            for (int p = 0; p < 3; p++)
                sum += h_a[6 * m + i % 2 + 2 * p] * h_b[6 * m + i / 2 + 2 * p];
            must(got[4 * m + i] == sum, "cublasDgemmStridedBatched");
        }
}

static void triangles(void)
{
    /* A = [2 1 3; . 4 5; . . 8], stored by columns in the upper triangle; the lower one holds
     * rubbish */
    const double a[9] = {2, 99, 99, 1, 4, 99, 3, 5, 8}, b[3] = {13, 23, 24}, one = 1;
    double x[3], s[9];
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
    BLAS(cublasDtrsm(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                     CUBLAS_DIAG_NON_UNIT, 3, 1, &one, d_a, 3, d_b, 3));
    CHECK(cudaMemcpy(x, d_b, sizeof x, cudaMemcpyDeviceToHost));
    must(x[0] == 1 && x[1] == 2 && x[2] == 3, "A x = b");
    const double row[3] = {2, 9, 37}; /* (1, 2, 3) A */
    CHECK(cudaMemcpy(d_b, row, sizeof row, cudaMemcpyHostToDevice));
    BLAS(cublasDtrsm(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                     CUBLAS_DIAG_NON_UNIT, 1, 3, &one, d_a, 3, d_b, 1));
    CHECK(cudaMemcpy(x, d_b, sizeof x, cudaMemcpyDeviceToHost));
    must(x[0] == 1 && x[1] == 2 && x[2] == 3, "x A = b");
    BLAS(cublasDtrsm(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
                     CUBLAS_DIAG_NON_UNIT, 3, 1, &one, d_a, 3, d_b, 3));
    CHECK(cudaMemcpy(x, d_b, sizeof x, cudaMemcpyDeviceToHost));
    must(x[0] == 0.5 && x[1] == 0.375 && fabs(x[2] + 0.046875) < 1e-15, "A' x = b");

    CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
    BLAS(cublasDsymv(blas, CUBLAS_FILL_MODE_UPPER, 3, &one, d_a, 3, d_b, 1, &zero, d_c, 1));
    CHECK(cudaMemcpy(x, d_c, sizeof x, cudaMemcpyDeviceToHost));
    must(x[0] == 2 * 13 + 23 + 72 && x[1] == 13 + 92 + 120 && x[2] == 39 + 115 + 192,
         "the symmetric matrix times b");
    BLAS(cublasDsyrk(blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 1, &one, d_b, 3, &zero, d_c, 3));
    CHECK(cudaMemcpy(s, d_c, sizeof s, cudaMemcpyDeviceToHost));
    must(s[0] == 169 && s[1] == 13 * 23 && s[5] == 23 * 24 && s[8] == 24 * 24 && s[3] == h_c[3],
         "b b'");
    BLAS(cublasDdgmm(blas, CUBLAS_SIDE_RIGHT, 1, 3, d_b, 1, d_a + 6, 1, d_c, 1));
    CHECK(cudaMemcpy(x, d_c, sizeof x, cudaMemcpyDeviceToHost));
    must(x[0] == 39 && x[1] == 115 && x[2] == 192, "b times a diagonal");
    BLAS(cublasDger(blas, 1, 3, &one, d_b, 1, d_a + 6, 1, d_c, 1));
    CHECK(cudaMemcpy(x, d_c, sizeof x, cudaMemcpyDeviceToHost));
    must(x[0] == 39 + 39 && x[2] == 192 + 104, "b b' added");
}

/* 1 + 2^-11 is a tie between two numbers with 10 bits of fraction: TF32 rounds it up, and 1 + 2^-12
 * down. */
static void reducedPrecision(void)
{
    const float a[2] = {1 + 1 / 2048.0f, 1 + 1 / 4096.0f}, b[2] = {1, 1}, one = 1, none = 0;
    float *f_a = (float *)d_a, *f_b = (float *)d_b, *f_c = (float *)d_c, got;
    CHECK(cudaMemcpy(f_a, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(f_b, b, sizeof b, cudaMemcpyHostToDevice));
    for (int way = 0; way < 4; way++) {
        BLAS(cublasSetMathMode(blas, way == 1 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH));
        if (way < 2)
            BLAS(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, f_a, 1, f_b, 2, &none,
                             f_c, 1));
        else
            BLAS(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, f_a, CUDA_R_32F, 1,
                              f_b, CUDA_R_32F, 2, &none, f_c, CUDA_R_32F, 1,
                              way == 2 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                              CUBLAS_GEMM_DEFAULT));
        CHECK(cudaMemcpy(&got, f_c, sizeof got, cudaMemcpyDeviceToHost));
        const float exact = 2 + 3 / 4096.0f, coarse = 2 + 1 / 1024.0f;
#ifdef __CUDA_EMULATED__
        must(got == (way == 1 || way == 2 ? coarse : exact), "TF32 or not");
#else /* NVIDIA's library may always be more exact */
        printf("way %d: %.9g\n", way, got);
        must(got == exact || (got == coarse && (way == 1 || way == 2)), "TF32 or not");
#endif
    }
    cublasMath_t mode;
    BLAS(cublasGetMathMode(blas, &mode));
    must(mode == CUBLAS_DEFAULT_MATH, "cublasGetMathMode");
}

static const cuComplex unit = {0, 1}; /* cublas_v2.h brings cuComplex.h along */
static void smallTypes(void)
{
    must(cuCrealf(cuCmulf(unit, unit)) == -1, "i times i");
    const half a[2] = {__float2half(1.5f), __float2half(-2.25f)};
    const __nv_bfloat16 z[2] = {__float2bfloat16(1.5f), __float2bfloat16(-2.25f)};
    const signed char i8[4] = {100, -7, 3, 127};
    const float one = 1, none = 0;
    const int i1 = 1, i0 = 0;
    float got;
    int sum;
    half h;
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    BLAS(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, d_a, CUDA_R_16F, 1, d_a,
                      CUDA_R_16F, 2, &none, d_c, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    CHECK(cudaMemcpy(&got, d_c, sizeof got, cudaMemcpyDeviceToHost));
    must(got == 2.25f + 5.0625f, "half to float");
    CHECK(cudaMemset(d_c, 0, sizeof got));
    BLAS(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, d_a, CUDA_R_16F, 1, d_a,
                      CUDA_R_16F, 2, &none, d_c,
                      /* as before CUDA 11 */
                      CUDA_R_32F, 1, CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    CHECK(cudaMemcpy(&got, d_c, sizeof got, cudaMemcpyDeviceToHost));
    must(got == 2.25f + 5.0625f, "half to float, the compute type as it was named before");
    const half h1 = __float2half(1), h0 = __float2half(0);
    BLAS(cublasHgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &h1, (half *)d_a, 1, (half *)d_a, 2,
                     &h0, (half *)d_c, 1));
    CHECK(cudaMemcpy(&h, d_c, sizeof h, cudaMemcpyDeviceToHost));
    must(__half2float(h) == 7.3125f, "half to half");
    half pair[2];
    BLAS(cublasHgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &h1, (half *)d_a, 1, 1,
                                   (half *)d_a, 1, 1, &h0, (half *)d_c, 1, 1, 2));
    CHECK(cudaMemcpy(pair, d_c, sizeof pair, cudaMemcpyDeviceToHost));
    must(__half2float(pair[0]) == 2.25f && __half2float(pair[1]) == 5.0625f,
         "half, a batch by a stride");
    half *list[] = {(half *)d_a + 1, (half *)d_a, (half *)d_c + 1, (half *)d_c},
         **d_list = (half **)d_b;
    CHECK(cudaMemcpy(d_list, list, sizeof list, cudaMemcpyHostToDevice));
    BLAS(cublasHgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &h1, d_list, 1, d_list, 1, &h1,
                            d_list + 2, 1, 2));
    CHECK(cudaMemcpy(pair, d_c, sizeof pair, cudaMemcpyDeviceToHost));
    must(__half2float(pair[0]) == 4.5f && __half2float(pair[1]) == 10.125f,
         "half, a batch by a list");
    BLAS(cublasDotEx(blas, 2, d_a, CUDA_R_16F, 1, d_a, CUDA_R_16F, 1, &h, CUDA_R_16F, CUDA_R_32F));
    must(__half2float(h) == 7.3125f, "cublasDotEx of half");
    CHECK(cudaMemcpy(d_a, z, sizeof z, cudaMemcpyHostToDevice));
    BLAS(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, d_a, CUDA_R_16BF, 1, d_a,
                      CUDA_R_16BF, 2, &none, d_c, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT));
    CHECK(cudaMemcpy(&got, d_c, sizeof got, cudaMemcpyDeviceToHost));
    must(got == 2.25f + 5.0625f, "bfloat16 to float");
    CHECK(cudaMemcpy(d_a, i8, sizeof i8, cudaMemcpyHostToDevice));
    BLAS(cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 4, &i1, d_a, CUDA_R_8I, 4, d_a,
                      CUDA_R_8I, 4, &i0, d_c, CUDA_R_32I, 1, CUBLAS_COMPUTE_32I,
                      CUBLAS_GEMM_DEFAULT));
    CHECK(cudaMemcpy(&sum, d_c, sizeof sum, cudaMemcpyDeviceToHost));
    must(sum == 10000 + 49 + 9 + 127 * 127, "8-bit integers");
    must(cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 4, &one, d_a, CUDA_R_8I, 4, d_a,
                      CUDA_R_16F, 4, &none, d_c, CUDA_R_32I, 1, CUBLAS_COMPUTE_32I,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED,
         "two operands of different types");
}

static void columnsTooClose(void)
{
    must(cublasDgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, 5, &alpha, d_a, 3, d_b, 5, &beta, d_c,
                     3) == CUBLAS_STATUS_INVALID_VALUE,
         "a leading dimension that is too small");
}
static void badShapes(void)
{
    must(cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, &alpha, d_a, 3, &beta, d_c, 3, d_a, 3) ==
             CUBLAS_STATUS_INVALID_VALUE,
         "a transpose in place");
}
/* Leading dimensions and transpositions that fit each other, but not the memory */
static void pastTheEnd(void)
{
    cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 9, 9, 10, &alpha, d_a, 9, d_b, 10, &zero, d_c, 9);
}
static void hostMatrix(void)
{
    cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, &alpha, h_a, 3, &zero, d_b, 3, d_c, 3);
}
static void deviceScalar(void)
{
    cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, d_a, d_a, 2, d_b, 2, &zero, d_c, 2);
}
static double *fresh(void)
{
    double *p;
    CHECK(cudaMalloc(&p, 64 * sizeof *p));
    return p;
}
static void uninitialised(int of_a, double factor)
{
    double *d_new = fresh();
    BLAS(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, of_a ? d_new : d_a, 2, d_b, 2,
                     &factor, of_a ? d_c : d_new, 2));
    CHECK(cudaFree(d_new));
}
static void uninitialisedA(void) { uninitialised(1, 0); }
static void uninitialisedC(void) { uninitialised(0, 1); }
static void overwrittenC(void) { uninitialised(0, 0); }
/* The rows between the leading dimension and the matrix belong to nobody. */
static void paddedMatrix(void)
{
    double *d_new = fresh();
    CHECK(cudaMemcpy2D(d_new, 8 * sizeof(double), h_a, 3 * sizeof(double), 3 * sizeof(double), 3,
                       cudaMemcpyHostToDevice));
    BLAS(cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, &alpha, d_new, 8, &zero, NULL, 3, d_c,
                     3));
    CHECK(cudaFree(d_new));
}
static void uninitialisedVector(void)
{
    double r, *d_new = fresh();
    BLAS(cublasDdot(blas, 64, d_new, 1, d_a, 1, &r));
    CHECK(cudaFree(d_new));
}
/* The product runs in its own stream while the copy of its result does not wait. */
static void otherStream(int waits)
{
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    BLAS(cublasSetStream(blas, a));
    double *d_work;
    CHECK(cudaMalloc(&d_work, 4096));
    BLAS(cublasSetWorkspace(blas, d_work, 4096));
    BLAS(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, d_a, 2, d_b, 2, &zero, d_c,
                     2));
    if (waits)
        CHECK(cudaStreamSynchronize(a));
    CHECK(cudaMemcpyAsync(d_b, d_c, 4 * sizeof(double), cudaMemcpyDeviceToDevice, b));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_work));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}
static void withoutWaiting(void) { otherStream(0); }
static void afterWaiting(void) { otherStream(1); }

static const struct test tests[] = {
    CLEAN(products),
    CLEAN(batches),
    CLEAN(triangles),
    CLEAN(reducedPrecision),
    CLEAN(smallTypes),
    CLEAN(badShapes),
    FINDS(columnsTooClose, "bad-call", "dimension of A is 3, and its columns have 5 elements"),
    FINDS(pastTheEnd, "bad-copy", "720 bytes of A begin at"),
    FINDS(hostMatrix, "bad-copy", "not that much device memory"),
    FINDS(deviceScalar, "host-dereference", "alpha is a device pointer"),
    FINDS(uninitialisedA, "uninitialised-read", "cublasDgemm reads p[0]"),
    FINDS(uninitialisedC, "uninitialised-read", "cublasDgemm reads p[0]"),
    CLEAN(overwrittenC),
    CLEAN(paddedMatrix),
    FINDS(uninitialisedVector, "uninitialised-read", "cublasDdot reads p[0]"),
    FINDS(withoutWaiting, "race", "cublasDgemm"),
    CLEAN(afterWaiting),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
