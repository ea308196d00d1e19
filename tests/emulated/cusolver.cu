/* cusolver.cu: factors multiplied out again, pivots, devInfo, and calls that are wrong. */
#define CASES_KEEP_DEVICE /* the libraries do not survive cudaDeviceReset() */
#include "cases.h"

#include <cusolverDn.h>
#include <math.h>

enum { N = 21, M = 30, LD = 33, RHS = 3 };
static cusolverDnHandle_t solver;
static int *d_info;

#define SOLVER(call)                                                                               \
    do {                                                                                           \
        cusolverStatus_t status_ = (call);                                                         \
        if (status_ != CUSOLVER_STATUS_SUCCESS) {                                                  \
            printf("%s:%d: cuSOLVER's status %d\n", __FILE__, __LINE__, (int)status_);             \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

template <class T> static T *workspace(int elements)
{
    T *p;
    CHECK(cudaMalloc(&p, elements * sizeof(T)));
    return p;
}
/* One name for both types */
#define BOTH(X, T)                                                                                 \
    static void factorCholesky(cublasFillMode_t uplo, int n, T *a, int lda)                        \
    {                                                                                              \
        int elements;                                                                              \
        SOLVER(cusolverDn##X##potrf_bufferSize(solver, uplo, n, a, lda, &elements));               \
        T *work = workspace<T>(elements);                                                          \
        SOLVER(cusolverDn##X##potrf(solver, uplo, n, a, lda, work, elements, d_info));             \
        CHECK(cudaFree(work));                                                                     \
    }                                                                                              \
    static void solveCholesky(cublasFillMode_t uplo, int n, int nrhs, const T *a, int lda, T *b,   \
                              int ldb)                                                             \
    {                                                                                              \
        SOLVER(cusolverDn##X##potrs(solver, uplo, n, nrhs, a, lda, b, ldb, d_info));               \
    }                                                                                              \
    static void factorLu(int m, int n, T *a, int lda, int *pivots)                                 \
    {                                                                                              \
        int elements;                                                                              \
        SOLVER(cusolverDn##X##getrf_bufferSize(solver, m, n, a, lda, &elements));                  \
        T *work = workspace<T>(elements);                                                          \
        SOLVER(cusolverDn##X##getrf(solver, m, n, a, lda, work, pivots, d_info));                  \
        CHECK(cudaFree(work));                                                                     \
    }                                                                                              \
    static void solveLu(cublasOperation_t op, int n, int nrhs, const T *a, int lda,                \
                        const int *pivots, T *b, int ldb)                                          \
    {                                                                                              \
        SOLVER(cusolverDn##X##getrs(solver, op, n, nrhs, a, lda, pivots, b, ldb, d_info));         \
    }                                                                                              \
    static void factorQr(int m, int n, T *a, int lda, T *tau)                                      \
    {                                                                                              \
        int elements;                                                                              \
        SOLVER(cusolverDn##X##geqrf_bufferSize(solver, m, n, a, lda, &elements));                  \
        T *work = workspace<T>(elements);                                                          \
        SOLVER(cusolverDn##X##geqrf(solver, m, n, a, lda, tau, work, elements, d_info));           \
        CHECK(cudaFree(work));                                                                     \
    }                                                                                              \
    static void makeQ(int m, int n, int k, T *a, int lda, const T *tau)                            \
    {                                                                                              \
        int elements;                                                                              \
        SOLVER(cusolverDn##X##orgqr_bufferSize(solver, m, n, k, a, lda, tau, &elements));          \
        T *work = workspace<T>(elements);                                                          \
        SOLVER(cusolverDn##X##orgqr(solver, m, n, k, a, lda, tau, work, elements, d_info));        \
        CHECK(cudaFree(work));                                                                     \
    }                                                                                              \
    static void multiplyByQ(cublasSideMode_t side, cublasOperation_t op, int m, int n, int k,      \
                            const T *a, int lda, const T *tau, T *c, int ldc)                      \
    {                                                                                              \
        int elements;                                                                              \
        SOLVER(cusolverDn##X##ormqr_bufferSize(solver, side, op, m, n, k, a, lda, tau, c, ldc,     \
                                               &elements));                                        \
        T *work = workspace<T>(elements);                                                          \
        SOLVER(cusolverDn##X##ormqr(solver, side, op, m, n, k, a, lda, tau, c, ldc, work,          \
                                    elements, d_info));                                            \
        CHECK(cudaFree(work));                                                                     \
    }                                                                                              \
    static void eigen(cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, int lda, T *w)   \
    {                                                                                              \
        int elements;                                                                              \
        SOLVER(cusolverDn##X##syevd_bufferSize(solver, jobz, uplo, n, a, lda, w, &elements));      \
        T *work = workspace<T>(elements);                                                          \
        SOLVER(cusolverDn##X##syevd(solver, jobz, uplo, n, a, lda, w, work, elements, d_info));    \
        CHECK(cudaFree(work));                                                                     \
    }                                                                                              \
    static void singularValues(char jobu, char jobvt, int m, int n, T *a, int lda, T *s, T *u,     \
                               int ldu, T *vt, int ldvt)                                           \
    {                                                                                              \
        int elements;                                                                              \
        SOLVER(cusolverDn##X##gesvd_bufferSize(solver, m, n, &elements));                          \
        T *work = workspace<T>(elements);                                                          \
        SOLVER(cusolverDn##X##gesvd(solver, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work,  \
                                    elements, NULL, d_info));                                      \
        CHECK(cudaFree(work));                                                                     \
    }
BOTH(S, float)
BOTH(D, double)

static int info(void)
{
    int h;
    CHECK(cudaMemcpy(&h, d_info, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}
static double tolerance(float) { return 2e-5; }
static double tolerance(double) { return 1e-13; }

/* Numbers between -1 and 1, the same in each run */
static unsigned state = 1;
static double drawn(void)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) / 8388608.0 - 1;
}

/* A matrix in columns LD apart; what no column holds stays NaN. */
template <class T> struct Matrix {
    T h[LD * LD];
    T *d;
    Matrix()
    {
        memset((void *)h, 0xff, sizeof h);
        CHECK(cudaMalloc(&d, sizeof h));
    }
    ~Matrix() { CHECK(cudaFree(d)); }
    T &at(int i, int j) { return h[i + j * LD]; }
    void draw(int rows, int columns)
    {
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                at(i, j) = (T)drawn();
    }
    void put() { CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice)); }
    void get() { CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)); }
};
/* The largest element of A B - C, of m by n, with sums over k */
template <class T>
static double residual(Matrix<T> &a, Matrix<T> &b, Matrix<T> &c, int m, int n, int k)
{
    double largest = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)a.at(i, l) * b.at(l, j);
            const double error = fabs(sum - c.at(i, j));
            largest = error <= largest ? largest : error; /* NaN as well */
        }
    return largest;
}
template <class T> static void makeDefinite(Matrix<T> &a)
{
    Matrix<T> m;
    m.draw(N, N);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double sum = i == j;
            for (int k = 0; k < N; k++)
                sum += (double)m.at(i, k) * m.at(j, k);
            a.at(i, j) = (T)sum;
        }
}

template <class T> static void choleskyOf(cublasFillMode_t uplo)
{
    const int lower = uplo == CUBLAS_FILL_MODE_LOWER;
    Matrix<T> a, f, l, lt, x, b;
    makeDefinite(a);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (i == j || (i > j) == lower) /* the other half is NaN */
                f.at(i, j) = a.at(i, j);
    f.put();
    factorCholesky(uplo, N, f.d, LD);
    must(info() == 0, "a definite matrix");
    f.get();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            l.at(i, j) = i < j ? (T)0 : lower ? f.at(i, j) : f.at(j, i);
            lt.at(j, i) = l.at(i, j);
        }
    must(residual(l, lt, a, N, N, N) < 20 * tolerance(T()), "L L^T is A");
    b.draw(N, RHS);
    memcpy(x.h, b.h, sizeof b.h);
    x.put();
    solveCholesky(uplo, N, RHS, f.d, LD, x.d, LD);
    x.get();
    must(info() == 0 && residual(a, x, b, N, RHS, N) < 100 * tolerance(T()), "A x is b");
    makeDefinite(a);
    a.at(6, 6) = -1;
    a.put();
    factorCholesky(uplo, N, a.d, LD);
    must(info() == 7, "the order of the first minor that is not positive");
}
static void cholesky(void)
{
    choleskyOf<float>(CUBLAS_FILL_MODE_LOWER);
    choleskyOf<float>(CUBLAS_FILL_MODE_UPPER);
    choleskyOf<double>(CUBLAS_FILL_MODE_LOWER);
    choleskyOf<double>(CUBLAS_FILL_MODE_UPPER);
}

/* P A = L U for any shape */
template <class T> static void luOf(int m, int n)
{
    const int least = m < n ? m : n;
    Matrix<T> a, l, u, f;
    int h_pivots[LD], *pivots;
    CHECK(cudaMalloc(&pivots, least * sizeof(int)));
    a.draw(m, n);
    a.put();
    factorLu(m, n, a.d, LD, pivots);
    must(info() == 0, "a regular matrix");
    CHECK(cudaMemcpy(f.h, a.d, sizeof f.h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_pivots, pivots, least * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < least; i++) {
        const int from = h_pivots[i] - 1;
        must(from >= i && from < m, "a pivot's row");
        for (int j = 0; j < n; j++) {
            const T keep = a.at(i, j);
            a.at(i, j) = a.at(from, j);
            a.at(from, j) = keep;
        }
    }
    for (int j = 0; j < least; j++)
        for (int i = 0; i < m; i++) {
            l.at(i, j) = i > j ? f.at(i, j) : (T)(i == j);
            must(fabs(l.at(i, j)) <= 1, "the largest element is the pivot");
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < least; i++)
            u.at(i, j) = i <= j ? f.at(i, j) : (T)0;
    must(residual(l, u, a, m, n, least) < 10 * tolerance(T()), "L U is A with its rows exchanged");
    CHECK(cudaFree(pivots));
}
template <class T> static void luSolves(cublasOperation_t op, int exchanges)
{
    Matrix<T> a, at, f, x, b;
    int *pivots = NULL;
    if (exchanges)
        CHECK(cudaMalloc(&pivots, N * sizeof(int)));
    a.draw(N, N);
    for (int j = 0; j < N; j++)
        a.at(j, j) += (T)(exchanges ? 0 : N); /* the diagonal is large enough */
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            at.at(j, i) = a.at(i, j);
    b.draw(N, RHS);
    a.put();
    b.put();
    factorLu(N, N, a.d, LD, pivots);
    solveLu(op, N, RHS, a.d, LD, pivots, b.d, LD);
    must(info() == 0, "a solution");
    CHECK(cudaMemcpy(x.h, b.d, sizeof x.h, cudaMemcpyDeviceToHost));
    must(residual(op == CUBLAS_OP_N ? a : at, x, b, N, RHS, N) < 500 * tolerance(T()),
         "op(A) x is b");
    CHECK(cudaFree(pivots));
}
static void singular(void)
{
    const double h[9] = {1, 2, 4, 2, 4, 8, 1, 1, 5}; /* quotients by 4 are exact */
    double *a;
    int *pivots, rows[3];
    CHECK(cudaMalloc(&a, sizeof h));
    CHECK(cudaMalloc(&pivots, sizeof rows));
    CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    factorLu(3, 3, a, 3, pivots);
    CHECK(cudaMemcpy(rows, pivots, sizeof rows, cudaMemcpyDeviceToHost));
    must(info() == 2 && rows[0] == 3, "the second pivot is zero");
    CHECK(cudaFree(a));
    CHECK(cudaFree(pivots));
}
static void lu(void)
{
    luOf<float>(N, N);
    luOf<double>(N, N);
    luOf<double>(M, N);
    luOf<double>(N, M);
    luSolves<float>(CUBLAS_OP_N, 1);
    luSolves<double>(CUBLAS_OP_N, 1);
    luSolves<double>(CUBLAS_OP_T, 1);
    luSolves<double>(CUBLAS_OP_N, 0);
    luSolves<double>(CUBLAS_OP_T, 0);
    singular();
}

template <class T> static void qrOf(void)
{
    Matrix<T> a, f, q, qt, r, one, c;
    T *tau;
    CHECK(cudaMalloc(&tau, N * sizeof(T)));
    a.draw(M, N);
    a.put();
    factorQr(M, N, a.d, LD, tau);
    must(info() == 0, "a QR factorisation");
    CHECK(cudaMemcpy(f.h, a.d, sizeof f.h, cudaMemcpyDeviceToHost));
    memcpy(c.h, a.h, sizeof c.h);
    c.put();
    f.put();
    makeQ(M, N, N, a.d, LD, tau);
    CHECK(cudaMemcpy(q.h, a.d, sizeof q.h, cudaMemcpyDeviceToHost));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            r.at(i, j) = i <= j ? f.at(i, j) : (T)0;
            one.at(i, j) = (T)(i == j);
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            qt.at(j, i) = q.at(i, j);
    must(residual(q, r, a, M, N, N) < 10 * tolerance(T()), "Q R is A");
    must(residual(qt, q, one, N, N, M) < 10 * tolerance(T()), "Q^T Q is 1");
    /* Q^T A is R and zeros below */
    multiplyByQ(CUBLAS_SIDE_LEFT, CUBLAS_OP_T, M, N, N, f.d, LD, tau, c.d, LD);
    c.get();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            must(fabs(c.at(i, j) - (i <= j ? f.at(i, j) : (T)0)) < 10 * tolerance(T()),
                 "Q^T A is R");
    multiplyByQ(CUBLAS_SIDE_LEFT, CUBLAS_OP_N, M, N, N, f.d, LD, tau, c.d, LD);
    c.get();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            must(fabs(c.at(i, j) - a.at(i, j)) < 10 * tolerance(T()), "Q Q^T A is A");
    /* The same from the right: A^T Q is R^T */
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            c.at(i, j) = a.at(j, i);
    c.put();
    multiplyByQ(CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, N, M, N, f.d, LD, tau, c.d, LD);
    c.get();
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            must(fabs(c.at(i, j) - (j <= i ? f.at(j, i) : (T)0)) < 10 * tolerance(T()),
                 "A^T Q is R^T");
    CHECK(cudaFree(tau));
}
static void qr(void)
{
    qrOf<float>();
    qrOf<double>();
}

template <class T> static void eigenOf(cublasFillMode_t uplo)
{
    Matrix<T> a, f, v, vw;
    T *d_w, w[N], w2[N];
    CHECK(cudaMalloc(&d_w, sizeof w));
    a.draw(N, N);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            if (i < j)
                a.at(i, j) = a.at(j, i);
            if (i == j || (i > j) == (uplo == CUBLAS_FILL_MODE_LOWER))
                f.at(i, j) = a.at(i, j);
        }
    f.put();
    eigen(CUSOLVER_EIG_MODE_VECTOR, uplo, N, f.d, LD, d_w);
    must(info() == 0, "eigenvalues");
    CHECK(cudaMemcpy(v.h, f.d, sizeof v.h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(w, d_w, sizeof w, cudaMemcpyDeviceToHost));
    for (int j = 0; j < N; j++) {
        double length = 0;
        must(j == 0 || w[j - 1] <= w[j], "eigenvalues ascend");
        for (int i = 0; i < N; i++) {
            vw.at(i, j) = v.at(i, j) * w[j];
            length += (double)v.at(i, j) * v.at(i, j);
        }
        must(fabs(length - 1) < 10 * tolerance(T()), "an eigenvector's length is 1");
    }
    must(residual(a, v, vw, N, N, N) < 20 * tolerance(T()), "A V is V W");
    f.put();
    eigen(CUSOLVER_EIG_MODE_NOVECTOR, uplo, N, f.d, LD, d_w);
    CHECK(cudaMemcpy(w2, d_w, sizeof w2, cudaMemcpyDeviceToHost));
    for (int j = 0; j < N; j++)
        must(fabs(w[j] - w2[j]) < 20 * tolerance(T()), "the same eigenvalues without vectors");
    CHECK(cudaFree(d_w));
}
static void eigenvalues(void)
{
    eigenOf<float>(CUBLAS_FILL_MODE_LOWER);
    eigenOf<double>(CUBLAS_FILL_MODE_LOWER);
    eigenOf<double>(CUBLAS_FILL_MODE_UPPER);
}

/* A = U S V^T, of full rank or of N - 2: then two columns of U belong to no column of A. jobu: all
 * M columns of U, the first N, or these in A's place. */
template <class T> static void singularValuesOf(char jobu, int rank)
{
    const int columns = jobu == 'A' ? M : N;
    Matrix<T> a, f, u, ut, us, vt, v, one;
    T *d_s, s[N];
    CHECK(cudaMalloc(&d_s, sizeof s));
    a.draw(M, N);
    for (int j = rank; j < N; j++)
        for (int i = 0; i < M; i++)
            a.at(i, j) = a.at(i, j - rank);
    memcpy(f.h, a.h, sizeof a.h);
    f.put();
    u.put();
    vt.put();
    singularValues(jobu, 'A', M, N, f.d, LD, d_s, u.d, LD, vt.d, LD);
    must(info() == 0, "singular values");
    (jobu == 'O' ? f : u).get();
    Matrix<T> &left = jobu == 'O' ? f : u;
    vt.get();
    CHECK(cudaMemcpy(s, d_s, sizeof s, cudaMemcpyDeviceToHost));
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < M; i++) {
            ut.at(j, i) = left.at(i, j);
            if (j < N)
                us.at(i, j) = left.at(i, j) * s[j];
            one.at(i, j) = (T)(i == j);
        }
    for (int j = 0; j < N; j++) {
        must(s[j] >= 0 && (j == 0 || s[j] <= s[j - 1]), "singular values descend");
        must(j < rank || s[j] < 100 * tolerance(T()), "the rank");
        for (int i = 0; i < N; i++)
            v.at(i, j) = vt.at(j, i);
    }
    must(residual(us, vt, a, M, N, N) < 100 * tolerance(T()), "U S V^T is A");
    must(residual(ut, left, one, columns, columns, M) < 10 * tolerance(T()), "U^T U is 1");
    must(residual(vt, v, one, N, N, N) < 10 * tolerance(T()), "V^T V is 1");
    if (jobu == 'A') { /* the values alone */
        f.put();
        CHECK(cudaMemset(d_s, 0xff, sizeof s));
        singularValues('N', 'N', M, N, f.d, LD, d_s, NULL, 1, NULL, 1);
        T alone[N];
        CHECK(cudaMemcpy(alone, d_s, sizeof alone, cudaMemcpyDeviceToHost));
        for (int j = 0; j < N; j++)
            must(fabs(alone[j] - s[j]) < 100 * tolerance(T()), "the values alone");
    }
    CHECK(cudaFree(d_s));
}
static void singularValues(void)
{
    singularValuesOf<float>('A', N);
    singularValuesOf<double>('A', N - 2);
    singularValuesOf<float>('S', N - 2);
    singularValuesOf<double>('O', N);
}

static void inAStream(void)
{
    cudaStream_t stream, same;
    CHECK(cudaStreamCreate(&stream));
    SOLVER(cusolverDnSetStream(solver, stream));
    SOLVER(cusolverDnGetStream(solver, &same));
    must(same == stream, "the handle's stream");
    Matrix<double> a;
    a.at(0, 0) = 9;
    CHECK(cudaMemcpyAsync(a.d, a.h, sizeof a.h, cudaMemcpyHostToDevice, stream));
    factorCholesky(CUBLAS_FILL_MODE_LOWER, 1, a.d, LD);
    CHECK(cudaStreamSynchronize(stream));
    a.get();
    must(a.at(0, 0) == 3, "the root of 9");
    SOLVER(cusolverDnSetStream(solver, NULL));
    CHECK(cudaStreamDestroy(stream));
}

/* ---- wrong calls ---- */

#ifdef __CUDA_EMULATED__ /* CUDA 13.0 crashes without a handle, and asks for any lda's workspace */
static void arguments(void)
{
    Matrix<double> a;
    int elements;
    must(cusolverDnDpotrf(NULL, CUBLAS_FILL_MODE_LOWER, 2, a.d, LD, a.d, LD, d_info) ==
             CUSOLVER_STATUS_NOT_INITIALIZED,
         "no handle");
    must(cusolverDnDpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, N, a.d, N - 1, &elements) ==
             CUSOLVER_STATUS_INVALID_VALUE,
         "rows that do not fit into a column");
    must(cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, N, a.d, N - 1, a.d, LD * LD, d_info) ==
             CUSOLVER_STATUS_INVALID_VALUE,
         "the same");
    must(info() == -4, "lda is the fourth argument");
}
#endif
static void smallWorkspace(void)
{
    Matrix<float> a;
    float *work, *w;
    int elements;
    CHECK(cudaMalloc(&w, N * sizeof(float)));
    a.draw(N, N);
    a.put();
    SOLVER(cusolverDnSsyevd_bufferSize(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N,
                                       a.d, LD, w, &elements));
    CHECK(cudaMalloc(&work, elements * sizeof(float)));
    must(cusolverDnSsyevd(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N, a.d, LD, w,
                          work, elements - 1, d_info) == CUSOLVER_STATUS_INVALID_VALUE,
         "a workspace that is too small");
    must(info() == -8, "lwork is the eighth argument");
    CHECK(cudaFree(work));
    CHECK(cudaFree(w));
}
static void pastTheEnd(void)
{
    double *a;
    CHECK(cudaMalloc(&a, (N * N - 1) * sizeof(double)));
    CHECK(cudaMemset(a, 0, (N * N - 1) * sizeof(double)));
    must(cusolverDnDpotrs(solver, CUBLAS_FILL_MODE_LOWER, N, 1, a, N, a, N, d_info) ==
             CUSOLVER_STATUS_EXECUTION_FAILED,
         "a matrix that is longer than its memory");
    CHECK(cudaFree(a));
}
static void shortWorkspace(void) /* getrf does not hear how long it is */
{
    Matrix<double> a;
    double *work;
    CHECK(cudaMalloc(&work, sizeof(double)));
    a.draw(N, N);
    a.put();
    must(cusolverDnDgetrf(solver, N, N, a.d, LD, work, NULL, d_info) ==
             CUSOLVER_STATUS_EXECUTION_FAILED,
         "a workspace shorter than it has to be");
    CHECK(cudaFree(work));
}
static void neverWritten(void)
{
    double *a, *b;
    CHECK(cudaMalloc(&a, 4 * sizeof(double)));
    CHECK(cudaMalloc(&b, 2 * sizeof(double)));
    CHECK(cudaMemset(b, 0, 2 * sizeof(double)));
    SOLVER(cusolverDnDpotrs(solver, CUBLAS_FILL_MODE_LOWER, 2, 1, a, 2, b, 2, d_info));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}
static void wrongPivots(void)
{
    const double one[4] = {1, 0, 0, 1};
    const int h_pivots[2] = {0, 1}; /* counted from 0 */
    double *a;
    int *pivots;
    CHECK(cudaMalloc(&a, sizeof one));
    CHECK(cudaMalloc(&pivots, sizeof h_pivots));
    CHECK(cudaMemcpy(a, one, sizeof one, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(pivots, h_pivots, sizeof h_pivots, cudaMemcpyHostToDevice));
    cusolverDnDgetrs(solver, CUBLAS_OP_N, 2, 1, a, 2, pivots, a, 2, d_info);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(pivots);
}

static void prepare(void)
{
    SOLVER(cusolverDnCreate(&solver));
    CHECK(cudaMalloc(&d_info, sizeof(int)));
}
static const struct test tests[] = {CLEAN(cholesky),
                                    CLEAN(lu),
                                    CLEAN(qr),
                                    CLEAN(eigenvalues),
                                    CLEAN(singularValues),
                                    CLEAN(inAStream),
#ifdef __CUDA_EMULATED__
                                    CLEAN(arguments),
#endif
                                    FINDS(smallWorkspace, "bad-call", "are needed"),
                                    FINDS(pastTheEnd, "bad-copy", "not that much device memory"),
                                    FINDS(shortWorkspace, "bad-copy", "the workspace"),
                                    FINDS(neverWritten, "uninitialised-read", "potrs reads"),
                                    FINDS(wrongPivots, "out-of-bounds", "devIpiv[0] is 0")};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
