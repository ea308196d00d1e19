// cublas.cpp: the handle, copies, and the calls on vectors and of a matrix with a vector, in plain
// loops.
#include "cublas_call.h"

#include <cmath>
#include <set>
#include <utility>

#include "tensor.h"

namespace emulated
{

static std::set<cublasHandle_t> handles EMULATED_EARLY;
bool is_cublas_handle(cublasHandle_t handle) { return handles.count(handle) != 0; }
static bool is_handle(cublasHandle_t h) { return is_cublas_handle(h); }
cublasStatus_t create_handle(cublasHandle_t *handle, Object kind, Pc place)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext();
    (*handle)->atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
    handles.insert(*handle);
    object_created(kind, *handle, place);
    return CUBLAS_STATUS_SUCCESS;
}
bool destroy_handle(cublasHandle_t handle, Object kind)
{
    if (!handles.erase(handle))
        return false;
    object_ended(kind, handle);
    delete handle;
    return true;
}

template <class T>
static cublasStatus_t dot(Call call, int n, const T *x, int incx, const T *y, int incy, T *result)
{
    call.vector(x, n, incx, "x");
    call.vector(y, n, incy, "y");
    call.scalar(result, sizeof(T), "the result");
    return call.run([=] {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += (double)at(x, i, n, incx) * (double)at(y, i, n, incy);
        *result = (T)sum;
        now_initialised(result, sizeof(T));
    });
}

template <class T>
static cublasStatus_t norm(Call call, int n, const T *x, int incx, T *result, bool squares)
{
    call.vector(x, n, incx, "x");
    call.scalar(result, sizeof(T), "the result");
    return call.run([=] {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double v = (double)at(x, i, n, incx);
            sum += squares ? v * v : std::fabs(v);
        }
        *result = (T)(squares ? std::sqrt(sum) : sum);
        now_initialised(result, sizeof(T));
    });
}

// The first element whose absolute value no other exceeds, or of which none is below; counted from
// one
template <class T>
static cublasStatus_t index_of_extreme(Call call, int n, const T *x, int incx, int *result,
                                       bool largest)
{
    call.vector(x, n, incx, "x");
    call.scalar(result, sizeof(int), "the result");
    return call.run([=] {
        int best = 0;
        for (int i = 1; i < n; i++) {
            const T here = std::fabs(at(x, i, n, incx)), there = std::fabs(at(x, best, n, incx));
            if (largest ? here > there : here < there)
                best = i;
        }
        *result = n > 0 ? best + 1 : 0;
        now_initialised(result, sizeof(int));
    });
}

template <class T>
static cublasStatus_t axpy(Call call, int n, const T *alpha, const T *x, int incx, T *y, int incy)
{
    Scalar<T> a(call, alpha, "alpha");
    call.vector(x, n, incx, "x");
    call.vector(y, n, incy, "y", kRead | kWrite);
    return call.run([=] {
        const T factor = a.get();
        for (int i = 0; i < n; i++)
            at(y, i, n, incy) += factor * at(x, i, n, incx);
    });
}

template <class T> static cublasStatus_t scal(Call call, int n, const T *alpha, T *x, int incx)
{
    Scalar<T> a(call, alpha, "alpha");
    call.vector(x, n, incx, "x", kRead | kWrite);
    return call.run([=] {
        const T factor = a.get();
        for (int i = 0; i < n; i++)
            at(x, i, n, incx) *= factor;
    });
}

template <class T>
static cublasStatus_t copy(Call call, int n, const T *x, int incx, T *y, int incy)
{
    call.vector(x, n, incx, "x");
    call.array(y, span(n, incy, sizeof(T)), "y", false);
    return call.run([=] {
        for (int i = 0; i < n; i++) {
            at(y, i, n, incy) = at(x, i, n, incx);
            now_initialised(&at(y, i, n, incy), sizeof(T));
        }
    });
}

template <class T> static cublasStatus_t swap(Call call, int n, T *x, int incx, T *y, int incy)
{
    call.vector(x, n, incx, "x", kRead | kWrite);
    call.vector(y, n, incy, "y", kRead | kWrite);
    return call.run([=] {
        for (int i = 0; i < n; i++)
            std::swap(at(x, i, n, incx), at(y, i, n, incy));
    });
}

// (x, y) becomes (c x + s y, c y - s x).
template <class T>
static cublasStatus_t rotate(Call call, int n, T *x, int incx, T *y, int incy, const T *cosine,
                             const T *sine)
{
    Scalar<T> c(call, cosine, "c"), s(call, sine, "s");
    call.vector(x, n, incx, "x", kRead | kWrite);
    call.vector(y, n, incy, "y", kRead | kWrite);
    return call.run([=] {
        for (int i = 0; i < n; i++) {
            T &a = at(x, i, n, incx), &b = at(y, i, n, incy), old = a;
            a = c.get() * old + s.get() * b;
            b = c.get() * b - s.get() * old;
        }
    });
}

template <class T>
static cublasStatus_t gemv(Call call, cublasOperation_t trans, int m, int n, const T *alpha,
                           const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy)
{
    if (m < 0 || n < 0 || call.too_close(lda, m, "A") || incx == 0 || incy == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    const int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;
    Scalar<T> al(call, alpha, "alpha"), be(call, beta, "beta");
    call.matrix(a, m, n, lda, sizeof(T), "A");
    call.vector(x, columns, incx, "x");
    call.array(y, span(rows, incy, sizeof(T)), "y", false);
    return call.run([=] {
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < columns; k++)
                sum += (double)(trans == CUBLAS_OP_N ? a[i + (ptrdiff_t)k * lda]
                                                     : a[k + (ptrdiff_t)i * lda]) *
                       (double)at(x, k, columns, incx);
            T &out = at(y, i, rows, incy);
            out = (T)(al.get() * (T)sum + (be.get() != T(0) ? be.get() * out : T(0)));
            now_initialised(&out, sizeof(T));
        }
    });
}

// A += alpha x y'
template <class T>
static cublasStatus_t ger(Call call, int m, int n, const T *alpha, const T *x, int incx, const T *y,
                          int incy, T *a, int lda)
{
    if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || incx == 0 || incy == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    Scalar<T> al(call, alpha, "alpha");
    call.vector(x, m, incx, "x");
    call.vector(y, n, incy, "y");
    call.matrix(a, m, n, lda, sizeof(T), "A", kRead | kWrite);
    return call.run([=] {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                a[i + (ptrdiff_t)j * lda] += al.get() * at(x, i, m, incx) * at(y, j, n, incy);
    });
}

} // namespace emulated

using emulated::Call;
using emulated::is_handle;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    return emulated::create_handle(handle, emulated::kBlas, __builtin_return_address(0));
}
cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    return emulated::destroy_handle(handle, emulated::kBlas) ? CUBLAS_STATUS_SUCCESS
                                                             : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int *version)
{
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
#define SETTING(Name, type, member)                                                                \
    cublasStatus_t cublasSet##Name(cublasHandle_t handle, type value)                              \
    {                                                                                              \
        if (!is_handle(handle))                                                                    \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->member = value;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasGet##Name(cublasHandle_t handle, type *value)                             \
    {                                                                                              \
        if (!is_handle(handle))                                                                    \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        *value = handle->member;                                                                   \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SETTING(Stream, cudaStream_t, stream)
SETTING(PointerMode, cublasPointerMode_t, mode)
SETTING(MathMode, cublasMath_t, math)
SETTING(AtomicsMode, cublasAtomicsMode_t, atomics)

// The loops here need no room of their own; that what is handed over is device memory is checked
// all the same.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes)
{
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((size_t)workspace % 256)
        return CUBLAS_STATUS_INVALID_VALUE;
    return emulated::device_array(workspace, bytes, "cublasSetWorkspace", "the workspace",
                                  __builtin_return_address(0))
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_INVALID_VALUE;
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
    default: return "an unknown cuBLAS status";
    }
}
const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

static cublasStatus_t status_of(cudaError_t error)
{
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
// Rows of one element and a pitch: a strided copy.
static cublasStatus_t copy_strided(int n, int size, const void *x, int incx, void *y, int incy,
                                   cudaMemcpyKind kind)
{
    if (n < 0 || size <= 0 || incx <= 0 || incy <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return status_of(cudaMemcpy2D(y, (size_t)incy * (size_t)size, x, (size_t)incx * (size_t)size,
                                  (size_t)size, (size_t)n, kind));
}
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
    return copy_strided(n, size, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
    return copy_strided(n, size, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
static cublasStatus_t copy_matrix(int rows, int columns, int size, const void *a, int lda, void *b,
                                  int ldb, cudaMemcpyKind kind, bool waits, cudaStream_t stream)
{
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    const size_t to = (size_t)ldb * (size_t)size, from = (size_t)lda * (size_t)size,
                 row = (size_t)rows * (size_t)size;
    return status_of(waits ? cudaMemcpy2D(b, to, a, from, row, (size_t)columns, kind)
                           : cudaMemcpy2DAsync(b, to, a, from, row, (size_t)columns, kind, stream));
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
                               int ldb)
{
    return copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice, true, 0);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
                               int ldb)
{
    return copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost, true, 0);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
                                    void *b, int ldb, cudaStream_t stream)
{
    return copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice, false, stream);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
                                    void *b, int ldb, cudaStream_t stream)
{
    return copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost, false, stream);
}

#define CUBLAS(S, type, I)                                                                         \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, int incx,           \
                                  const type *y, int incy, type *result)                           \
    {                                                                                              \
        return emulated::dot(CALL("cublas" #S "dot"), n, x, incx, y, incy, result);                \
    }                                                                                              \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type *x, int incx,          \
                                   type *result)                                                   \
    {                                                                                              \
        return emulated::norm(CALL("cublas" #S "nrm2"), n, x, incx, result, true);                 \
    }                                                                                              \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type *x, int incx,          \
                                   type *result)                                                   \
    {                                                                                              \
        return emulated::norm(CALL("cublas" #S "asum"), n, x, incx, result, false);                \
    }                                                                                              \
    cublasStatus_t cublasI##I##amax(cublasHandle_t handle, int n, const type *x, int incx,         \
                                    int *result)                                                   \
    {                                                                                              \
        return emulated::index_of_extreme(CALL("cublasI" #I "amax"), n, x, incx, result, true);    \
    }                                                                                              \
    cublasStatus_t cublasI##I##amin(cublasHandle_t handle, int n, const type *x, int incx,         \
                                    int *result)                                                   \
    {                                                                                              \
        return emulated::index_of_extreme(CALL("cublasI" #I "amin"), n, x, incx, result, false);   \
    }                                                                                              \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type *alpha, const type *x, \
                                   int incx, type *y, int incy)                                    \
    {                                                                                              \
        return emulated::axpy(CALL("cublas" #S "axpy"), n, alpha, x, incx, y, incy);               \
    }                                                                                              \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type *alpha, type *x,       \
                                   int incx)                                                       \
    {                                                                                              \
        return emulated::scal(CALL("cublas" #S "scal"), n, alpha, x, incx);                        \
    }                                                                                              \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type *x, int incx, type *y, \
                                   int incy)                                                       \
    {                                                                                              \
        return emulated::copy(CALL("cublas" #S "copy"), n, x, incx, y, incy);                      \
    }                                                                                              \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type *x, int incx, type *y,       \
                                   int incy)                                                       \
    {                                                                                              \
        return emulated::swap(CALL("cublas" #S "swap"), n, x, incx, y, incy);                      \
    }                                                                                              \
    cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, type *x, int incx, type *y,        \
                                  int incy, const type *c, const type *s)                          \
    {                                                                                              \
        return emulated::rotate(CALL("cublas" #S "rot"), n, x, incx, y, incy, c, s);               \
    }                                                                                              \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const type *alpha, const type *a, int lda, const type *x,       \
                                   int incx, const type *beta, type *y, int incy)                  \
    {                                                                                              \
        return emulated::gemv(CALL("cublas" #S "gemv"), trans, m, n, alpha, a, lda, x, incx, beta, \
                              y, incy);                                                            \
    }                                                                                              \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const type *alpha,          \
                                  const type *x, int incx, const type *y, int incy, type *a,       \
                                  int lda)                                                         \
    {                                                                                              \
        return emulated::ger(CALL("cublas" #S "ger"), m, n, alpha, x, incx, y, incy, a, lda);      \
    }
CUBLAS(S, float, s)
CUBLAS(D, double, d)

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType typex,
                           int incx, const void *y, cudaDataType typey, int incy, void *result,
                           cudaDataType typer, cudaDataType type)
{
    emulated::Call call = CALL("cublasDotEx");
    const bool small = typex == CUDA_R_16F || typex == CUDA_R_16BF;
    if (typey != typex || typer != typex || type != (small ? CUDA_R_32F : typex) ||
        !(small || typex == CUDA_R_32F || typex == CUDA_R_64F))
        return call.handle ? CUBLAS_STATUS_NOT_SUPPORTED : call.status();
    const emulated::u32 size = small ? 2 : typex == CUDA_R_32F ? 4 : 8;
    call.array(x, emulated::span(n, incx, size), "x", std::abs(incx) == 1, emulated::kRead, size);
    call.array(y, emulated::span(n, incy, size), "y", std::abs(incy) == 1, emulated::kRead, size);
    call.scalar(result, size, "the result");
    return call.run([=] {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            const long long ix = (long long)(incx < 0 ? n - 1 - i : i) * std::abs(incx);
            const long long iy = (long long)(incy < 0 ? n - 1 - i : i) * std::abs(incy);
            sum += emulated::number_at(x, typex, ix) * emulated::number_at(y, typey, iy);
        }
        emulated::set_number(result, typer, 0, sum);
        emulated::now_initialised(result, size);
    });
}

} // extern "C"
