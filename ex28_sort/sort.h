/* Sorts n keys of 32 bits in ascending order, and moves each key's value along with it. A sort is
 * stable if equal keys keep their order. The bits of a key are an unsigned int, an int or a float.
 * Host arrays in, host arrays out; value and sortedValue are NULL if there are only keys. n < 2^30.
 */
#ifndef SORT_H
#define SORT_H

#include <stddef.h>

enum key_type { UNSIGNED_KEYS, INT_KEYS, FLOAT_KEYS };

typedef void variant_fn(const unsigned int *key, const unsigned int *value, unsigned int *sortedKey,
                        unsigned int *sortedValue, size_t n, enum key_type type);
#include "variants.h"

enum {
    TILE = 512 /* keys that a block of the first two rungs sorts, each tile on its own */
};

enum {
    TILES_ONLY = EXERCISE_TRAIT,     /* sorts each tile of TILE keys, and not the whole */
    NOT_STABLE = EXERCISE_TRAIT << 1 /* may change the order of equal keys */
};

#if defined __CUDACC__ || defined __CUDA_EMULATED__
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif

/* Numbers without a sign that are in the order of the keys. The bits of an int need another sign
 * bit. A float has its sign beside the magnitude: the larger a negative one's bits, the smaller it
 * is. Here -0 comes before 0. */
ON_BOTH static inline unsigned int encoded(unsigned int bits, enum key_type type)
{
    const unsigned int sign = 0x80000000u;

    if (type == FLOAT_KEYS && (bits & sign) != 0)
        return ~bits;
    return type == UNSIGNED_KEYS ? bits : bits ^ sign;
}

/* The bits of the key that has this number. */
ON_BOTH static inline unsigned int decoded(unsigned int number, enum key_type type)
{
    const unsigned int sign = 0x80000000u;

    if (type == FLOAT_KEYS && (number & sign) == 0)
        return ~number;
    return type == UNSIGNED_KEYS ? number : number ^ sign;
}

#endif
