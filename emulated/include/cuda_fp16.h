/* cuda_fp16.h: half precision. Each operation is done in float and rounded once, as the hardware's
 * results are. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#include "cuda_runtime.h"

#ifdef __cplusplus
#include "emulated/small_float.h"

/* 5 bits of exponent, 10 of fraction */
EMULATED_SMALL_FLOAT(__half, __half2, __half_raw, __half2_raw, 5, 10)
EMULATED_SMALL_FLOAT_NAMES(half, __half, __half2, float2half, half2float, float2half2, half22float2,
                           halves2half2, half2half2, f16)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

static EMULATED_INLINE half2 make_half2(half x, half y) { return half2(x, y); }
static EMULATED_INLINE short __half_as_short(half h) { return (short)h.bits; }
static EMULATED_INLINE unsigned short __half_as_ushort(half h) { return h.bits; }
static EMULATED_INLINE half __short_as_half(short s) { return half::from_bits((unsigned short)s); }
static EMULATED_INLINE half __ushort_as_half(unsigned short s) { return half::from_bits(s); }
static EMULATED_INLINE half __low2half(half2 h) { return h.x; }
static EMULATED_INLINE half __high2half(half2 h) { return h.y; }
static EMULATED_INLINE half2 __low2half2(half2 h) { return half2(h.x, h.x); }
static EMULATED_INLINE half2 __high2half2(half2 h) { return half2(h.y, h.y); }
static EMULATED_INLINE half2 __lowhigh2highlow(half2 h) { return half2(h.y, h.x); }
static EMULATED_INLINE half2 __lows2half2(half2 a, half2 b) { return half2(a.x, b.x); }
static EMULATED_INLINE half2 __highs2half2(half2 a, half2 b) { return half2(a.y, b.y); }
static EMULATED_INLINE half2 __floats2half2_rn(float a, float b) { return half2(half(a), half(b)); }
static EMULATED_INLINE half __double2half(double x) { return half(x); }
#endif
#endif
