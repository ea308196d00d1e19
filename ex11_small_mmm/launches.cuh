/* How the rungs of ex11 are launched: grids for many matrices, and kernels for a size that the compiler must
 * know. */
#ifndef LAUNCHES_CUH
#define LAUNCHES_CUH

#include "cuda_utils.h"
#include "measure.h"

enum { THREADS = 128 }; /* to a block of mmmColumn and mmmTiles, or nearly */

/* Launches the kernel for T = 8, 16 or 32, the smallest that n fits into. */
#define WITH_T(n, launch)                                                                          \
    do {                                                                                           \
        if (n <= 8) {                                                                              \
            const int T = 8;                                                                       \
            cudaVerifyKernel(launch);                                                              \
        } else if (n <= 16) {                                                                      \
            const int T = 16;                                                                      \
            cudaVerifyKernel(launch);                                                              \
        } else {                                                                                   \
            const int T = 32;                                                                      \
            cudaVerifyKernel(launch);                                                              \
        }                                                                                          \
    } while (0)

/* Launches the kernel for N = n, from 1 to 32. */
#define WITH_N(n, launch)                                                                          \
    do {                                                                                           \
        switch (n) {                                                                               \
            EIGHT_CASES(0, launch)                                                                 \
            EIGHT_CASES(8, launch)                                                                 \
            EIGHT_CASES(16, launch)                                                                \
            EIGHT_CASES(24, launch)                                                                \
        }                                                                                          \
    } while (0)
#define EIGHT_CASES(from, launch)                                                                  \
    CASE(from + 1, launch)                                                                         \
    CASE(from + 2, launch)                                                                         \
    CASE(from + 3, launch)                                                                         \
    CASE(from + 4, launch)                                                                         \
    CASE(from + 5, launch)                                                                         \
    CASE(from + 6, launch)                                                                         \
    CASE(from + 7, launch)                                                                         \
    CASE(from + 8, launch)
#define CASE(number, launch)                                                                       \
    case number: {                                                                                 \
        const int N = number;                                                                      \
        cudaVerifyKernel(launch);                                                                  \
        break;                                                                                     \
    }

/* Blocks for `count` matrices, `perBlock` to each, for kernels that go on to further matrices: at least
 * one. More than 65535, Fermi's limit, would not make a device busier. */
static inline unsigned someBlocks(size_t count, int perBlock)
{
    const size_t all = (count + perBlock - 1) / perBlock;
    const size_t most = maxGrid() < 65535 ? maxGrid() : 65535;

    return (unsigned)gridSize(all < 1 ? 1 : all > most ? most : all);
}

/* A block for every `perBlock` matrices, in two dimensions where one does not take as many: in as few rows
 * as possible and with hardly a block too many, since an idle block takes time, too. */
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
