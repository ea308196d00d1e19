/* c = a b for each of count pairs of n x n matrices that stand one after another: element (row u,
 * column v) of matrix m at (m * n + u) * n + v. 1 <= n <= MAX_N. Host arrays in, host array out. */
#ifndef SMALL_MMM_H
#define SMALL_MMM_H

#include <stddef.h>

enum { MAX_N = 32 };

typedef void variant_fn(const float *a, const float *b, float *c, int n, size_t count);
#include "variants.h"

enum { WITHOUT_CONFLICTS = EXERCISE_TRAIT }; /* claims that no two lanes collide in a bank */

#endif
