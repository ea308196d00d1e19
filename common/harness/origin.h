/* Where a result comes from: from what the measured body has left on the device, or from the host. Only the emulated device
 * is asked; on a GPU nothing is known, and nothing wrong. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <stddef.h>

/* A new row: nothing is known. */
void originReset(void);
/* This array of the host is to hold a result of the variant. */
void originExpect(const void *result, size_t bytes);
/* This memory is what the body has left, on the device or (isOnHost) by its copies. */
void originNote(const void *memory, size_t bytes, int isOnHost);
/* A right result: does it come from what was noted? Not asked of others than those that were expected, of those of a few
 * words, which the host may finish, and of those that have more than was noted. */
void originCompare(const char *name, const void *result, size_t bytes);
/* The name of a result that does not, for the most part; NULL: none. */
const char *originElsewhere(void);
/* This memory is a result of the body, which is about to run for the last time: is any of it copied to the host, then or
 * later? originNote() reads it, too, and stands between originRest() and another originWatch(). */
void originWatch(const void *memory, size_t bytes, int isOnHost);
void originRest(void);
/* 0 if neither a copy nor a library has read any of the results that were watched, and no kernel ran after MEASURE. */
int originIsBroughtBack(void);
/* Bytes that were noted on the device; 0 if the body itself copies results to the host. */
size_t originOnDevice(void);

#endif
