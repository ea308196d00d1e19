/* Copies of tiles to shared memory by the tensor memory accelerator (TMA), and products that a
 * warpgroup, 4 warps, makes together: instructions of compute capability 9.0a. */
#ifndef PTX_CUH
#define PTX_CUH

#include "hopper.h"
#include <stdint.h>

/* Starts to copy the tile at (x, y); `b` gets to know when its bytes have arrived. */
static __device__ __forceinline__ void startTile(float *to, const CUtensorMap *from, int x, int y,
                                                 barrier *b)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(sharedAddress(to)),
        "l"(from), "r"(x), "r"(y), "r"(sharedAddress(b))
        : "memory");
}

/* A tile for product(): rows of 32 floats, 128 bytes, whose 8 pieces of 16 bytes are in places
 * piece ^ row % 8, as TMA puts them there (code 1 in bits 62 and 63). Eight rows are 1024 bytes;
 * addresses count in units of 16. */
static __device__ __forceinline__ uint64_t describe(const float *tile)
{
    return (uint64_t)1 << 62 | (uint64_t)(1024 / 16) << 32 | (uint64_t)1 << 16 |
           (sharedAddress(tile) >> 4 & 0x3fff);
}

/* Operands of product() */
#define FOUR(x, i) "+f"(x[i]), "+f"(x[i + 1]), "+f"(x[i + 2]), "+f"(x[i + 3])
#define SIXTEEN(x, i) FOUR(x, i), FOUR(x, i + 4), FOUR(x, i + 8), FOUR(x, i + 12)
#define SIXTY_FOUR(x, i) SIXTEEN(x, i), SIXTEEN(x, i + 16), SIXTEEN(x, i + 32), SIXTEEN(x, i + 48)
#define NAMES_TO_63                                                                                \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                       \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "             \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "             \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NAMES_TO_127                                                                               \
    NAMES_TO_63                                                                                    \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "           \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "             \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "   \
    "%127"

/* Starts sum += left right, or sum = left right if `isFirst`: 64 x 8 elements in the warpgroup's
 * registers times the transpose of a tile of 128 or 256 x 8. The 13 last bits of all factors are
 * ignored. Lane 4 g + t of warp w has, in this order, elements (16 w + g, t), (16 w + g + 8, t),
 * (16 w + g, t + 4), (16 w + g + 8, t + 4) of left, and of the sums' columns 8 i + 2 t and the next
 * one, row 16 w + g in sum[4 i] and sum[4 i + 1], row 16 w + g + 8 in the next two. */
static __device__ __forceinline__ void product(float (&sum)[64], const uint32_t (&left)[4],
                                               uint64_t right, int isFirst)
{
    asm volatile("{ .reg .pred add; setp.eq.b32 add, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {" NAMES_TO_63
                 "}, {%64, %65, %66, %67}, %68, add, 1, 1; }"
                 : SIXTY_FOUR(sum, 0)
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right),
                   "r"(isFirst));
}

static __device__ __forceinline__ void product(float (&sum)[128], const uint32_t (&left)[4],
                                               uint64_t right, int isFirst)
{
    asm volatile("{ .reg .pred add; setp.eq.b32 add, %133, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" NAMES_TO_127
                 "}, {%128, %129, %130, %131}, %132, add, 1, 1; }"
                 : SIXTY_FOUR(sum, 0), SIXTY_FOUR(sum, 64)
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right),
                   "r"(isFirst));
}

#endif
