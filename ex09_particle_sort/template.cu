/* TASK     list the n particles of each grid cell: each thread takes a particle to its cell's list.
 * TRAFFIC  n (2 sizeof(float) + sizeof(int)) + cells sizeof(int) bytes: coordinates read, lists and
 *          lengths written.
 * LIMIT    the latency of scattered writes; memory bandwidth once the writes are put in order. */
#include "cuda_utils.h"
#include "measure.h"
#include "particle_sort.h"
#include "tiles.h"
#include <limits.h>

/* One particle per thread. atomicAdd() returns the value before the addition: a slot of the list that
 * no other thread can get. */
__global__ void sortAtomic(const float *x, const float *y, size_t n, struct grid grid, int *length,
                           int *list)
{
    // TODO 1 begin: count the particle in its cell and enter it in the cell's list, if it has room
    NOT_IMPLEMENTED(1);
    // TODO 1 end
}

/* Wrong on purpose: another thread may read the same length before this one has written it back. */
__global__ void sortPlain(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list)
{
    // TODO 4 begin: the same with length[cell]++, to see what is lost
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

/* Coordinates are read once and need no place in a cache (.cs, streaming); list entries are written
 * near others of the same cells, so L2 should keep them (.cg, cache global). */
__global__ void sortHints(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list)
{
    // TODO 5 begin: (advanced) the same with ld.global.cs and st.global.cg, or their intrinsics
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

/* The fast way, so that no write to memory is a lone one (tiles.h has its tools). sortChunks: each block
 * takes a chunk of particles and sorts it in shared memory by tile, a run of 2^tileBits cells.
 * placeTile: each block takes a tile, collects the tile's part of every chunk, and sorts it by cell,
 * again in shared memory. A particle travels as a record: its cell in the tile in the upper 16 bits,
 * its place in the chunk in the lower. */

/* Writes each chunk's records, sorted by tile, to record[chunk * chunkSize ...], and where in the chunk
 * each tile begins to offset[chunk * (tiles + 1) + tile]. Shared memory: chunkSize + tiles + 1 ints. */
__global__ void BLOCKS_OF_1024 sortChunks(const float *x, const float *y, size_t n,
                                          struct grid grid, struct tiling tiling, int *offset,
                                          unsigned int *record)
{
    // TODO 6 begin: (advanced) count the chunk's particles per tile, scan, put each record in its place
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

/* Builds the lists of the block's tile, in rounds of as many chunks as shared memory has room for: one
 * round unless the particles are clustered. Shared memory: STAGED blockDim.x + 2 * 2^tileBits + 1 ints. */
__global__ void BLOCKS_OF_1024 placeTile(const unsigned int *record, const int *offset,
                                         struct tiling tiling, int capacity, int *length, int *list)
{
    // TODO 7 begin: (advanced) per round: count per cell, scan, sort in shared memory, write row by row
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

/* Compact lists: count, scan, scatter. The particles of all tiles before this one are those before it
 * in each chunk. The lists of a tile that fit into shared memory are put together there and written in
 * one go. Shared memory: as placeTile. */
__global__ void BLOCKS_OF_1024 compactTile(const unsigned int *record, const int *offset,
                                           struct tiling tiling, int *length, int *list, int *start)
{
    // TODO 8 begin: (advanced) count the tile's records per cell, scan, scatter them into list
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

/* What a launch needs, in device memory. */
struct arrays {
    float *x, *y;
    int *length, *list, *start;
    size_t entries;       /* of list */
    struct tiling tiling; /* the last three for sortTiled() only */
    int *offset;
    unsigned int *record;
};

typedef void launch_fn(const struct arrays *d, size_t n, struct grid grid);

static void launchAtomic(const struct arrays *d, size_t n, struct grid grid)
{
    // TODO 3 begin: zero the lengths, and launch sortAtomic with a thread for every particle
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

static void launchPlain(const struct arrays *d, size_t n, struct grid grid)
{
    // TODO 4 begin: the launch, as before
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

static void launchHints(const struct arrays *d, size_t n, struct grid grid)
{
    // TODO 5 begin: (advanced) the launch, as before
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

/* Bytes of shared memory that the kernels of sortTiled() ask for. */
static size_t chunkShared(struct tiling tiling)
{
    return sizeof(int) * (tiling.chunkSize + tiling.tiles + 1);
}

static size_t tileShared(struct tiling tiling)
{
    return sizeof(int) *
           (STAGED * (tiling.chunkSize / PER_THREAD) + 2 * ((size_t)1 << tiling.tileBits) + 1);
}

static void launchTiled(const struct arrays *d, size_t n, struct grid grid)
{
    const struct tiling tiling = d->tiling;
    const int block = tiling.chunkSize / PER_THREAD;

    cudaVerifyKernel((sortChunks<<<tiling.chunks, block, chunkShared(tiling)>>>(
        d->x, d->y, n, grid, tiling, d->offset, d->record)));
    cudaVerifyKernel((placeTile<<<tiling.tiles, block, tileShared(tiling)>>>(
        d->record, d->offset, tiling, grid.capacity, d->length, d->list)));
}

static void launchCompact(const struct arrays *d, size_t n, struct grid grid)
{
    const struct tiling tiling = d->tiling;
    const int block = tiling.chunkSize / PER_THREAD;

    cudaVerifyKernel((sortChunks<<<tiling.chunks, block, chunkShared(tiling)>>>(
        d->x, d->y, n, grid, tiling, d->offset, d->record)));
    cudaVerifyKernel((compactTile<<<tiling.tiles, block, tileShared(tiling)>>>(
        d->record, d->offset, tiling, d->length, d->list, d->start)));
}

/* What surrounds the kernels: memory on the device, the copies there and back. */
static void sortOnDevice(struct arrays d, const float *x, const float *y, size_t n,
                         struct grid grid, int *length, int *list, int *start, launch_fn *launch)
{
    const size_t cells = (size_t)grid.nx * grid.ny;

    // TODO 2 begin: allocate d.x, d.y (n), d.length, d.start (cells), d.list (d.entries); copy x and y
    NOT_IMPLEMENTED(2);
    // TODO 2 end

    /* -1 everywhere: no particle, and no compact lists. */
    cudaVerify(cudaMemset(d.list, 0xff, d.entries * sizeof *d.list));
    cudaVerify(cudaMemset(d.start, 0xff, cells * sizeof *d.start));
    MEASURE (run) {
        launch(&d, n, grid);
    }
    cudaVerify(cudaMemcpy(length, d.length, cells * sizeof *length, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(list, d.list, d.entries * sizeof *list, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(start, d.start, cells * sizeof *start, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d.x));
    cudaVerify(cudaFree(d.y));
    cudaVerify(cudaFree(d.length));
    cudaVerify(cudaFree(d.start));
    cudaVerify(cudaFree(d.list));
}

static struct arrays fixedLists(struct grid grid)
{
    struct arrays d = {0};

    d.entries = (size_t)grid.nx * grid.ny * grid.capacity;
    return d;
}

static void atomic(const float *x, const float *y, size_t n, struct grid grid, int *length,
                   int *list, int *start)
{
    sortOnDevice(fixedLists(grid), x, y, n, grid, length, list, start, launchAtomic);
}

static void plain(const float *x, const float *y, size_t n, struct grid grid, int *length,
                  int *list, int *start)
{
    sortOnDevice(fixedLists(grid), x, y, n, grid, length, list, start, launchPlain);
}

static void hints(const float *x, const float *y, size_t n, struct grid grid, int *length,
                  int *list, int *start)
{
    sortOnDevice(fixedLists(grid), x, y, n, grid, length, list, start, launchHints);
}

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

static void sortTiled(struct arrays d, const float *x, const float *y, size_t n, struct grid grid,
                      int *length, int *list, int *start, launch_fn *launch)
{
    d.tiling = chooseTiling(n, grid);
    cudaVerify(cudaMalloc((void **)&d.offset,
                          sizeof *d.offset * d.tiling.chunks * (size_t)(d.tiling.tiles + 1)));
    cudaVerify(cudaMalloc((void **)&d.record,
                          sizeof *d.record * d.tiling.chunks * (size_t)d.tiling.chunkSize));
    sortOnDevice(d, x, y, n, grid, length, list, start, launch);
    cudaVerify(cudaFree(d.offset));
    cudaVerify(cudaFree(d.record));
}

static void tiled(const float *x, const float *y, size_t n, struct grid grid, int *length,
                  int *list, int *start)
{
    sortTiled(fixedLists(grid), x, y, n, grid, length, list, start, launchTiled);
}

static void compact(const float *x, const float *y, size_t n, struct grid grid, int *length,
                    int *list, int *start)
{
    struct arrays d = {0};

    d.entries = n; /* no cell has room to spare */
    sortTiled(d, x, y, n, grid, length, list, start, launchCompact);
}

extern "C" const struct variant deviceVariants[] = {
    {"atomic increment", atomic},
    {"plain increment, wrong on purpose", plain},
    {"atomic increment, cache hints", hints},
    {"chunks and tiles in shared memory", tiled},
    {"the same, compact lists", compact},
    {NULL, NULL},
};
