/* The heat equation on nx x ny points, element (x, y) at y * nx + x, fixed borders: `steps` times
 *     f'(x, y) = f + alpha (left + right + up + down - 4 f)
 * from the host array start to the host array f. */
#ifndef DIFFUSION2D_H
#define DIFFUSION2D_H

#include <stddef.h>

typedef void variant_fn(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps);
#include "variants.h"

/* Which copies a variant by OpenACC makes: main.c knows how many these are. */
enum copies {
    COPIES_EVERY_STEP = EXERCISE_TRAIT,
    COPIES_ALL_ONCE = 2 * EXERCISE_TRAIT,
    COPIES_FEWEST = 3 * EXERCISE_TRAIT,
    COPIES_AND_CHANGE = 4 * EXERCISE_TRAIT, /* COPIES_FEWEST, and largestChange is set */
};

extern float largestChange; /* in the last step: main.c compares it */

#endif
