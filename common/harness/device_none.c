/* The device of a program without CUDA: there are only CPU rows, or OpenACC's, which run on the
 * host. It measures times and nothing else. */
#include "device.h"
#include "cuda_utils.h"
#include <string.h>

static Timer timer;
static struct device opened;

int deviceCount(void) { return 1; }

enum device_state deviceOpen(int ordinal, char *why, size_t whySize)
{
    (void)ordinal;
    (void)why;
    (void)whySize;
    strcpy(opened.name, "host");
    opened.multiprocessors = 1;
    return DEVICE_OPEN;
}

void deviceEmulate(int count) { (void)count; }

void deviceUse(int count) { (void)count; }

const struct device *theDevice(void) { return &opened; }

double deviceCopyRate(double bytes)
{
    (void)bytes;
    return 0.0;
}

void deviceLinkRates(double bytes, double rates[3])
{
    (void)bytes;
    rates[0] = rates[1] = rates[2] = 0.0;
}

void devicePoison(double bytes) { (void)bytes; }

int deviceIsPageLocked(const void *memory)
{
    (void)memory;
    return 1;
}

void deviceSynchronise(void) {}

const char *deviceError(void) { return NULL; }

int deviceIsLost(void) { return 0; }

void deviceTimerStart(void) { initTimer(&timer); }

double deviceTimerStop(void) { return getTimer(&timer); }

int deviceWorkIsLeft(void) { return 0; }
