/* threads.h: who a thread is, and how threads wait for each other and exchange values. */
#ifndef EMULATED_THREADS_H
#define EMULATED_THREADS_H

extern "C" {
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;

/* The line number distinguishes barriers of different branches. */
void emulated_block_barrier(int line);
/* how many voted non-zero, of how many */
int emulated_block_vote(int predicate, int line, int *threads);
void emulated_named_barrier(int number, unsigned threads, int waits);
void emulated_grid_barrier(int line);
void emulated_fence(int block_only);
void emulated_block_scope(const void *p); /* of the atomic that follows */
unsigned long long emulated_warp(unsigned mask, unsigned long long value, int operation,
                                 int argument, int width);
unsigned emulated_active_mask(void);
unsigned emulated_lane(void);
long long emulated_clock(void);
void emulated_nap(void);
void emulated_trap(void);
extern const uint3 emulated_cluster_dim, emulated_cluster_index, emulated_block_in_cluster;
extern const unsigned emulated_block_rank, emulated_cluster_size;
void emulated_cluster_arrive(int relaxed);
void emulated_cluster_wait(int line);
void *emulated_map_shared(const void *p, unsigned rank);
unsigned emulated_shared_rank(const void *p);
extern char emulated_dynamic_shared[];
unsigned emulated_dynamic_shared_size(void);
}

static const int warpSize = 32;

/* A macro in spirit: the default argument is the line of the call. */
#define EMULATED_HERE int line = __builtin_LINE()
static EMULATED_INLINE void __syncthreads(EMULATED_HERE) { emulated_block_barrier(line); }
static EMULATED_INLINE int __syncthreads_count(int p, EMULATED_HERE)
{
    int n;
    return emulated_block_vote(p, line, &n);
}
static EMULATED_INLINE int __syncthreads_or(int p, EMULATED_HERE)
{
    int n;
    return emulated_block_vote(p, line, &n) != 0;
}
static EMULATED_INLINE int __syncthreads_and(int p, EMULATED_HERE)
{
    int n, yes = emulated_block_vote(p, line, &n);
    return yes == n;
}
#if EMULATED_ARCH >= 900
static EMULATED_INLINE void __cluster_barrier_arrive(void) { emulated_cluster_arrive(0); }
static EMULATED_INLINE void __cluster_barrier_arrive_relaxed(void) { emulated_cluster_arrive(1); }
static EMULATED_INLINE void __cluster_barrier_wait(EMULATED_HERE) { emulated_cluster_wait(line); }
static EMULATED_INLINE dim3 __clusterDim(void) { return dim3(emulated_cluster_dim); }
static EMULATED_INLINE dim3 __clusterIdx(void) { return dim3(emulated_cluster_index); }
static EMULATED_INLINE dim3 __clusterRelativeBlockIdx(void)
{
    return dim3(emulated_block_in_cluster);
}
static EMULATED_INLINE dim3 __clusterGridDimInClusters(void)
{
    return dim3(gridDim.x / emulated_cluster_dim.x, gridDim.y / emulated_cluster_dim.y,
                gridDim.z / emulated_cluster_dim.z);
}
static EMULATED_INLINE unsigned __clusterRelativeBlockRank(void) { return emulated_block_rank; }
static EMULATED_INLINE unsigned __clusterSizeInBlocks(void) { return emulated_cluster_size; }
static EMULATED_INLINE void *__cluster_map_shared_rank(const void *p, unsigned rank)
{
    return emulated_map_shared(p, rank);
}
static EMULATED_INLINE unsigned __cluster_query_shared_rank(const void *p)
{
    return emulated_shared_rank(p);
}
#endif
static EMULATED_INLINE void __threadfence_block(void) { emulated_fence(1); }
static EMULATED_INLINE void __threadfence(void) { emulated_fence(0); }
static EMULATED_INLINE void __threadfence_system(void) { emulated_fence(0); }
static EMULATED_INLINE long long clock64(void) { return emulated_clock(); }
static EMULATED_INLINE unsigned long long globaltimer(void)
{
    return (unsigned long long)emulated_clock();
}
#if EMULATED_ARCH >= 700
static EMULATED_INLINE void __nanosleep(unsigned) { emulated_nap(); }
#endif
#if EMULATED_ARCH >= 900
/* Of a programmatic dependent launch: the launches run one after the other in any case. */
static EMULATED_INLINE void cudaTriggerProgrammaticLaunchCompletion(void) {}
static EMULATED_INLINE void cudaGridDependencySynchronize(void) {}
#else
EMULATED_NEEDS(cudaTriggerProgrammaticLaunchCompletion, "9.0")
EMULATED_NEEDS(cudaGridDependencySynchronize, "9.0")
#endif
/* The nth bit that is set, from `base` on, backwards if n is negative */
static inline unsigned __fns(unsigned mask, unsigned base, int n)
{
    if (n == 0)
        return base < 32 && mask >> base & 1 ? base : ~0u;
    for (int i = (int)base, left = n < 0 ? -n : n; i >= 0 && i < 32; i += n < 0 ? -1 : 1)
        if (mask >> i & 1 && --left == 0)
            return (unsigned)i;
    return ~0u;
}
static EMULATED_INLINE void __trap(void) { emulated_trap(); }
/* A handle is the address of the condition, so that racing threads are found as with any other
 * variable. */
static EMULATED_INLINE void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                                    unsigned value)
{
    *(unsigned *)handle = value;
}

enum {
    emulatedShuffle,
    emulatedShuffleUp,
    emulatedShuffleDown,
    emulatedShuffleXor,
    emulatedVote,
    emulatedMatch
};
#define EMULATED_FULL 0xffffffffu

/* The votes that every device has, of the lanes that happen to be together. */
namespace emulated
{
static EMULATED_INLINE unsigned ballot(unsigned mask, int p)
{
    return (unsigned)emulated_warp(mask, p != 0, emulatedVote, 0, 32);
}
} // namespace emulated
static EMULATED_INLINE unsigned __ballot(int p)
{
    return ::emulated::ballot(emulated_active_mask(), p);
}
static EMULATED_INLINE int __any(int p) { return __ballot(p) != 0; }
static EMULATED_INLINE int __all(int p) { return __ballot(p == 0) == 0; }

#if CUDART_VERSION >= 9000
static EMULATED_INLINE unsigned __activemask(void) { return emulated_active_mask(); }
static EMULATED_INLINE unsigned __ballot_sync(unsigned mask, int p)
{
    return ::emulated::ballot(mask, p);
}
static EMULATED_INLINE int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
static EMULATED_INLINE int __all_sync(unsigned mask, int p)
{
    return __ballot_sync(mask, p == 0) == 0;
}
static EMULATED_INLINE void __syncwarp(unsigned mask = EMULATED_FULL)
{
    emulated_warp(mask, 0, emulatedVote, 0, 32);
}
#else
EMULATED_NEEDS(__activemask, "3.0")
EMULATED_NEEDS(__ballot_sync, "3.0")
EMULATED_NEEDS(__any_sync, "3.0")
EMULATED_NEEDS(__all_sync, "3.0")
EMULATED_NEEDS(__syncwarp, "3.0")
#endif

namespace emulated
{
template <class T>
static EMULATED_INLINE T exchange(unsigned mask, T value, int operation, int argument, int width)
{
    if constexpr (sizeof value <= 8) {
        unsigned long long bits = 0;
        __builtin_memcpy(&bits, &value, sizeof value);
        bits = emulated_warp(mask, bits, operation, argument, width);
        __builtin_memcpy(&value, &bits, sizeof value);
    } else {
        unsigned long long pieces[(sizeof value + 7) / 8] = {};
        __builtin_memcpy(pieces, &value, sizeof value);
        for (unsigned long long &piece : pieces)
            piece = emulated_warp(mask, piece, operation, argument, width);
        __builtin_memcpy(&value, pieces, sizeof value);
    }
    return value;
}
} // namespace emulated

#define EMULATED_SHUFFLE_SYNC(name, operation, argument_type)                                      \
    template <class T>                                                                             \
    static EMULATED_INLINE T name##_sync(unsigned mask, T value, argument_type lane,               \
                                         int width = 32)                                           \
    {                                                                                              \
        static_assert(sizeof(T) <= 8, "shuffles move values of up to 8 bytes");                    \
        return ::emulated::exchange(mask, value, operation, (int)lane, width);                     \
    }
#define EMULATED_SHUFFLE(name, operation, argument_type)                                           \
    EMULATED_SHUFFLE_SYNC(name, operation, argument_type)                                          \
    /* before CUDA 9: the lanes that happen to be together */                                      \
    template <class T> static EMULATED_INLINE T name(T value, argument_type lane, int width = 32)  \
    {                                                                                              \
        static_assert(sizeof(T) <= 8, "shuffles move values of up to 8 bytes");                    \
        return ::emulated::exchange(emulated_active_mask(), value, operation, (int)lane, width);   \
    }
#if EMULATED_ARCH >= 300
EMULATED_SHUFFLE(__shfl, emulatedShuffle, int)
EMULATED_SHUFFLE(__shfl_up, emulatedShuffleUp, unsigned)
EMULATED_SHUFFLE(__shfl_down, emulatedShuffleDown, unsigned)
EMULATED_SHUFFLE(__shfl_xor, emulatedShuffleXor, int)
#else
EMULATED_NEEDS(__shfl, "3.0")
EMULATED_NEEDS(__shfl_up, "3.0")
EMULATED_NEEDS(__shfl_down, "3.0")
EMULATED_NEEDS(__shfl_xor, "3.0")
EMULATED_NEEDS(__shfl_sync, "3.0")
EMULATED_NEEDS(__shfl_up_sync, "3.0")
EMULATED_NEEDS(__shfl_down_sync, "3.0")
EMULATED_NEEDS(__shfl_xor_sync, "3.0")
#endif
#undef EMULATED_SHUFFLE
#undef EMULATED_SHUFFLE_SYNC

#if EMULATED_ARCH >= 700
template <class T> static EMULATED_INLINE unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return (unsigned)emulated_warp(mask, bits, emulatedMatch, 0, 32);
}
template <class T>
static EMULATED_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    *all = (__match_any_sync(mask, value) & mask) == (mask & __ballot_sync(mask, 1));
    return *all ? mask : 0;
}
#else
EMULATED_NEEDS(__match_any_sync, "7.0")
EMULATED_NEEDS(__match_all_sync, "7.0")
EMULATED_NEEDS(__nanosleep, "7.0")
#endif

#if EMULATED_ARCH >= 800
/* Reductions over the lanes of the mask (compute capability 8.0) */
#define EMULATED_REDUCE(name, type, expression)                                                    \
    static inline type name(unsigned mask, type value)                                             \
    {                                                                                              \
        unsigned live = __ballot_sync(mask, 1);                                                    \
        type a = 0;                                                                                \
        for (int lane = 0, first = 1; lane < 32; lane++)                                           \
            if (live >> lane & 1) {                                                                \
                type b = __shfl_sync(mask, value, lane);                                           \
                a = first ? b : (expression);                                                      \
                first = 0;                                                                         \
            }                                                                                      \
        return a;                                                                                  \
    }
EMULATED_REDUCE(__reduce_add_sync, unsigned, a + b)
EMULATED_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
EMULATED_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
EMULATED_REDUCE(__reduce_and_sync, unsigned, a &b)
EMULATED_REDUCE(__reduce_or_sync, unsigned, a | b)
EMULATED_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
EMULATED_REDUCE(__reduce_add_sync, int, a + b)
EMULATED_REDUCE(__reduce_min_sync, int, a < b ? a : b)
EMULATED_REDUCE(__reduce_max_sync, int, a > b ? a : b)
#undef EMULATED_REDUCE
#else
EMULATED_NEEDS(__reduce_add_sync, "8.0")
EMULATED_NEEDS(__reduce_min_sync, "8.0")
EMULATED_NEEDS(__reduce_max_sync, "8.0")
EMULATED_NEEDS(__reduce_and_sync, "8.0")
EMULATED_NEEDS(__reduce_or_sync, "8.0")
EMULATED_NEEDS(__reduce_xor_sync, "8.0")
#endif
#endif
