/* Two sorts in shared memory in place of scattered writes: the tools of the fast way, and what the
 * launches need in device memory. */
#ifndef TILES_CUH
#define TILES_CUH

#include "cuda_utils.h"
#include "particle_sort.h"
#include "warp_utils.h"
#include <limits.h>

enum {
    WARP = 32,
    MAX_BLOCK = 1024, /* threads */
    PER_THREAD = 16,  /* particles of a chunk */
    STAGED = 17,      /* records of a tile for each thread, in shared memory: at least PER_THREAD */
    LANES = 8,        /* threads that share a run */
    LONG = 64,        /* records above which a run is shared by the whole block */
    SECTOR = 8        /* ints */
};

/* The grid's cells in tiles of 2^tileBits, the particles in chunks of chunkSize. */
struct tiling {
    int tileBits, tiles, cells;
    int chunks, chunkSize;
};

/* Two blocks of 1024 threads per multiprocessor where it has room for 2048: while one waits for
 * memory, the other works in shared memory. */
#if defined __CUDA_ARCH__ && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
#define BLOCKS_OF_1024 __launch_bounds__(MAX_BLOCK, 2)
#else
#define BLOCKS_OF_1024 __launch_bounds__(MAX_BLOCK)
#endif

/* The sum of value over this lane and those before it, in a whole warp. */
static __device__ inline int warpScan(int value)
{
    for (unsigned int distance = 1; distance < WARP; distance *= 2) {
        const int other = shuffleUp(value, distance);

        if (threadIdx.x % WARP >= distance)
            value += other;
    }
    return value;
}

/* Replaces value[i] in shared memory by the sum of the values before it, for i in [0, count). All
 * threads of the block, whole warps, must call it; it begins and ends with a barrier. */
static __device__ inline void exclusiveScan(int *value, int count)
{
    __shared__ int sums[WARP]; /* of the warps */
    const int t = threadIdx.x, warp = t / WARP, part = (count + blockDim.x - 1) / blockDim.x;
    const int first = min(count, t * part), end = min(count, first + part);
    int own = 0, sum, before;

    __syncthreads();
    for (int i = first; i < end; i++)
        own += value[i];
    sum = warpScan(own);
    if (t % WARP == WARP - 1)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0)
        sums[t] = warpScan(t < (int)blockDim.x / WARP ? sums[t] : 0);
    __syncthreads();
    before = sum - own + (warp > 0 ? sums[warp - 1] : 0);
    for (int i = first; i < end; i++) {
        const int here = value[i];

        value[i] = before;
        before += here;
    }
    __syncthreads();
}

/* The parts of blockDim.x chunks that belong to one tile, in shared memory: run t has count[t]
 * records and begins at from[t] in its chunk. Runs of more than LONG records are listed. */
struct runs {
    int from[MAX_BLOCK], count[MAX_BLOCK], longOnes[MAX_BLOCK], longCount;
};

/* Fills *runs for the block's tile, from chunk firstChunk on. Returns how many runs have room for
 * their records together. All threads of the block must call it; it begins and ends with a
 * barrier. */
static __device__ inline int findRuns(struct runs *runs, struct tiling tiling, const int *offset,
                                      int firstChunk, int room)
{
    const int t = threadIdx.x, chunk = firstChunk + t;
    int from = 0, count = 0, fits;

    if (chunk < tiling.chunks) {
        const int *own = offset + (size_t)chunk * (tiling.tiles + 1) + blockIdx.x;

        from = own[0];
        count = own[1] - from;
    }
    __syncthreads(); /* all threads are done with the runs before */
    runs->from[t] = from;
    runs->count[t] = count;
    if (t == 0)
        runs->longCount = 0;
    exclusiveScan(runs->count, blockDim.x);
    fits = chunk < tiling.chunks && runs->count[t] + count <= room;
    runs->count[t] = count;
    if (fits && count > LONG)
        runs->longOnes[atomicAdd(&runs->longCount, 1)] = t;
    return __syncthreads_count(fits);
}

/* Counts a record in its cell's next[], and enters its particle there in sorted, unless that is
 * NULL. */
static __device__ inline void handle(unsigned int record, int chunkStart, int *next, int *sorted)
{
    const int slot = atomicAdd(&next[record >> 16], 1);

    if (sorted != NULL)
        sorted[slot] = chunkStart + (int)(record & 0xffff);
}

/* Handles the records of the first `count` runs. A run is short as a rule, so LANES threads share
 * one; what is long would keep these LANES busy alone, so all threads share it. */
static __device__ inline void handleRuns(const struct runs *runs, int count, struct tiling tiling,
                                         int firstChunk, const unsigned int *record, int *next,
                                         int *sorted)
{
    for (int r = threadIdx.x / LANES; r < count; r += blockDim.x / LANES) {
        const int chunkStart = (firstChunk + r) * tiling.chunkSize;
        const unsigned int *own = record + chunkStart + runs->from[r];
        const int end = min(runs->count[r], LONG);

        for (int j = threadIdx.x % LANES; j < end; j += LANES)
            handle(own[j], chunkStart, next, sorted);
    }
    for (int l = 0; l < runs->longCount; l++) {
        const int r = runs->longOnes[l];
        const int chunkStart = (firstChunk + r) * tiling.chunkSize;
        const unsigned int *own = record + chunkStart + runs->from[r];
        const int end = runs->count[r];

        for (int j = LONG + threadIdx.x; j < end; j += blockDim.x)
            handle(own[j], chunkStart, next, sorted);
    }
}

/* Bytes of shared memory that sortChunks asks for, and that placeTile and compactTile do. */
static inline size_t chunkShared(struct tiling tiling)
{
    return sizeof(int) * (tiling.chunkSize + tiling.tiles + 1);
}

static inline size_t tileShared(struct tiling tiling)
{
    return sizeof(int) *
           (STAGED * (tiling.chunkSize / PER_THREAD) + 2 * ((size_t)1 << tiling.tileBits) + 1);
}

/* These are for you to write. */
__global__ void BLOCKS_OF_1024 sortChunks(const float *x, const float *y, size_t n,
                                          struct grid grid, struct tiling tiling, int *offset,
                                          unsigned int *record);
__global__ void BLOCKS_OF_1024 placeTile(const unsigned int *record, const int *offset,
                                         struct tiling tiling, int capacity, int *length,
                                         int *list);
__global__ void BLOCKS_OF_1024 compactTile(const unsigned int *record, const int *offset,
                                           struct tiling tiling, int *length, int *list,
                                           int *start);

/* About 1024 tiles, for blocks as large as the device's shared memory allows. */
static struct tiling chooseTiling(size_t n, struct grid grid)
{
    struct tiling tiling = {5, 0, grid.nx * grid.ny, 0, 0};
    int shared = 0, block = MAX_BLOCK, device;
    struct cudaFuncAttributes chunk, place;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaFuncGetAttributes(&chunk, sortChunks));
    cudaVerify(cudaFuncGetAttributes(&place, placeTile));
#if CUDART_VERSION >= 9000
    cudaVerify(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
#else
    cudaVerify(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device));
#endif
    while (tiling.cells > 1024 << tiling.tileBits)
        tiling.tileBits++;
    tiling.tiles = (tiling.cells - 1) / (1 << tiling.tileBits) + 1;
    tiling.chunkSize = PER_THREAD * block;
    while (block > 32 && (chunkShared(tiling) + chunk.sharedSizeBytes > (size_t)shared ||
                          tileShared(tiling) + place.sharedSizeBytes > (size_t)shared)) {
        block /= 2;
        tiling.chunkSize = PER_THREAD * block;
    }
    tiling.chunks = n > 0 ? (int)((n - 1) / tiling.chunkSize + 1) : 1;
#if CUDART_VERSION >= 9000
    cudaVerify(cudaFuncSetAttribute(sortChunks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)chunkShared(tiling)));
    cudaVerify(cudaFuncSetAttribute(placeTile, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)tileShared(tiling)));
    cudaVerify(cudaFuncSetAttribute(compactTile, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)tileShared(tiling)));
#endif
    return tiling;
}

/* Where the lists go: each with room for `capacity` particles, by atomics or by tiles, or one
 * behind the other. */
enum layout { FIXED, TILED, COMPACT };

/* The arrays of a launch in device memory. */
struct arrays {
    float *x, *y;
    int *length, *list, *start;
    size_t entries;       /* of list */
    struct tiling tiling; /* the last three are not for FIXED */
    int *offset;
    unsigned int *record;
};

/* The size of the lists; what the tiles need is chosen and allocated, the rest is not. freeArrays()
 * frees all. */
static inline struct arrays layOut(enum layout layout, size_t n, struct grid grid)
{
    struct arrays d = {0};

    d.entries = layout == COMPACT ? n : (size_t)grid.nx * grid.ny * grid.capacity;
    if (layout == FIXED)
        return d;
    d.tiling = chooseTiling(n, grid);
    cudaVerify(cudaMalloc((void **)&d.offset,
                          sizeof *d.offset * d.tiling.chunks * (size_t)(d.tiling.tiles + 1)));
    cudaVerify(cudaMalloc((void **)&d.record,
                          sizeof *d.record * d.tiling.chunks * (size_t)d.tiling.chunkSize));
    return d;
}

static inline void freeArrays(const struct arrays *d)
{
    cudaVerify(cudaFree(d->x));
    cudaVerify(cudaFree(d->y));
    cudaVerify(cudaFree(d->length));
    cudaVerify(cudaFree(d->list));
    cudaVerify(cudaFree(d->start));
    cudaVerify(cudaFree(d->offset));
    cudaVerify(cudaFree(d->record));
}

#endif
