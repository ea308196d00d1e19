/* Shared by the kernels of ex26: launches of whole warps, tiles of packets, and notes that one
 * block leaves for others. */
#ifndef TILES_CUH
#define TILES_CUH

#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "warp_utils.h"

enum {
    WARP = 32,
    MAX_BLOCK = 1024,    /* threads */
    PER_THREAD = 8,      /* packets */
    MOST_BEHIND = 288,   /* threads of a block that keeps a tile in 36 KB of shared memory */
    MOST_SELECTING = 320 /* the same for 40 KB: only doubles need room for Fermi's shuffles */
};

/* What --block asks for, in whole warps, since a shuffle needs all lanes. */
static inline int wholeWarps(int own) { return (blockSize(own) + WARP - 1) / WARP * WARP; }

static inline int wholeWarpsUpTo(int most)
{
    return wholeWarps(most) < most ? wholeWarps(most) : most;
}

/* The tiles of `tile` elements; one that is empty if there are no elements. */
static inline unsigned int tilesFor(size_t n, size_t tile)
{
    return n > 0 ? blocksFor(n, tile) : 1;
}

/* The load of one instruction: four words or two doubles. */
template <typename T> struct __align__(16) packet { T element[16 / sizeof(T)]; };

template <typename T> __device__ __forceinline__ T sumOf(const packet<T> &x)
{
    T sum = 0;

#pragma unroll
    for (int e = 0; e < (int)(16 / sizeof(T)); e++)
        sum += x.element[e];
    return sum;
}

template <int PACKETS, typename T> __device__ __forceinline__ void addTo(packet<T> *own, T value)
{
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int e = 0; e < (int)(16 / sizeof(T)); e++)
            own[k].element[e] += value;
}

/* Where this thread's first packet of a tile begins. Each warp has a piece of the tile, its lanes
 * have neighbouring packets, and a thread's next packet is WARP packets further on. */
template <typename T, int PACKETS> __device__ __forceinline__ size_t firstOfThread(size_t tile)
{
    const size_t warp = tile * (blockDim.x / WARP) + threadIdx.x / WARP;

    return (warp * PACKETS * WARP + threadIdx.x % WARP) * (16 / sizeof(T));
}

/* Loads a thread's packets from element i on, all at once where there are so many. What lies past
 * the n elements is 0. */
template <int PACKETS, typename T>
__device__ __forceinline__ void loadPackets(packet<T> *own, const T *x, size_t i, size_t n)
{
    const int step = WARP * (16 / sizeof(T));
    const size_t left = i < n ? n - i : 0;

    x += i;
    if (left >= PACKETS * step) {
#pragma unroll
        for (int k = 0; k < PACKETS; k++)
            own[k] = *(const packet<T> *)(x + k * step);
        return;
    }
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int e = 0; e < (int)(16 / sizeof(T)); e++)
            own[k].element[e] = k * step + e < (int)left ? x[k * step + e] : 0;
}

/* Stores packets as loadPackets() loads them: nothing past the n elements. */
template <int PACKETS, typename T>
__device__ __forceinline__ void storePackets(const packet<T> *own, T *y, size_t i, size_t n)
{
    const int step = WARP * (16 / sizeof(T));
    const size_t left = i < n ? n - i : 0;

    y += i;
    if (left >= PACKETS * step) {
#pragma unroll
        for (int k = 0; k < PACKETS; k++)
            *(packet<T> *)(y + k * step) = own[k];
        return;
    }
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int e = 0; e < (int)(16 / sizeof(T)); e++)
            if (k * step + e < (int)left)
                y[k * step + e] = own[k].element[e];
}

/* A value with a tag, for other blocks: each half of a word is 32 bits of the value beside the tag.
 * A word is written and read as one, so that nobody finds a new tag beside an old value. */
template <typename T> struct note {
    unsigned long long word[sizeof(T) / 4];
};

template <typename T> union value_words {
    T value;
    unsigned int word[sizeof(T) / 4];
};

template <typename T> __device__ void leaveNote(note<T> *place, T value, unsigned int tag)
{
    value_words<T> bits;

    bits.value = value;
    for (int k = 0; k < (int)(sizeof(T) / 4); k++)
        *(volatile unsigned long long *)&place->word[k] =
            (unsigned long long)tag << 32 | bits.word[k];
}

/* Reads a note and returns its tag; 0 while it is being changed. */
template <typename T> __device__ unsigned int readNote(const note<T> *place, T *value)
{
    value_words<T> bits;
    unsigned int tag = 0;
    int isWhole = 1;

    for (int k = 0; k < (int)(sizeof(T) / 4); k++) {
        const unsigned long long word = *(const volatile unsigned long long *)&place->word[k];

        bits.word[k] = (unsigned int)word;
        isWhole = isWhole && (k == 0 || tag == (unsigned int)(word >> 32));
        tag = (unsigned int)(word >> 32);
    }
    *value = bits.value;
    return isWhole ? tag : 0;
}

/* The bits of the lanes of a whole warp in which the condition holds. */
__device__ __forceinline__ unsigned int lanesWhere(int condition)
{
#if defined SHUFFLES_NAME_LANES && !(defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300)
    return __ballot_sync(0xffffffffu, condition);
#else
    return __ballot(condition);
#endif
}

/* A block for each tile, but no more than the device can hold at a time, and no more than --grid
 * says. Before toolkit 6.5, which can tell, one for each multiprocessor. */
template <typename kernel_fn>
static unsigned int gridOfResidents(unsigned int tiles, kernel_fn *kernel, int block)
{
    int each = 1;
    unsigned int most;

#if CUDART_VERSION >= 6050
    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, block, 0));
#else
    (void)kernel, (void)block;
#endif
    most = (unsigned int)(each * multiprocessors());
    most = tiles < most ? tiles : most;
    return gridSize(most) < most ? (unsigned int)gridSize(most) : most;
}

#endif
