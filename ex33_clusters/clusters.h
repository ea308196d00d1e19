/* Four problems on n values. What a row computes, its traits say:
 *
 *     CENTRED  y[i] = x[i] less the mean of x's row of `row` elements; the last may be shorter
 *     SMEARED  y = x after `steps` steps; in each an element becomes LEFT times its left neighbour
 *              plus OWN times itself plus RIGHT times its right neighbour. Each row is a rod of its
 *              own; beyond its ends are zeros
 *     COUNTED  counts[k]: how many of the n keys are k, for k in [0, BINS)
 *     SCALED   y[i] = FACTOR * x[i]
 *
 * Host arrays in, host arrays out. */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include <stddef.h>

#define LEFT 0.48f /* a small OWN, so that what a neighbour has not sent soon shows */
#define OWN 0.06f
#define RIGHT 0.46f
#define FACTOR 3.0f

enum { BINS = 1 << 17, MOST_OF_ROW = 65536 };

struct problem {
    const float *x;
    float *y;
    size_t n;
    int row; /* a multiple of 4 */
    int steps;
    int blocks; /* of a cluster: --cluster; 0: as suits the row */
    const unsigned int *keys;
    int *counts;
};

typedef void variant_fn(const struct problem *p);
#include "variants.h"

enum {
    CENTRED = EXERCISE_TRAIT,
    SMEARED = EXERCISE_TRAIT << 1,
    COUNTED = EXERCISE_TRAIT << 2,
    SCALED = EXERCISE_TRAIT << 3
};

#endif
