/* How often each value occurs among n bytes, x. What a row computes, its traits say:
 *
 *     none         counts[v]: how many of the n bytes are v, for v in [0, BINS)
 *     BY_EDGES     counts[b]: how many of x's n / 2 values of 16 bits are in [edge[b], edge[b + 1])
 *     SHORTS       counts[v]: how many of these values are v, for v in [0, SHORT_BINS)
 *     EQUALISED    y[i], too: 255 c / n, rounded down, if c of the n bytes are at most x[i]
 *
 * Host arrays in, host arrays out. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stddef.h>

enum { BINS = 256, SHORT_BINS = 65536 };

struct histogram {
    const unsigned char *x;
    size_t n;
    const int *edge; /* BINS + 1, increasing, from 0 to 65536 */
    int *counts;
    unsigned char *y;
    int copies; /* of the counters in a block, for the row that has so many: --copies */
};

typedef void variant_fn(const struct histogram *h);
#include "variants.h"

enum {
    BY_EDGES = EXERCISE_TRAIT,
    SHORTS = EXERCISE_TRAIT << 1,
    EQUALISED = EXERCISE_TRAIT << 2,
    READ_ONLY = EXERCISE_TRAIT << 3,        /* counts nothing: what a histogram is held against */
    WITHOUT_CONFLICTS = EXERCISE_TRAIT << 4 /* claims that no two lanes collide in a bank */
};

#endif
