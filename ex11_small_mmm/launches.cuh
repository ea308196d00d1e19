/* How the rungs of ex11 are launched: grids for many matrices, and kernels for a size that the
 * compiler must know. */
#ifndef LAUNCHES_CUH
#define LAUNCHES_CUH

#include "cuda_utils.h"
#include "measure.h"

enum { THREADS = 128 }; /* to a block of mmmColumn and mmmTiles, or nearly */

/* The instances of a kernel for N = 1 to MAX_N, as what an array is made of: that for n is number n
 * - 1. */
#define EVERY_N(kernel) EIGHT(kernel, 0), EIGHT(kernel, 8), EIGHT(kernel, 16), EIGHT(kernel, 24)
#define EIGHT(kernel, from)                                                                        \
    kernel<from + 1>, kernel<from + 2>, kernel<from + 3>, kernel<from + 4>, kernel<from + 5>,      \
        kernel<from + 6>, kernel<from + 7>, kernel<from + 8>
typedef void kernel_for_n(const float *a, const float *b, float *c, size_t count);

/* Blocks for `count` matrices, `perBlock` to each, for kernels that go on to further matrices: at
 * least one. More than 65535, Fermi's limit, would not make a device busier. */
static inline unsigned someBlocks(size_t count, int perBlock)
{
    const size_t all = (count + perBlock - 1) / perBlock;
    const size_t most = maxGrid() < 65535 ? maxGrid() : 65535;

    return (unsigned)gridSize(all < 1 ? 1 : all > most ? most : all);
}

/* A block for every `perBlock` matrices, in two dimensions where one does not take as many: in as
 * few rows as possible and with hardly a block too many, since an idle block takes time, too. */
static inline dim3 allBlocks(size_t count, int perBlock)
{
    const size_t all = count < 1 ? 1 : (count + perBlock - 1) / perBlock;
    const size_t rows = (all + maxGrid() - 1) / maxGrid();

    return dim3((unsigned)((all + rows - 1) / rows), (unsigned)rows);
}

/* How many of the block's matrices, from number `first` on, there really are. */
static __device__ inline int matricesHere(size_t first, size_t count, int perBlock)
{
    return first >= count ? 0 : count - first < perBlock ? (int)(count - first) : perBlock;
}

#endif
