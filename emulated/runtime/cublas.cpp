// cublas.cpp: dot, nrm2, asum, amax, axpy, scal, copy, swap, gemv, gemm in plain loops.
#include "cublas_v2.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "library.h"
#include "streams.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t mode;
};

namespace emulated {

static std::set<cublasHandle_t> handles EMULATED_EARLY;
static bool is_handle(cublasHandle_t h) { return handles.count(h) != 0; }

bool device_array(const void *p, u64 bytes, const char *call, const char *name, Pc place)
{
    if (bytes == 0)
        return true;
    Region *r = region_of((u64)p);
    bool ours = r && r->space != kShared;
    if (ours && r == &regions[kArena]) {
        Allocation *a = allocation_around((u64)p);
        u64 offset = (u64)p - (u64)r->begin;
        ours = a && !a->freed && offset + bytes <= a->offset + a->size;
    }
    if (ours || registered_host((u64)p))
        return true;
    report({"bad-copy", place, nullptr, object_name((u64)p),
            std::string(call) + ": " + std::to_string(bytes) + " bytes of " + name + " begin at " + describe((u64)p)
                + ", which is not that much device memory",
            0});
    return false;
}

bool scalar_argument(const void *p, u64 bytes, bool on_device, const char *call, const char *name, Pc place)
{
    if (on_device)
        return device_array(p, bytes, call, name, place);
    if (p && !device_only((u64)p))
        return true;
    report({"host-dereference", place, nullptr, name,
            std::string(call) + ": " + name + " is a device pointer, but the pointer mode is CUBLAS_POINTER_MODE_HOST",
            0});
    return false;
}

void now_initialised(const void *p, u64 bytes)
{
    touch((u64)p, bytes, kWrite);
    if (Region *r = region_of((u64)p))
        mark(*r, (u64)p - (u64)r->begin, bytes, kInitialised, 0);
}

static u64 span(int n, int inc, size_t size) { return n > 0 ? ((u64)(n - 1) * (u64)std::abs(inc) + 1) * size : 0; }

// Element i of a vector with an increment, which may be negative.
template <class T> static T &at(T *x, int i, int n, int inc)
{
    return inc >= 0 ? x[(ptrdiff_t)i * inc] : x[(ptrdiff_t)(i - n + 1) * inc];
}

// The work of one call: checks first, then the loop, in the handle's stream.
struct Call {
    cublasHandle_t handle;
    const char *name;
    Pc place;
    bool good;
    bool host_scalar = false, host_result = false; // scalars in host memory are read, and written, during the call
    struct Array {
        u64 begin, bytes;
        u8 flags;
    };
    std::vector<Array> arrays; // dense ones: what lies in the gaps of others belongs to somebody else
    Call(cublasHandle_t h, const char *n, Pc p) : handle(is_handle(h) ? h : nullptr), name(n), place(p), good(handle) {}
    void array(const void *p, u64 bytes, const char *what, bool dense, u8 flags = kRead)
    {
        good = good && device_array(p, bytes, name, what, place);
        if (dense)
            arrays.push_back({(u64)p, bytes, flags});
    }
    void scalar(const void *p, u64 bytes, const char *what)
    {
        if (!good)
            return;
        const bool on_device = handle->mode == CUBLAS_POINTER_MODE_DEVICE;
        good = scalar_argument(p, bytes, on_device, name, what, place);
        host_scalar |= !on_device;
        host_result |= !on_device && strcmp(what, "the result") == 0;
    }
    cublasStatus_t status() const
    {
        return !handle ? CUBLAS_STATUS_NOT_INITIALIZED : good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
    }
    template <class F> cublasStatus_t run(F work)
    {
        if (!good)
            return status();
        const auto touched = arrays;
        submit(handle->stream, place, name, [=] {
            for (const Array &array : touched)
                touch(array.begin, array.bytes, array.flags);
            work();
            counters_library_call();
            return cudaSuccess;
        });
        if (host_result)
            wait_for_stream(handle->stream);
        else if (host_scalar)
            run_stream(handle->stream);
        return CUBLAS_STATUS_SUCCESS;
    }
};

template <class T> static cublasStatus_t dot(Call call, int n, const T *x, int incx, const T *y, int incy, T *result)
{
    call.array(x, span(n, incx, sizeof(T)), "x", std::abs(incx) == 1);
    call.array(y, span(n, incy, sizeof(T)), "y", std::abs(incy) == 1);
    call.scalar(result, sizeof(T), "the result");
    return call.run([=] {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += (double)at(x, i, n, incx) * (double)at(y, i, n, incy);
        *result = (T)sum;
        now_initialised(result, sizeof(T));
    });
}

template <class T> static cublasStatus_t norm(Call call, int n, const T *x, int incx, T *result, bool squares)
{
    call.array(x, span(n, incx, sizeof(T)), "x", std::abs(incx) == 1);
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

template <class T> static cublasStatus_t index_of_largest(Call call, int n, const T *x, int incx, int *result)
{
    call.array(x, span(n, incx, sizeof(T)), "x", std::abs(incx) == 1);
    call.scalar(result, sizeof(int), "the result");
    return call.run([=] {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (std::fabs(at(x, i, n, incx)) > std::fabs(at(x, best, n, incx)))
                best = i;
        *result = n > 0 ? best + 1 : 0; // counted from one
        now_initialised(result, sizeof(int));
    });
}

template <class T> static cublasStatus_t axpy(Call call, int n, const T *alpha, const T *x, int incx, T *y, int incy)
{
    call.scalar(alpha, sizeof(T), "alpha");
    call.array(x, span(n, incx, sizeof(T)), "x", std::abs(incx) == 1);
    call.array(y, span(n, incy, sizeof(T)), "y", std::abs(incy) == 1, kWrite);
    T a = call.good && call.handle->mode == CUBLAS_POINTER_MODE_HOST ? *alpha : T(0);
    bool on_device = call.good && call.handle->mode == CUBLAS_POINTER_MODE_DEVICE;
    return call.run([=] {
        T factor = on_device ? *alpha : a;
        for (int i = 0; i < n; i++)
            at(y, i, n, incy) += factor * at(x, i, n, incx);
    });
}

template <class T> static cublasStatus_t scal(Call call, int n, const T *alpha, T *x, int incx)
{
    call.scalar(alpha, sizeof(T), "alpha");
    call.array(x, span(n, incx, sizeof(T)), "x", std::abs(incx) == 1, kWrite);
    T a = call.good && call.handle->mode == CUBLAS_POINTER_MODE_HOST ? *alpha : T(0);
    bool on_device = call.good && call.handle->mode == CUBLAS_POINTER_MODE_DEVICE;
    return call.run([=] {
        T factor = on_device ? *alpha : a;
        for (int i = 0; i < n; i++)
            at(x, i, n, incx) *= factor;
    });
}

template <class T> static cublasStatus_t copy(Call call, int n, const T *x, int incx, T *y, int incy)
{
    call.array(x, span(n, incx, sizeof(T)), "x", std::abs(incx) == 1);
    call.array(y, span(n, incy, sizeof(T)), "y", std::abs(incy) == 1);
    return call.run([=] {
        for (int i = 0; i < n; i++) {
            at(y, i, n, incy) = at(x, i, n, incx);
            now_initialised(&at(y, i, n, incy), sizeof(T));
        }
    });
}

template <class T> static cublasStatus_t swap(Call call, int n, T *x, int incx, T *y, int incy)
{
    call.array(x, span(n, incx, sizeof(T)), "x", std::abs(incx) == 1, kWrite);
    call.array(y, span(n, incy, sizeof(T)), "y", std::abs(incy) == 1, kWrite);
    return call.run([=] {
        for (int i = 0; i < n; i++)
            std::swap(at(x, i, n, incx), at(y, i, n, incy));
    });
}

template <class T>
static cublasStatus_t gemv(Call call, cublasOperation_t trans, int m, int n, const T *alpha, const T *a, int lda,
                           const T *x, int incx, const T *beta, T *y, int incy)
{
    if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || incx == 0 || incy == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;
    call.scalar(alpha, sizeof(T), "alpha");
    call.scalar(beta, sizeof(T), "beta");
    if (m > 0 && n > 0)
        call.array(a, ((u64)lda * (u64)(n - 1) + (u64)m) * sizeof(T), "A", lda == m);
    call.array(x, span(columns, incx, sizeof(T)), "x", std::abs(incx) == 1);
    call.array(y, span(rows, incy, sizeof(T)), "y", std::abs(incy) == 1);
    if (!call.good)
        return call.status();
    T host_alpha = *alpha, host_beta = *beta;
    bool on_device = call.handle->mode == CUBLAS_POINTER_MODE_DEVICE;
    return call.run([=] {
        T al = on_device ? *alpha : host_alpha, be = on_device ? *beta : host_beta;
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < columns; k++)
                sum += (double)(trans == CUBLAS_OP_N ? a[i + (ptrdiff_t)k * lda] : a[k + (ptrdiff_t)i * lda])
                       * (double)at(x, k, columns, incx);
            T &out = at(y, i, rows, incy);
            out = (T)(al * (T)sum + (be != T(0) ? be * out : T(0)));
            now_initialised(&out, sizeof(T));
        }
    });
}

template <class T>
static void multiply(bool ta, bool tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta,
                     T *c, int ldc)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += (double)(ta ? a[p + (ptrdiff_t)i * lda] : a[i + (ptrdiff_t)p * lda])
                       * (double)(tb ? b[j + (ptrdiff_t)p * ldb] : b[p + (ptrdiff_t)j * ldb]);
            T &out = c[i + (ptrdiff_t)j * ldc];
            out = (T)(alpha * (T)sum + (beta != T(0) ? beta * out : T(0)));
        }
    for (int j = 0; j < n; j++)
        now_initialised(c + (ptrdiff_t)j * ldc, (u64)m * sizeof(T));
}

template <class T>
static cublasStatus_t gemm(Call call, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const T *alpha,
                           const T *a, int lda, long long stridea, const T *b, int ldb, long long strideb,
                           const T *beta, T *c, int ldc, long long stridec, int batch)
{
    bool ta = opa != CUBLAS_OP_N, tb = opb != CUBLAS_OP_N;
    int rows_a = ta ? k : m, columns_a = ta ? m : k, rows_b = tb ? n : k, columns_b = tb ? k : n;
    auto at_least_one = [](int x) { return x > 1 ? x : 1; };
    if (m < 0 || n < 0 || k < 0 || batch < 0 || lda < at_least_one(rows_a) || ldb < at_least_one(rows_b)
        || ldc < at_least_one(m))
        return CUBLAS_STATUS_INVALID_VALUE;
    call.scalar(alpha, sizeof(T), "alpha");
    call.scalar(beta, sizeof(T), "beta");
    auto whole = [=](int rows, int columns, int ld, long long stride) {
        return rows && columns && batch
                   ? ((u64)stride * (u64)(batch - 1) + (u64)ld * (u64)(columns - 1) + (u64)rows) * sizeof(T)
                   : 0;
    };
    call.array(a, whole(rows_a, columns_a, lda, stridea), "A", lda == rows_a && batch == 1);
    call.array(b, whole(rows_b, columns_b, ldb, strideb), "B", ldb == rows_b && batch == 1);
    call.array(c, whole(m, n, ldc, stridec), "C", false); // each column when it is written
    if (!call.good)
        return call.status();
    T host_alpha = *alpha, host_beta = *beta;
    bool on_device = call.handle->mode == CUBLAS_POINTER_MODE_DEVICE;
    return call.run([=] {
        for (int i = 0; i < batch; i++)
            multiply(ta, tb, m, n, k, on_device ? *alpha : host_alpha, a + stridea * i, lda, b + strideb * i, ldb,
                     on_device ? *beta : host_beta, c + stridec * i, ldc);
    });
}

} // namespace emulated

using emulated::Call;
using emulated::handles;
using emulated::is_handle;
#define CALL(name) Call(handle, name, __builtin_return_address(0))

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext();
    handles.insert(*handle);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    if (!handles.erase(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int *version)
{
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
{
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
{
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode)
{
    if (!is_handle(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *mode = handle->mode;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }

const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "an unknown cuBLAS status";
    }
}
const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

// Rows of one element and a pitch: a strided copy.
static cublasStatus_t copy_strided(int n, int size, const void *x, int incx, void *y, int incy, cudaMemcpyKind kind)
{
    if (n < 0 || size <= 0 || incx <= 0 || incy <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMemcpy2D(y, (size_t)incy * (size_t)size, x, (size_t)incx * (size_t)size, (size_t)size, (size_t)n, kind)
                   == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
}
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
    return copy_strided(n, size, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
    return copy_strided(n, size, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
static cublasStatus_t copy_matrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb,
                                  cudaMemcpyKind kind)
{
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMemcpy2D(b, (size_t)ldb * (size_t)size, a, (size_t)lda * (size_t)size, (size_t)rows * (size_t)size,
                        (size_t)columns, kind)
                   == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb)
{
    return copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb)
{
    return copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}

#define CUBLAS(S, type, I)                                                                                             \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, int incx, const type *y, int incy,      \
                                  type *result)                                                                        \
    {                                                                                                                  \
        return emulated::dot(CALL("cublas" #S "dot"), n, x, incx, y, incy, result);                                    \
    }                                                                                                                  \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type *x, int incx, type *result)                \
    {                                                                                                                  \
        return emulated::norm(CALL("cublas" #S "nrm2"), n, x, incx, result, true);                                     \
    }                                                                                                                  \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type *x, int incx, type *result)                \
    {                                                                                                                  \
        return emulated::norm(CALL("cublas" #S "asum"), n, x, incx, result, false);                                    \
    }                                                                                                                  \
    cublasStatus_t cublasI##I##amax(cublasHandle_t handle, int n, const type *x, int incx, int *result)                \
    {                                                                                                                  \
        return emulated::index_of_largest(CALL("cublasI" #I "amax"), n, x, incx, result);                              \
    }                                                                                                                  \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type *alpha, const type *x, int incx, type *y,  \
                                   int incy)                                                                           \
    {                                                                                                                  \
        return emulated::axpy(CALL("cublas" #S "axpy"), n, alpha, x, incx, y, incy);                                   \
    }                                                                                                                  \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type *alpha, type *x, int incx)                 \
    {                                                                                                                  \
        return emulated::scal(CALL("cublas" #S "scal"), n, alpha, x, incx);                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type *x, int incx, type *y, int incy)           \
    {                                                                                                                  \
        return emulated::copy(CALL("cublas" #S "copy"), n, x, incx, y, incy);                                          \
    }                                                                                                                  \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type *x, int incx, type *y, int incy)                 \
    {                                                                                                                  \
        return emulated::swap(CALL("cublas" #S "swap"), n, x, incx, y, incy);                                          \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const type *alpha,    \
                                   const type *a, int lda, const type *x, int incx, const type *beta, type *y,         \
                                   int incy)                                                                           \
    {                                                                                                                  \
        return emulated::gemv(CALL("cublas" #S "gemv"), trans, m, n, alpha, a, lda, x, incx, beta, y, incy);           \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,   \
                                   int n, int k, const type *alpha, const type *a, int lda, const type *b, int ldb,    \
                                   const type *beta, type *c, int ldc)                                                 \
    {                                                                                                                  \
        return emulated::gemm(CALL("cublas" #S "gemm"), transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, \
                              ldc, 0, 1);                                                                              \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                                      \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,                \
        const type *alpha, const type *a, int lda, long long stridea, const type *b, int ldb, long long strideb,       \
        const type *beta, type *c, int ldc, long long stridec, int batch)                                              \
    {                                                                                                                  \
        return emulated::gemm(CALL("cublas" #S "gemmStridedBatched"), transa, transb, m, n, k, alpha, a, lda, stridea, \
                              b, ldb, strideb, beta, c, ldc, stridec, batch);                                          \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,   \
                                          int m, int n, int k, const type *alpha, const type *const a[], int lda,      \
                                          const type *const b[], int ldb, const type *beta, type *const c[], int ldc,  \
                                          int batch)                                                                   \
    {                                                                                                                  \
        Call call = CALL("cublas" #S "gemmBatched");                                                                   \
        u64 list = (u64)batch * sizeof *a;                                                                             \
        call.array(a, list, "the list of A", true);                                                                    \
        call.array(b, list, "the list of B", true);                                                                    \
        call.array(c, list, "the list of C", true);                                                                    \
        cublasStatus_t status = call.status();                                                                         \
        for (int i = 0; i < batch && status == CUBLAS_STATUS_SUCCESS; i++)                                             \
            status = emulated::gemm(call, transa, transb, m, n, k, alpha, a[i], lda, 0, b[i], ldb, 0, beta, c[i], ldc, \
                                    0, 1);                                                                             \
        return status;                                                                                                 \
    }
using emulated::u64;
CUBLAS(S, float, s)
CUBLAS(D, double, d)

} // extern "C"
