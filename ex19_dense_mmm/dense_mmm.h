/* C = A B: A is m x k, B is k x n, C is m x n, all stored by rows: element (i, j) of C at i * n +
 * j. Host arrays in, host array out; m, n, k >= 1. */
#ifndef DENSE_MMM_H
#define DENSE_MMM_H

#include <stddef.h>

typedef void variant_fn(const float *a, const float *b, float *c, int m, int n, int k);
#include "variants.h"

enum {
    ROUNDS_TO_TF32 = EXERCISE_TRAIT,     /* keeps 11 significant bits of each factor */
    THREE_PRODUCTS = EXERCISE_TRAIT * 2, /* each factor in two parts of 11 bits */
    NO_PRODUCT = EXERCISE_TRAIT * 4,     /* multiply-adds in registers: all elements of c are 2 */
    TO_NEAREST = EXERCISE_TRAIT * 8      /* of factors that it keeps so: rounded, not cut */
};

#endif
