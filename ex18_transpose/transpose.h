/* y = x transposed. x has ny rows of nx elements, element (row, column) at row * nx + column; y has
 * nx rows of ny elements, and the same element at column * ny + row. Host array in, host array
 * out. */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include <stddef.h>

typedef void variant_fn(const float *x, float *y, size_t nx, size_t ny);
#include "variants.h"

enum {
    WITHOUT_CONFLICTS = EXERCISE_TRAIT, /* claims that no two lanes collide in a bank */
    AS_IT_IS = EXERCISE_TRAIT << 1,     /* y = x: what a transpose is held against */
    IN_ORDER = EXERCISE_TRAIT << 2      /* claims that lanes read and write side by side */
};

#endif
