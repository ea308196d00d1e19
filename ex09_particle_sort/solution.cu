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
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int cell = i < n ? cellOf(x[i], y[i], grid) : -1;

    if (cell >= 0) {
        const int slot = atomicAdd(&length[cell], 1);

        if (slot < grid.capacity)
            list[(size_t)slot * grid.nx * grid.ny + cell] = (int)i;
    }
    // TODO 1 end
}

/* Wrong on purpose: another thread may read the same length before this one has written it back. */
__global__ void sortPlain(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list)
{
    // TODO 4 begin: the same with length[cell]++, to see what is lost
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int cell = i < n ? cellOf(x[i], y[i], grid) : -1;

    if (cell >= 0) {
        const int slot = length[cell]++;

        if (slot < grid.capacity)
            list[(size_t)slot * grid.nx * grid.ny + cell] = (int)i;
    }
    // TODO 4 end
}

/* Coordinates are read once and need no place in a cache (.cs, streaming); list entries are written
 * near others of the same cells, so L2 should keep them (.cg, cache global). */
__global__ void sortHints(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list)
{
    // TODO 5 begin: (advanced) the same with ld.global.cs and st.global.cg, or their intrinsics
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float px, py;
    int cell;

    if (i >= n)
        return;
#ifdef __CUDA_EMULATED__ /* it knows the intrinsics, which came with toolkit 5.5 for devices from 3.2 */
    px = __ldcs(x + i);
    py = __ldcs(y + i);
#else
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(px) : "l"(x + i));
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(py) : "l"(y + i));
#endif
    cell = cellOf(px, py, grid);
    if (cell >= 0) {
        const int slot = atomicAdd(&length[cell], 1);
        int *entry = list + (size_t)slot * grid.nx * grid.ny + cell;

        if (slot < grid.capacity)
#ifdef __CUDA_EMULATED__
            __stcg(entry, (int)i);
#else
            asm volatile("st.global.cg.s32 [%0], %1;" : : "l"(entry), "r"((int)i) : "memory");
#endif
    }
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
    extern __shared__ unsigned int staged[];
    int *next = (int *)(staged + tiling.chunkSize); /* a tile's length, later its next free place */
    const size_t base = (size_t)blockIdx.x * tiling.chunkSize;
    int cell[PER_THREAD];

    for (int t = threadIdx.x; t <= tiling.tiles; t += blockDim.x)
        next[t] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) { /* all loads before the first use */
        const size_t i = base + k * blockDim.x + threadIdx.x;

        cell[k] = i < n ? cellOf(x[i], y[i], grid) : -1;
    }
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        if (cell[k] >= 0)
            atomicAdd(&next[cell[k] >> tiling.tileBits], 1);
    exclusiveScan(next, tiling.tiles + 1);
    for (int t = threadIdx.x; t <= tiling.tiles; t += blockDim.x)
        offset[(size_t)blockIdx.x * (tiling.tiles + 1) + t] = next[t];
    const int count = next[tiling.tiles];

    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        if (cell[k] >= 0) {
            const unsigned int inTile = cell[k] & ((1 << tiling.tileBits) - 1);
            const int slot = atomicAdd(&next[cell[k] >> tiling.tileBits], 1);

            staged[slot] = inTile << 16 | (k * blockDim.x + threadIdx.x);
        }
    __syncthreads();
    for (int j = threadIdx.x; j < count; j += blockDim.x)
        record[base + j] = staged[j];
    // TODO 6 end
}

/* Builds the lists of the block's tile, in rounds of as many chunks as shared memory has room for: one
 * round unless the particles are clustered. Shared memory: STAGED blockDim.x + 2 * 2^tileBits + 1 ints. */
__global__ void BLOCKS_OF_1024 placeTile(const unsigned int *record, const int *offset,
                                         struct tiling tiling, int capacity, int *length, int *list)
{
    // TODO 7 begin: (advanced) per round: count per cell, scan, sort in shared memory, write row by row
    extern __shared__ unsigned int staged[];
    __shared__ struct runs runs;
    const int room = STAGED * blockDim.x, width = 1 << tiling.tileBits;
    const int firstCell = blockIdx.x << tiling.tileBits;
    int *sorted = (int *)staged, *next = sorted + room + 1, *listed = next + width;

    for (int c = threadIdx.x; c < width; c += blockDim.x)
        listed[c] = 0;
    for (int chunk = 0, taken; chunk < tiling.chunks; chunk += taken) {
        taken = findRuns(&runs, tiling, offset, chunk, room);
        for (int c = (int)threadIdx.x - 1; c < width; c += blockDim.x)
            next[c] = 0;
        __syncthreads();
        handleRuns(&runs, taken, tiling, chunk, record, next, NULL);
        exclusiveScan(next, width);
        handleRuns(&runs, taken, tiling, chunk, record, next, sorted);
        __syncthreads();
        /* next[c] has arrived where the list of cell c + 1 begins. Eight cells share a 32-byte sector:
         * all are written as far as the longest of them, because half a sector costs more than one. */
        for (int c = threadIdx.x; c < width && firstCell + c < tiling.cells; c += blockDim.x) {
            int stop = 0;

            for (int u = c / SECTOR * SECTOR; u < c / SECTOR * SECTOR + SECTOR; u++)
                stop = max(stop, listed[u] + next[u] - next[u - 1]);
            for (int k = listed[c], j = next[c - 1]; k < min(stop, capacity); k++, j++)
                list[(size_t)k * tiling.cells + firstCell + c] = j < next[c] ? sorted[j] : -1;
        }
        __syncthreads();
        for (int c = threadIdx.x; c < width; c += blockDim.x)
            listed[c] += next[c] - next[c - 1];
    }
    for (int c = threadIdx.x; c < width && firstCell + c < tiling.cells; c += blockDim.x)
        length[firstCell + c] = listed[c];
    // TODO 7 end
}

/* Compact lists: count, scan, scatter. The particles of all tiles before this one are those before it
 * in each chunk. The lists of a tile that fit into shared memory are put together there and written in
 * one go. Shared memory: as placeTile. */
__global__ void BLOCKS_OF_1024 compactTile(const unsigned int *record, const int *offset,
                                           struct tiling tiling, int *length, int *list, int *start)
{
    // TODO 8 begin: (advanced) count the tile's records per cell, scan, scatter them into list
    extern __shared__ unsigned int staged[];
    __shared__ struct runs runs;
    __shared__ int before;
    const int room = STAGED * blockDim.x, width = 1 << tiling.tileBits;
    const int firstCell = blockIdx.x << tiling.tileBits;
    int *sorted = (int *)staged, *next = sorted + room;

    for (int c = threadIdx.x; c <= width; c += blockDim.x)
        next[c] = 0;
    if (threadIdx.x == 0)
        before = 0;
    for (int chunk = 0, taken; chunk < tiling.chunks; chunk += taken) {
        taken = findRuns(&runs, tiling, offset, chunk, INT_MAX);
        handleRuns(&runs, taken, tiling, chunk, record, next, NULL);
        if ((int)threadIdx.x < taken)
            atomicAdd(&before, runs.from[threadIdx.x]);
    }
    exclusiveScan(next, width + 1);
    for (int c = threadIdx.x; c < width && firstCell + c < tiling.cells; c += blockDim.x) {
        start[firstCell + c] = before + next[c];
        length[firstCell + c] = next[c + 1] - next[c];
    }
    const int total = next[width];

    for (int chunk = 0, taken; chunk < tiling.chunks; chunk += taken) {
        taken = findRuns(&runs, tiling, offset, chunk, INT_MAX);
        handleRuns(&runs, taken, tiling, chunk, record, next,
                   total <= room ? sorted : list + before);
    }
    __syncthreads();
    for (int j = threadIdx.x; total <= room && j < total; j += blockDim.x)
        list[before + j] = sorted[j];
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
    const int block = blockSize(256);
    const unsigned int blocks = (unsigned int)(n / block + 1); /* never 0, even for no particles */

    cudaVerify(cudaMemsetAsync(d->length, 0, sizeof(int) * grid.nx * grid.ny));
    cudaVerifyKernel((sortAtomic<<<blocks, block>>>(d->x, d->y, n, grid, d->length, d->list)));
    // TODO 3 end
}

static void launchPlain(const struct arrays *d, size_t n, struct grid grid)
{
    // TODO 4 begin: the launch, as before
    const int block = blockSize(256);

    cudaVerify(cudaMemsetAsync(d->length, 0, sizeof(int) * grid.nx * grid.ny));
    cudaVerifyKernel((sortPlain<<<(unsigned int)(n / block + 1), block>>>(d->x, d->y, n, grid,
                                                                          d->length, d->list)));
    // TODO 4 end
}

static void launchHints(const struct arrays *d, size_t n, struct grid grid)
{
    // TODO 5 begin: (advanced) the launch, as before
    const int block = blockSize(256);

    cudaVerify(cudaMemsetAsync(d->length, 0, sizeof(int) * grid.nx * grid.ny));
    cudaVerifyKernel((sortHints<<<(unsigned int)(n / block + 1), block>>>(d->x, d->y, n, grid,
                                                                          d->length, d->list)));
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
    cudaVerify(cudaMalloc((void **)&d.x, n * sizeof *d.x));
    cudaVerify(cudaMalloc((void **)&d.y, n * sizeof *d.y));
    cudaVerify(cudaMalloc((void **)&d.length, cells * sizeof *d.length));
    cudaVerify(cudaMalloc((void **)&d.start, cells * sizeof *d.start));
    cudaVerify(cudaMalloc((void **)&d.list, d.entries * sizeof *d.list));
    cudaVerify(cudaMemcpy(d.x, x, n * sizeof *d.x, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d.y, y, n * sizeof *d.y, cudaMemcpyHostToDevice));
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
