/* mathematics.h: what CUDA adds to <math.h>. Fast intrinsics are as exact as their slow kin here. */
#ifndef EMULATED_MATHEMATICS_H
#define EMULATED_MATHEMATICS_H

#define EMULATED_MIN_MAX(type)                                                                                         \
    static EMULATED_INLINE type min(type a, type b) { return b < a ? b : a; }                                          \
    static EMULATED_INLINE type max(type a, type b) { return a < b ? b : a; }
EMULATED_MIN_MAX(int)
EMULATED_MIN_MAX(unsigned int)
EMULATED_MIN_MAX(long)
EMULATED_MIN_MAX(unsigned long)
EMULATED_MIN_MAX(long long)
EMULATED_MIN_MAX(unsigned long long)
#undef EMULATED_MIN_MAX
static EMULATED_INLINE unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
static EMULATED_INLINE unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
static EMULATED_INLINE unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
static EMULATED_INLINE unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
static EMULATED_INLINE float min(float a, float b) { return fminf(a, b); }
static EMULATED_INLINE float max(float a, float b) { return fmaxf(a, b); }
static EMULATED_INLINE double min(double a, double b) { return fmin(a, b); }
static EMULATED_INLINE double max(double a, double b) { return fmax(a, b); }
static EMULATED_INLINE double min(float a, double b) { return fmin(a, b); }
static EMULATED_INLINE double min(double a, float b) { return fmin(a, b); }
static EMULATED_INLINE double max(float a, double b) { return fmax(a, b); }
static EMULATED_INLINE double max(double a, float b) { return fmax(a, b); }

/* Newer C libraries declare some of these names themselves (glibc 2.41 sinpi, later ones rsqrt), hence macros. */
static inline float emulatedRsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double emulatedRsqrt(double x) { return 1.0 / sqrt(x); }
static inline float emulatedRsqrt(float x) { return 1.0f / sqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float emulatedSinpif(float x) { return (float)sin(3.14159265358979323846 * (double)x); }
static inline float emulatedCospif(float x) { return (float)cos(3.14159265358979323846 * (double)x); }
static inline double emulatedSinpi(double x) { return sin(3.14159265358979323846 * x); }
static inline double emulatedCospi(double x) { return cos(3.14159265358979323846 * x); }
#define rsqrtf emulatedRsqrtf
#define rsqrt emulatedRsqrt
#define sinpif emulatedSinpif
#define cospif emulatedCospif
#define sinpi emulatedSinpi
#define cospi emulatedCospi
static inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
static inline double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
static inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
static inline float fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x == x ? x : 0; }

/* So do these. */
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sincosf(x, s, c) sincosf(x, s, c)
#define __fdividef(x, y) ((float)(x) / (float)(y))
#define __fmaf_rn(x, y, z) fmaf(x, y, z)
#define __fma_rn(x, y, z) fma(x, y, z)

static EMULATED_INLINE float __fadd_rn(float a, float b) { return a + b; }
static EMULATED_INLINE float __fsub_rn(float a, float b) { return a - b; }
static EMULATED_INLINE float __fmul_rn(float a, float b) { return a * b; }
static EMULATED_INLINE float __fdiv_rn(float a, float b) { return a / b; }
static EMULATED_INLINE float __frcp_rn(float a) { return 1.0f / a; }
static EMULATED_INLINE float __fsqrt_rn(float a) { return sqrtf(a); }
static EMULATED_INLINE float __frsqrt_rn(float a) { return 1.0f / sqrtf(a); }
static EMULATED_INLINE double __dadd_rn(double a, double b) { return a + b; }
static EMULATED_INLINE double __dsub_rn(double a, double b) { return a - b; }
static EMULATED_INLINE double __dmul_rn(double a, double b) { return a * b; }
static EMULATED_INLINE double __ddiv_rn(double a, double b) { return a / b; }
static EMULATED_INLINE double __dsqrt_rn(double a) { return sqrt(a); }

static EMULATED_INLINE int __popc(unsigned int x) { return __builtin_popcount(x); }
static EMULATED_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static EMULATED_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
static EMULATED_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static EMULATED_INLINE int __ffs(int x) { return __builtin_ffs(x); }
static EMULATED_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned int __brev(unsigned int x)
{
    unsigned int y = 0;
    for (int i = 0; i < 32; i++)
        y = y << 1 | (x >> i & 1);
    return y;
}
static inline unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
static inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++)
        result |= (unsigned int)(bytes >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
    return result;
}
static EMULATED_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
static EMULATED_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
static EMULATED_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
static EMULATED_INLINE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffff) * (b & 0xffffff); }
static EMULATED_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static EMULATED_INLINE unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)((unsigned long long)a * b >> 32);
}
static EMULATED_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static EMULATED_INLINE unsigned int __sad(int a, int b, unsigned int c)
{
    return (unsigned int)(a > b ? a - b : b - a) + c;
}

#define EMULATED_BITS(name, to, from)                                                                                  \
    static EMULATED_INLINE to name(from x)                                                                             \
    {                                                                                                                  \
        to y;                                                                                                          \
        __builtin_memcpy(&y, &x, sizeof y);                                                                            \
        return y;                                                                                                      \
    }
EMULATED_BITS(__float_as_int, int, float)
EMULATED_BITS(__float_as_uint, unsigned int, float)
EMULATED_BITS(__int_as_float, float, int)
EMULATED_BITS(__uint_as_float, float, unsigned int)
EMULATED_BITS(__double_as_longlong, long long, double)
EMULATED_BITS(__longlong_as_double, double, long long)
#undef EMULATED_BITS
static EMULATED_INLINE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
static EMULATED_INLINE int __double2loint(double x) { return (int)__double_as_longlong(x); }
static EMULATED_INLINE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

/* Conversions with a rounding mode: nearest, down, up, towards zero */
#define EMULATED_CONVERT(name, to, from, nearest, down, up, zero)                                                      \
    static EMULATED_INLINE to name##_rn(from x) { return (to)nearest(x); }                                             \
    static EMULATED_INLINE to name##_rd(from x) { return (to)down(x); }                                                \
    static EMULATED_INLINE to name##_ru(from x) { return (to)up(x); }                                                  \
    static EMULATED_INLINE to name##_rz(from x) { return (to)zero(x); }
EMULATED_CONVERT(__float2int, int, float, rintf, floorf, ceilf, truncf)
EMULATED_CONVERT(__float2uint, unsigned int, float, rintf, floorf, ceilf, truncf)
EMULATED_CONVERT(__float2ll, long long, float, rintf, floorf, ceilf, truncf)
EMULATED_CONVERT(__double2int, int, double, rint, floor, ceil, trunc)
EMULATED_CONVERT(__double2uint, unsigned int, double, rint, floor, ceil, trunc)
EMULATED_CONVERT(__double2ll, long long, double, rint, floor, ceil, trunc)
#undef EMULATED_CONVERT
static EMULATED_INLINE float __int2float_rn(int x) { return (float)x; }
static EMULATED_INLINE float __uint2float_rn(unsigned int x) { return (float)x; }
static EMULATED_INLINE double __int2double_rn(int x) { return (double)x; }
static EMULATED_INLINE double __uint2double_rn(unsigned int x) { return (double)x; }
static EMULATED_INLINE float __double2float_rn(double x) { return (float)x; }
static EMULATED_INLINE double __ll2double_rn(long long x) { return (double)x; }
static EMULATED_INLINE double __ull2double_rn(unsigned long long x) { return (double)x; }
#endif
