/* Warp shuffles for every toolkit, every architecture and every number of lanes: a lane reads a
 * register of another lane of its warp. For blocks in one dimension. They are always inline, so
 * that lanes meet before a shuffle that does not name them: of the lanes of a warp the emulated
 * device runs those first that are deepest in calls. */
#ifndef WARP_UTILS_H
#define WARP_UTILS_H

/* From CUDA 9 on, a shuffle names the lanes that take part. */
#if defined __CUDA_EMULATED__ || defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 9
#define SHUFFLES_NAME_LANES
#endif

/* Fermi has no shuffles. Its warps run in lockstep, so shared memory can replace them without a
 * barrier. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300
template <typename real>
__device__ __forceinline__ real valueOfLane(real value, unsigned int source)
{
    __shared__ volatile real values[1024];

    values[threadIdx.x] = value;
    return values[threadIdx.x / 32 * 32 + source];
}
#endif

/* The value of the lane `source` of the warp. All lanes in `mask`, the caller's and the source's
 * among them, must call it. */
template <typename real>
__device__ __forceinline__ real shuffleFrom(real value, unsigned int source,
                                            unsigned int mask = 0xffffffffu)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300
    (void)mask;
    return valueOfLane(value, source);
#elif defined SHUFFLES_NAME_LANES
    return __shfl_sync(mask, value, (int)source);
#else
    /* The first toolkits shuffle words of 32 bits only. */
    union {
        real whole;
        int word[sizeof(real) / sizeof(int)];
    } bits = {value};

    (void)mask;
    for (int k = 0; k < (int)(sizeof(real) / sizeof(int)); k++)
        bits.word[k] = __shfl(bits.word[k], (int)source);
    return bits.whole;
#endif
}

/* The value of the lane `distance` further up, among the first `lanes` (1 to 32) lanes of a warp,
 * all of which must call it; a lane that has none so far up gets its own value back. */
template <typename real>
__device__ __forceinline__ real shuffleDown(real value, unsigned int distance, unsigned int lanes)
{
    const unsigned int lane = threadIdx.x % 32;

    return shuffleFrom(value, lane + distance < lanes ? lane + distance : lane,
                       0xffffffffu >> (32 - lanes));
}

/* The int or float of the lane `distance` further up. All lanes of a whole warp must call it; a
 * lane with no such neighbour gets its own value back. */
template <typename word>
__device__ __forceinline__ word shuffleDown(word value, unsigned int distance)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300
    return shuffleDown(value, distance, 32);
#elif defined SHUFFLES_NAME_LANES
    return __shfl_down_sync(0xffffffffu, value, distance);
#else
    return __shfl_down(value, distance);
#endif
}

/* The same of the lane `distance` further down, for any type. */
template <typename real>
__device__ __forceinline__ real shuffleUp(real value, unsigned int distance)
{
#if defined SHUFFLES_NAME_LANES && !(defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300)
    return __shfl_up_sync(0xffffffffu, value, distance);
#else
    const unsigned int lane = threadIdx.x % 32;

    return shuffleFrom(value, lane >= distance ? lane - distance : lane);
#endif
}

#endif
