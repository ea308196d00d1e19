/* Instructions of compute capability 9.0 that CUDA C has no words for, one to a function: barriers
 * in shared memory that count arrivals and bytes (mbarriers), boxes that the tensor memory
 * accelerator (TMA) brings, and what a warpgroup, 4 warps, says before and after its products
 * (9.0a). Older devices have none of them, and skip the rows that use them. */
#ifndef HOPPER_H
#define HOPPER_H

#include <cuda.h>

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
#define SINCE_HOPPER(...) __VA_ARGS__
#else
#define SINCE_HOPPER(...)
#endif
#define HOPPER_ASM(...) SINCE_HOPPER(asm volatile(__VA_ARGS__))

typedef unsigned long long barrier;

__device__ __forceinline__ unsigned int sharedAddress(const void *p)
{
    return (unsigned int)__cvta_generic_to_shared(p);
}

/* Makes a barrier ready: each of its phases ends after so many arrivals. */
__device__ __forceinline__ void initBarrier(barrier *b, int arrivals)
{
    HOPPER_ASM("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(b)), "r"(arrivals)
               : "memory");
}

/* Bulk copies, too, see the barriers that have been made. */
__device__ __forceinline__ void showBarriers(void)
{
    HOPPER_ASM("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void arriveAt(barrier *b)
{
    HOPPER_ASM("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(b)) : "memory");
}

/* Arrives, and says how many bytes the present phase waits for, too. */
__device__ __forceinline__ void expectBytes(barrier *b, int bytes)
{
    HOPPER_ASM("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(b)),
               "r"(bytes)
               : "memory");
}

/* Waits for the end of a phase, of which the first has parity 0, the next 1, then 0 again. The
 * phase before the first, of parity 1, has ended. */
__device__ __forceinline__ void waitFor(barrier *b, int parity)
{
    HOPPER_ASM("{ .reg .pred hasEnded;\n"
               "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 hasEnded, [%0], %1;\n"
               "@!hasEnded bra AGAIN; }" ::"r"(sharedAddress(b)),
               "r"(parity)
               : "memory");
}

/* Brings the box whose first element is (x, y, z), and whose size the map knows, to `to`. There are
 * zeros where it sticks out of the array. */
__device__ __forceinline__ void loadBox(void *to, const CUtensorMap *map, int x, int y, int z,
                                        barrier *b)
{
    HOPPER_ASM("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(sharedAddress(to)),
               "l"(map), "r"(x), "r"(y), "r"(z), "r"(sharedAddress(b))
               : "memory");
}

/* A warpgroup's threads give registers back, or take more. */
template <int registers> __device__ __forceinline__ void keepRegisters(void)
{
    HOPPER_ASM("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

template <int registers> __device__ __forceinline__ void takeRegisters(void)
{
    HOPPER_ASM("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

/* Before products: what was written to registers is there. */
__device__ __forceinline__ void beginProducts(void)
{
    HOPPER_ASM("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void endProducts(void)
{
    HOPPER_ASM("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* All but the last `left` groups of products are done. Until then nobody may touch their registers
 * and tiles. */
template <int left> __device__ __forceinline__ void waitForProducts(void)
{
    HOPPER_ASM("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}

#endif
