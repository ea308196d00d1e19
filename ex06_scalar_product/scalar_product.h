/* *sum = the sum of x[i] * y[i] for i in [0, n), 0 for n = 0: host arrays in, one number out. Every
 * variant exists for floats and for doubles. */
#ifndef SCALAR_PRODUCT_H
#define SCALAR_PRODUCT_H

#include <stddef.h>

typedef void variant_fn(const float *x, const float *y, float *sum, size_t n);
typedef void variant_double_fn(const double *x, const double *y, double *sum, size_t n);
#define VARIANTS_IN_DOUBLE
#include "variants.h"

/* Adds all terms to one sum, as a plain loop does: its rounding errors grow with that sum. */
enum { ONE_CHAIN = EXERCISE_TRAIT };

#endif
