/* Sorts a tile by a digit of 8 bits in shared memory: what the last two rungs use. Each thread has
 * PER keys, and is responsible for one digit. */
#ifndef RANKS_CUH
#define RANKS_CUH

#include "../items.cuh"

enum { DIGITS = 256, RANK_BLOCK = DIGITS, RANK_WARPS = RANK_BLOCK / WARP };

/* Shared memory for a tile of PER keys for each thread. */
template <int PER> struct ranked {
    unsigned int next[RANK_WARPS][DIGITS];  /* a warp's counts, later the places of its next keys */
    unsigned int peers[RANK_WARPS][DIGITS]; /* a bit for each lane; 0 between the steps */
    unsigned int target[DIGITS]; /* where a digit's keys go, less where they begin in key[] */
    unsigned int tile;
    unsigned int key[RANK_BLOCK * PER];   /* sorted */
    unsigned int value[RANK_BLOCK * PER]; /* not there if there are only keys */
};

extern __shared__ unsigned int dynamicShared[];

/* The place of the thread's first key in its tile; the next ones follow at a distance of WARP, so
 * that a warp has 32 neighbours at a time. */
template <int PER> __device__ unsigned int ownPlace(void)
{
    return threadIdx.x / WARP * WARP * PER + threadIdx.x % WARP;
}

/* The keys of a tile from `first` on. */
template <int PER> __device__ unsigned int keysInTile(size_t first, size_t end)
{
    return (unsigned int)smaller(RANK_BLOCK * PER, end - first);
}

/* Sets the counters and masks to 0. A barrier must follow. */
template <int PER> __device__ void clear(struct ranked<PER> *s)
{
    for (int w = 0; w < RANK_WARPS; w++)
        s->next[w][threadIdx.x] = s->peers[w][threadIdx.x] = 0;
}

/* Loads the thread's keys of a tile with `keys` keys, and counts their digits. Returns how many of
 * the tile have digit threadIdx.x. Behind the last key are others, larger than all. */
template <int PER>
__device__ unsigned int countTile(unsigned int *key, const unsigned int *from, unsigned int keys,
                                  int shift, struct ranked<PER> *s)
{
    unsigned int count = 0;

#pragma unroll
    for (int k = 0; k < PER; k++) {
        const unsigned int i = ownPlace<PER>() + k * WARP;

        key[k] = i < keys ? from[i] : 0xffffffffu;
    }
#pragma unroll
    for (int k = 0; k < PER; k++)
        atomicAdd(&s->next[threadIdx.x / WARP][digitOf<8>(key[k], shift)], 1);
    __syncthreads();
    for (int w = 0; w < RANK_WARPS; w++)
        count += s->next[w][threadIdx.x];
    return count;
}

/* The lanes of the warp with the same digit as this one, a bit for each: those that vote as it does
 * on each bit of the digit. All lanes of the warp must call it. */
static __device__ __forceinline__ unsigned int peersByVotes(unsigned int digit)
{
    unsigned int lanes = 0xffffffffu;

#pragma unroll
    for (int bit = 0; bit < 8; bit++) {
        const int own = digit >> bit & 1;
#if defined SHUFFLES_NAME_LANES && !(defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300)
        const unsigned int ones = __ballot_sync(0xffffffffu, own);
#else
        const unsigned int ones = __ballot(own);
#endif

        lanes &= own ? ones : ~ones;
    }
    return lanes;
}

/* This is for you to write. */
__device__ unsigned int takePlace(unsigned int digit, int byVotes, unsigned int *peers,
                                  unsigned int *next);

/* Sorts the tile's keys in shared memory; place[k] becomes the place of key[k] there. `count` is
 * what countTile() has returned. Returns where digit threadIdx.x begins. */
template <int PER>
__device__ unsigned int sortTile(const unsigned int *key, int shift, struct ranked<PER> *s,
                                 unsigned int count, unsigned short *place)
{
    const int warp = threadIdx.x / WARP;
    unsigned int all;
    const unsigned int begin = blockScan(count, &all);
    unsigned int sum = begin;

    for (int w = 0; w < RANK_WARPS; w++) {
        const unsigned int ofWarp = s->next[w][threadIdx.x];

        s->next[w][threadIdx.x] = sum;
        sum += ofWarp;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER; k++) {
        /* Shared memory is what all wait for; votes do without, and every third key has them. */
        place[k] = (unsigned short)takePlace(digitOf<8>(key[k], shift), k % 3 == 0, s->peers[warp],
                                             s->next[warp]);
        s->key[place[k]] = key[k];
    }
    return begin;
}

/* Loads the thread's values: while they are under way, a block can look back. */
template <int PER>
__device__ void loadValues(unsigned int *value, const unsigned int *from, unsigned int keys)
{
#pragma unroll
    for (int k = 0; k < PER; k++) {
        const unsigned int i = ownPlace<PER>() + k * WARP;

        value[k] = i < keys ? from[i] : 0;
    }
}

/* Writes the sorted tile: neighbours with the same digit go to neighbouring places. */
template <int PER, int PAIRS>
__device__ void storeSorted(struct arrays to, unsigned int keys, int shift, struct ranked<PER> *s,
                            const unsigned int *value, const unsigned short *place)
{
    if (PAIRS)
#pragma unroll
        for (int k = 0; k < PER; k++)
            s->value[place[k]] = value[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER; k++) {
        const unsigned int i = k * RANK_BLOCK + threadIdx.x;

        if (i < keys) {
            const unsigned int key = s->key[i], target = s->target[digitOf<8>(key, shift)] + i;

            to.key[target] = key;
            if (PAIRS)
                to.value[target] = s->value[i];
        }
    }
}

/* Keys of each thread: many, so that a tile has many of each digit side by side, unless the device
 * lacks the shared memory, or the tiles would be too few for its multiprocessors. */
enum { FEW = 8, MANY = 56, MANY_PAIRS = 38 };

/* Of a block for pairs (1) or for keys alone (0). */
template <int PER, int PAIRS> static size_t sharedBytes(void)
{
    const size_t values = sizeof(unsigned int) * RANK_BLOCK * PER;

    return sizeof(struct ranked<PER>) - (PAIRS ? 0 : values);
}

static int takesMany(size_t n, int perThread, size_t shared)
{
    int most = 0, device;

    cudaVerify(cudaGetDevice(&device));
#if CUDART_VERSION >= 9000
    cudaVerify(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
#else
    cudaVerify(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlock, device));
#endif
    return 2 * n >= (size_t)RANK_BLOCK * perThread * multiprocessors() && shared <= (size_t)most;
}

#endif
