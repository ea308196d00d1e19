// cublas_call.h: the common part of every cuBLAS call: it checks handle, arrays and scalars, then
// runs in the handle's stream.
#ifndef EMULATED_CUBLAS_CALL_H
#define EMULATED_CUBLAS_CALL_H
#include "cublas_v2.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#include "library.h"
#include "objects.h"
#include "streams.h"

struct cublasContext { // of cuBLASLt as well
    cudaStream_t stream;
    cublasPointerMode_t mode;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
};

namespace emulated
{

bool is_cublas_handle(cublasHandle_t handle);
// kind: of cuBLAS, or of cuBLASLt
cublasStatus_t create_handle(cublasHandle_t *handle, Object kind, Pc place);
bool destroy_handle(cublasHandle_t handle, Object kind);

// Element i of a vector with an increment, which may be negative.
template <class T> static T &at(T *x, int i, int n, int inc)
{
    return inc >= 0 ? x[(ptrdiff_t)i * inc] : x[(ptrdiff_t)(i - n + 1) * inc];
}

// The bytes that such a vector spans
inline u64 span(int n, int inc, size_t size)
{
    return n > 0 ? ((u64)(n - 1) * (u64)std::abs(inc) + 1) * size : 0;
}

// The work of one call: checks first, then the loop, in the handle's stream.
struct Call {
    cublasHandle_t handle;
    const char *name;
    Pc place;
    bool good;
    cudaStream_t stream;
    bool device_scalars; // by the pointer mode
    // the call reads, or writes, scalars in host memory
    bool host_scalar = false, host_result = false;
    struct Array {
        u64 begin, bytes;
        u8 flags;
        u32 element; // bytes of one, if each must have a value
    };
    std::vector<Array> arrays; // dense ones only: the gaps of others may belong to other data
    Call(cublasHandle_t h, const char *n, Pc p)
        : handle(is_cublas_handle(h) ? h : nullptr), name(n), place(p), good(handle),
          stream(handle ? handle->stream : nullptr),
          device_scalars(handle && handle->mode == CUBLAS_POINTER_MODE_DEVICE)
    {
    }
    void array(const void *p, u64 bytes, const char *what, bool dense, u8 flags = kRead,
               u32 element = 0)
    {
        good = good && device_array(p, bytes, name, what, place);
        if (dense && bytes)
            arrays.push_back({(u64)p, bytes, flags, element});
    }
    template <class T> void vector(const T *x, int n, int inc, const char *what, u8 flags = kRead)
    {
        array(x, span(n, inc, sizeof(T)), what, std::abs(inc) == 1, flags, sizeof(T));
    }
    // `columns` columns of `rows` elements, `ld` apart: touched column by column
    void matrix(const void *p, int rows, int columns, long long ld, u32 element, const char *what,
                u8 flags = kRead)
    {
        if (rows <= 0 || columns <= 0)
            return;
        array(p, ((u64)ld * (u64)(columns - 1) + (u64)rows) * element, what, false);
        for (int j = 0; j < columns && good; j++)
            arrays.push_back(
                {(u64)p + (u64)j * (u64)ld * element, (u64)rows * element, flags, element});
    }
    // Two columns of `rows` elements are to lie less than that apart: cuBLAS refuses it.
    bool too_close(long long ld, int rows, const char *what)
    {
        if (ld >= (rows > 1 ? rows : 1))
            return false;
        report({"bad-call", place, nullptr, what,
                std::string(name) + ": the leading dimension of " + what + " is " +
                    std::to_string(ld) + ", and its columns have " + std::to_string(rows) +
                    " elements (matrices lie in memory column by column)",
                0});
        return true;
    }
    void scalar(const void *p, u64 bytes, const char *what)
    {
        if (!good)
            return;
        good = scalar_argument(p, bytes, device_scalars, name, what, place);
        host_scalar |= !device_scalars;
        host_result |= !device_scalars && strcmp(what, "the result") == 0;
    }
    cublasStatus_t status() const
    {
        return !handle ? CUBLAS_STATUS_NOT_INITIALIZED
               : good  ? CUBLAS_STATUS_SUCCESS
                       : CUBLAS_STATUS_EXECUTION_FAILED;
    }
    template <class F> cublasStatus_t run(F work)
    {
        if (!good)
            return status();
        const auto touched = arrays;
        const char *const call = name;
        const Pc from = place;
        submit(stream, place, name, [=] {
            for (const Array &array : touched) {
                if (array.element && (array.flags & kRead))
                    must_have_values((const void *)array.begin, array.bytes, array.element, call,
                                     from);
                if (array.flags & kWrite)
                    now_initialised((const void *)array.begin, array.bytes);
                else
                    touch(array.begin, array.bytes, array.flags);
            }
            work();
            counters_library_call();
            return cudaSuccess;
        });
        if (host_result)
            wait_for_stream(stream);
        else if (host_scalar)
            run_stream(stream);
        return CUBLAS_STATUS_SUCCESS;
    }
};

// A scalar argument of a call. In device memory it is read when the loop runs, otherwise at the
// call.
template <class T> struct Scalar {
    const T *p;
    T value;
    bool on_device;
    Scalar(Call &call, const T *pointer, const char *what)
        : p(pointer), value(), on_device(call.device_scalars)
    {
        call.scalar(pointer, sizeof(T), what);
        if (call.good && !on_device)
            value = *pointer;
    }
    T get() const { return on_device ? *p : value; }
};

} // namespace emulated

#define CALL(name) Call(handle, name, __builtin_return_address(0))
#endif
