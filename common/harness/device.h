/* The harness's interface to a device. device_cuda.cu implements it for a GPU and for the emulated
 * device alike, device_none.c for a program without device rows. Times are in seconds. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>

struct device {
    char name[128];
    int emulated;        /* 1: the emulated device, which counts accesses but cannot time a GPU */
    int capability;      /* compute capability, 90 for 9.0; 0: there is no device */
    double freeBytes;    /* memory free when the device was opened; 0: there is no device */
    double l2Bytes;      /* size of the L2 cache; 0 if unknown */
    int multiprocessors; /* at least 1 */
    int threadsPerMultiprocessor;  /* what one can hold, 0: unknown */
    int maxThreadsPerBlock;        /* the limit of --block */
    double maxBlocks;              /* the limit of --grid */
    char driver[64], toolkit[32];  /* versions */
    double clockHz, memoryClockHz; /* highest rates; 0: unknown */
    int ecc;                       /* 1: the memory corrects errors */
    char bus[32];                  /* PCI address of a GPU, "0000:0B:00.0"; "" if there is none */
    char note[256];                /* a note for the user on program and device; may be empty */
};

enum device_state {
    DEVICE_OPEN,
    DEVICE_MISSING, /* there is none of that number */
    DEVICE_FOREIGN  /* the program holds no code for it */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Devices in this machine, at least 1. */
int deviceCount(void);
/* Opens device number `ordinal`; if it cannot, says in `why` what is missing. */
enum device_state deviceOpen(int ordinal, char *why, size_t whySize);
/* The device that was opened; all zero before. */
const struct device *theDevice(void);
/* Sets the number of emulated devices, unless the environment says otherwise. Call before
 * deviceOpen(). */
void deviceEmulate(int count);
/* The variants use this many devices, beginning with the opened one. The timer then is the host's
 * and waits for all. */
void deviceUse(int count);
/* Bytes/s read plus written by a device-to-device copy, arrays of about `bytes` each. */
double deviceCopyRate(double bytes);
/* Bytes/s of copies between page-locked host memory and the device, `bytes` in each direction: to
 * the device, from it, and the sum of both at once. 0 if there is no memory for it, and on the
 * emulated device, which has no time. */
void deviceLinkRates(double bytes, double rates[3]);
/* Overwrites up to `bytes` of free device memory with 0xFF. */
void devicePoison(double bytes);
/* 1 if this host memory is page-locked. Only the emulated device knows; a GPU always answers 1. */
int deviceIsPageLocked(const void *memory);
void deviceSynchronise(void);
/* The text of the last CUDA error that nobody has checked, and clears it; NULL: none. */
const char *deviceError(void);
/* 1 if a GPU does nothing more in this program, since a kernel has failed. The emulated device,
 * whose findings tell more, is never lost. */
int deviceIsLost(void);
void deviceTimerStart(void);
double deviceTimerStop(void);
/* 1 if submitted work is still pending in a stream that the timer does not wait for or, with
 * several devices in use, on a device that the body has not waited for. Only the emulated device
 * knows; otherwise 0. */
int deviceWorkIsLeft(void);

#ifdef __cplusplus
}
#endif

#endif
