/* cuBLAS as of CUDA 5.5: the part that the course calls. */
#ifndef LEGACY_CUBLAS_V2_H
#define LEGACY_CUBLAS_V2_H

#include <cuda_runtime.h>

typedef struct cublasContext *cublasHandle_t;
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t *);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
#define LEGACY_CUBLAS(letter, real)                                                                \
    cublasStatus_t cublas##letter##dot_v2(cublasHandle_t, int, const real *, int, const real *,    \
                                          int, real *);                                            \
    cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t, int, const real *, const real *, int,   \
                                           real *, int);                                           \
    cublasStatus_t cublas##letter##scal_v2(cublasHandle_t, int, const real *, real *, int);        \
    cublasStatus_t cublas##letter##copy_v2(cublasHandle_t, int, const real *, int, real *, int);   \
    cublasStatus_t cublas##letter##asum_v2(cublasHandle_t, int, const real *, int, real *);        \
    cublasStatus_t cublas##letter##nrm2_v2(cublasHandle_t, int, const real *, int, real *);        \
    cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t, cublasOperation_t, int, int,            \
                                           const real *, const real *, int, const real *, int,     \
                                           const real *, real *, int);                             \
    cublasStatus_t cublas##letter##gemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t,   \
                                           int, int, int, const real *, const real *, int,         \
                                           const real *, int, const real *, real *, int);          \
    cublasStatus_t cublas##letter##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, \
                                        int, const real *, const real *, int, const real *,        \
                                        const real *, int, real *, int);                           \
    cublasStatus_t cublas##letter##gemmBatched(                                                    \
        cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const real *,         \
        const real *[], int, const real *[], int, const real *, real *[], int, int);
LEGACY_CUBLAS(S, float)
LEGACY_CUBLAS(D, double)
}

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2

#endif
