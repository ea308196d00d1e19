#include <nvml.h>
#include <stdio.h>

int main(void)
{
    nvmlDevice_t device;
    unsigned count, number;
    char name[80];
    if (nvmlInit() || nvmlDeviceGetCount(&count) || nvmlDeviceGetHandleByIndex(0, &device) ||
        nvmlDeviceGetName(device, name, sizeof name) ||
        nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &number))
        return 1;
    printf("%u %s %s\n", count, name, nvmlErrorString(nvmlDeviceGetPowerUsage(device, &number)));
    return nvmlDeviceGetHandleByIndex(count, &device) != NVML_ERROR_INVALID_ARGUMENT;
}
