/* c[i] = a[i] + b[i] for i in [0, n): host arrays in, host array out. */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

#include <stddef.h>

typedef void variant_fn(const float *a, const float *b, float *c, size_t n);
#include "variants.h"

/* A variant with this trait gets host arrays from newPageLocked(). */
enum { PAGE_LOCKED = EXERCISE_TRAIT };

#ifdef __cplusplus
extern "C" {
#endif
/* Page-locked host memory for n floats, which freePageLocked() gives back. */
float *newPageLocked(size_t n);
void freePageLocked(float *array);

/* Before a launch is timed by hand: what is done from here to timedByHand() is what may be
 * timed. */
void timeByHand(void);
/* The clock's readings, in seconds, when one launch had returned and when the device had finished:
 * main.c judges the two times and prints them under the row. */
void timedByHand(double launched, double finished);
#ifdef __cplusplus
}
#endif

#endif
