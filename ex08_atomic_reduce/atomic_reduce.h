/* *sum = the sum of x[i] * y[i] for i in [0, n), 0 for n = 0: host arrays in, one number out. */
#ifndef ATOMIC_REDUCE_H
#define ATOMIC_REDUCE_H

#include <stddef.h>

typedef void variant_fn(const double *x, const double *y, double *sum, size_t n);
#include "variants.h"

enum { BY_SWAPPING = EXERCISE_TRAIT }; /* adds by compare-and-swap */

#endif
