/* Diffusion in a rod of n points between two fixed ends: f holds n + 2 floats, the ends are f[0]
 * and f[n + 1]. A step replaces f[i] by f[i] + alpha * (f[i - 1] + f[i + 1] - 2 f[i]) for i in [1,
 * n]; alpha is the diffusion coefficient times the time step, divided by the square of the points'
 * distance. Explicit (forward-time, centred-space) differences, stable for alpha in [0, 1/2]. */
#ifndef DIFFUSION1D_H
#define DIFFUSION1D_H

#include <stddef.h>

/* f: the n + 2 points after `steps` steps from f0, ends included; steps >= 1. */
typedef void variant_fn(const float *f0, float *f, size_t n, int steps, float alpha);
#include "variants.h"

/* The row of library.cu, to compare with: f = f0 + f0, all n + 2 elements, once. */
enum { VECTOR_ADDITION = EXERCISE_TRAIT };

#endif
