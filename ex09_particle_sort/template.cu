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
    NOT_IMPLEMENTED(1);
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
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

/* The launch of this kernel and of the next two. */
template <kernel_fn kernel>
void launchPerParticle(const struct arrays *d, size_t n, struct grid grid)
{
    // TODO 3 begin: zero the lengths, and launch the kernel with a thread for every particle
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

/* Are the atomics what takes the time? Without them the result is wrong, on purpose: another thread
 * may read the same length before this one has written it back. And it is no faster. */
__global__ void sortPlain(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list)
{
    // TODO 4 begin: the same with length[cell]++, to see what is lost
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

/* It is the scattered writes that take the time. Coordinates are read once and need no place in a
 * cache (.cs, streaming); list entries are written near others of the same cells, so L2 should keep
 * them (.cg, cache global). */
__global__ void sortHints(const float *x, const float *y, size_t n, struct grid grid, int *length,
                          int *list)
{
    // TODO 5 begin: (advanced) the same with ld.global.cs and st.global.cg, or their intrinsics
    NOT_IMPLEMENTED(5);
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
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

/* Builds the lists of the block's tile, in rounds of as many chunks as shared memory has room for:
 * one round unless the particles are clustered. Shared memory: tileShared(). */
__global__ void BLOCKS_OF_1024 placeTile(const unsigned int *record, const int *offset,
                                         struct tiling tiling, int capacity, int *length, int *list)
{
    // TODO 7 begin: (advanced) per round: count per cell, scan, sort in shared memory, write rows
    NOT_IMPLEMENTED(7);
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
    NOT_IMPLEMENTED(8);
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
