/* c[i] = a[i] * b for i in [0, n): host array in, host array out, b a number. */
#ifndef VECTOR_SCALE_H
#define VECTOR_SCALE_H

#include <stddef.h>

typedef void variant_fn(const float *a, float b, float *c, size_t n);
#include "variants.h"

/* A variant with the first trait gets host arrays from newPageLocked(), the kernel of one with the
 * second is one thread. */
enum { PAGE_LOCKED = EXERCISE_TRAIT, ONE_THREAD = EXERCISE_TRAIT << 1 };

#ifdef __cplusplus
extern "C" {
#endif
/* Page-locked host memory for n floats, which freePageLocked() gives back; NULL while the template
 * lacks it. */
float *newPageLocked(size_t n);
void freePageLocked(float *array);
#ifdef __cplusplus
}
#endif

#endif
