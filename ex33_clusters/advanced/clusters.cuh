/* What devices of compute capability 9.0 have for blocks that work together: clusters, and copies
 * that arrive at a barrier of hopper.h. Read both before TODO 1; there is nothing to fill in. */
#ifndef CLUSTERS_CUH
#define CLUSTERS_CUH

#include "capability.h"
#include "cuda_utils.h"

#if CUDART_VERSION >= 12000 && __cplusplus >= 201103L
#define HAVE_CLUSTERS
#include "hopper.h"

/* ---- clusters -------------------------------------------------------------------------------- */

/* The functions of cooperative_groups::this_cluster() say the same as these, but their header takes
 * nvcc two seconds. */

/* The number of this block in its cluster, and the number of its blocks. */
__device__ unsigned int clusterRank()
{
    SINCE_HOPPER(return __clusterRelativeBlockRank();)
    return 0;
}

__device__ unsigned int clusterBlocks()
{
    SINCE_HOPPER(return __clusterSizeInBlocks();)
    return 1;
}

/* The barrier of all threads of the cluster. What they have written before it, in any block's
 * shared memory, all of them can read after it. */
__device__ void clusterSync()
{
    SINCE_HOPPER(__cluster_barrier_arrive(); __cluster_barrier_wait();)
}

/* The same variable in the shared memory of block `rank` of the cluster. */
template <typename type> __device__ type *inBlock(type *variable, unsigned int rank)
{
    SINCE_HOPPER(return (type *)__cluster_map_shared_rank(variable, rank);)
    return variable;
}

/* ---- copies that report to a barrier --------------------------------------------------------- */

/* Copies a multiple of 16 bytes from global to shared memory, and reports them to the barrier. */
__device__ void bulkLoad(void *to, const void *from, unsigned int bytes, barrier *b)
{
    HOPPER_ASM("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(sharedAddress(to)),
               "l"(from), "r"(bytes), "r"(sharedAddress(b))
               : "memory");
}

/* 1 in one lane of a warp, all of whose lanes must call it: the hardware elects it. */
__device__ int isElected()
{
    unsigned int elected = 0;

    HOPPER_ASM("{\n.reg .pred one;\n"
               "elect.sync _|one, 0xffffffff;\n"
               "selp.b32 %0, 1, 0, one;\n}"
               : "=r"(elected));
    return (int)elected;
}

/* 1 where clusters are there. */
static int hasClusters(void) { return majorCapability() >= 9; }
#endif

#endif
