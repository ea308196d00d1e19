/* Counts the copies between host and device that an OpenACC program makes, exactly, on every
 * machine.
 *
 * gcc turns each directive into a call of its runtime that names the arrays and the operation on
 * each. This file intercepts the calls (the linker's --wrap) and applies the rules of the OpenACC
 * specification: an array that is present is not copied. So it counts the copies even if the host
 * itself is the device and nothing needs to be copied. */
#ifndef ACC_COPIES_H
#define ACC_COPIES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct acc_copies {
    long toDevice, toHost; /* copies of arrays; scalars (under 1 KiB) do not count */
    double bytesToDevice, bytesToHost;
    long loops;   /* parallel loops that were started */
    long missing; /* arrays that a clause calls present, but which no region had brought there */
    long unnamed; /* arrays that a loop uses and no clause names: they would be missing on a GPU */
    long bare;    /* arrays of acc_malloc() that a loop uses without deviceptr(...) */
    long queues;  /* queues on which work was started (async) and not waited for since */
    long mostQueues;  /* the largest number of such queues at a time */
    long mostScalars; /* the largest number of values that a loop takes from outside */
    long handedOver;  /* arrays whose device addresses host_data has given to other code */
};

/* The copies that a variant needs, and the loops it starts: once for the whole call, and again for
 * every unit of work (a run, a step). An array may travel in several pieces. */
struct acc_expected {
    long toDeviceOnce, toHostOnce, toDevice, toHost;
    long loopsOnce, loops, pieces;
    long queues;     /* queues that must have work at the same time, at least */
    long scalars;    /* values that a loop may take from outside, at most; 0: any number */
    long handedOver; /* arrays per unit whose device addresses other code gets */
};

/* The input that must get to the device and the output that must come back, both complete. */
struct acc_arrays {
    const void *in, *out;
    double bytes; /* of either */
};

/* Resets all counts; nothing is present on the device. */
void accCopiesReset(void);
/* The counts since then; all -1 if the compiler's runtime is not gcc's. */
struct acc_copies accCopies(void);
/* The name of the device that OpenACC uses, as the runtime reports it; *onGpu becomes 1 for a
 * GPU. */
const char *accDevice(int *onGpu);
/* Copies that the runtime itself reported through the profiling interface since accCopiesReset();
 * -1 if it has none. Only a GPU makes any. */
struct acc_copies accCopiesReported(void);
/* Judges the counts of the present row, in which `units` of work were done ("steps"). Makes the row
 * WRONG for mistakes that the results do not show on a host: too many or too few copies, copies of
 * a wrong length or array, an array that would be missing on a GPU, a variable that all threads
 * share, a queue that nobody waits for, queues that are never busy at the same time, a sequential
 * loop. */
void accVerify(const struct acc_expected *expected, long units, const char *unit,
               const struct acc_arrays *arrays);

#ifdef __cplusplus
}
#endif

#endif
