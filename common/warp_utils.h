/* Warp shuffles for every toolkit: what __shfl_down_sync does, on architectures from Kepler on. */
#ifndef WARP_UTILS_H
#define WARP_UTILS_H

/* The value of the lane `distance` further up, for the first `lanes` (1 to 32) lanes of a warp, all of
 * which must call it. A lane without such a neighbour gets no useful value. Toolkits before 9 name no
 * lanes, and the first of them shuffle words of 32 bits only. */
template <typename real>
__device__ real shuffleDown(real value, unsigned int distance, unsigned int lanes)
{
#if defined __CUDA_EMULATED__ || defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 9
    return __shfl_down_sync(0xffffffffu >> (32 - lanes), value, distance);
#else
    union {
        real whole;
        int word[sizeof(real) / sizeof(int)];
    } bits = {value};

    (void)lanes;
    for (int k = 0; k < (int)(sizeof(real) / sizeof(int)); k++)
        bits.word[k] = __shfl_down(bits.word[k], distance);
    return bits.whole;
#endif
}

#endif
