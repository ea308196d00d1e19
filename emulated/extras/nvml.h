/* nvml.h: NVIDIA's management library, as far as programs use it to print what they run on. Names,
 * memory and clocks are those of the emulated device. Power, temperature, fans and load do not
 * exist: these calls return NVML_ERROR_NOT_SUPPORTED, as they do for a GPU without the sensor. */
#ifndef EMULATED_NVML_H
#define EMULATED_NVML_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

typedef enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_ALREADY_INITIALIZED = 5,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;
typedef enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;
typedef enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
typedef enum {
    NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0,
    NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1
} nvmlTemperatureThresholds_t;
typedef enum {
    NVML_TOTAL_POWER_SAMPLES = 0,
    NVML_GPU_UTILIZATION_SAMPLES = 1,
    NVML_MEMORY_UTILIZATION_SAMPLES = 2
} nvmlSamplingType_t;
typedef enum {
    NVML_VALUE_TYPE_DOUBLE = 0,
    NVML_VALUE_TYPE_UNSIGNED_INT = 1,
    NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
    NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3
} nvmlValueType_t;
typedef union {
    double dVal;
    unsigned int uiVal;
    unsigned long ulVal;
    unsigned long long ullVal;
} nvmlValue_t;
typedef struct {
    unsigned long long timeStamp;
    nvmlValue_t sampleValue;
} nvmlSample_t;
typedef struct {
    unsigned long long total, free, used;
} nvmlMemory_t;
typedef struct {
    unsigned int gpu, memory;
} nvmlUtilization_t;
typedef struct nvmlDevice_st *nvmlDevice_t; /* 1 + the device's number */

#define nvmlClocksThrottleReasonSwPowerCap 0x04ULL
#define nvmlClocksThrottleReasonHwSlowdown 0x08ULL
#define nvmlClocksThrottleReasonSwThermalSlowdown 0x20ULL
#define nvmlClocksThrottleReasonHwThermalSlowdown 0x40ULL
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 0x80ULL
#define nvmlClocksThrottleReasonAll 0x1ffULL

#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2

static inline const char *nvmlErrorString(nvmlReturn_t result)
{
    return result == NVML_SUCCESS                  ? "Success"
           : result == NVML_ERROR_NOT_SUPPORTED    ? "Not Supported"
           : result == NVML_ERROR_INVALID_ARGUMENT ? "Invalid Argument"
           : result == NVML_ERROR_NOT_FOUND        ? "Not Found"
                                                   : "Unknown Error";
}
static inline nvmlReturn_t nvmlInit_v2(void) { return NVML_SUCCESS; }
static inline nvmlReturn_t nvmlShutdown(void) { return NVML_SUCCESS; }
static inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count)
{
    return cudaGetDeviceCount((int *)count) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
static inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    unsigned int count = 0;
    if (nvmlDeviceGetCount_v2(&count) != NVML_SUCCESS || index >= count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = (nvmlDevice_t)((size_t)index + 1);
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
    int index;
    if (cudaDeviceGetByPCIBusId(&index, id) != cudaSuccess)
        return NVML_ERROR_NOT_FOUND;
    return nvmlDeviceGetHandleByIndex_v2((unsigned int)index, device);
}
static inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    *index = (unsigned int)((size_t)device - 1);
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlProperties(nvmlDevice_t device, struct cudaDeviceProp *properties)
{
    return cudaGetDeviceProperties(properties, (int)((size_t)device - 1)) == cudaSuccess
               ? NVML_SUCCESS
               : NVML_ERROR_INVALID_ARGUMENT;
}
static inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    struct cudaDeviceProp properties;
    nvmlReturn_t result = nvmlProperties(device, &properties);
    if (result == NVML_SUCCESS && strlen(properties.name) >= length)
        result = NVML_ERROR_INSUFFICIENT_SIZE;
    if (result == NVML_SUCCESS)
        snprintf(name, length, "%s", properties.name);
    return result;
}
static inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    int before;
    size_t free_bytes = 0, total = 0;
    if (cudaGetDevice(&before) != cudaSuccess ||
        cudaSetDevice((int)((size_t)device - 1)) != cudaSuccess)
        return NVML_ERROR_INVALID_ARGUMENT;
    cudaMemGetInfo(&free_bytes, &total);
    cudaSetDevice(before);
    memory->total = total;
    memory->free = free_bytes;
    memory->used = total - free_bytes;
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                                     unsigned int *clock) /* in MHz */
{
    struct cudaDeviceProp properties;
    nvmlReturn_t result = nvmlProperties(device, &properties);
    if (result == NVML_SUCCESS)
        *clock = (unsigned int)(type == NVML_CLOCK_MEM ? properties.memoryClockRate
                                                       : properties.clockRate) /
                 1000;
    return result;
}
static inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                                  unsigned int *clock)
{
    return nvmlDeviceGetMaxClockInfo(device, type, clock);
}

#define EMULATED_NO_SENSOR(name, ...)                                                              \
    static inline nvmlReturn_t name(nvmlDevice_t device, __VA_ARGS__)                              \
    {                                                                                              \
        (void)device;                                                                              \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }
EMULATED_NO_SENSOR(nvmlDeviceGetPowerUsage, unsigned int *value)
EMULATED_NO_SENSOR(nvmlDeviceGetPowerManagementLimit, unsigned int *value)
EMULATED_NO_SENSOR(nvmlDeviceGetTotalEnergyConsumption, unsigned long long *value)
EMULATED_NO_SENSOR(nvmlDeviceGetFanSpeed, unsigned int *value)
EMULATED_NO_SENSOR(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t sensor, unsigned int *value)
EMULATED_NO_SENSOR(nvmlDeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t threshold,
                   unsigned int *value)
EMULATED_NO_SENSOR(nvmlDeviceGetUtilizationRates, nvmlUtilization_t *value)
EMULATED_NO_SENSOR(nvmlDeviceGetCurrentClocksThrottleReasons, unsigned long long *value)
EMULATED_NO_SENSOR(nvmlDeviceGetSamples, nvmlSamplingType_t type, unsigned long long since,
                   nvmlValueType_t *kind, unsigned int *count, nvmlSample_t *samples)
#undef EMULATED_NO_SENSOR
#endif
