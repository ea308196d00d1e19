/* cublas_v2.h: the part of cuBLAS that courses use, in plain loops on the host. Column-major, as
 * cuBLAS. */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ /* what helper headers test */
#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef __CUDACC__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

typedef struct cublasContext *cublasHandle_t;
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2
} cublasOperation_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;
#define CUBLAS_VERSION 120000
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif
struct __half;
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
const char *cublasGetStatusString(cublasStatus_t status);
const char *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
                               int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
                                    void *b, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
                                    void *b, int ldb, cudaStream_t stream);

#define EMULATED_CUBLAS(S, type, I)                                                                \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, int incx,           \
                                  const type *y, int incy, type *result);                          \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type *x, int incx,          \
                                   type *result);                                                  \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type *x, int incx,          \
                                   type *result);                                                  \
    cublasStatus_t cublasI##I##amax(cublasHandle_t handle, int n, const type *x, int incx,         \
                                    int *result);                                                  \
    cublasStatus_t cublasI##I##amin(cublasHandle_t handle, int n, const type *x, int incx,         \
                                    int *result);                                                  \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type *alpha, const type *x, \
                                   int incx, type *y, int incy);                                   \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type *alpha, type *x,       \
                                   int incx);                                                      \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type *x, int incx, type *y, \
                                   int incy);                                                      \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type *x, int incx, type *y,       \
                                   int incy);                                                      \
    cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, type *x, int incx, type *y,        \
                                  int incy, const type *c, const type *s);                         \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const type *alpha, const type *a, int lda, const type *x,       \
                                   int incx, const type *beta, type *y, int incy);                 \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const type *alpha,          \
                                  const type *x, int incx, const type *y, int incy, type *a,       \
                                  int lda);                                                        \
    cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n,            \
                                   const type *alpha, const type *a, int lda, const type *x,       \
                                   int incx, const type *beta, type *y, int incy);                 \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k,                  \
                                   const type *alpha, const type *a, int lda, const type *b,       \
                                   int ldb, const type *beta, type *c, int ldc);                   \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const type *alpha, const type *a, int lda, long long stridea, const type *b,        \
        int ldb, long long strideb, const type *beta, type *c, int ldc, long long stridec,         \
        int batch);                                                                                \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const type *alpha, const type *const a[], int lda, const type *const b[], int ldb,  \
        const type *beta, type *const c[], int ldc, int batch);                                    \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, const type *alpha,      \
                                   const type *a, int lda, const type *beta, const type *b,        \
                                   int ldb, type *c, int ldc);                                     \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,     \
                                   const type *a, int lda, const type *x, int incx, type *c,       \
                                   int ldc);                                                       \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo,                   \
                                   cublasOperation_t trans, int n, int k, const type *alpha,       \
                                   const type *a, int lda, const type *beta, type *c, int ldc);    \
    cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, int m, int n, const type *alpha,         \
                                   const type *a, int lda, const type *b, int ldb,                 \
                                   const type *beta, type *c, int ldc);                            \
    cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, cublasOperation_t trans,                 \
                                   cublasDiagType_t diag, int m, int n, const type *alpha,         \
                                   const type *a, int lda, type *b, int ldb);
EMULATED_CUBLAS(S, float, s)
EMULATED_CUBLAS(D, double, d)
#undef EMULATED_CUBLAS

/* Products of half, bfloat16, 8-bit integers, and of floats rounded to TF32 or to 16 bits, as the
 * compute type says */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType typea, int lda, const void *b,
                            cudaDataType typeb, int ldb, const void *beta, void *c,
                            cudaDataType typec, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType typea, int lda, long long stridea, const void *b,
    cudaDataType typeb, int ldb, long long strideb, const void *beta, void *c, cudaDataType typec,
    int ldc, long long stridec, int batch, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType typea, int lda, const void *b,
                             cudaDataType typeb, int ldb, const float *beta, void *c,
                             cudaDataType typec, int ldc);
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const struct __half *alpha, const struct __half *a, int lda,
                           const struct __half *b, int ldb, const struct __half *beta,
                           struct __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const struct __half *alpha, const struct __half *a,
                                         int lda, long long stridea, const struct __half *b,
                                         int ldb, long long strideb, const struct __half *beta,
                                         struct __half *c, int ldc, long long stridec, int batch);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const struct __half *alpha, const struct __half *const a[],
                                  int lda, const struct __half *const b[], int ldb,
                                  const struct __half *beta, struct __half *const c[], int ldc,
                                  int batch);
/* Of half and bfloat16 numbers (added up as floats), floats or doubles, all of one type */
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType typex,
                           int incx, const void *y, cudaDataType typey, int incy, void *result,
                           cudaDataType typer, cudaDataType type);
#ifdef __cplusplus
}
/* Before CUDA 11 the compute type was one of the elements' types. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType typea,
                                          int lda, const void *b, cudaDataType typeb, int ldb,
                                          const void *beta, void *c, cudaDataType typec, int ldc,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm)
{
    const cublasComputeType_t type = compute == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
                                     : compute == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                     : compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                                             : CUBLAS_COMPUTE_32F;
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, typea, lda, b, typeb, ldb, beta,
                        c, typec, ldc, type, algorithm);
}
#endif
#endif
