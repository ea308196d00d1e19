/* What the kernels sort, and what they use of the warp and the block. */
#ifndef ITEMS_CUH
#define ITEMS_CUH

#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "sort.h"
#include "warp_utils.h"

enum { WARP = 32 };

/* Keys, and values or NULL, in device memory. */
struct arrays {
    unsigned int *key, *value;
};

/* A sort reads `from`, writes to place[0], and then from one place to the other. */
struct sort {
    struct arrays from, place[2];
    size_t n;
    unsigned int *work; /* workWords(n) words for counters */
};

/* The kernels are templates of an item: a key alone is an unsigned int, a key with its value a
 * uint2. */
static __device__ inline unsigned int keyOf(unsigned int item) { return item; }
static __device__ inline unsigned int keyOf(uint2 item) { return item.x; }

static __device__ inline void load(unsigned int *item, struct arrays from, size_t i)
{
    *item = from.key[i];
}

static __device__ inline void load(uint2 *item, struct arrays from, size_t i)
{
    *item = make_uint2(from.key[i], from.value[i]);
}

static __device__ inline void store(struct arrays to, size_t i, unsigned int item)
{
    to.key[i] = item;
}

static __device__ inline void store(struct arrays to, size_t i, uint2 item)
{
    to.key[i] = item.x;
    to.value[i] = item.y;
}

/* The digit of BITS bits that begins at bit `shift`. */
template <int BITS> __device__ unsigned int digitOf(unsigned int key, int shift)
{
    return key >> shift & ((1u << BITS) - 1);
}

/* An item behind all others. */
static __device__ inline void setLargest(unsigned int *item) { *item = 0xffffffffu; }
static __device__ inline void setLargest(uint2 *item) { *item = make_uint2(0xffffffffu, 0); }

/* min() of the first toolkits has no size_t. */
static __device__ inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Copies the items from `first` on, at most `size`, to shared memory, and waits for the block.
 * Returns their number. */
template <typename item>
__device__ int loadTile(item *s, int size, struct arrays from, size_t first, size_t n)
{
    const int count = (int)smaller(size, n - first);

    for (int i = threadIdx.x; i < count; i += blockDim.x)
        load(&s[i], from, first + i);
    __syncthreads();
    return count;
}

/* The way back; the block may use s again afterwards. */
template <typename item>
__device__ void storeTile(struct arrays to, size_t first, const item *s, int count)
{
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        store(to, first + i, s[i]);
    __syncthreads();
}

/* What the lanes of a warp have written to shared memory is there for the others. Before Volta they
 * run in lockstep, and only the compiler must be told. */
static __device__ __forceinline__ void syncWarp(void)
{
#if defined SHUFFLES_NAME_LANES && !(defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300)
    __syncwarp();
#else
    __threadfence_block();
#endif
}

/* The sum of value over this lane and those before it, in a whole warp. */
static __device__ inline unsigned int warpScan(unsigned int value)
{
    for (unsigned int distance = 1; distance < WARP; distance *= 2) {
        const unsigned int other = (unsigned int)shuffleUp((int)value, distance);

        if (threadIdx.x % WARP >= distance)
            value += other;
    }
    return value;
}

/* The sum of value over the threads before this one; *total becomes that of all. All threads of the
 * block, whole warps, must call it. What they wrote to shared memory before is there afterwards.
 * Between two calls there must be a barrier. */
static __device__ inline unsigned int blockScan(unsigned int value, unsigned int *total)
{
    __shared__ unsigned int sums[WARP]; /* of the warps */
    const unsigned int warp = threadIdx.x / WARP;
    const unsigned int sum = warpScan(value);
    unsigned int before = sum - value;

    if (threadIdx.x % WARP == WARP - 1)
        sums[warp] = sum;
    __syncthreads();
    *total = 0;
    for (unsigned int w = 0; w < blockDim.x / WARP; w++) {
        before += w < warp ? sums[w] : 0;
        *total += sums[w];
    }
    return before;
}

/* Replaces value[i] by the sum of the values before it, for i in [0, count). For one block. */
static __global__ void scanTable(unsigned int *value, int count)
{
    enum { PER = 8 };
    unsigned int before = 0, total;

    for (int first = 0; first < count; first += PER * blockDim.x) {
        const int own = first + PER * threadIdx.x;
        unsigned int x[PER], sum = 0;

        for (int k = 0; k < PER; k++)
            sum += x[k] = own + k < count ? value[own + k] : 0;
        sum = before + blockScan(sum, &total);
        for (int k = 0; k < PER && own + k < count; k++) {
            value[own + k] = sum;
            sum += x[k];
        }
        before += total;
        __syncthreads();
    }
}

/* Replaces keys by numbers without a sign in the same order, or numbers by keys. */
static __global__ void encodeKeys(const unsigned int *from, unsigned int *to, size_t n,
                                  enum key_type type)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        to[i] = encoded(from[i], type);
}

static __global__ void decodeKeys(unsigned int *key, size_t n, enum key_type type)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        key[i] = decoded(key[i], type);
}

/* Blocks for this many tiles: at least one, and not more than a grid may have. */
static unsigned int gridFor(size_t n, size_t tile)
{
    const size_t blocks = n > 0 ? blocksFor(n, tile) : 1;

    return (unsigned int)gridSize(blocks < maxGrid() ? blocks : maxGrid());
}

#endif
