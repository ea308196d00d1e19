/* Transforms in double, which the results are held against. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "fft.h"

struct exact {
    double re, im;
};

/* `batch` transforms of n points each, on all cores; work has room for as many points as y. */
void transformInDouble(const struct point *x, struct exact *y, struct exact *work, size_t n,
                       size_t batch);

/* X[k] of one transform by its definition, in long double. */
struct exact byDefinitionInLongDouble(const struct point *x, size_t n, size_t k);

#endif
