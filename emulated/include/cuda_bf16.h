/* cuda_bf16.h: bfloat16, float's range with 8 bits of fraction. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#include "cuda_runtime.h"

#ifdef __cplusplus
#include "emulated/small_float.h"

/* 8 bits of exponent, 7 of fraction */
EMULATED_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw, 8, 7)
EMULATED_SMALL_FLOAT_NAMES(bfloat16, __nv_bfloat16, __nv_bfloat162, float2bfloat16, bfloat162float,
                           float2bfloat162, bfloat1622float2, halves2bfloat162, bfloat162bfloat162,
                           bf16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

static EMULATED_INLINE nv_bfloat16 __low2bfloat16(nv_bfloat162 h) { return h.x; }
static EMULATED_INLINE nv_bfloat16 __high2bfloat16(nv_bfloat162 h) { return h.y; }
static EMULATED_INLINE nv_bfloat162 make_bfloat162(nv_bfloat16 x, nv_bfloat16 y)
{
    return nv_bfloat162(x, y);
}
static EMULATED_INLINE nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return nv_bfloat162(nv_bfloat16(a), nv_bfloat16(b));
}
static EMULATED_INLINE unsigned short __bfloat16_as_ushort(nv_bfloat16 h) { return h.bits; }
static EMULATED_INLINE nv_bfloat16 __ushort_as_bfloat16(unsigned short s)
{
    return nv_bfloat16::from_bits(s);
}
static EMULATED_INLINE nv_bfloat16 __double2bfloat16(double x) { return nv_bfloat16(x); }
#endif
#endif
