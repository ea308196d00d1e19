/* A GPU, or a program without CUDA: it tells nothing. */
#include "counters.h"
#include <string.h>

void deviceCountersReset(void) {}

void deviceCountersGet(struct device_counters *counters) { memset(counters, 0, sizeof *counters); }

long deviceSteps(void) { return 0; }

long deviceStepsBetween(const void *begin, const void *end)
{
    (void)begin, (void)end;
    return 0;
}

long deviceWaits(void) { return 0; }

void deviceReadsOf(const void *result, size_t bytes) { (void)result, (void)bytes; }

int deviceReadsSeen(void) { return 1; }

void deviceReadsForget(void) {}

double deviceBytesRead(void) { return 0.0; }

void deviceFindingsReset(void) {}

void deviceFindLeaks(void) {}

int deviceFindings(void) { return 0; }

int deviceFindingMayBeRight(int i)
{
    (void)i;
    return 0;
}

const char *deviceFinding(int i)
{
    (void)i;
    return NULL;
}
