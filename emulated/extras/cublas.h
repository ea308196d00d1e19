/* cublas.h: cuBLAS as it was before handles: scalars and letters are passed by value, results are
 * returned, and cublasGetError() returns the error. A file that includes cublas_v2.h as well gets
 * both. */
#ifndef CUBLAS_H_
#define CUBLAS_H_
#include "cublas_v2.h"

#ifdef __cplusplus
typedef cublasStatus_t cublasStatus;

namespace emulated
{
struct OldCublas {
    cublasHandle_t handle;
    cublasStatus_t status; /* the last error that was not read */
    void note(cublasStatus_t s)
    {
        if (s != CUBLAS_STATUS_SUCCESS)
            status = s;
    }
};
inline OldCublas &old_cublas()
{
    static OldCublas it = {};
    return it;
}
static inline cublasOperation_t operation(char c)
{
    return c == 'n' || c == 'N'   ? CUBLAS_OP_N
           : c == 't' || c == 'T' ? CUBLAS_OP_T
           : c == 'c' || c == 'C' ? CUBLAS_OP_C
                                  : (cublasOperation_t)-1;
}
static inline cublasFillMode_t half(char c)
{
    return c == 'u' || c == 'U' ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}
static inline cublasSideMode_t side(char c)
{
    return c == 'r' || c == 'R' ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
}
static inline cublasDiagType_t diagonal(char c)
{
    return c == 'u' || c == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}
} // namespace emulated

static inline cublasStatus_t cublasInit(void)
{
    return ::emulated::old_cublas().handle ? CUBLAS_STATUS_SUCCESS
                                           : cublasCreate(&::emulated::old_cublas().handle);
}
static inline cublasStatus_t cublasShutdown(void)
{
    const cublasStatus_t status = cublasDestroy(::emulated::old_cublas().handle);
    ::emulated::old_cublas().handle = 0;
    return status;
}
static inline cublasStatus_t cublasGetError(void)
{
    const cublasStatus_t status = ::emulated::old_cublas().status;
    ::emulated::old_cublas().status = CUBLAS_STATUS_SUCCESS;
    return status;
}
static inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream)
{
    return cublasSetStream(::emulated::old_cublas().handle, stream);
}
static inline cublasStatus_t cublasAlloc(int n, int size, void **p)
{
    return n <= 0 || size <= 0                       ? CUBLAS_STATUS_INVALID_VALUE
           : cudaMalloc(p, (size_t)n * (size_t)size) ? CUBLAS_STATUS_ALLOC_FAILED
                                                     : CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasFree(void *p)
{
    return cudaFree(p) ? CUBLAS_STATUS_INTERNAL_ERROR : CUBLAS_STATUS_SUCCESS;
}

/* Each call with the handle, and the second kind with a place for the result */
#define EMULATED_OLD(call, ...)                                                                    \
    ::emulated::old_cublas().note(call(::emulated::old_cublas().handle, __VA_ARGS__))
#define EMULATED_OLD_RESULT(type, call, ...)                                                       \
    {                                                                                              \
        type result = 0;                                                                           \
        EMULATED_OLD(call, __VA_ARGS__, &result);                                                  \
        return result;                                                                             \
    }
#define EMULATED_OLD_CUBLAS(S, T, I)                                                               \
    static inline T cublas##S##dot(int n, const T *x, int incx, const T *y, int incy)              \
        EMULATED_OLD_RESULT(T, cublas##S##dot, n, x, incx, y,                                      \
                            incy) static inline T cublas##S##nrm2(int n, const T *x, int incx)     \
            EMULATED_OLD_RESULT(T, cublas##S##nrm2, n, x,                                          \
                                incx) static inline T cublas##S##asum(int n, const T *x, int incx) \
                EMULATED_OLD_RESULT(T, cublas##S##asum, n, x,                                      \
                                    incx) static inline int cublasI##I##amax(int n, const T *x,    \
                                                                             int incx)             \
                    EMULATED_OLD_RESULT(                                                           \
                        int, cublasI##I##amax, n, x,                                               \
                        incx) static inline int cublasI##I##amin(int n, const T *x, int incx)      \
                        EMULATED_OLD_RESULT(                                                       \
                            int, cublasI##I##amin, n, x,                                           \
                            incx) static inline void cublas##S##axpy(int n, T alpha, const T *x,   \
                                                                     int incx, T *y, int incy)     \
    {                                                                                              \
        EMULATED_OLD(cublas##S##axpy, n, &alpha, x, incx, y, incy);                                \
    }                                                                                              \
    static inline void cublas##S##scal(int n, T alpha, T *x, int incx)                             \
    {                                                                                              \
        EMULATED_OLD(cublas##S##scal, n, &alpha, x, incx);                                         \
    }                                                                                              \
    static inline void cublas##S##copy(int n, const T *x, int incx, T *y, int incy)                \
    {                                                                                              \
        EMULATED_OLD(cublas##S##copy, n, x, incx, y, incy);                                        \
    }                                                                                              \
    static inline void cublas##S##swap(int n, T *x, int incx, T *y, int incy)                      \
    {                                                                                              \
        EMULATED_OLD(cublas##S##swap, n, x, incx, y, incy);                                        \
    }                                                                                              \
    static inline void cublas##S##rot(int n, T *x, int incx, T *y, int incy, T c, T s)             \
    {                                                                                              \
        EMULATED_OLD(cublas##S##rot, n, x, incx, y, incy, &c, &s);                                 \
    }                                                                                              \
    static inline void cublas##S##gemv(char trans, int m, int n, T alpha, const T *a, int lda,     \
                                       const T *x, int incx, T beta, T *y, int incy)               \
    {                                                                                              \
        EMULATED_OLD(cublas##S##gemv, ::emulated::operation(trans), m, n, &alpha, a, lda, x, incx, \
                     &beta, y, incy);                                                              \
    }                                                                                              \
    static inline void cublas##S##ger(int m, int n, T alpha, const T *x, int incx, const T *y,     \
                                      int incy, T *a, int lda)                                     \
    {                                                                                              \
        EMULATED_OLD(cublas##S##ger, m, n, &alpha, x, incx, y, incy, a, lda);                      \
    }                                                                                              \
    static inline void cublas##S##symv(char uplo, int n, T alpha, const T *a, int lda, const T *x, \
                                       int incx, T beta, T *y, int incy)                           \
    {                                                                                              \
        EMULATED_OLD(cublas##S##symv, ::emulated::half(uplo), n, &alpha, a, lda, x, incx, &beta,   \
                     y, incy);                                                                     \
    }                                                                                              \
    static inline void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha,     \
                                       const T *a, int lda, const T *b, int ldb, T beta, T *c,     \
                                       int ldc)                                                    \
    {                                                                                              \
        EMULATED_OLD(cublas##S##gemm, ::emulated::operation(transa),                               \
                     ::emulated::operation(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c,     \
                     ldc);                                                                         \
    }                                                                                              \
    static inline void cublas##S##symm(char s, char uplo, int m, int n, T alpha, const T *a,       \
                                       int lda, const T *b, int ldb, T beta, T *c, int ldc)        \
    {                                                                                              \
        EMULATED_OLD(cublas##S##symm, ::emulated::side(s), ::emulated::half(uplo), m, n, &alpha,   \
                     a, lda, b, ldb, &beta, c, ldc);                                               \
    }                                                                                              \
    static inline void cublas##S##syrk(char uplo, char trans, int n, int k, T alpha, const T *a,   \
                                       int lda, T beta, T *c, int ldc)                             \
    {                                                                                              \
        EMULATED_OLD(cublas##S##syrk, ::emulated::half(uplo), ::emulated::operation(trans), n, k,  \
                     &alpha, a, lda, &beta, c, ldc);                                               \
    }                                                                                              \
    static inline void cublas##S##trsm(char s, char uplo, char trans, char diag, int m, int n,     \
                                       T alpha, const T *a, int lda, T *b, int ldb)                \
    {                                                                                              \
        EMULATED_OLD(cublas##S##trsm, ::emulated::side(s), ::emulated::half(uplo),                 \
                     ::emulated::operation(trans), ::emulated::diagonal(diag), m, n, &alpha, a,    \
                     lda, b, ldb);                                                                 \
    }
EMULATED_OLD_CUBLAS(S, float, s)
EMULATED_OLD_CUBLAS(D, double, d)
#undef EMULATED_OLD
#undef EMULATED_OLD_RESULT
#undef EMULATED_OLD_CUBLAS
#endif
#endif
