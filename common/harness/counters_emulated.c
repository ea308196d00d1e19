/* The emulated device's counters, as the table shows them. */
#include "counters.h"
#include "cuda_emulated.h"
#include <stdio.h>
#include <string.h>

static double over(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

void deviceCountWork(void) { emulatedCountWork(); }

void deviceCountersReset(void) { emulatedCountersReset(); }

void deviceCountersGet(struct device_counters *counters)
{
    const char *conflict = emulatedBankConflict();
    struct emulated_counters c;

    emulatedCountersGet(&c);
    counters->launches = (double)(c.launches + c.library_calls);
    counters->threads = (double)c.threads;
    counters->requests =
        (double)(c.global_load_requests + c.global_store_requests + c.atomic_requests);
    counters->sectorsPerRequest = over((double)(c.global_load_sectors + c.global_store_sectors),
                                       (double)(c.global_load_requests + c.global_store_requests));
    counters->loadsTogether = over((double)c.global_load_requests, (double)c.load_groups);
    counters->bytesAsked = (double)c.bytes_used;
    counters->bytesUsed = over((double)c.bytes_used, (double)c.bytes_moved);
    counters->bytesIn = (double)c.bytes_in;
    counters->bytesOut = (double)c.bytes_out;
    counters->sharedRequests = (double)c.shared_requests;
    counters->bankConflict = over((double)c.shared_wavefronts, (double)c.shared_ideal);
    counters->bankAt[0] = '\0';
    if (conflict != NULL) /* FILE:LINE: words */
        snprintf(counters->bankAt, sizeof counters->bankAt, "%.*s", (int)strcspn(conflict, " ") - 1,
                 conflict);
    counters->divergence = over((double)c.divergent_branches, (double)c.branches);
    counters->atomicConflict = over((double)c.atomic_conflicts, (double)c.atomic_requests);
    counters->atomics = (double)c.atomic_requests;
    counters->swaps = (double)c.compare_requests;
    counters->bytesSent = (double)c.bytes_from_host;
    counters->oneBlock = over((double)c.one_block_steps, (double)c.steps);
    counters->repeats = over((double)c.one_block_repeats, (double)c.steps);
    counters->oneLane = (double)c.one_lane_requests;
    counters->work = emulatedWork();
    /* measure.c knows where a run begins */
    counters->steps = counters->waits = counters->bytesRead = 0.0;
}

long deviceSteps(void) { return emulatedLastStep(); }

long deviceStepsBetween(const void *begin, const void *end)
{
    return emulatedEventStep((struct CUevent_st *)end) -
           emulatedEventStep((struct CUevent_st *)begin);
}

long deviceWaits(void) { return emulatedWaits(); }

void deviceFindFresh(void) { emulatedFindFresh(); }

void deviceMakeFresh(void) { emulatedMakeFresh(); }

void *deviceMemory(int i, size_t *bytes, int *isHosts) { return emulatedMemory(i, bytes, isHosts); }

double deviceBytesRead(void) { return (double)emulatedBytesRead(); }

void deviceFindingsReset(void) { emulatedFindingsReset(); }

void deviceFindLeaks(void) { emulatedFindLeaks(); }

int deviceFindings(void) { return emulatedFindings(); }

int deviceFindingMayBeRight(int i) { return emulatedFindingMayBeRight(i); }

const char *deviceFindingHint(int i) { return emulatedFindingHint(i); }

const char *deviceFindingKind(int i) { return emulatedFindingKind(i); }

const char *deviceFinding(int i) { return emulatedFindingLine(i); }

const char *deviceCause(void) { return emulatedCause(); }

const char *deviceShortCopy(const void *array) { return emulatedShortCopy(array); }

const char *deviceSameElement(void) { return emulatedSameElement(); }

const char *deviceUseOfArrays(void) { return emulatedUseOfArrays(); }

const char *deviceBankConflict(void) { return emulatedBankConflict(); }
