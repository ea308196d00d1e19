/* The exclusive scan: y[i] = the sum of x[0] to x[i - 1], and y[0] = 0, for i in [0, n): host array
 * in, host array out, of unsigned int (sums modulo 2^32) or double. A scan leaves *kept alone.
 *
 * Two rows use a scan: a selection writes those x[i] that are kept to y, in their order, and their
 * number to *kept; a partition also writes the others, the first of them last. */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>

typedef void variant_fn(const unsigned int *x, unsigned int *y, size_t n, unsigned int *kept);
typedef void variant_double_fn(const double *x, double *y, size_t n, unsigned int *kept);
#define VARIANTS_IN_DOUBLE
#include "variants.h"

enum {
    SELECTS = EXERCISE_TRAIT,        /* a selection instead of a scan */
    PARTITIONS = EXERCISE_TRAIT << 1 /* a partition instead of a scan */
};

/* What a selection keeps: odd numbers. */
#define isKept(x) ((x) % 2 != 0)

#ifdef __cplusplus
extern "C" {
#endif
/* With --in-place a scan reads and writes the same array on the device. */
extern int inPlace;
#ifdef __cplusplus
}
#endif

#endif
