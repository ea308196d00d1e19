/* c[i] = a[i] * b for i in [0, n): host array in, host array out, b a number. */
#ifndef VECTOR_SCALE_H
#define VECTOR_SCALE_H

#include <stddef.h>

typedef void variant_fn(const float *a, float b, float *c, size_t n);
#include "variants.h"

#endif
