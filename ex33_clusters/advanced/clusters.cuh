/* What devices of compute capability 9.0 have for blocks that work together: clusters, barriers
 * in shared memory that count bytes, and copies that arrive at such a barrier. Read this before
 * TODO 1; there is nothing to fill in. */
#ifndef CLUSTERS_CUH
#define CLUSTERS_CUH

#include "capability.h"
#include "cuda_utils.h"

#if CUDART_VERSION >= 12000 && __cplusplus >= 201103L
#define HAVE_CLUSTERS
#include <cooperative_groups.h>

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
#define SINCE_HOPPER(...) __VA_ARGS__
#else
#define SINCE_HOPPER(...) /* the rows are skipped there */
#endif

/* ---- clusters -------------------------------------------------------------------------------- */

/* The number of this block in its cluster, and the number of its blocks. */
__device__ unsigned int clusterRank()
{
    SINCE_HOPPER(return cooperative_groups::this_cluster().block_rank();)
    return 0;
}

__device__ unsigned int clusterBlocks()
{
    SINCE_HOPPER(return cooperative_groups::this_cluster().num_blocks();)
    return 1;
}

/* The barrier of all threads of the cluster. What they have written before it, in any block's
 * shared memory, all of them can read after it. */
__device__ void clusterSync() { SINCE_HOPPER(cooperative_groups::this_cluster().sync();) }

/* The same variable in the shared memory of block `rank` of the cluster. */
template <typename type> __device__ type *inBlock(type *variable, unsigned int rank)
{
    SINCE_HOPPER(return cooperative_groups::this_cluster().map_shared_rank(variable, rank);)
    return variable;
}

/* ---- barriers that count bytes --------------------------------------------------------------- */

typedef unsigned long long barrier; /* an mbarrier */

__device__ unsigned int sharedAddress(const void *p)
{
    return (unsigned int)__cvta_generic_to_shared(p);
}

/* Makes a barrier ready, each of whose phases ends after so many arrivals, and lets bulk copies see
 * it. */
__device__ void initBarrier(barrier *b, unsigned int arrivals)
{
    SINCE_HOPPER(asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\t"
                              "fence.proxy.async.shared::cta;" ::"r"(sharedAddress(b)),
                              "r"(arrivals)
                              : "memory");)
}

__device__ void arrive(barrier *b)
{
    SINCE_HOPPER(asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(b))
                              : "memory");)
}

/* Arrives, and tells the barrier of bytes that its present phase waits for, too. */
__device__ void arriveAndExpect(barrier *b, unsigned int bytes)
{
    SINCE_HOPPER(asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                                  sharedAddress(b)),
                              "r"(bytes)
                              : "memory");)
}

/* Waits for the end of a phase, of which the first has parity 0, the next 1, then 0 again. The
 * phase before the first, of parity 1, has ended. */
__device__ void waitFor(barrier *b, unsigned int parity)
{
    SINCE_HOPPER(asm volatile("{\n.reg .pred done;\n"
                              "AGAIN:\n"
                              "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                              "@!done bra AGAIN;\n}" ::"r"(sharedAddress(b)),
                              "r"(parity)
                              : "memory");)
}

/* Copies a multiple of 16 bytes from global to shared memory, and reports them to the barrier. */
__device__ void bulkLoad(void *to, const void *from, unsigned int bytes, barrier *b)
{
    SINCE_HOPPER(asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                              "[%0], [%1], %2, [%3];" ::"r"(sharedAddress(to)),
                              "l"(from), "r"(bytes), "r"(sharedAddress(b))
                              : "memory");)
}

/* 1 in one lane of a warp, all of whose lanes must call it: the hardware elects it. */
__device__ int isElected()
{
    unsigned int elected = 0;

    SINCE_HOPPER(asm volatile("{\n.reg .pred one;\n"
                              "elect.sync _|one, 0xffffffff;\n"
                              "selp.b32 %0, 1, 0, one;\n}"
                              : "=r"(elected));)
    return (int)elected;
}

/* 1 where clusters are there. */
static int hasClusters(void) { return majorCapability() >= 9; }
#endif

#endif
