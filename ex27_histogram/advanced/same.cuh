/* Which lanes of a warp have the same value: an instruction since compute capability 7.0. */
#ifndef SAME_CUH
#define SAME_CUH

#include "warp_utils.h"

/* The bits of the lanes that are here and whose value, from 0 to 255, is this lane's. */
static __device__ __forceinline__ unsigned int sameInWarp(int value)
{
#if defined SHUFFLES_NAME_LANES && !(defined __CUDA_ARCH__ && __CUDA_ARCH__ < 700)
    return __match_any_sync(__activemask(), value);
#else
    /* A vote for each bit: who else has it as it is here? */
#if defined SHUFFLES_NAME_LANES && !(defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300)
    const unsigned int here = __activemask();
#define VOTE(bit) __ballot_sync(here, bit)
#else
    const unsigned int here = __ballot(1);
#define VOTE(bit) __ballot(bit)
#endif
    unsigned int same = here;

    for (int bit = 0; bit < 8; bit++) {
        const unsigned int have = VOTE(value >> bit & 1);

        same &= value >> bit & 1 ? have : ~have;
    }
#undef VOTE
    return same;
#endif
}

#endif
