/* cuda_emulated.h: questions to the emulated device that no GPU could answer. Plain C; usable from
 * any host file that is linked with the emulated runtime. */
#ifndef CUDA_EMULATED_H
#define CUDA_EMULATED_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sums over all kernels since the start or the last reset. A request is one access instruction of
 * one warp; a sector is 32 bytes, a line 128. Nothing here depends on time, so equal runs give
 * equal counts. */
struct emulated_counters {
    unsigned long long launches, threads; /* of kernels that ran to their end */
    unsigned long long library_calls;     /* cuBLAS and cuSPARSE calls that computed */
    unsigned long long global_load_requests, global_load_sectors;
    unsigned long long global_store_requests, global_store_sectors;
    unsigned long long load_groups; /* global loads of a warp with no store between them */
    unsigned long long lines;       /* 128-byte lines touched by global loads and stores */
    /* distinct bytes that global loads and stores asked for */
    unsigned long long bytes_used;
    unsigned long long bytes_moved; /* 32 bytes for each sector of them */
    /* 32 bytes for each sector that a launch reads and has not written before, */
    unsigned long long bytes_in;
    /* and for each that it writes: once a launch, atomics as both */
    unsigned long long bytes_out;
    unsigned long long shared_requests;   /* loads, stores and atomics in shared memory */
    unsigned long long shared_wavefronts; /* passes over the 32 banks that these took */
    unsigned long long shared_ideal;      /* passes they would have taken without bank conflicts */
    unsigned long long atomic_requests;   /* in global and shared memory */
    unsigned long long compare_requests;  /* of these: compare-and-swap, minimum, maximum */
    /* sum over the requests of the most lanes on one address */
    unsigned long long atomic_conflicts;
    unsigned long long branches; /* two-way branches, counted once a warp */
    unsigned long long divergent_branches;
    unsigned long long active_lanes;    /* sum over all requests of the lanes that took part */
    unsigned long long bytes_from_host; /* that it has copied or written into memory of kernels */
    unsigned long long steps;           /* of warps, if they suffice to see the work of a block */
    /* of launches of several blocks of which one does nearly all, */
    unsigned long long one_block_steps;
    /* and of these, those in which its threads store several times */
    unsigned long long one_block_repeats;
    unsigned long long
        /* in global memory, of launches of more than a warp in which nearly all requests are those
         * of one lane */
        one_lane_requests;
    int findings; /* as emulatedFindings() */
};

/* From now on what a model of a GPU's time needs is counted, too, but not in fast mode. Since the
 * last reset, for each kernel: its name and its figures in the order of KERNEL_WORK
 * (runtime/time_model.h), with commas between and a semicolon behind. The text lives until the next
 * call. */
void emulatedCountWork(void);
const char *emulatedWork(void);

void emulatedCountersReset(void);
void emulatedCountersGet(struct emulated_counters *counters);
/* The access to shared memory that has lost most passes to bank conflicts since the last reset, and
 * two lanes that want the same bank: "file:line: words"; NULL: there are no conflicts. It lives
 * until the next reset or launch. */
const char *emulatedBankConflict(void);

/* The number of findings (distinct in kind and place) since the last reset, and finding i as one
 * line in a learner's words, or NULL when there is no such finding. The text lives until the next
 * reset. */
void emulatedFindingsReset(void);
int emulatedFindings(void);
const char *emulatedFindingLine(int i);
const char *emulatedFindingHint(int i); /* what may mend it, or NULL */
const char *emulatedFindingKind(int i); /* such as "race" or "out-of-bounds" */
/* Objects that were created since the last reset and still exist (memory, streams, plans, handles)
 * become findings of the kind "leak", at the line that created them. */
void emulatedFindLeaks(void);
/* 1 if the finding is about an undefined value, so that a program that does not use the value is
 * right. Using it shows in the result: it is a NaN, or a number that is far too large or too small,
 * as CUDA_EMULATED_ORDER sets. */
int emulatedFindingMayBeRight(int i);

/* The mistake in the program that explains the findings since the last reset, "file:line: words";
 * NULL: none is known. It lives until the next call, or reset. */
const char *emulatedCause(void);
/* The last copy to this array of the host, if its size was the number of elements where bytes are
 * wanted: what is wrong with it. NULL: nothing is known. */
const char *emulatedShortCopy(const void *array);
/* Two threads, in any order, that have written the same value to the same element, which does no
 * harm, but means in a wrong or slow kernel that the work is not divided: "file:line: words"; NULL:
 * there are none. */
const char *emulatedSameElement(void);
/* An array of which the kernels since the last reset have used some elements, and not others that
 * have values; or have read one in several blocks: words; NULL: there is none. It lives until the
 * next call. */
const char *emulatedUseOfArrays(void);

/* silent != 0: the caller itself reports findings and sets the exit status. The runtime no longer
 * writes them to stderr, and they do not change its exit status. The files of
 * CUDA_EMULATED_FINDINGS and _COUNTERS are still written. */
void emulatedSilence(int silent);

/* A clock without time, for charts: each copy between host and device and each kernel takes one
 * step. It begins when all that it depends on has ended; a copy also waits for earlier copies in
 * its direction. Returns the step in which the work before the event has ended; -1 if the event was
 * never recorded. */
struct CUevent_st;
long emulatedEventStep(struct CUevent_st *event);

/* The step in which all work submitted so far has ended; and how often the host has waited for a
 * step that it did not yet know to have ended. */
long emulatedLastStep(void);
long emulatedWaits(void);

/* Attributes the calls of this thread to the line of this address, until it is called with NULL:
 * for a function that works on behalf of its caller, __builtin_return_address(0). */
void emulatedCallsAreOf(const void *caller);

/* Fresh memory: device memory that no call and no kernel had written when emulatedFindFresh() was
 * last called. emulatedMakeFresh() makes it so again, once all that was submitted has ended.
 * emulatedMemory() returns allocation number i, whatever has written it, its length, and 1 if the
 * host can read it, too (page-locked and managed memory); NULL past the end. */
void emulatedFindFresh(void);
void emulatedMakeFresh(void);
void *emulatedMemory(int i, size_t *bytes, int *isHosts);

/* The bytes of device memory that copies and libraries have read since the start of the program. */
unsigned long long emulatedBytesRead(void);

/* A function that is not instrumented, such as a library's, is about to read, or write, this memory
 * for the host, called from the place __builtin_return_address(0): a race if an operation of a
 * stream that the host has not waited for uses it. `call` is the name that a finding says. */
void emulatedHostAccess(const char *call, const void *data, size_t bytes, int writes,
                        const void *place);

/* The error, if a function is about to use this much memory and the runtime knows the memory: a
 * line that lives until the next call, or NULL. `call` and `place` as above. */
const char *emulatedRangeProblem(const char *call, const void *data, size_t bytes,
                                 const void *place);

/* Sets the number of devices, 1 to 64, unless CUDA_EMULATED_DEVICES is set. Call it before any of
 * them is used. */
void emulatedDevices(int count);

/* 1 if the host cannot know that all submitted work has ended: it has waited for nothing that comes
 * after it. */
int emulatedWorkIsLeft(void);

/* Non-zero when findings make the process exit with status 1 (CUDA_EMULATED_FINDINGS_FATAL is not
 * 0). A caller that turns findings into its own exit status need not care. */
int emulatedFindingsFatal(void);

#ifdef __cplusplus
}
#endif
#endif
