/* Warp shuffles for every toolkit and every number of lanes, on architectures from Kepler on. */
#ifndef WARP_UTILS_H
#define WARP_UTILS_H

/* The value of the lane `distance` further up, among the first `lanes` (1 to 32) lanes of a warp, all of
 * which must call it; a lane that has none so far up gets its own value back. For blocks in one
 * dimension. Toolkits before 9 name no lanes, and the first of them shuffle words of 32 bits only. */
template <typename real>
__device__ real shuffleDown(real value, unsigned int distance, unsigned int lanes)
{
    const unsigned int lane = threadIdx.x % 32;
    const int source = (int)(lane + distance < lanes ? lane + distance : lane);
#if defined __CUDA_EMULATED__ || defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 9
    return __shfl_sync(0xffffffffu >> (32 - lanes), value, source);
#else
    union {
        real whole;
        int word[sizeof(real) / sizeof(int)];
    } bits = {value};

    for (int k = 0; k < (int)(sizeof(real) / sizeof(int)); k++)
        bits.word[k] = __shfl(bits.word[k], source);
    return bits.whole;
#endif
}

/* The value of the lane `distance` further down in a whole warp, all of whose lanes must call it; the
 * first lanes, which have none so far down, get their own value back. */
static __device__ inline int shuffleUp(int value, unsigned int distance)
{
#if defined __CUDA_EMULATED__ || defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 9
    return __shfl_up_sync(0xffffffffu, value, distance);
#else
    return __shfl_up(value, distance);
#endif
}

#endif
