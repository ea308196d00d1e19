// api_driver.cpp: the driver API, by the runtime's functions. A context is a device here.
#include <cstdio>
#include <cstring>
#include <vector>

#include "cuda.h"
#include "cuda_emulated.h"
#include "emulator.h"

using namespace emulated;

static bool initialised;
static thread_local std::vector<CUcontext> contexts; // the current one last

static CUcontext context_of(int device) { return (CUcontext)(uintptr_t)(device + 1); }
static int device_of(CUcontext context) { return (int)(uintptr_t)context - 1; }

// The calls of such a function are attributed to its caller. Without cuInit() nothing works,
// without a context hardly anything.
struct Driver {
    CUresult error;
    explicit Driver(const void *caller, bool needs_context = true)
    {
        emulatedCallsAreOf(caller);
        error = !initialised ? CUDA_ERROR_NOT_INITIALIZED
                : needs_context && (contexts.empty() || !contexts.back())
                    ? CUDA_ERROR_INVALID_CONTEXT
                    : CUDA_SUCCESS;
    }
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;
    ~Driver() { emulatedCallsAreOf(nullptr); }
};
#define DRIVER(call)                                                                               \
    Driver driver(__builtin_return_address(0));                                                    \
    return driver.error ? driver.error : (CUresult)(call)
#define DRIVER_OF_ANY(call)                                                                        \
    Driver driver(__builtin_return_address(0), false);                                             \
    return driver.error ? driver.error : (CUresult)(call)

static CUresult become_current(CUcontext context)
{
    return context ? (CUresult)cudaSetDevice(device_of(context)) : CUDA_SUCCESS;
}
static CUresult attribute(int *value, CUdevice_attribute which, int device)
{
    return (CUresult)cudaDeviceGetAttribute(value, (cudaDeviceAttr)which, device);
}
static const char *name_of(CUresult error)
{
    switch (error) {
#define EMULATED_RESULT(name, number)                                                              \
    case name:                                                                                     \
        return #name;
#include "emulated/result_list.h"
#undef EMULATED_RESULT
    }
    return cudaGetErrorName((cudaError_t)error); // one that only the runtime has
}

extern "C" {

CUresult cuInit(unsigned flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    initialised = true;
    return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
CUresult cuGetErrorName(CUresult error, const char **text)
{
    *text = name_of(error);
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) { DRIVER_OF_ANY(cudaGetDeviceCount(count)); }
static cudaError_t existing(int device)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    DRIVER_OF_ANY((*device = ordinal, existing(ordinal)));
}
CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    cudaDeviceProp properties;
    DRIVER_OF_ANY(cudaGetDeviceProperties(&properties, device) != cudaSuccess
                      ? cudaErrorInvalidDevice
                      : (snprintf(name, (size_t)bytes, "%s", properties.name), cudaSuccess));
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    cudaDeviceProp properties;
    DRIVER_OF_ANY(cudaGetDeviceProperties(&properties, device) != cudaSuccess
                      ? cudaErrorInvalidDevice
                      : (*bytes = properties.totalGlobalMem, cudaSuccess));
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
    DRIVER_OF_ANY(attribute(value, which, device));
}
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    DRIVER_OF_ANY(attribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) |
                  attribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
}

static CUresult push(CUcontext context)
{
    contexts.push_back(context);
    return become_current(context);
}
static CUresult pop(CUcontext *context)
{
    if (context)
        *context = contexts.back();
    contexts.pop_back();
    return contexts.empty() ? CUDA_SUCCESS : become_current(contexts.back());
}
static CUresult destroy(CUcontext context)
{
    if (!context || existing(device_of(context)) != cudaSuccess)
        return CUDA_ERROR_INVALID_CONTEXT;
    const CUresult error = (CUresult)cudaDeviceSynchronize();
    return error == CUDA_SUCCESS && !contexts.empty() && contexts.back() == context ? pop(nullptr)
                                                                                    : error;
}
CUresult cuCtxCreate(CUcontext *context, unsigned, CUdevice device)
{
    DRIVER_OF_ANY(existing(device) != cudaSuccess ? CUDA_ERROR_INVALID_DEVICE
                                                  : push(*context = context_of(device)));
}
CUresult cuCtxDestroy(CUcontext context) { DRIVER_OF_ANY(destroy(context)); }
CUresult cuCtxPushCurrent(CUcontext context) { DRIVER_OF_ANY(push(context)); }
CUresult cuCtxPopCurrent(CUcontext *context) { DRIVER(pop(context)); }
CUresult cuCtxSetCurrent(CUcontext context)
{
    if (!contexts.empty())
        contexts.pop_back();
    DRIVER_OF_ANY(push(context));
}
CUresult cuCtxGetCurrent(CUcontext *context)
{
    DRIVER_OF_ANY((*context = contexts.empty() ? nullptr : contexts.back(), CUDA_SUCCESS));
}
CUresult cuCtxGetDevice(CUdevice *device)
{
    DRIVER((*device = device_of(contexts.back()), CUDA_SUCCESS));
}
CUresult cuCtxSynchronize(void) { DRIVER(cudaDeviceSynchronize()); }
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    DRIVER_OF_ANY((*context = context_of(device), existing(device)));
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { DRIVER_OF_ANY(existing(device)); }

CUresult cuMemGetInfo(size_t *available, size_t *total)
{
    DRIVER(cudaMemGetInfo(available, total));
}
CUresult cuMemAlloc(CUdeviceptr *p, size_t bytes)
{
    DRIVER(bytes ? cudaMalloc((void **)p, bytes) : cudaErrorInvalidValue);
}
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned flags)
{
    DRIVER(cudaMallocManaged((void **)p, bytes, flags));
}
CUresult cuMemFree(CUdeviceptr p) { DRIVER(cudaFree((void *)p)); }
static CUresult range_around(CUdeviceptr *begin, size_t *bytes, CUdeviceptr p)
{
    const Region *arena = &regions[kArena];
    const Allocation *a = region_of(p) == arena ? allocation_around(p) : nullptr;
    if (!a || a->freed || p - (u64)arena->begin >= a->offset + a->size)
        return CUDA_ERROR_NOT_FOUND;
    if (begin)
        *begin = (u64)arena->begin + a->offset;
    if (bytes)
        *bytes = a->size;
    return CUDA_SUCCESS;
}
CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *bytes, CUdeviceptr p)
{
    DRIVER(range_around(begin, bytes, p));
}
CUresult cuMemAllocHost(void **p, size_t bytes) { DRIVER(cudaMallocHost(p, bytes)); }
CUresult cuMemFreeHost(void *p) { DRIVER(cudaFreeHost(p)); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    DRIVER(cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    DRIVER(cudaMemcpy(to, (void *)from, bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    DRIVER(cudaMemcpy((void *)to, (void *)from, bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    DRIVER(cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    DRIVER(cudaMemcpyAsync(to, (void *)from, bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    DRIVER(cudaMemcpyAsync((void *)to, (void *)from, bytes, cudaMemcpyDeviceToDevice, stream));
}
CUresult cuMemsetD8(CUdeviceptr p, unsigned char value, size_t count)
{
    DRIVER(cudaMemset((void *)p, value, count));
}
CUresult cuMemsetD32(CUdeviceptr p, unsigned value, size_t count)
{
    const std::vector<unsigned> words(count, value);
    DRIVER(cudaMemcpy((void *)p, words.data(), 4 * count, cudaMemcpyHostToDevice));
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    DRIVER(cudaStreamCreateWithFlags(stream, flags));
}
CUresult cuStreamSynchronize(CUstream stream) { DRIVER(cudaStreamSynchronize(stream)); }
CUresult cuStreamQuery(CUstream stream) { DRIVER(cudaStreamQuery(stream)); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    DRIVER(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuStreamDestroy(CUstream stream) { DRIVER(cudaStreamDestroy(stream)); }
CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    DRIVER(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventRecord(CUevent event, CUstream stream) { DRIVER(cudaEventRecord(event, stream)); }
CUresult cuEventSynchronize(CUevent event) { DRIVER(cudaEventSynchronize(event)); }
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    DRIVER(cudaEventElapsedTime(milliseconds, start, end));
}
CUresult cuEventDestroy(CUevent event) { DRIVER(cudaEventDestroy(event)); }

} // extern "C"
