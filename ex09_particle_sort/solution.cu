/* TASK     list the n particles of each grid cell: each thread takes a particle to its cell's list.
 * TRAFFIC  n (2 sizeof(float) + sizeof(int)) + cells sizeof(int) bytes: coordinates read, lists and
 *          lengths written.
 * LIMIT    the latency of scattered writes; memory bandwidth once the writes are put in order. */
#include "cuda_utils.h"
#include "measure.h"
#include "particle_sort.h"
#include "advanced/tiles.cuh"

typedef void launch_fn(const struct arrays *d, size_t n, struct grid grid);
typedef void kernel_fn(const float *x, const float *y, size_t n, struct grid grid, int *length,
                       int *list);

/* The code around every launch: memory on the device, the copies there and back. */
template <launch_fn launch, enum layout layout>
static void sortParticles(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list, int *start)
{
    const size_t cells = (size_t)grid.nx * grid.ny;
    struct arrays d = layOut(layout, n, grid);

    // TODO 1 begin: allocate d.x, d.y (n), d.length, d.start (cells), d.list (d.entries); copy x, y
    cudaVerify(cudaMalloc((void **)&d.x, n * sizeof *d.x));
    cudaVerify(cudaMalloc((void **)&d.y, n * sizeof *d.y));
    cudaVerify(cudaMalloc((void **)&d.length, cells * sizeof *d.length));
    cudaVerify(cudaMalloc((void **)&d.start, cells * sizeof *d.start));
    cudaVerify(cudaMalloc((void **)&d.list, d.entries * sizeof *d.list));
    cudaVerify(cudaMemcpy(d.x, x, n * sizeof *d.x, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d.y, y, n * sizeof *d.y, cudaMemcpyHostToDevice));
    // TODO 1 end

    /* All of these become -1: no particle, and no compact lists. */
    cudaVerify(cudaMemset(d.list, 0xFF, d.entries * sizeof *d.list));
    cudaVerify(cudaMemset(d.start, 0xFF, cells * sizeof *d.start));
    MEASURE (run) {
        launch(&d, n, grid);
    }

    cudaVerify(cudaMemcpy(length, d.length, cells * sizeof *length, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(list, d.list, d.entries * sizeof *list, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(start, d.start, cells * sizeof *start, cudaMemcpyDeviceToHost));
    freeArrays(&d);
}

/* One particle per thread. atomicAdd() returns the value before the addition: a slot of the list
 * that no other thread can get. */
__global__ void sortAtomic(const float *x, const float *y, size_t n, struct grid grid, int *length,
                           int *list)
{
    // TODO 2 begin: count the particle in its cell and enter it in the cell's list, if it has room
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int cell = i < n ? cellOf(x[i], y[i], grid) : -1;

    if (cell >= 0) {
        const int slot = atomicAdd(&length[cell], 1);

        if (slot < grid.capacity)
            list[(size_t)slot * grid.nx * grid.ny + cell] = (int)i;
    }
    // TODO 2 end
}

/* The launch of this kernel and of the next two. */
template <kernel_fn kernel>
void launchPerParticle(const struct arrays *d, size_t n, struct grid grid)
{
    // TODO 3 begin: zero the lengths, and launch the kernel with a thread for every particle
    const int block = blockSize(256);
    const unsigned int blocks = (unsigned int)(n / block + 1); /* never 0, even for no particles */

    cudaVerify(cudaMemsetAsync(d->length, 0, sizeof(int) * grid.nx * grid.ny));
    cudaVerifyKernel((kernel<<<blocks, block>>>(d->x, d->y, n, grid, d->length, d->list)));
    // TODO 3 end
}

/* Are the atomics what takes the time? Without them the result is wrong, on purpose: another thread
 * may read the same length before this one has written it back. And it is no faster. */
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

/* It is the scattered writes that take the time. Coordinates are read once and need no place in a
 * cache (.cs, streaming); list entries are written near others of the same cells, so L2 should keep
 * them (.cg, cache global). */
__global__ void sortHints(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list)
{
    // TODO 5 begin: (advanced) the same with ld.global.cs and st.global.cg, or their intrinsics
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float px, py;
    int cell;

    if (i >= n)
        return;
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(px) : "l"(x + i));
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(py) : "l"(y + i));
    cell = cellOf(px, py, grid);
    if (cell >= 0) {
        const int slot = atomicAdd(&length[cell], 1);
        int *entry = list + (size_t)slot * grid.nx * grid.ny + cell;

        if (slot < grid.capacity)
            asm volatile("st.global.cg.s32 [%0], %1;" : : "l"(entry), "r"((int)i) : "memory");
    }
    // TODO 5 end
}

/* Hints do not help: the lists are larger than L2. So the writes are brought into order first, and
 * none goes to memory alone (advanced/tiles.cuh has the tools). sortChunks: each block takes a
 * chunk of particles and sorts it in shared memory by tile, a run of 2^tileBits cells. placeTile:
 * each block takes a tile, collects the tile's part of every chunk, and sorts it by cell, again in
 * shared memory. A particle travels as a record: its cell in the tile in the upper 16 bits, its
 * place in the chunk in the lower.
 *
 * sortChunks writes each chunk's records, sorted by tile, to record[chunk * chunkSize ...], and
 * where in the chunk each tile begins to offset[chunk * (tiles + 1) + tile]. Shared memory:
 * chunkShared(). */
__global__ void BLOCKS_OF_1024 sortChunks(const float *x, const float *y, size_t n,
                                          struct grid grid, struct tiling tiling, int *offset,
                                          unsigned int *record)
{
    // TODO 6 begin: (advanced) count the chunk's particles per tile, scan, place each record
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

/* Builds the lists of the block's tile, in rounds of as many chunks as shared memory has room for:
 * one round unless the particles are clustered. Shared memory: tileShared(). */
__global__ void BLOCKS_OF_1024 placeTile(const unsigned int *record, const int *offset,
                                         struct tiling tiling, int capacity, int *length, int *list)
{
    // TODO 7 begin: (advanced) per round: count per cell, scan, sort in shared memory, write rows
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
        /* next[c] has arrived where the list of cell c + 1 begins. Eight cells share a 32-byte
         * sector: all are written as far as the longest of them, because half a sector costs more
         * than one. */
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

void launchTiled(const struct arrays *d, size_t n, struct grid grid)
{
    const struct tiling t = d->tiling;
    const int block = t.chunkSize / PER_THREAD;

    cudaVerifyKernel((sortChunks<<<t.chunks, block, chunkShared(t)>>>(d->x, d->y, n, grid, t,
                                                                      d->offset, d->record)));
    cudaVerifyKernel((placeTile<<<t.tiles, block, tileShared(t)>>>(
        d->record, d->offset, t, grid.capacity, d->length, d->list)));
}

/* Lists with room to spare take memory, and writing what is unused takes time. Compact lists, one
 * behind the other: count, scan, scatter. The particles of all tiles before this one are those
 * before it in each chunk. The lists of a tile that fit into shared memory are put together there
 * and written in one go. Shared memory: tileShared(). */
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

void launchCompact(const struct arrays *d, size_t n, struct grid grid)
{
    const struct tiling t = d->tiling;
    const int block = t.chunkSize / PER_THREAD;

    cudaVerifyKernel((sortChunks<<<t.chunks, block, chunkShared(t)>>>(d->x, d->y, n, grid, t,
                                                                      d->offset, d->record)));
    cudaVerifyKernel((compactTile<<<t.tiles, block, tileShared(t)>>>(
        d->record, d->offset, t, d->length, d->list, d->start)));
}

extern "C" const struct variant deviceVariants[] = {
    {"atomic increment", sortParticles<launchPerParticle<sortAtomic>, FIXED>},
    {"plain increment, wrong on purpose", sortParticles<launchPerParticle<sortPlain>, FIXED>},
    {"atomic increment, cache hints", sortParticles<launchPerParticle<sortHints>, FIXED>},
    {"chunks and tiles in shared memory", sortParticles<launchTiled, TILED>},
    {"the same, compact lists", sortParticles<launchCompact, COMPACT>},
    {NULL, NULL},
};
