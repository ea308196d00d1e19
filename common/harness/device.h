/* What the harness needs of a device. device_cuda.cu implements it for a GPU and for the emulated
 * device alike, device_none.c for a program without device rows. Times are in seconds. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>

struct device {
    char name[128];
    int emulated;        /* 1: the emulated device, which counts accesses but cannot time a GPU */
    double freeBytes;    /* memory free when the device was opened */
    double l2Bytes;      /* size of the L2 cache; 0 if unknown */
    int multiprocessors; /* at least 1 */
    int threadsPerMultiprocessor;  /* what one can hold, 0: unknown */
    int maxThreadsPerBlock;        /* what --block may be at most */
    double maxBlocks;              /* what --grid may be at most */
    char driver[64], toolkit[32];  /* versions */
    double clockHz, memoryClockHz; /* highest rates; 0: unknown */
    int ecc;                       /* 1: the memory corrects errors */
};

/* What the emulated device has counted since deviceCountersReset(). */
struct device_counters {
    double requests; /* global-memory requests of a warp: loads, stores and atomics */
    double sectorsPerRequest;
    double bytesAsked;     /* bytes that lanes asked global memory for */
    double bytesUsed;      /* part of the moved sectors' bytes that some lane asked for, 0 to 1 */
    double bankConflict;   /* shared-memory passes for each one needed, 1: no conflict; 0: none */
    double divergence;     /* part of the branches at which a warp divided, 0 to 1 */
    double atomicConflict; /* lanes per atomic on the same address, 1: none; 0: no atomics */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Devices in this machine, at least 1. */
int deviceCount(void);
/* Opens device number `ordinal`. Returns 0, or 1 and says in why what is missing. */
int deviceOpen(int ordinal, struct device *device, char *why, size_t whySize);
/* Bytes/s read plus written by a device-to-device copy, arrays of about `bytes` each. */
double deviceCopyRate(double bytes);
/* Overwrites up to `bytes` of free device memory with 0xFF. */
void devicePoison(double bytes);
/* Overwrites a result in device memory with 0xFF bytes; memory may be NULL. Errors are left to whoever uses
 * the memory. */
void deviceWipe(void *memory, size_t bytes);
void deviceSynchronise(void);
/* The last error that no call has returned to anyone, in words, which is then forgotten; NULL: none. */
const char *deviceError(void);
/* Bytes of device memory that are free now. */
double deviceFree(void);
void deviceTimerStart(void);
double deviceTimerStop(void);
void deviceCountersReset(void);
void deviceCountersGet(struct device_counters *counters);
/* Mistakes that the emulated device has found since deviceFindingsReset(); line i in words, NULL past
 * the end. */
void deviceFindingsReset(void);
int deviceFindings(void);
const char *deviceFinding(int i);

#ifdef __cplusplus
}
#endif

#endif
