/* The device of a program without CUDA: there are only CPU rows, or OpenACC's, which run on the host.
 * It has times, and nothing else to tell. */
#include "device.h"
#include "cuda_utils.h"
#include <string.h>

static Timer timer;

int deviceCount(void)
{
    return 1;
}

int deviceOpen(int ordinal, struct device *device, char *why, size_t whySize)
{
    (void)ordinal;
    (void)why;
    (void)whySize;
    memset(device, 0, sizeof *device);
    strcpy(device->name, "host");
    device->multiprocessors = 1;
    return 0;
}

double deviceCopyRate(double bytes)
{
    (void)bytes;
    return 0.0;
}

void devicePoison(double bytes)
{
    (void)bytes;
}

void deviceWipe(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

void deviceSynchronise(void)
{
}

const char *deviceError(void)
{
    return NULL;
}

double deviceFree(void)
{
    return 0.0;
}

void deviceTimerStart(void)
{
    initTimer(&timer);
}

double deviceTimerStop(void)
{
    return getTimer(&timer);
}

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
