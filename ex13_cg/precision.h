/* One name for the float and the double form of a library's function, and the set-up of cuBLAS and
 * cuSPARSE. Scalars are host or device pointers, as the pointer mode says. */
#ifndef PRECISION_H
#define PRECISION_H

#include "cublas_utils.h"
#include "cusparse_utils.h"
#include "cuda_utils.h"

/* launch<real> as the argument of a template: C++98 reads >> as a shift. */
#define OF(launch, real) launch<real>

/* The generic interface of cuSPARSE (cusparseSpMV) came with CUDA 10.1; cusparse?csrmv went with 11. */
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

#ifdef GENERIC_SPARSE
static inline cudaDataType dataType(const float *)
{
    return CUDA_R_32F;
}
static inline cudaDataType dataType(const double *)
{
    return CUDA_R_64F;
}
#else
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

/* All pointers are device pointers and stay the caller's. */
template <typename real>
static struct library libraryOpen(int n, int nonzeros, int *rowStart, int *column, real *value,
                                  real *p, real *q)
{
    struct library library;

    cublasVerify(cublasCreate(&library.blas));
    cusparseVerify(cusparseCreate(&library.sparse));
#ifdef GENERIC_SPARSE
    const real one = 1, zero = 0;
    size_t bytes = 0;

    library.type = dataType(value);
    library.buffer = NULL;
    cusparseVerify(cusparseCreateCsr(&library.matrix, n, n, nonzeros, rowStart, column, value,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, library.type));
    cusparseVerify(cusparseCreateDnVec(&library.p, n, p, library.type));
    cusparseVerify(cusparseCreateDnVec(&library.q, n, q, library.type));
    cusparseVerify(cusparseSpMV_bufferSize(library.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                           library.matrix, library.p, &zero, library.q,
                                           library.type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    cudaVerify(cudaMalloc(&library.buffer, bytes > 0 ? bytes : 1));
#else
    (void)n, (void)nonzeros, (void)rowStart, (void)column, (void)value, (void)p, (void)q;
    cusparseVerify(cusparseCreateMatDescr(&library.matrix)); /* general, indices from 0 */
#endif
    return library;
}

static inline void libraryClose(struct library *library)
{
#ifdef GENERIC_SPARSE
    cusparseVerify(cusparseDestroySpMat(library->matrix));
    cusparseVerify(cusparseDestroyDnVec(library->p));
    cusparseVerify(cusparseDestroyDnVec(library->q));
    cudaVerify(cudaFree(library->buffer));
#else
    cusparseVerify(cusparseDestroyMatDescr(library->matrix));
#endif
    cusparseVerify(cusparseDestroy(library->sparse));
    cublasVerify(cublasDestroy(library->blas));
}

#endif
