/* c[i] = a[i] + b[i] for i in [0, n): host arrays in, host array out. How the device arrays are
 * laid out, and which thread takes which elements, is what the exercise is about. */
#ifndef UNCOALESCED_H
#define UNCOALESCED_H

#include <stddef.h>

/* All in elements. On the device a[i] lies at d_a[i + offsetA], and likewise b and c. */
struct access {
    size_t offsetA, offsetB, offsetC;
    size_t stride; /* from the element of one thread to that of the next, at least 1 */
    size_t region; /* consecutive elements that one thread takes, at least 1 */
};

/* Bytes of n floats that begin `offset` floats into their allocation. A whole number of float4, so
 * that whoever loads float4s may load the last one whole. */
static inline size_t allocationBytes(size_t offset, size_t n)
{
    return (offset + n + 3) / 4 * 4 * sizeof(float);
}

typedef void variant_fn(const float *a, const float *b, float *c, size_t n,
                        const struct access *access);
#include "variants.h"

/* The next thread's elements are so far on: a row that shows what that costs, and is WRONG if it
 * costs nothing. */
enum { STRIDE_APART = EXERCISE_TRAIT, REGION_APART = EXERCISE_TRAIT << 1 };

#endif
