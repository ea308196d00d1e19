/* What CUDA C has no short name for: single instructions, and their equivalents on other devices
 * and toolkits. */
#ifndef INSTRUCTIONS_CUH
#define INSTRUCTIONS_CUH

#include "warp_utils.h"

/* 1 / sqrt(x) by the special function unit, off by at most two units in the last place. rsqrtf(x)
 * is the same and a few instructions more, for tiny x, which .ftz takes for 0. */
static __device__ __forceinline__ float reciprocalRoot(float x)
{
#ifdef __CUDA_EMULATED__
    return rsqrtf(x);
#else
    float y;

    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#endif
}

/* The value of the next lane of the warp; the last lane gets that of the first. All lanes of a
 * whole warp must call it. */
static __device__ __forceinline__ float fromNextLane(float value)
{
    const int next = (int)(threadIdx.x + 1) % 32;

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300
    return valueOfLane(value, next);
#elif defined SHUFFLES_NAME_LANES
    return __shfl_sync(0xffffffffu, value, next);
#else
    return __shfl(value, next);
#endif
}

/* 1 in all lanes of the warp if any of them wishes it. All lanes must call it that have not left
 * the kernel. */
static __device__ __forceinline__ int anyLane(int wish)
{
#if defined SHUFFLES_NAME_LANES && !(defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300)
    return __any_sync(0xffffffffu, wish);
#else
    return __any(wish);
#endif
}

#endif
