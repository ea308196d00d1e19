/* The provenance of a result: the measured body's memory on the device, or the host. It is known on
 * the emulated device only; on a GPU every origin is accepted. */
#ifndef RESULT_PROVENANCE_H
#define RESULT_PROVENANCE_H

#include <stddef.h>

/* A new row: nothing is known. */
void provenanceReset(void);
/* Declares a host array, just poisoned, that will hold a result of the variant. */
void provenanceExpect(void *result, size_t bytes);
/* A measurement begins. Its writes into fresh memory, on the device or in the host arrays that are
 * expected, are results. */
void provenanceBegin(void);
/* Before each sample: poisons the memory that the body has written so far. */
void provenanceWipe(void);
/* Notes the memory that the body has written, after its last run; nothing if work is left. */
void provenanceNote(int workIsLeft);
/* 1 if the last run has left memory unwritten that an earlier one had written. */
int provenanceIsLost(void);
/* 1 if the body writes this host array, so that it was wiped before the last run. */
int provenanceIsWiped(const void *result);
/* Compares a right result with the noted words. Skips results that were not expected, results of a
 * few words, which the host may finish, and results with more words than were noted. */
void provenanceCompare(const char *name, const void *result, size_t bytes);
/* Makes the open row WRONG if the kernels have not computed its result. */
void provenanceJudge(void);

#endif
