/* Products that a warpgroup, 4 warps, makes together: instructions of compute capability 9.0a. */
#ifndef WGMMA_CUH
#define WGMMA_CUH

#include "hopper.h"

/* A tile with rows of 128 bytes, whose 8 pieces of 16 bytes are in places piece ^ row % 8, as TMA
 * puts them there (code 1 in bits 62 and 63). Eight rows are 1024 bytes; addresses count in units
 * of 16. If the product runs along the rows of the tile, `next` says how far it is from 64 columns
 * to the next 64. */
static __device__ __forceinline__ unsigned long long describe(const __half *tile, int next)
{
    return 1ull << 62 | (unsigned long long)(1024 / 16) << 32 | (unsigned long long)next << 16 |
           (sharedAddress(tile) >> 4 & 0x3fff);
}

#define FOUR(x) "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])
#define SIXTEEN(x, i) FOUR(x[i]), FOUR(x[i + 1]), FOUR(x[i + 2]), FOUR(x[i + 3])
#define THIRTY_TWO(x, i) SIXTEEN(x, i), SIXTEEN(x, i + 4)
#define NAMES_TO_31                                                                                \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "   \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_TO_63                                                                                \
    NAMES_TO_31                                                                                    \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "           \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

/* sum = left right', or with isMore sum += left right': 64 x 16 by 16 x 128 halves, both with the
 * 16 along their rows. Of the sums, warp w of the warpgroup and its lane 4 g + t have sum[j]:
 * columns 8 j + 2 t and the next one of rows 16 w + g and 16 w + g + 8. */
static __device__ __forceinline__ void multiplyTiles(float (&sum)[16][4], unsigned long long left,
                                                     unsigned long long right, int isMore)
{
    asm volatile("{ .reg .pred more; setp.ne.b32 more, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES_TO_63
                 "}, %64, %65, more, 1, 1, 0, 0; }"
                 : THIRTY_TWO(sum, 0), THIRTY_TWO(sum, 8)
                 : "l"(left), "l"(right), "r"(isMore));
}

/* sum += left right: the left factor is in registers, and the 16 runs down the columns of the right
 * one. */
static __device__ __forceinline__ void
multiplyRegisters(float (&sum)[16][4], const unsigned (&left)[4], unsigned long long right)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES_TO_63
                 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
                 : THIRTY_TWO(sum, 0), THIRTY_TWO(sum, 8)
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right));
}

static __device__ __forceinline__ void
multiplyRegisters(float (&sum)[8][4], const unsigned (&left)[4], unsigned long long right)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" NAMES_TO_31
                 "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
                 : THIRTY_TWO(sum, 0)
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right));
}

typedef CUresult encode_fn(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                           const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                           const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                           CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

#endif
