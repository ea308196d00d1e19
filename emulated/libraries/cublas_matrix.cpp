// cublas_matrix.cpp: products and other calls of matrices with matrices, for every element type.
#include <cmath>

#include "product.h"

namespace emulated
{

static void multiply(const Product &q, long long matrix, double alpha, double beta)
{
    sums(q, matrix, [&](int i, int j, double sum) {
        const long long at = q.c.at(matrix, i, j);
        set_number(q.c.p, q.c.type, at, scaled(q, sum, alpha, beta, q.c, at));
    });
}

static bool wrong_shape(Call &call, const Product &q)
{
    return q.m < 0 || q.n < 0 || q.k < 0 || q.batch < 0 ||
           call.too_close(q.a.ld, q.a.op == CUBLAS_OP_N ? q.m : q.k, "A") ||
           call.too_close(q.b.ld, q.b.op == CUBLAS_OP_N ? q.k : q.n, "B") ||
           call.too_close(q.c.ld, q.m, "C");
}

static cublasStatus_t gemm(Call call, const Product &q)
{
    if (wrong_shape(call, q))
        return CUBLAS_STATUS_INVALID_VALUE;
    const u64 scalar_bytes = bytes_of(q.scale);
    call.scalar(q.alpha, scalar_bytes, "alpha");
    call.scalar(q.beta, scalar_bytes, "beta");
    if (!call.good)
        return call.status();
    const bool on_device = call.device_scalars;
    const double alpha = on_device ? 0 : number_at(q.alpha, q.scale, 0),
                 beta = on_device ? 0 : number_at(q.beta, q.scale, 0);
    announce_factors(call, q);
    announce(call, q.c, q.m, q.n, q.batch, "C", beta != 0 ? kRead | kWrite : kWrite);
    return call.run([=] {
        for (int i = 0; i < q.batch; i++)
            multiply(q, i, on_device ? number_at(q.alpha, q.scale, 0) : alpha,
                     on_device ? number_at(q.beta, q.scale, 0) : beta);
    });
}

template <class T> struct TypeOf;
template <> struct TypeOf<float> {
    static const cudaDataType value = CUDA_R_32F;
};
template <> struct TypeOf<double> {
    static const cudaDataType value = CUDA_R_64F;
};

// The math mode concerns the products of floats.
static Rounding rounding_of(cublasHandle_t handle, cudaDataType type)
{
    return is_cublas_handle(handle) && type == CUDA_R_32F &&
                   (handle->math & 15) == CUBLAS_TF32_TENSOR_OP_MATH
               ? kTf32
               : kExact;
}

template <class T>
static Product product(const Call &call, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                       int k, const T *alpha, const T *a, int lda, long long stridea, const T *b,
                       int ldb, long long strideb, const T *beta, T *c, int ldc, long long stridec,
                       int batch)
{
    const cudaDataType t = TypeOf<T>::value;
    return {m,
            n,
            k,
            batch,
            {a, t, lda, stridea, opa},
            {b, t, ldb, strideb, opb},
            {c, t, ldc, stridec, CUBLAS_OP_N},
            t,
            rounding_of(call.handle, t),
            alpha,
            beta};
}

static cublasStatus_t gemm_ex(Call call, Product q, cublasComputeType_t type)
{
    if (!call.handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const bool same = q.a.type == q.b.type && bytes_of(q.a.type) && bytes_of(q.c.type);
    if (!same || !compute(type, q.a.type, rounding_of(call.handle, q.a.type), &q) ||
        (q.c.type != q.a.type && q.c.type != CUDA_R_32F && q.c.type != CUDA_R_32I) ||
        (q.c.type == CUDA_R_32I) != (q.scale == CUDA_R_32I))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return gemm(call, q);
}

// ---- sums and transposes ------------------------------------------------------------------------

// C = alpha op(A) + beta op(B). C may be A, or B, where that is not transposed.
template <class T>
static cublasStatus_t geam(Call call, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                           const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb,
                           T *c, int ldc)
{
    const bool ta = opa != CUBLAS_OP_N, tb = opb != CUBLAS_OP_N;
    if (m < 0 || n < 0 || call.too_close(lda, ta ? n : m, "A") ||
        call.too_close(ldb, tb ? n : m, "B") || call.too_close(ldc, m, "C") ||
        (c == a && (ta || lda != ldc)) || (c == b && (tb || ldb != ldc)))
        return CUBLAS_STATUS_INVALID_VALUE;
    Scalar<T> al(call, alpha, "alpha"), be(call, beta, "beta");
    if (call.good && (al.on_device || al.value != 0)) // a matrix times zero is not looked at
        call.matrix(a, ta ? n : m, ta ? m : n, lda, sizeof(T), "A");
    if (call.good && (be.on_device || be.value != 0))
        call.matrix(b, tb ? n : m, tb ? m : n, ldb, sizeof(T), "B");
    call.matrix(c, m, n, ldc, sizeof(T), "C", kWrite);
    return call.run([=] {
        const T fa = al.get(), fb = be.get();
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                T sum = 0;
                if (fa != T(0))
                    sum = fa * (ta ? a[j + (ptrdiff_t)i * lda] : a[i + (ptrdiff_t)j * lda]);
                if (fb != T(0))
                    sum += fb * (tb ? b[j + (ptrdiff_t)i * ldb] : b[i + (ptrdiff_t)j * ldb]);
                c[i + (ptrdiff_t)j * ldc] = sum;
            }
    });
}

// C = A diag(x) or diag(x) A
template <class T>
static cublasStatus_t dgmm(Call call, cublasSideMode_t side, int m, int n, const T *a, int lda,
                           const T *x, int incx, T *c, int ldc)
{
    if (m < 0 || n < 0 || call.too_close(lda, m, "A") || call.too_close(ldc, m, "C"))
        return CUBLAS_STATUS_INVALID_VALUE;
    const int length = side == CUBLAS_SIDE_LEFT ? m : n;
    call.matrix(a, m, n, lda, sizeof(T), "A");
    call.vector(x, length, incx, "x");
    call.matrix(c, m, n, ldc, sizeof(T), "C", kWrite);
    return call.run([=] {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                c[i + (ptrdiff_t)j * ldc] = a[i + (ptrdiff_t)j * lda] *
                                            at(x, side == CUBLAS_SIDE_LEFT ? i : j, length, incx);
    });
}

// ---- symmetric and triangular matrices ----------------------------------------------------------

// Of a symmetric matrix one triangle is stored.
template <class T> static T symmetric(const T *a, int lda, bool upper, int i, int j)
{
    return (i <= j) == upper || i == j ? a[i + (ptrdiff_t)j * lda] : a[j + (ptrdiff_t)i * lda];
}

template <class T> static T combine(T alpha, double sum, T beta, T old)
{
    return (T)(alpha * (T)sum + (beta != T(0) ? beta * old : T(0)));
}

// One triangle of C = alpha op(A) op(A)' + beta C
template <class T>
static cublasStatus_t syrk(Call call, cublasFillMode_t uplo, cublasOperation_t op, int n, int k,
                           const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc)
{
    const bool t = op != CUBLAS_OP_N;
    const int rows = t ? k : n;
    if (n < 0 || k < 0 || call.too_close(lda, rows, "A") || call.too_close(ldc, n, "C"))
        return CUBLAS_STATUS_INVALID_VALUE;
    Scalar<T> al(call, alpha, "alpha"), be(call, beta, "beta");
    call.matrix(a, rows, t ? n : k, lda, sizeof(T), "A");
    if (n > 0)
        call.array(c, ((u64)ldc * (u64)(n - 1) + (u64)n) * sizeof(T), "C", false);
    return call.run([=] {
        for (int j = 0; j < n; j++)
            for (int i = uplo == CUBLAS_FILL_MODE_UPPER ? 0 : j;
                 i <= (uplo == CUBLAS_FILL_MODE_UPPER ? j : n - 1); i++) {
                double sum = 0;
                for (int p = 0; p < k; p++)
                    sum += (double)(t ? a[p + (ptrdiff_t)i * lda] : a[i + (ptrdiff_t)p * lda]) *
                           (double)(t ? a[p + (ptrdiff_t)j * lda] : a[j + (ptrdiff_t)p * lda]);
                T &out = c[i + (ptrdiff_t)j * ldc];
                out = combine(al.get(), sum, be.get(), out);
                now_initialised(&out, sizeof out);
            }
    });
}

// C = alpha A B + beta C or alpha B A + beta C with a symmetric A
template <class T>
static cublasStatus_t symm(Call call, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,
                           const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta,
                           T *c, int ldc)
{
    const bool left = side == CUBLAS_SIDE_LEFT, upper = uplo == CUBLAS_FILL_MODE_UPPER;
    const int order = left ? m : n;
    if (m < 0 || n < 0 || call.too_close(lda, order, "A") || call.too_close(ldb, m, "B") ||
        call.too_close(ldc, m, "C"))
        return CUBLAS_STATUS_INVALID_VALUE;
    Scalar<T> al(call, alpha, "alpha"), be(call, beta, "beta");
    if (order > 0)
        call.array(a, ((u64)lda * (u64)(order - 1) + (u64)order) * sizeof(T), "A", false);
    call.matrix(b, m, n, ldb, sizeof(T), "B");
    const bool reads = call.good && !be.on_device && be.value != T(0);
    call.matrix(c, m, n, ldc, sizeof(T), "C", reads ? kRead | kWrite : kWrite);
    return call.run([=] {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                double sum = 0;
                for (int p = 0; p < order; p++)
                    sum += left ? (double)symmetric(a, lda, upper, i, p) *
                                      (double)b[p + (ptrdiff_t)j * ldb]
                                : (double)b[i + (ptrdiff_t)p * ldb] *
                                      (double)symmetric(a, lda, upper, p, j);
                T &out = c[i + (ptrdiff_t)j * ldc];
                out = combine(al.get(), sum, be.get(), out);
            }
    });
}

template <class T> struct Triangle {
    const T *a;
    int lda, order;
    bool upper, transposed, unit;
    T at(int i, int j) const // of op(A)
    {
        if (i == j && unit)
            return T(1);
        return transposed ? a[j + (ptrdiff_t)i * lda] : a[i + (ptrdiff_t)j * lda];
    }
    bool is_upper() const { return upper != transposed; } // is op(A)?
};

// Solves op(A) x = x for one vector of elements `step` apart.
template <class T> static void solve(const Triangle<T> &t, T *x, ptrdiff_t step)
{
    for (int k = 0; k < t.order; k++) {
        const int i = t.is_upper() ? t.order - 1 - k : k;
        double sum = (double)x[i * step];
        for (int j = t.is_upper() ? i + 1 : 0; j < (t.is_upper() ? t.order : i); j++)
            sum -= (double)t.at(i, j) * (double)x[j * step];
        x[i * step] = (T)(sum / (double)t.at(i, i));
    }
}

// op(A) X = alpha B or X op(A) = alpha B; X takes the place of B.
template <class T>
static cublasStatus_t trsm(Call call, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t op, cublasDiagType_t diag, int m, int n,
                           const T *alpha, const T *a, int lda, T *b, int ldb)
{
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int order = left ? m : n;
    if (m < 0 || n < 0 || call.too_close(lda, order, "A") || call.too_close(ldb, m, "B"))
        return CUBLAS_STATUS_INVALID_VALUE;
    Scalar<T> al(call, alpha, "alpha");
    if (order > 0)
        call.array(a, ((u64)lda * (u64)(order - 1) + (u64)order) * sizeof(T), "A", false);
    call.matrix(b, m, n, ldb, sizeof(T), "B", kRead | kWrite);
    // X op(A) = B is op(A)' X' = B'.
    const Triangle<T> triangle = {a,
                                  lda,
                                  order,
                                  uplo == CUBLAS_FILL_MODE_UPPER,
                                  (op != CUBLAS_OP_N) == left,
                                  diag == CUBLAS_DIAG_UNIT};
    return call.run([=] {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                b[i + (ptrdiff_t)j * ldb] *= al.get();
        for (int v = 0; v < (left ? n : m); v++)
            solve(triangle, left ? b + (ptrdiff_t)v * ldb : b + v, left ? 1 : ldb);
    });
}

// The arrays of pointers to the matrices of a batch, which lie on the device
template <class T>
static void lists(Call &call, const T *const a[], const T *const b[], T *const c[], int batch)
{
    const u64 list = batch > 0 ? (u64)batch * sizeof *a : 0;
    call.array(a, list, "the list of A", true);
    call.array(b, list, "the list of B", true);
    call.array(c, list, "the list of C", true);
    if (call.good && list)
        run_stream(call.stream); // which may write the lists
}

} // namespace emulated

using namespace emulated;

extern "C" {

#define CUBLAS_MATRIX(S, type)                                                                     \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k,                  \
                                   const type *alpha, const type *a, int lda, const type *b,       \
                                   int ldb, const type *beta, type *c, int ldc)                    \
    {                                                                                              \
        Call call = CALL("cublas" #S "gemm");                                                      \
        return gemm(call, product(call, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0,      \
                                  beta, c, ldc, 0, 1));                                            \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const type *alpha, const type *a, int lda, long long stridea, const type *b,        \
        int ldb, long long strideb, const type *beta, type *c, int ldc, long long stridec,         \
        int batch)                                                                                 \
    {                                                                                              \
        Call call = CALL("cublas" #S "gemmStridedBatched");                                        \
        return gemm(call, product(call, transa, transb, m, n, k, alpha, a, lda, stridea, b, ldb,   \
                                  strideb, beta, c, ldc, stridec, batch));                         \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const type *alpha, const type *const a[], int lda, const type *const b[], int ldb,  \
        const type *beta, type *const c[], int ldc, int batch)                                     \
    {                                                                                              \
        Call call = CALL("cublas" #S "gemmBatched");                                               \
        lists(call, a, b, c, batch);                                                               \
        cublasStatus_t status = call.status();                                                     \
        for (int i = 0; i < batch && status == CUBLAS_STATUS_SUCCESS; i++)                         \
            status = gemm(call, product(call, transa, transb, m, n, k, alpha, a[i], lda, 0, b[i],  \
                                        ldb, 0, beta, c[i], ldc, 0, 1));                           \
        return status;                                                                             \
    }                                                                                              \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, const type *alpha,      \
                                   const type *a, int lda, const type *beta, const type *b,        \
                                   int ldb, type *c, int ldc)                                      \
    {                                                                                              \
        return geam(CALL("cublas" #S "geam"), transa, transb, m, n, alpha, a, lda, beta, b, ldb,   \
                    c, ldc);                                                                       \
    }                                                                                              \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,     \
                                   const type *a, int lda, const type *x, int incx, type *c,       \
                                   int ldc)                                                        \
    {                                                                                              \
        return dgmm(CALL("cublas" #S "dgmm"), side, m, n, a, lda, x, incx, c, ldc);                \
    }                                                                                              \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo,                   \
                                   cublasOperation_t trans, int n, int k, const type *alpha,       \
                                   const type *a, int lda, const type *beta, type *c, int ldc)     \
    {                                                                                              \
        return syrk(CALL("cublas" #S "syrk"), uplo, trans, n, k, alpha, a, lda, beta, c, ldc);     \
    }                                                                                              \
    cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, int m, int n, const type *alpha,         \
                                   const type *a, int lda, const type *b, int ldb,                 \
                                   const type *beta, type *c, int ldc)                             \
    {                                                                                              \
        return symm(CALL("cublas" #S "symm"), side, uplo, m, n, alpha, a, lda, b, ldb, beta, c,    \
                    ldc);                                                                          \
    }                                                                                              \
    cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n,            \
                                   const type *alpha, const type *a, int lda, const type *x,       \
                                   int incx, const type *beta, type *y, int incy)                  \
    {                                                                                              \
        if (incx != 1 || incy != 1)                                                                \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                    \
        return symm(CALL("cublas" #S "symv"), CUBLAS_SIDE_LEFT, uplo, n, 1, alpha, a, lda, x, n,   \
                    beta, y, n);                                                                   \
    }                                                                                              \
    cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,                   \
                                   cublasFillMode_t uplo, cublasOperation_t trans,                 \
                                   cublasDiagType_t diag, int m, int n, const type *alpha,         \
                                   const type *a, int lda, type *b, int ldb)                       \
    {                                                                                              \
        return trsm(CALL("cublas" #S "trsm"), side, uplo, trans, diag, m, n, alpha, a, lda, b,     \
                    ldb);                                                                          \
    }
CUBLAS_MATRIX(S, float)
CUBLAS_MATRIX(D, double)

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType typea, int lda, long long stridea, const void *b,
    cudaDataType typeb, int ldb, long long strideb, const void *beta, void *c, cudaDataType typec,
    int ldc, long long stridec, int batch, cublasComputeType_t type, cublasGemmAlgo_t)
{
    return gemm_ex(CALL("cublasGemmStridedBatchedEx"),
                   {m,
                    n,
                    k,
                    batch,
                    {a, typea, lda, stridea, transa},
                    {b, typeb, ldb, strideb, transb},
                    {c, typec, ldc, stridec, CUBLAS_OP_N},
                    CUDA_R_32F,
                    kExact,
                    alpha,
                    beta},
                   type);
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType typea, int lda, const void *b,
                            cudaDataType typeb, int ldb, const void *beta, void *c,
                            cudaDataType typec, int ldc, cublasComputeType_t type, cublasGemmAlgo_t)
{
    return gemm_ex(CALL("cublasGemmEx"),
                   {m,
                    n,
                    k,
                    1,
                    {a, typea, lda, 0, transa},
                    {b, typeb, ldb, 0, transb},
                    {c, typec, ldc, 0, CUBLAS_OP_N},
                    CUDA_R_32F,
                    kExact,
                    alpha,
                    beta},
                   type);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType typea, int lda, const void *b,
                             cudaDataType typeb, int ldb, const float *beta, void *c,
                             cudaDataType typec, int ldc)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, typea, lda, b, typeb, ldb, beta,
                        c, typec, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const struct __half *alpha, const struct __half *a, int lda,
                           const struct __half *b, int ldb, const struct __half *beta,
                           struct __half *c, int ldc)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F,
                        ldb, beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const struct __half *alpha, const struct __half *a,
                                         int lda, long long stridea, const struct __half *b,
                                         int ldb, long long strideb, const struct __half *beta,
                                         struct __half *c, int ldc, long long stridec, int batch)
{
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, CUDA_R_16F, lda,
                                      stridea, b, CUDA_R_16F, ldb, strideb, beta, c, CUDA_R_16F,
                                      ldc, stridec, batch, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const struct __half *alpha, const struct __half *const a[],
                                  int lda, const struct __half *const b[], int ldb,
                                  const struct __half *beta, struct __half *const c[], int ldc,
                                  int batch)
{
    Call call = CALL("cublasHgemmBatched");
    lists(call, a, b, c, batch);
    cublasStatus_t status = call.status();
    for (int i = 0; i < batch && status == CUBLAS_STATUS_SUCCESS; i++)
        status = cublasHgemm(handle, transa, transb, m, n, k, alpha, a[i], lda, b[i], ldb, beta,
                             c[i], ldc);
    return status;
}

} // extern "C"
