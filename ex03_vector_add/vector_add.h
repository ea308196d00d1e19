/* c[i] = a[i] + b[i] for i in [0, n): host arrays in, host array out. */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

#include <stddef.h>

typedef void variant_fn(const float *a, const float *b, float *c, size_t n);
#include "variants.h"

#endif
