/* The counters and findings of the emulated device, read by counters_emulated.c. counters_none.c
 * stands in for a GPU, of which only the launches are counted, and for programs without CUDA. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stddef.h>

/* The counts since deviceCountersReset(). */
struct device_counters {
    double launches; /* kernels that ran, and calls of a library that compute on the device */
    double threads;  /* of these kernels */
    double requests; /* global-memory requests of a warp: loads, stores and atomics */
    double sectorsPerRequest;
    double loadsTogether;  /* global loads of a warp between two of its stores */
    double bytesAsked;     /* bytes that lanes asked global memory for */
    double bytesUsed;      /* part of the moved sectors' bytes that some lane asked for, 0 to 1 */
    double bytesIn;        /* bytes of the distinct sectors that each launch reads from memory */
    double bytesOut;       /* bytes of the distinct sectors that each launch writes to memory */
    double sharedRequests; /* of a warp: loads, stores and atomics in shared memory */
    double bankConflict;   /* shared-memory passes for each one needed, 1: no conflict; 0: none */
    double divergence;     /* part of the branches at which a warp divided, 0 to 1 */
    double atomicConflict; /* lanes per atomic on the same address, 1: none; 0: no atomics */
    double atomics, swaps; /* requests: atomics; of these compare-and-swap, minimum, maximum */
    double bytesSent;      /* from the host to the device */
    double oneBlock;       /* fraction of the work in launches of which one block does nearly all */
    double repeats;        /* the same, of launches whose threads store several results each */
    double oneLane; /* requests of launches in which each of several warps uses one lane only */
    double steps, waits; /* deviceSteps() and deviceWaits() of a run */
    double bytesRead;    /* deviceBytesRead() of a run */
    char bankAt[64];     /* FILE:LINE of the worst bank conflicts; "": there are none */
    const char *work;    /* of each kernel, for a model of a GPU's time; "" without
                          * deviceCountWork(). Valid until the next deviceCountersGet() */
};

/* Launches on a GPU since deviceCountersReset(); calls of libraries are not among them. */
extern unsigned long launchCount;

/* From now on the work of kernels is counted. */
void deviceCountWork(void);

void deviceCountersReset(void);
void deviceCountersGet(struct device_counters *counters);
/* A logical clock, since the start of the program: a copy between host and device takes one step,
 * and so does a kernel; operations that nothing orders share a step. deviceWaits() is how often the
 * host has waited for a step to end. */
long deviceSteps(void);
long deviceWaits(void);
/* The steps from one event, a cudaEvent_t, to another. */
long deviceStepsBetween(const void *begin, const void *end);
/* The bytes of device memory that copies have read since the start of the program. */
double deviceBytesRead(void);
/* Fresh memory: the parts of device memory that nothing has written when deviceFindFresh() is
 * called. deviceMakeFresh() takes from them what was written since. deviceMemory() gives all
 * memory that kernels use, one allocation after another, and whether the host can read it, too;
 * NULL past the last one. */
void deviceFindFresh(void);
void deviceMakeFresh(void);
void *deviceMemory(int i, size_t *bytes, int *isHosts);
/* The number of mistakes found since deviceFindingsReset(), and the text of number i, NULL past the
 * end. */
void deviceFindingsReset(void);
/* Reports objects that were created since then (memory, streams, plans, handles) and still
 * exist. */
void deviceFindLeaks(void);
int deviceFindings(void);
const char *deviceFinding(int i);
/* The mistake in the program that explains them, NULL if none is known; and what is wrong with the
 * size of the last copy to this array, NULL if nothing is known. */
const char *deviceCause(void);
const char *deviceShortCopy(const void *array);
/* The access to shared memory with the worst bank conflicts since deviceCountersReset():
 * "file:line: words"; NULL: there are none. */
const char *deviceBankConflict(void);
/* Two threads that have written the same to one element, NULL if there are none. */
const char *deviceSameElement(void);
/* An array of which kernels have left values out, or read one in several blocks, NULL if there is
 * none. */
const char *deviceUseOfArrays(void);
/* 1 if finding i is a mistake only when the result is wrong. */
int deviceFindingMayBeRight(int i);
const char *deviceFindingHint(int i); /* what may mend it, or NULL */
/* "race", "out-of-bounds" ... of finding i, which exists. */
const char *deviceFindingKind(int i);

#endif
