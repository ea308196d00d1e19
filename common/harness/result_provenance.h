/* Where a result comes from: from what the measured body left on the device, or from the host. This
 * works on the emulated device only; on a GPU every origin is accepted. */
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
/* Before each sample: poisons what the body has written so far. */
void provenanceWipe(void);
/* Notes what the body has written, after its last run; nothing of it if work is left. */
void provenanceNote(int workIsLeft);
/* Compares a right result with what was noted. Skips results that were not expected, results of a
 * few words, which the host may finish, and results with more words than were noted. */
void provenanceCompare(const char *name, const void *result, size_t bytes);
/* Makes the open row WRONG if its result is not what the kernels have computed. */
void provenanceJudge(void);

#endif
