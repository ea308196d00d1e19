/* The discrete Fourier transform of each of `batch` sequences of n complex points, one behind the
 * other:
 *
 *     X[k] = sum over j of x[j] w^(j k),  w = exp(-2 pi i / n),  k = 0, ..., n - 1
 *
 * n is a power of two. Host array in, host array out, in this order. */
#ifndef FFT_H
#define FFT_H

#include <stddef.h>

struct point {
    float re, im;
};

#ifdef __cplusplus
extern "C"
#endif
    /* 1: the large transform makes three passes where two would do. */
    int
    threePasses(void);

typedef void variant_fn(const struct point *x, struct point *y, size_t n, size_t batch);
#include "variants.h"

enum {
    ONE_LARGE = EXERCISE_TRAIT,              /* one transform, of --points times --points points */
    WITHOUT_CONFLICTS = EXERCISE_TRAIT << 1, /* claims that no two lanes collide in a bank */
    EXACT_TWIDDLES = EXERCISE_TRAIT << 2     /* claims that each is rounded once or twice */
};

#endif
