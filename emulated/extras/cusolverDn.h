/* cusolverDn.h: dense factorisations, eigenvalues and singular values by cuSOLVER, in plain loops
 * on the host. Matrices are stored by columns. */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_
#include "cublas_v2.h"
#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);

/* potrf, potrs: A = L L^T or U^T U. getrf, getrs: P A = L U; without pivots if there is no array
 * for them. geqrf: A = Q R; orgqr writes Q out, ormqr multiplies by it. syevd: A = V W V^T.
 * Of syevd's matrix, and of potrf's, only the triangle is read. gesvd: A = U S V^T with at least as
 * many rows as columns. */
#define EMULATED_SOLVER(X, T)                                                                      \
    cusolverStatus_t cusolverDn##X##potrf_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork);       \
    cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *a, int lda, T *work, int lwork, int *info);           \
    cusolverStatus_t cusolverDn##X##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          int nrhs, const T *a, int lda, T *b, int ldb,            \
                                          int *info);                                              \
    cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *a, int lda, int *lwork);                   \
    cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *work, int *ipiv, int *info);                          \
    cusolverStatus_t cusolverDn##X##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n,  \
                                          int nrhs, const T *a, int lda, const int *ipiv, T *b,    \
                                          int ldb, int *info);                                     \
    cusolverStatus_t cusolverDn##X##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *a, int lda, int *lwork);                   \
    cusolverStatus_t cusolverDn##X##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *tau, T *work, int lwork, int *info);                  \
    cusolverStatus_t cusolverDn##X##orgqr_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int k, const T *a, int lda, const T *tau,     \
                                                     int *lwork);                                  \
    cusolverStatus_t cusolverDn##X##orgqr(cusolverDnHandle_t handle, int m, int n, int k, T *a,    \
                                          int lda, const T *tau, T *work, int lwork, int *info);   \
    cusolverStatus_t cusolverDn##X##ormqr_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, int n,      \
        int k, const T *a, int lda, const T *tau, const T *c, int ldc, int *lwork);                \
    cusolverStatus_t cusolverDn##X##ormqr(                                                         \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, int n,      \
        int k, const T *a, int lda, const T *tau, T *c, int ldc, T *work, int lwork, int *info);   \
    cusolverStatus_t cusolverDn##X##syevd_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *a, int lda, const T *w, int *lwork);                                              \
    cusolverStatus_t cusolverDn##X##syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,       \
                                          cublasFillMode_t uplo, int n, T *a, int lda, T *w,       \
                                          T *work, int lwork, int *info);                          \
    cusolverStatus_t cusolverDn##X##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int *lwork);                                  \
    cusolverStatus_t cusolverDn##X##gesvd(                                                         \
        cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *a,        \
        int lda, T *s, T *u, int ldu, T *vt, int ldvt, T *work, int lwork, T *rwork, int *info);
EMULATED_SOLVER(S, float)
EMULATED_SOLVER(D, double)
#undef EMULATED_SOLVER
#ifdef __cplusplus
}
#endif

#endif
