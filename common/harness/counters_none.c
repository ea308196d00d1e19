/* A GPU, of which only the launches are known, or a program without CUDA. */
#include "counters.h"
#include <string.h>

unsigned long launchCount;

void deviceCountWork(void) {}

void deviceCountersReset(void) { launchCount = 0; }

void deviceCountersGet(struct device_counters *counters)
{
    memset(counters, 0, sizeof *counters);
    counters->launches = (double)launchCount;
}

long deviceSteps(void) { return 0; }

long deviceStepsBetween(const void *begin, const void *end)
{
    (void)begin, (void)end;
    return 0;
}

long deviceWaits(void) { return 0; }

void deviceFindFresh(void) {}

void deviceMakeFresh(void) {}

void *deviceMemory(int i, size_t *bytes, int *isHosts)
{
    (void)i, (void)bytes, (void)isHosts;
    return NULL;
}

double deviceBytesRead(void) { return 0.0; }

void deviceFindingsReset(void) {}

void deviceFindLeaks(void) {}

int deviceFindings(void) { return 0; }

int deviceFindingMayBeRight(int i)
{
    (void)i;
    return 0;
}

const char *deviceFindingHint(int i)
{
    (void)i;
    return NULL;
}

const char *deviceFindingKind(int i)
{
    (void)i;
    return "";
}

const char *deviceFinding(int i)
{
    (void)i;
    return NULL;
}

const char *deviceCause(void) { return NULL; }

const char *deviceShortCopy(const void *array)
{
    (void)array;
    return NULL;
}

const char *deviceSameElement(void) { return NULL; }

const char *deviceUseOfArrays(void) { return NULL; }

const char *deviceBankConflict(void) { return NULL; }
