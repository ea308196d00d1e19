/* cuda_fp8.h: floating point numbers of 8 bits, which are only stored and converted. */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
/* 4 bits of exponent, 3 of fraction, no infinity and one NaN; or 5 and 2, the upper byte of a
 * half */
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

static EMULATED_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x,
                                                                 __nv_saturation_t saturate,
                                                                 __nv_fp8_interpretation_t kind)
{
    const bool e4m3 = kind == __NV_E4M3, finite = saturate == __NV_SATFINITE;
    const unsigned sign = __builtin_signbit(x) ? 0x80u : 0u;
    const double a = fabs(x);
    if (a != a)
        return (__nv_fp8_storage_t)(sign | 0x7f);
    /* values that round to more than 448 or 57344, the largest finite ones */
    if (e4m3 ? a > 464 : a >= 61440)
        return (__nv_fp8_storage_t)(sign |
                                    (e4m3 ? (finite ? 0x7e : 0x7f) : (finite ? 0x7b : 0x7c)));
    const int bias = e4m3 ? 7 : 15, fraction = e4m3 ? 3 : 2;
    /* subnormal numbers share the smallest */
    const int e = a < ldexp(1, 1 - bias) ? 1 - bias : ilogb(a);
    /* The leading bit of a normal number, or a carry from rounding, adds one to the exponent beside
     * it. */
    return (__nv_fp8_storage_t)(sign | (unsigned)(((e + bias - 1) << fraction) +
                                                  (int)rint(ldexp(a, fraction - e))));
}
static EMULATED_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                                __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8((double)x, saturate, kind);
}
static EMULATED_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x,
                                                                  __nv_saturation_t saturate,
                                                                  __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)__half(x), saturate, kind);
}
static EMULATED_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), saturate, kind);
}
static EMULATED_INLINE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                          __nv_fp8_interpretation_t kind)
{
    if (kind == __NV_E5M2 || (x & 0x7f) == 0x7f) {
        const __half_raw half = {(unsigned short)((x & 0x7f) == 0x7f ? 0x7fff : x << 8)};
        return half;
    }
    const int exponent = x >> 3 & 15, fraction = x & 7;
    const double a = exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
    return __half(x & 0x80 ? -a : a);
}

/* The two of a pair, and the pairs of a type */
#define EMULATED_FP8_PAIR(name, pair, first, second)                                               \
    static EMULATED_INLINE __nv_fp8x2_storage_t __nv_cvt_##name##2_to_fp8x2(                       \
        pair x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)                        \
    {                                                                                              \
        return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8((float)(first), saturate, kind) |      \
                                      __nv_cvt_float_to_fp8((float)(second), saturate, kind)       \
                                          << 8);                                                   \
    }
EMULATED_FP8_PAIR(float, float2, x.x, x.y)
EMULATED_FP8_PAIR(double, double2, x.x, x.y)
EMULATED_FP8_PAIR(halfraw, __half2_raw, __half2(x).x, __half2(x).y)
EMULATED_FP8_PAIR(bfloat16raw, __nv_bfloat162_raw, __nv_bfloat162(x).x, __nv_bfloat162(x).y)
#undef EMULATED_FP8_PAIR
static EMULATED_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                              __nv_fp8_interpretation_t kind)
{
    const __half2_raw pair = {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                              __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
    return pair;
}

#define EMULATED_FP8(name, pair, four, kind)                                                       \
    struct name {                                                                                  \
        __nv_fp8_storage_t __x;                                                                    \
        name() = default;                                                                          \
        template <class T>                                                                         \
        explicit EMULATED_INLINE name(T x)                                                         \
            : __x(__nv_cvt_double_to_fp8((double)x, __NV_SATFINITE, kind))                         \
        {                                                                                          \
        }                                                                                          \
        explicit EMULATED_INLINE operator __half() const                                           \
        {                                                                                          \
            return __half(__nv_cvt_fp8_to_halfraw(__x, kind));                                     \
        }                                                                                          \
        explicit EMULATED_INLINE operator float() const { return (float)(__half) * this; }         \
        explicit EMULATED_INLINE operator double() const { return (double)(float)*this; }          \
        explicit EMULATED_INLINE operator __nv_bfloat16() const                                    \
        {                                                                                          \
            return __nv_bfloat16((float)*this);                                                    \
        }                                                                                          \
        explicit EMULATED_INLINE operator int() const { return __float2int_rz((float)*this); }     \
        explicit EMULATED_INLINE operator bool() const { return (__x & 0x7f) != 0; }               \
    };                                                                                             \
    struct __attribute__((aligned(2))) pair {                                                      \
        __nv_fp8x2_storage_t __x;                                                                  \
        pair() = default;                                                                          \
        explicit EMULATED_INLINE pair(float2 x)                                                    \
            : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind))                               \
        {                                                                                          \
        }                                                                                          \
        explicit EMULATED_INLINE pair(__half2 x)                                                   \
            : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, kind))                             \
        {                                                                                          \
        }                                                                                          \
        explicit EMULATED_INLINE pair(__nv_bfloat162 x)                                            \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, kind))                         \
        {                                                                                          \
        }                                                                                          \
        explicit EMULATED_INLINE operator __half2() const                                          \
        {                                                                                          \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                 \
        }                                                                                          \
        explicit EMULATED_INLINE operator float2() const                                           \
        {                                                                                          \
            return __half22float2((__half2) * this);                                               \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(4))) four {                                                      \
        __nv_fp8x4_storage_t __x;                                                                  \
        four() = default;                                                                          \
        explicit EMULATED_INLINE four(float4 x)                                                    \
            : __x(pair(make_float2(x.x, x.y)).__x | (unsigned)pair(make_float2(x.z, x.w)).__x      \
                                                        << 16)                                     \
        {                                                                                          \
        }                                                                                          \
        EMULATED_INLINE four(__half2 low, __half2 high)                                            \
            : __x(pair(low).__x | (unsigned)pair(high).__x << 16)                                  \
        {                                                                                          \
        }                                                                                          \
        EMULATED_INLINE four(__nv_bfloat162 low, __nv_bfloat162 high)                              \
            : __x((unsigned)__nv_cvt_bfloat16raw2_to_fp8x2(low, __NV_SATFINITE, kind) |            \
                  (unsigned)__nv_cvt_bfloat16raw2_to_fp8x2(high, __NV_SATFINITE, kind) << 16)      \
        {                                                                                          \
        }                                                                                          \
        explicit EMULATED_INLINE operator float4() const                                           \
        {                                                                                          \
            pair low, high;                                                                        \
            low.__x = (__nv_fp8x2_storage_t)__x;                                                   \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                          \
            const float2 a = (float2)low, b = (float2)high;                                        \
            return make_float4(a.x, a.y, b.x, b.y);                                                \
        }                                                                                          \
    };
EMULATED_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
EMULATED_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef EMULATED_FP8
#endif
#endif
