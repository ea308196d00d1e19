/* Weighted sums of a point and its neighbours, of points that lie row after row, plane after plane:
 * point (i, j, k) at (k * ny + j) * nx + i. What lies outside counts as 0. Host array in, host
 * array out.
 *
 * A star has three dimensions: weights[0] for the point itself, weights[d] for its six neighbours
 * at distance d, up to `radius`. Two steps apply the star to its own result.
 * A square has two dimensions, nz is 1, and sides of 2 * radius + 1: weights[r * side + c] for the
 * point r - radius rows below and c - radius columns to the right. A separable square has the
 * weights column[r] * row[c], with `side` weights of the column and then `side` of the row. */
#ifndef STENCIL3D_H
#define STENCIL3D_H

#include <stddef.h>

enum { MOST_WEIGHTS = 15 * 15 };

struct problem {
    size_t nx, ny, nz;
    int radius; /* of a star 1 or 4, of a square 3 or 7 */
    float weights[MOST_WEIGHTS];
};

typedef void variant_fn(const float *x, float *y, const struct problem *p);
#include "variants.h"

/* What a row computes. */
enum {
    STAR = EXERCISE_TRAIT,
    TWO_STEPS = EXERCISE_TRAIT << 1,
    SQUARE = EXERCISE_TRAIT << 2,
    SEPARABLE = EXERCISE_TRAIT << 3,
    RATE = EXERCISE_TRAIT << 4,   /* as many multiply-adds, and no y */
    NEAREST = EXERCISE_TRAIT << 5 /* a star of radius 1 only */
};

#endif
