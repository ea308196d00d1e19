/* Which lanes of a warp have the same value: an instruction since compute capability 7.0. */
#ifndef SAME_CUH
#define SAME_CUH

#include "warp_utils.h"

/* The bits of those `lanes` (the first lanes of a warp, all of which must call this) whose value is
 * this lane's. Values are at most 511. */
static __device__ __forceinline__ unsigned int sameInWarp(int value, unsigned int lanes)
{
    const unsigned int all = 0xffffffffu >> (32 - lanes);
#if defined __CUDA_EMULATED__ || defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 700
    return __match_any_sync(all, value);
#else
    /* Nine votes: for each bit, who else has it as it is here? */
    unsigned int same = all;

    for (int bit = 0; bit < 9; bit++) {
#ifdef SHUFFLES_NAME_LANES
        const unsigned int with = __ballot_sync(all, value >> bit & 1);
#else
        const unsigned int with = __ballot(value >> bit & 1);
#endif
        same &= value >> bit & 1 ? with : ~with;
    }
    return same;
#endif
}

#endif
