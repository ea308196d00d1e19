/* Where a result comes from: from what the measured body left on the device, or from the host. This
 * works on the emulated device only; on a GPU every origin is accepted. */
#ifndef RESULT_PROVENANCE_H
#define RESULT_PROVENANCE_H

#include <stddef.h>

/* A new row: nothing is known. */
void provenanceReset(void);
/* Declares a host array that will hold a result of the variant. */
void provenanceExpect(const void *result, size_t bytes);
/* Notes memory that the body wrote: on the device or, with isOnHost, by its copies. */
void provenanceNote(const void *memory, size_t bytes, int isOnHost);
/* Compares a right result with what was noted. Skips results that were not expected, results of a
 * few words, which the host may finish, and results with more words than were noted. */
void provenanceCompare(const char *name, const void *result, size_t bytes);
/* The name of a result too much of which comes from elsewhere; NULL: none. */
const char *provenanceElsewhere(void);
/* Watches whether any of this result is copied to the host, from the body's last run on.
 * provenanceNote() reads the result, too, so call provenanceRest() before it and provenanceWatch()
 * again after it. */
void provenanceWatch(const void *memory, size_t bytes, int isOnHost);
void provenanceRest(void);
/* 0 if neither a copy nor a library has read any of the results that were watched, and no kernel
 * ran after MEASURE. */
int provenanceIsBroughtBack(void);
/* Bytes that were noted on the device; 0 if the body itself copies results to the host. */
size_t provenanceOnDevice(void);

#endif
