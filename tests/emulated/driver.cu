/* The driver API beside a kernel that is compiled with the program. */
#include <cuda.h>

#include "cases.h"

#define DRIVER(call)                                                                               \
    do {                                                                                           \
        const CUresult result_ = (call);                                                           \
        if (result_ != CUDA_SUCCESS) {                                                             \
            const char *text_ = "";                                                                \
            cuGetErrorString(result_, &text_);                                                     \
            printf("%s:%d: %s\n", __FILE__, __LINE__, text_);                                      \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)
enum { N = 64 };
static CUcontext context;
static float h_x[N];

__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

static void begin(CUdevice *device)
{
    CUdeviceptr p;
    if (!context) {
        must(cuDeviceGet(device, 0) == CUDA_ERROR_NOT_INITIALIZED, "before cuInit()");
        DRIVER(cuInit(0));
        must(cuMemAlloc(&p, 4) == CUDA_ERROR_INVALID_CONTEXT, "without a context");
    }
    must(cuDeviceGet(device, 99) == CUDA_ERROR_INVALID_DEVICE, "a device that is not there");
    DRIVER(cuDeviceGet(device, 0));
    for (int i = 0; i < N; i++)
        h_x[i] = (float)i;
}
static void use(CUdeviceptr x, CUdeviceptr y, CUstream stream)
{
    float h_y[N];
    DRIVER(cuMemcpyHtoDAsync(x, h_x, sizeof h_x, stream));
    twice<<<1, N, 0, stream>>>((float *)y, (float *)x);
    DRIVER(cuMemcpyDtoHAsync(h_y, y, sizeof h_y, stream));
    DRIVER(cuStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        must(h_y[i] == 2.0f * i, "y is 2 x");
    DRIVER(cuMemsetD32(y, 0x40400000, N));
    DRIVER(cuMemcpyDtoH(h_y, y, sizeof h_y));
    must(h_y[0] == 3 && h_y[N - 1] == 3, "cuMemsetD32");
}
static void whole(void)
{
    CUdevice device;
    CUdeviceptr x, y;
    CUstream stream;
    CUcontext now;
    int major = 0, threads = 0, mode = -1, pitch = 0;
    size_t bytes = 0;
    char name[64] = "";
    begin(&device);
    DRIVER(cuCtxCreate(&context, 0, device));
    DRIVER(cuCtxGetCurrent(&now));
    must(now == context, "the current context");
    DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    DRIVER(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    DRIVER(cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device));
    DRIVER(cuDeviceGetAttribute(&pitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH, device));
    must(mode == CU_COMPUTEMODE_DEFAULT && pitch > 1 << 20, "the device's mode and longest row");
    DRIVER(cuDeviceGetName(name, sizeof name, device));
    DRIVER(cuDeviceTotalMem(&bytes, device));
    must(major >= 2 && threads == 1024 && name[0] && bytes > 1 << 20, "the device's properties");
    DRIVER(cuMemAlloc(&x, sizeof h_x));
    DRIVER(cuMemAlloc(&y, sizeof h_x));
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    use(x, y, stream);
    CUdeviceptr first = 0;
    DRIVER(cuMemGetAddressRange(&first, &bytes, y + 100));
    must(first == y && bytes == sizeof h_x, "the allocation around an address");
    DRIVER(cuMemGetAddressRange(NULL, &bytes, x));
    must(cuMemGetAddressRange(&first, &bytes, (CUdeviceptr)h_x) == CUDA_ERROR_NOT_FOUND,
         "no allocation of the device");
    DRIVER(cuStreamDestroy(stream));
    DRIVER(cuMemFree(x));
    DRIVER(cuMemFree(y));
    DRIVER(cuCtxDestroy(context));
    must(cuMemAlloc(&x, 4) == CUDA_ERROR_INVALID_CONTEXT, "after the context");
}
static void pastTheEnd(void)
{
    CUdevice device;
    CUdeviceptr x;
    begin(&device);
    DRIVER(cuDevicePrimaryCtxRetain(&context, device));
    DRIVER(cuCtxPushCurrent(context));
    DRIVER(cuMemAlloc(&x, sizeof h_x));
    must(cuMemcpyHtoD(x + 4, h_x, sizeof h_x) == CUDA_ERROR_INVALID_VALUE, "a copy past the end");
    DRIVER(cuMemFree(x));
    DRIVER(cuCtxPopCurrent(NULL));
    DRIVER(cuDevicePrimaryCtxRelease(device));
}
/* Helper headers that every course hands on have a case for each error that CUDA ever had, also of
 * graphics. */
static const char *nameOfOldError(cudaError_t error)
{
    switch (error) {
    case cudaErrorAddressOfConstant:
    case cudaErrorTextureFetchFailed:
    case cudaErrorSynchronizationError:
    case cudaErrorMixedDeviceExecution:
    case cudaErrorDuplicateVariableName:
    case cudaErrorIncompatibleDriverContext: return "of old devices";
    case cudaErrorMapBufferObjectFailed:
    case cudaErrorUnmapBufferObjectFailed:
    case cudaErrorInvalidGraphicsContext: return "of graphics";
    case cudaErrorMpsServerNotReady:
    case cudaErrorStubLibrary:
    case cudaErrorLossyQuery: return "of new drivers";
    default: return "others";
    }
}
static void names(void)
{
    const char *text = "";
    DRIVER(cuGetErrorName(CUDA_ERROR_MAP_FAILED, &text));
    must(!strcmp(text, "CUDA_ERROR_MAP_FAILED"), "a name of the driver's errors");
    DRIVER(cuGetErrorName(CUDA_ERROR_PROFILER_DISABLED, &text));
    must(!strcmp(text, "CUDA_ERROR_PROFILER_DISABLED"), "another one");
    must(!strcmp(cudaGetErrorName(cudaErrorPriorLaunchFailure), "cudaErrorPriorLaunchFailure"),
         "the runtime's");
    must(!strcmp(nameOfOldError((cudaError_t)CUDA_ERROR_MAP_FAILED), "of graphics"),
         "one number in both");
}
static void prepare(void) {}
static const struct test tests[] = {CLEAN(whole), FINDS(pastTheEnd, "bad-copy", "driver.cu:"),
                                    CLEAN(names)};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
