/* Attention, o = softmax(q k' / sqrt(size)) v for each head, and the softmax and the layer norm of
 * rows alone.
 *
 * q and o are heads x queries x size halves, k and v heads x keys x size, the last index
 * fastest. Query i sees the keys 0 to i + shift: all of them if shift is `keys`; with a causal
 * mask shift is keys - queries, so that the last query sees all keys. A query that sees none has
 * the result 0.
 *
 * Rows with the trait SOFTMAX find scores in q, heads x queries rows of `keys` halves, and leave
 * the softmax of each row, of those that its query sees, in o; the others are 0.
 *
 * Rows with the trait LAYER_NORM find heads x queries rows of `keys` numbers of type bfloat16 in q,
 * and leave (x - mean) / sqrt(variance + EPSILON) gamma + beta of each row in o, with the mean and
 * the variance of that row. k has gamma and v has beta, `keys` numbers each. All numbers of a row
 * count: there is no mask.
 *
 * Rows with the trait DECODING are attention with one query a head, which sees all keys.
 *
 * C has no halves: these are their bits, or those of a bfloat16. Host arrays in, host array out;
 * all counts are at least 1, and size is 64 or 128. */
#ifndef ATTENTION_H
#define ATTENTION_H

#include <stddef.h>

struct shape {
    int heads, queries, keys, size, shift;
};

typedef unsigned short half_bits;

typedef void variant_fn(const struct shape *s, const half_bits *q, const half_bits *k,
                        const half_bits *v, half_bits *o);
#include "variants.h"

enum {
    SOFTMAX = EXERCISE_TRAIT,       /* of rows of scores: not attention */
    IN_HALVES = EXERCISE_TRAIT * 2, /* rounds scores, and weights after their division, to halves */
    LAYER_NORM = EXERCISE_TRAIT * 4, /* of rows: not attention */
    DECODING = EXERCISE_TRAIT * 8    /* attention with one query a head */
};

/* In a row of equal numbers it stands between the root and 0. */
#define EPSILON 1e-5f

#endif
