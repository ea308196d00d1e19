/* What the emulated device tells: counters and mistakes. counters_emulated.c asks it; counters_none.c answers for a
 * GPU and for a program without CUDA, which tell nothing. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stddef.h>

/* What was counted since deviceCountersReset(). */
struct device_counters {
    double launches; /* kernels that ran, and calls of a library that compute on the device */
    double threads;  /* of these kernels */
    double requests; /* global-memory requests of a warp: loads, stores and atomics */
    double sectorsPerRequest;
    double bytesAsked;     /* bytes that lanes asked global memory for */
    double bytesUsed;      /* part of the moved sectors' bytes that some lane asked for, 0 to 1 */
    double bytesIn;        /* bytes of the sectors that come from memory at least once a launch, */
    double bytesOut;       /* and of those that must get there */
    double bankConflict;   /* shared-memory passes for each one needed, 1: no conflict; 0: none */
    double divergence;     /* part of the branches at which a warp divided, 0 to 1 */
    double atomicConflict; /* lanes per atomic on the same address, 1: none; 0: no atomics */
    double atomics, swaps; /* requests: atomics; of these compare-and-swap, minimum, maximum */
    double bytesSent;      /* copied from the host to the device */
    double oneBlock; /* part of the work, 0 to 1, of launches of which one block does nearly all, */
    double repeats;  /* and of those among them in which its threads store several results each */
    double oneLane;  /* requests of launches in which each of several warps has work for a lane */
    double steps, waits; /* deviceSteps() and deviceWaits() of a run */
    double bytesRead;    /* deviceBytesRead() of a run */
};

void deviceCountersReset(void);
void deviceCountersGet(struct device_counters *counters);
/* A clock without time: a copy between host and device takes a step, and so does a kernel; what nothing forbids goes on at
 * the same time. And how often the host has waited for a step to end. Since the start of the program. */
long deviceSteps(void);
long deviceWaits(void);
/* The bytes of device memory that copies have read since then. */
double deviceBytesRead(void);
/* Watches whether a copy, or a library, reads results: from deviceReadsOf(), once for each of them, to deviceReadsForget().
 * deviceReadsSeen() is 0 only if all are device memory and none of them was read. */
void deviceReadsOf(const void *result, size_t bytes);
int deviceReadsSeen(void);
void deviceReadsForget(void);
/* The latest allocation that is still in use, as "memory allocated at file.cu:12"; NULL: not known. */
const char *deviceLatestInUse(void);
/* Mistakes that were found since deviceFindingsReset(); line i in words, NULL past the end. */
void deviceFindingsReset(void);
int deviceFindings(void);
const char *deviceFinding(int i);
/* 1 if that is a mistake only if the result is wrong. */
int deviceFindingMayBeRight(int i);

#endif
