/* The tensor memory accelerator (TMA) of compute capability 9.0: a thread asks for a box of an
 * array, and a barrier in shared memory (hopper.h) counts its bytes as they arrive. Read this
 * before TODO 8; there is nothing to fill in. */
#ifndef TMA_CUH
#define TMA_CUH

#include "capability.h"
#include "cuda_utils.h"
#include "stencil3d.h"

#if CUDART_VERSION >= 12000
#define HAVE_TMA
#include "hopper.h"

/* Makes `count` barriers ready, each for one arrival, and lets TMA see them. */
__device__ void initBarriers(barrier *b, int count)
{
    for (int k = 0; k < count; k++)
        initBarrier(b + k, 1);
    showBarriers();
}

/* How TMA finds boxes of width x height x 1 floats in a volume whose rows begin `pitch` floats
 * apart, at multiples of 16 bytes. */
static CUtensorMap mapOf(const float *d_x, const struct problem *p, size_t pitch, int width,
                         int height)
{
    const cuuint64_t sizes[3] = {p->nx, p->ny, p->nz};
    const cuuint64_t pitches[2] = {pitch * sizeof(float), pitch * p->ny * sizeof(float)};
    const cuuint32_t box[3] = {(cuuint32_t)width, (cuuint32_t)height, 1}, steps[3] = {1, 1, 1};
    static __typeof__(cuTensorMapEncodeTiled) *const encode =
        (__typeof__(cuTensorMapEncodeTiled) *)driverFunction("cuTensorMapEncodeTiled");
    CUtensorMap map;

    if (encode == NULL || encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, (void *)d_x, sizes,
                                 pitches, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        fprintf(stderr, "error: the driver makes no tensor map\n");
        exit(2);
    }
    return map;
}

/* 1 where TMA is there. */
static int hasTma(void) { return majorCapability() >= 9; }
#endif

#endif
