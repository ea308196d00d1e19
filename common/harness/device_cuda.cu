/* The harness's view of a CUDA device, for a GPU and for the emulated device alike. */
#include "cuda_utils.h"
#include "device.h"
#include <string.h>
#ifdef __CUDA_EMULATED__
#include "cuda_emulated.h"
#endif

static cudaEvent_t begin, end;

int deviceCount(void)
{
    int count = 0;

    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? count : 1;
}

/* An attribute of the device; 0 where it has none. (CUDA 13 took the clocks out of the properties.) */
static int attribute(enum cudaDeviceAttr which, int ordinal)
{
    int value = 0;

    if (cudaDeviceGetAttribute(&value, which, ordinal) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return value;
}

/* The version of the driver itself where it tells ("580.65.06"), else of the CUDA that it supports. */
static void readVersions(struct device *device)
{
    int driver = 0, toolkit = 0;
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    char line[256], *word = NULL;

    cudaVerify(cudaDriverGetVersion(&driver));
    cudaVerify(cudaRuntimeGetVersion(&toolkit));
    snprintf(device->driver, sizeof device->driver, "CUDA %d.%d", driver / 1000, driver % 100 / 10);
    snprintf(device->toolkit, sizeof device->toolkit, "CUDA %d.%d", toolkit / 1000,
             toolkit % 100 / 10);
#ifndef __CUDA_EMULATED__
    if (file != NULL && fgets(line, sizeof line, file) != NULL)
        for (word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
            if (word[0] >= '0' && word[0] <= '9' && strchr(word, '.') != NULL) {
                snprintf(device->driver, sizeof device->driver, "%.63s", word);
                break;
            }
#endif
    if (file != NULL)
        fclose(file);
}

int deviceOpen(int ordinal, struct device *device, char *why, size_t whySize)
{
    struct cudaDeviceProp properties;
    size_t available = 0, total = 0;
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);

    memset(device, 0, sizeof *device);
    if (error != cudaSuccess || count == 0) {
        snprintf(why, whySize, "no GPU here (%s); try --device=emulated",
                 error != cudaSuccess ? cudaGetErrorString(error) : "none found");
        return 1;
    }
    if (ordinal >= count) {
        snprintf(why, whySize, "there is no GPU number %d, only 0 to %d", ordinal, count - 1);
        return 1;
    }
    cudaVerify(cudaSetDevice(ordinal));
    cudaVerify(cudaGetDeviceProperties(&properties, ordinal));
    cudaVerify(cudaMemGetInfo(&available, &total));
    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaEventCreate(&end));
    snprintf(device->name, sizeof device->name, "%.127s", properties.name);
#ifdef __CUDA_EMULATED__
    device->emulated = 1;
    emulatedSilence(1);
#endif
    device->freeBytes = (double)available;
    device->l2Bytes = (double)properties.l2CacheSize;
    device->multiprocessors = properties.multiProcessorCount;
    device->threadsPerMultiprocessor = properties.maxThreadsPerMultiProcessor;
    device->maxThreadsPerBlock = properties.maxThreadsPerBlock;
    device->maxBlocks = (double)properties.maxGridSize[0];
    readVersions(device);
    device->clockHz = 1e3 * attribute(cudaDevAttrClockRate, ordinal);
    device->memoryClockHz = 1e3 * attribute(cudaDevAttrMemoryClockRate, ordinal);
    device->ecc = attribute(cudaDevAttrEccEnabled, ordinal);
    return 0;
}

double deviceCopyRate(double bytes)
{
    enum { SAMPLES = 11 };
    const size_t size = (size_t)bytes;
    double rate[SAMPLES]; /* ascending */
    void *from = NULL, *to = NULL;

    if (cudaMalloc(&from, size) != cudaSuccess || cudaMalloc(&to, size) != cudaSuccess) {
        cudaGetLastError(); /* no room to measure in: no limit is known */
        cudaVerify(cudaFree(from));
        return 0.0;
    }
    cudaVerify(cudaMemset(from, 1, size));
    cudaVerify(cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice)); /* warm-up */
    for (int i = 0; i < SAMPLES; i++) {
        int j = i;
        double latest;

        deviceTimerStart();
        cudaVerify(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, 0));
        latest = 2.0 * bytes / deviceTimerStop();
        for (; j > 0 && rate[j - 1] > latest; j--)
            rate[j] = rate[j - 1];
        rate[j] = latest;
    }
    cudaVerify(cudaFree(from));
    cudaVerify(cudaFree(to));
    return rate[SAMPLES / 2]; /* the median */
}

void devicePoison(double bytes)
{
    size_t available = 0, total = 0, size = (size_t)bytes;
    void *memory = NULL;

    cudaVerify(cudaMemGetInfo(&available, &total));
    if (size > available / 10 * 9)
        size = available / 10 * 9;
    if (size == 0 || cudaMalloc(&memory, size) != cudaSuccess) {
        cudaGetLastError(); /* what cannot be had cannot hold an old result that a variant finds */
        return;
    }
    cudaVerify(cudaMemset(memory, 0xFF, size));
    cudaVerify(cudaFree(memory));
}

void deviceWipe(void *memory, size_t bytes)
{
    if (memory != NULL && bytes > 0 && cudaMemset(memory, 0xFF, bytes) == cudaSuccess)
        cudaVerify(cudaDeviceSynchronize());
}

void deviceSynchronise(void)
{
    cudaVerify(cudaDeviceSynchronize());
}

const char *deviceError(void)
{
    const cudaError_t error = cudaGetLastError();

    return error != cudaSuccess ? cudaGetErrorString(error) : NULL;
}

double deviceFree(void)
{
    size_t available = 0, total = 0;

    cudaVerify(cudaMemGetInfo(&available, &total));
    return (double)available;
}

void deviceTimerStart(void)
{
    cudaVerify(cudaDeviceSynchronize());
    cudaVerify(cudaEventRecord(begin, 0));
}

double deviceTimerStop(void)
{
    float milliseconds = 0.0f;

    cudaVerify(cudaEventRecord(end, 0));
    cudaVerify(cudaEventSynchronize(end));
    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));
    return 1e-3 * (double)milliseconds;
}

#ifdef __CUDA_EMULATED__

static double over(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

void deviceCountersReset(void)
{
    emulatedCountersReset();
}

void deviceCountersGet(struct device_counters *counters)
{
    struct emulated_counters c;

    emulatedCountersGet(&c);
    counters->requests =
        (double)(c.global_load_requests + c.global_store_requests + c.atomic_requests);
    counters->sectorsPerRequest = over((double)(c.global_load_sectors + c.global_store_sectors),
                                       (double)(c.global_load_requests + c.global_store_requests));
    counters->bytesAsked = (double)c.bytes_used;
    counters->bytesUsed = over((double)c.bytes_used, (double)c.bytes_moved);
    counters->bankConflict = over((double)c.shared_wavefronts, (double)c.shared_ideal);
    counters->divergence = over((double)c.divergent_branches, (double)c.branches);
    counters->atomicConflict = over((double)c.atomic_conflicts, (double)c.atomic_requests);
}

void deviceFindingsReset(void)
{
    emulatedFindingsReset();
}

int deviceFindings(void)
{
    return emulatedFindings();
}

const char *deviceFinding(int i)
{
    return emulatedFindingLine(i);
}

#else

void deviceCountersReset(void)
{
}

void deviceCountersGet(struct device_counters *counters)
{
    memset(counters, 0, sizeof *counters);
}

void deviceFindingsReset(void)
{
}

int deviceFindings(void)
{
    return 0;
}

const char *deviceFinding(int i)
{
    (void)i;
    return NULL;
}
#endif
