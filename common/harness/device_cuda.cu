/* The harness's view of a CUDA device, for a GPU and for the emulated device alike. */
#include "cuda_utils.h"
#include "device.h"
#include <string.h>
#ifdef __CUDA_EMULATED__
#include "cuda_emulated.h"
#endif

#ifndef __CUDA_EMULATED__
extern "C" {
extern unsigned long launchCount; /* counters.h */
/* The linker leads all calls of FUNCTION here (common/CMakeLists.txt), where they are counted. The
 * real one is weak, since it does not exist in a program that was linked by hand, without the
 * linker's option. */
#define COUNTED(FUNCTION)                                                                          \
    cudaError_t __real_##FUNCTION(const void *, dim3, dim3, void **, size_t, cudaStream_t)         \
        __attribute__((weak));                                                                     \
    cudaError_t __wrap_##FUNCTION(const void *kernel, dim3 grid, dim3 block, void **arguments,     \
                                  size_t shared, cudaStream_t stream)                              \
    {                                                                                              \
        __atomic_fetch_add(&launchCount, 1,                                                        \
                           __ATOMIC_RELAXED); /* threads may share several GPUs */                 \
        return __real_##FUNCTION(kernel, grid, block, arguments, shared, stream);                  \
    }
COUNTED(cudaLaunchKernel)   /* what <<<>>> is until CUDA 12 */
COUNTED(__cudaLaunchKernel) /* and from CUDA 13 on */
}
#endif

static cudaEvent_t begin, end;
static struct device opened;
static int first, inUse = 1; /* the device that was opened; how many from there on are in use */
static Timer timer;          /* of several */
#ifdef __CUDA_EMULATED__
static int wasLeft; /* work, when it was stopped */
#endif

int deviceCount(void)
{
    int count = 0;

    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? count : 1;
}

/* An attribute of the device; 0 where it has none. (CUDA 13 took the clocks out of the
 * properties.) */
static int attribute(enum cudaDeviceAttr which, int ordinal)
{
    int value = 0;

    if (cudaDeviceGetAttribute(&value, which, ordinal) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return value;
}

/* The driver's version as the kernel module gives it ("580.65.06"), or else the CUDA version that
 * it supports. */
static void readVersions(struct device *device)
{
    int driver = 0, toolkit = 0;

    cudaVerify(cudaDriverGetVersion(&driver));
    cudaVerify(cudaRuntimeGetVersion(&toolkit));
    snprintf(device->driver, sizeof device->driver, "CUDA %d.%d", driver / 1000, driver % 100 / 10);
    snprintf(device->toolkit, sizeof device->toolkit, "CUDA %d.%d", toolkit / 1000,
             toolkit % 100 / 10);
#ifndef __CUDA_EMULATED__
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    char line[256];
    char *word = NULL;

    if (file != NULL && fgets(line, sizeof line, file) != NULL)
        word = strtok(line, " ");
    while (word != NULL && !(word[0] >= '0' && word[0] <= '9' && strchr(word, '.') != NULL))
        word = strtok(NULL, " ");
    if (word != NULL)
        snprintf(device->driver, sizeof device->driver, "%.63s", word);
    if (file != NULL)
        fclose(file);
#endif
}

/* Stands for all kernels of the program: they are built for the same architectures. */
static __global__ void anyKernel(int *result) { *result = 1; }

/* The architectures that the program was built for, if the compiler lists them. */
static const char *architectures(void)
{
#ifdef __CUDA_ARCH_LIST__
#define LIST_AS_TEXT(...) #__VA_ARGS__
#define LIST_OF(...) LIST_AS_TEXT(__VA_ARGS__)
    return LIST_OF(__CUDA_ARCH_LIST__);
#else
    return "other devices";
#endif
}

/* Whether the program's kernels can run on the device, which is of compute capability
 * major.minor. */
static enum device_state codeFits(struct device *device, int major, int minor, char *why,
                                  size_t whySize)
{
    struct cudaFuncAttributes code;
    const cudaError_t error = cudaFuncGetAttributes(&code, anyKernel);

    if (error != cudaSuccess) {
        cudaGetLastError();
        snprintf(why, whySize,
                 "this program holds no code for %s, compute capability %d.%d (%s; built for %s): "
                 "configure with -DCMAKE_CUDA_ARCHITECTURES=%d%d and build again",
                 device->name, major, minor, cudaGetErrorString(error), architectures(), major,
                 minor);
        return DEVICE_FOREIGN;
    }
    if (code.ptxVersion / 10 < major)
        snprintf(device->note, sizeof device->note,
                 "Built for compute capability %d.%d and translated by the driver for %d.%d: newer "
                 "instructions are not used; -DCMAKE_CUDA_ARCHITECTURES=%d%d builds for this GPU.",
                 code.ptxVersion / 10, code.ptxVersion % 10, major, minor, major, minor);
    return DEVICE_OPEN;
}

enum device_state deviceOpen(int ordinal, char *why, size_t whySize)
{
    struct cudaDeviceProp properties;
    size_t available = 0, total = 0;
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);

    if (error != cudaSuccess || count == 0) {
        snprintf(why, whySize, "no GPU here (%s); try --device=emulated",
                 error != cudaSuccess ? cudaGetErrorString(error) : "none found");
        return DEVICE_MISSING;
    }
    if (ordinal >= count) {
        snprintf(why, whySize, "there is no GPU number %d, only 0 to %d", ordinal, count - 1);
        return DEVICE_MISSING;
    }
    cudaVerify(cudaSetDevice(ordinal));
    cudaVerify(cudaGetDeviceProperties(&properties, ordinal));
    cudaVerify(cudaMemGetInfo(&available, &total));
    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaEventCreate(&end));
    snprintf(opened.name, sizeof opened.name, "%.127s", properties.name);
#ifdef __CUDA_EMULATED__
    opened.emulated = 1;
    emulatedSilence(1);
#endif
    opened.capability = 10 * properties.major + properties.minor;
    first = ordinal;
    opened.freeBytes = (double)available;
    opened.l2Bytes = (double)properties.l2CacheSize;
    opened.multiprocessors = properties.multiProcessorCount;
    opened.threadsPerMultiprocessor = properties.maxThreadsPerMultiProcessor;
    opened.maxThreadsPerBlock = properties.maxThreadsPerBlock;
    opened.maxBlocks = (double)properties.maxGridSize[0];
    opened.clockHz = 1e3 * attribute(cudaDevAttrClockRate, ordinal);
    opened.memoryClockHz = 1e3 * attribute(cudaDevAttrMemoryClockRate, ordinal);
    opened.ecc = attribute(cudaDevAttrEccEnabled, ordinal);
#ifndef __CUDA_EMULATED__
    if (cudaDeviceGetPCIBusId(opened.bus, (int)sizeof opened.bus, ordinal) != cudaSuccess)
        cudaGetLastError();
#endif
    readVersions(&opened);
    return codeFits(&opened, properties.major, properties.minor, why, whySize);
}

const struct device *theDevice(void) { return &opened; }

void deviceEmulate(int count)
{
#ifdef __CUDA_EMULATED__
    emulatedDevices(count);
#else
    (void)count;
#endif
}

void deviceUse(int count) { inUse = count < deviceCount() ? count : deviceCount(); }

/* Makes one of the devices in use the active one, and returns the one that was. */
static int activate(int k)
{
    int before = 0;

    cudaVerify(cudaGetDevice(&before));
    cudaVerify(cudaSetDevice((first + k) % deviceCount()));
    return before;
}

/* Waits for all devices in use; the active one stays so. */
static void synchroniseAll(void)
{
    int before = 0;

    cudaVerify(cudaGetDevice(&before));
    for (int k = 0; k < inUse; k++) {
        activate(k);
        cudaVerify(cudaDeviceSynchronize());
    }
    cudaVerify(cudaSetDevice(before));
}

/* Puts value in its place among the first `count` rates, which are ascending. */
static void insert(double rate[], int count, double value)
{
    int j = count;

    for (; j > 0 && rate[j - 1] > value; j--)
        rate[j] = rate[j - 1];
    rate[j] = value;
}

double deviceCopyRate(double bytes)
{
    enum { SAMPLES = 11 };
    const size_t size = (size_t)bytes;
    double rate[SAMPLES];
    void *from = NULL, *to = NULL;

    if (cudaMalloc(&from, size) != cudaSuccess || cudaMalloc(&to, size) != cudaSuccess) {
        cudaGetLastError(); /* no room to measure in: no limit is known */
        cudaVerify(cudaFree(from));
        return 0.0;
    }
    cudaVerify(cudaMemset(from, 1, size));
    cudaVerify(cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice)); /* warm-up */
    for (int i = 0; i < SAMPLES; i++) {
        deviceTimerStart();
        cudaVerify(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, 0));
        insert(rate, i, 2.0 * bytes / deviceTimerStop());
    }
    cudaVerify(cudaFree(from));
    cudaVerify(cudaFree(to));
    return rate[SAMPLES / 2]; /* the median */
}

/* One copy in each direction that is asked for, each in a stream of its own. */
static void copyOverLink(void *const host[2], void *const device[2], const cudaStream_t stream[2],
                         size_t size, int toDevice, int fromDevice)
{
    if (toDevice)
        cudaVerify(cudaMemcpyAsync(device[0], host[0], size, cudaMemcpyHostToDevice, stream[0]));
    if (fromDevice)
        cudaVerify(cudaMemcpyAsync(host[1], device[1], size, cudaMemcpyDeviceToHost, stream[1]));
}

void deviceLinkRates(double bytes, double rates[3])
{
    enum { SAMPLES = 11 };
    const size_t size = (size_t)bytes;
    double rate[SAMPLES];
    void *host[2] = {NULL, NULL}, *device[2] = {NULL, NULL};
    cudaStream_t stream[2]; /* stream 0 waits for them, and so does the timer */
    int hasRoom = !opened.emulated;

    rates[0] = rates[1] = rates[2] = 0.0;
    for (int k = 0; k < 2 && hasRoom; k++)
        hasRoom = cudaMallocHost(&host[k], size) == cudaSuccess &&
                  cudaMalloc(&device[k], size) == cudaSuccess;
    for (int k = 0; k < 2 && hasRoom; k++) {
        memset(host[k], 1, size);
        cudaVerify(cudaMemset(device[k], 1, size));
        cudaVerify(cudaStreamCreate(&stream[k]));
    }
    for (int direction = 0; direction < 3 && hasRoom; direction++) {
        const int toDevice = direction != 1, fromDevice = direction != 0;

        copyOverLink(host, device, stream, size, toDevice, fromDevice); /* warm-up */
        for (int i = 0; i < SAMPLES; i++) {
            deviceTimerStart();
            copyOverLink(host, device, stream, size, toDevice, fromDevice);
            insert(rate, i, (toDevice + fromDevice) * bytes / deviceTimerStop());
        }
        rates[direction] = rate[SAMPLES / 2];
    }
    cudaGetLastError(); /* the result shows that there was no room */
    for (int k = 0; k < 2; k++) {
        if (hasRoom)
            cudaVerify(cudaStreamDestroy(stream[k]));
        cudaVerify(cudaFree(device[k]));
        if (host[k] != NULL)
            cudaVerify(cudaFreeHost(host[k]));
    }
}

static void poisonActive(double bytes)
{
    size_t available = 0, total = 0, size = (size_t)bytes;
    void *memory = NULL;

    cudaVerify(cudaMemGetInfo(&available, &total));
    if (size > available / 10 * 9)
        size = available / 10 * 9;
    if (size == 0 || cudaMalloc(&memory, size) != cudaSuccess) {
        cudaGetLastError(); /* memory that cannot be allocated cannot hold an old result */
        return;
    }
    cudaVerify(cudaMemset(memory, 0xFF, size));
    cudaVerify(cudaFree(memory));
}

void devicePoison(double bytes)
{
    int before = 0;

    cudaVerify(cudaGetDevice(&before));
    for (int k = 0; k < inUse; k++) {
        activate(k);
        poisonActive(bytes);
    }
    cudaVerify(cudaSetDevice(before));
}

int deviceIsPageLocked(const void *memory)
{
#ifdef __CUDA_EMULATED__
    struct cudaPointerAttributes attributes;

    return cudaPointerGetAttributes(&attributes, memory) == cudaSuccess &&
           attributes.type == cudaMemoryTypeHost;
#else
    (void)memory;
    return 1;
#endif
}

void deviceSynchronise(void)
{
    activate(0); /* a variant may have left another one active */
    synchroniseAll();
}

const char *deviceError(void)
{
    const cudaError_t error = cudaGetLastError();

    return error != cudaSuccess ? cudaGetErrorString(error) : NULL;
}

int deviceIsLost(void)
{
#ifdef __CUDA_EMULATED__
    return 0;
#else
    cudaError_t error;

    cudaGetLastError(); /* any other error ends here */
    error = cudaStreamQuery(0);
    return error != cudaSuccess && error != cudaErrorNotReady;
#endif
}

void deviceTimerStart(void)
{
    synchroniseAll();
    if (inUse > 1)
        initTimer(&timer);
    else
        cudaVerify(cudaEventRecord(begin, 0));
}

/* With several devices: until the host has waited for all of them, which is the variant's task. */
static double stopOfSeveral(void)
{
    const double much = 0.1; /* finding that all work is done takes less time */
    double seconds, all;

#ifdef __CUDA_EMULATED__
    wasLeft = emulatedWorkIsLeft();
#endif
    seconds = getTimer(&timer);
    synchroniseAll();
    all = getTimer(&timer);
    return all - seconds > much * all ? all : seconds;
}

double deviceTimerStop(void)
{
    float milliseconds = 0.0f;

    if (inUse > 1)
        return stopOfSeveral();
    cudaVerify(cudaEventRecord(end, 0));
    cudaVerify(cudaEventSynchronize(end));
    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));
    return 1e-3 * (double)milliseconds;
}

int deviceWorkIsLeft(void)
{
#ifdef __CUDA_EMULATED__
    return inUse > 1 ? wasLeft : emulatedWorkIsLeft();
#else
    return 0;
#endif
}
