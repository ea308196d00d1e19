/* rounds exchanges between blocks: in each, every block reads the values that all blocks have
 * written in the round before, and writes its own new one. Host arrays in and out. */
#ifndef BLOCK_BARRIER_H
#define BLOCK_BARRIER_H

/* The work that a variant times: the exchanges, or barriers with nothing between them. */
enum timed { EXCHANGES, BARRIERS };

/* first[block] are the values before round 0, value[block] those after the last; rounds >= 0.
 * Whatever is timed, the exchanges are computed. */
typedef void variant_fn(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                        enum timed timed);
#include "variants.h"

/* Variants with these traits launch a kernel for every round; use the barrier of the toolkit. */
enum { LAUNCHES_ROUNDS = EXERCISE_TRAIT, TOOLKITS_BARRIER = 2 * EXERCISE_TRAIT };

/* The new value of a block, from the sum of all values of the round before: one stale value changes
 * all values of all later rounds. Unsigned arithmetic wraps, the same on every machine. */
#if defined __CUDACC__ || defined __CUDA_EMULATED__
__host__ __device__
#endif
    static inline unsigned int
    newValue(unsigned int sum, int block, int round)
{
    const unsigned int mixed = (sum + (unsigned int)block + 1u) * 2654435761u;

    return (mixed ^ mixed >> 15) + (unsigned int)round;
}

#endif
