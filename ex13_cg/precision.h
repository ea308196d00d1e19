/* One name for the float and the double form of a library's function, and the set-up of cuBLAS and
 * cuSPARSE. Scalars are host or device pointers, as the pointer mode says. */
#ifndef PRECISION_H
#define PRECISION_H

#include "cublas_utils.h"
#include "cusparse_utils.h"
#include "cuda_utils.h"

/* launch<real> as the argument of a template: C++98 reads >> as a shift. */
#define OF(launch, real) launch<real>

/* The generic interface of cuSPARSE (cusparseSpMV) came with CUDA 10.1; cusparse?csrmv went with
 * 11. */
#if CUDART_VERSION >= 10010
#define GENERIC_SPARSE 1
#if CUDART_VERSION < 11020
#define CUSPARSE_SPMV_ALG_DEFAULT CUSPARSE_MV_ALG_DEFAULT
#endif
#endif

static inline cublasStatus_t cublasDot(cublasHandle_t handle, int n, const float *x, const float *y,
                                       float *result)
{
    return cublasSdot(handle, n, x, 1, y, 1, result);
}

static inline cublasStatus_t cublasDot(cublasHandle_t handle, int n, const double *x,
                                       const double *y, double *result)
{
    return cublasDdot(handle, n, x, 1, y, 1, result);
}

static inline cublasStatus_t cublasAxpy(cublasHandle_t handle, int n, const float *a,
                                        const float *x, float *y)
{
    return cublasSaxpy(handle, n, a, x, 1, y, 1);
}

static inline cublasStatus_t cublasAxpy(cublasHandle_t handle, int n, const double *a,
                                        const double *x, double *y)
{
    return cublasDaxpy(handle, n, a, x, 1, y, 1);
}

static inline cublasStatus_t cublasScal(cublasHandle_t handle, int n, const float *a, float *x)
{
    return cublasSscal(handle, n, a, x, 1);
}

static inline cublasStatus_t cublasScal(cublasHandle_t handle, int n, const double *a, double *x)
{
    return cublasDscal(handle, n, a, x, 1);
}

/* The libraries, and A, p and q of q = A p as cuSPARSE wants them described. */
struct library {
    cublasHandle_t blas;
    cusparseHandle_t sparse;
#ifdef GENERIC_SPARSE
    cudaDataType type;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t p, q;
    void *buffer;
#else
    cusparseMatDescr_t matrix;
#endif
};

#ifndef GENERIC_SPARSE
static inline cusparseStatus_t cusparseCsrmv(cusparseHandle_t handle, int n, int nonzeros,
                                             const float *alpha, cusparseMatDescr_t matrix,
                                             const float *value, const int *rowStart,
                                             const int *column, const float *x, const float *beta,
                                             float *y)
{
    return cusparseScsrmv(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, nonzeros, alpha, matrix,
                          value, rowStart, column, x, beta, y);
}

static inline cusparseStatus_t cusparseCsrmv(cusparseHandle_t handle, int n, int nonzeros,
                                             const double *alpha, cusparseMatDescr_t matrix,
                                             const double *value, const int *rowStart,
                                             const int *column, const double *x, const double *beta,
                                             double *y)
{
    return cusparseDcsrmv(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, nonzeros, alpha, matrix,
                          value, rowStart, column, x, beta, y);
}
#endif

/* All pointers are device pointers and stay the caller's. These two are in advanced/set_up.cu. */
template <typename real>
struct library libraryOpen(int n, int nonzeros, int *rowStart, int *column, real *value, real *p,
                           real *q);
void libraryClose(struct library *library);

#endif
