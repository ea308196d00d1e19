/* Stands in for NVIDIA's management library: one GPU with limits from the environment, in
 * milliwatts. FAKE_NVML_LOG names a file that gets a letter for each beginning and end of its
 * use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6 };

static char theGpu;

static void note(const char *letter)
{
    FILE *log = fopen(getenv("FAKE_NVML_LOG"), "a");

    if (log != NULL) {
        fputs(letter, log);
        fclose(log);
    }
}

int nvmlInit_v2(void)
{
    note("+");
    return getenv("FAKE_NVML_BROKEN") != NULL ? NOT_FOUND : SUCCESS;
}

int nvmlShutdown(void)
{
    note("-");
    return SUCCESS;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **gpu)
{
    *gpu = &theGpu;
    return strcmp(bus, "0000:0B:00.0") == 0 ? SUCCESS : NOT_FOUND;
}

static int answer(const char *name, const void *gpu, unsigned *milliwatts)
{
    const char *value = getenv(name);

    if (gpu != &theGpu || value == NULL)
        return NOT_SUPPORTED;
    *milliwatts = (unsigned)atoi(value);
    return SUCCESS;
}

int nvmlDeviceGetEnforcedPowerLimit(void *gpu, unsigned *milliwatts)
{
    return answer("FAKE_NVML_ENFORCED", gpu, milliwatts);
}

int nvmlDeviceGetPowerManagementLimit(void *gpu, unsigned *milliwatts)
{
    return answer("FAKE_NVML_SET", gpu, milliwatts);
}
