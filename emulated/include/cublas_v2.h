/* cublas_v2.h: the part of cuBLAS that courses use, in plain loops on the host. Column-major, as cuBLAS. */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ /* what helper headers test */
#include "cuda_runtime_api.h"

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
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_DEFAULT_MATH = 0, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3 } cublasMath_t;
#define CUBLAS_VERSION 120000

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char *cublasGetStatusString(cublasStatus_t status);
const char *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb);

#define EMULATED_CUBLAS(S, type, I)                                                                                    \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, int incx, const type *y, int incy,      \
                                  type *result);                                                                       \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type *x, int incx, type *result);               \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type *x, int incx, type *result);               \
    cublasStatus_t cublasI##I##amax(cublasHandle_t handle, int n, const type *x, int incx, int *result);               \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type *alpha, const type *x, int incx, type *y,  \
                                   int incy);                                                                          \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type *alpha, type *x, int incx);                \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type *x, int incx, type *y, int incy);          \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type *x, int incx, type *y, int incy);                \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const type *alpha,    \
                                   const type *a, int lda, const type *x, int incx, const type *beta, type *y,         \
                                   int incy);                                                                          \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,   \
                                   int n, int k, const type *alpha, const type *a, int lda, const type *b, int ldb,    \
                                   const type *beta, type *c, int ldc);                                                \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                                      \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,                \
        const type *alpha, const type *a, int lda, long long stridea, const type *b, int ldb, long long strideb,       \
        const type *beta, type *c, int ldc, long long stridec, int batch);                                             \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,   \
                                          int m, int n, int k, const type *alpha, const type *const a[], int lda,      \
                                          const type *const b[], int ldb, const type *beta, type *const c[], int ldc,  \
                                          int batch);
EMULATED_CUBLAS(S, float, s)
EMULATED_CUBLAS(D, double, d)
#undef EMULATED_CUBLAS
#ifdef __cplusplus
}
#endif
#endif
