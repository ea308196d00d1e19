/* mathematics.h: what CUDA adds to <math.h>. Fast intrinsics are as exact as their slow kin
 * here. */
#ifndef EMULATED_MATHEMATICS_H
#define EMULATED_MATHEMATICS_H

#define EMULATED_MIN_MAX(type)                                                                     \
    static EMULATED_INLINE type min(type a, type b) { return b < a ? b : a; }                      \
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
static EMULATED_INLINE unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
static EMULATED_INLINE unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
static EMULATED_INLINE long long llmin(long long a, long long b) { return min(a, b); }
static EMULATED_INLINE long long llmax(long long a, long long b) { return max(a, b); }
static EMULATED_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return min(a, b);
}
static EMULATED_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return max(a, b);
}
static EMULATED_INLINE float min(float a, float b) { return fminf(a, b); }
static EMULATED_INLINE float max(float a, float b) { return fmaxf(a, b); }
static EMULATED_INLINE double min(double a, double b) { return fmin(a, b); }
static EMULATED_INLINE double max(double a, double b) { return fmax(a, b); }
static EMULATED_INLINE double min(float a, double b) { return fmin(a, b); }
static EMULATED_INLINE double min(double a, float b) { return fmin(a, b); }
static EMULATED_INLINE double max(float a, double b) { return fmax(a, b); }
static EMULATED_INLINE double max(double a, float b) { return fmax(a, b); }

/* What the special function unit does, by these functions of the runtime, since it takes less time
 * than a root or a quotient: the model of a GPU's time must know. */
extern "C" float emulated_special_rsqrtf(float x);
extern "C" float emulated_special_divide(float x, float y);
extern "C" float emulated_special_sinf(float x);
extern "C" float emulated_special_cosf(float x);
extern "C" float emulated_special_expf(float x);
extern "C" float emulated_special_logf(float x);

/* Newer C libraries declare some of these names themselves (glibc 2.41 sinpi, later ones rsqrt),
 * hence macros. */
static inline float emulatedRsqrtf(float x) { return emulated_special_rsqrtf(x); }
static inline double emulatedRsqrt(double x) { return 1.0 / sqrt(x); }
static inline float emulatedRsqrt(float x) { return emulatedRsqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float emulatedSinpif(float x)
{
    return (float)sin(3.14159265358979323846 * (double)x);
}
static inline float emulatedCospif(float x)
{
    return (float)cos(3.14159265358979323846 * (double)x);
}
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
#define __sinf(x) emulated_special_sinf(x)
#define __cosf(x) emulated_special_cosf(x)
#define __tanf(x) tanf(x)
#define __expf(x) emulated_special_expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) emulated_special_logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sincosf(x, s, c) sincosf(x, s, c)
#define __fdividef(x, y) emulated_special_divide(x, y)

/* Arithmetic with a rounding mode: to nearest, towards zero, down, up. Done in the runtime, which
 * sets the mode. */
enum { emulatedNearest, emulatedZero, emulatedDown, emulatedUp };
enum {
    emulatedAdd,
    emulatedSubtract,
    emulatedMultiply,
    emulatedDivide,
    emulatedSquareRoot,
    emulatedMultiplyAdd
};
extern "C" float emulated_float(int operation, int mode, float a, float b, float c);
extern "C" double emulated_double(int operation, int mode, double a, double b, double c);
#define EMULATED_ROUND(prefix, type, function, suffix, mode)                                       \
    static EMULATED_INLINE type __##prefix##add_##suffix(type a, type b)                           \
    {                                                                                              \
        return function(emulatedAdd, mode, a, b, 0);                                               \
    }                                                                                              \
    static EMULATED_INLINE type __##prefix##sub_##suffix(type a, type b)                           \
    {                                                                                              \
        return function(emulatedSubtract, mode, a, b, 0);                                          \
    }                                                                                              \
    static EMULATED_INLINE type __##prefix##mul_##suffix(type a, type b)                           \
    {                                                                                              \
        return function(emulatedMultiply, mode, a, b, 0);                                          \
    }                                                                                              \
    static EMULATED_INLINE type __##prefix##div_##suffix(type a, type b)                           \
    {                                                                                              \
        return function(emulatedDivide, mode, a, b, 0);                                            \
    }                                                                                              \
    static EMULATED_INLINE type __##prefix##rcp_##suffix(type a)                                   \
    {                                                                                              \
        return function(emulatedDivide, mode, 1, a, 0);                                            \
    }                                                                                              \
    static EMULATED_INLINE type __##prefix##sqrt_##suffix(type a)                                  \
    {                                                                                              \
        return function(emulatedSquareRoot, mode, a, 0, 0);                                        \
    }
#define EMULATED_ROUND_BOTH(suffix, mode)                                                          \
    EMULATED_ROUND(f, float, emulated_float, suffix, mode)                                         \
    EMULATED_ROUND(d, double, emulated_double, suffix, mode)                                       \
    static EMULATED_INLINE float __fmaf_##suffix(float a, float b, float c)                        \
    {                                                                                              \
        return emulated_float(emulatedMultiplyAdd, mode, a, b, c);                                 \
    }                                                                                              \
    static EMULATED_INLINE double __fma_##suffix(double a, double b, double c)                     \
    {                                                                                              \
        return emulated_double(emulatedMultiplyAdd, mode, a, b, c);                                \
    }
EMULATED_ROUND_BOTH(rn, emulatedNearest)
EMULATED_ROUND_BOTH(rz, emulatedZero)
EMULATED_ROUND_BOTH(rd, emulatedDown)
EMULATED_ROUND_BOTH(ru, emulatedUp)
#undef EMULATED_ROUND
#undef EMULATED_ROUND_BOTH
static EMULATED_INLINE float __frsqrt_rn(float a) { return (float)(1.0 / sqrt((double)a)); }

/* Special functions */
extern "C" double emulated_normcdf(double x);
extern "C" double emulated_erfinv(double x);
static inline float normcdff(float x) { return (float)emulated_normcdf(x); }
static inline double normcdf(double x) { return emulated_normcdf(x); }
static inline double erfinv(double x) { return emulated_erfinv(x); }
static inline float erfinvf(float x) { return (float)emulated_erfinv(x); }
static inline double erfcinv(double x) { return emulated_erfinv(1 - x); }
static inline float erfcinvf(float x) { return (float)emulated_erfinv(1 - (double)x); }
static inline double normcdfinv(double x)
{
    return 1.4142135623730951 * emulated_erfinv(2 * x - 1);
}
static inline float normcdfinvf(float x) { return (float)normcdfinv(x); }
extern "C" double emulated_bessel(double x, int order);
static inline double cyl_bessel_i0(double x) { return emulated_bessel(x, 0); }
static inline double cyl_bessel_i1(double x) { return emulated_bessel(x, 1); }
static inline float cyl_bessel_i0f(float x) { return (float)emulated_bessel(x, 0); }
static inline float cyl_bessel_i1f(float x) { return (float)emulated_bessel(x, 1); }
static inline double erfcx(double x) { return exp(x * x) * erfc(x); }
static inline float erfcxf(float x) { return (float)erfcx(x); }
static inline double rhypot(double a, double b) { return 1 / hypot(a, b); }
static inline float rhypotf(float a, float b) { return 1 / hypotf(a, b); }
static inline double norm4d(double a, double b, double c, double d)
{
    return sqrt(a * a + b * b + c * c + d * d);
}
static inline float norm4df(float a, float b, float c, float d)
{
    return sqrtf(a * a + b * b + c * c + d * d);
}
static inline void sincospi(double x, double *s, double *c)
{
    *s = emulatedSinpi(x);
    *c = emulatedCospi(x);
}
static inline void sincospif(float x, float *s, float *c)
{
    *s = emulatedSinpif(x);
    *c = emulatedCospif(x);
}

static EMULATED_INLINE int __popc(unsigned int x) { return __builtin_popcount(x); }
static EMULATED_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static EMULATED_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
static EMULATED_INLINE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
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
static EMULATED_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                                    unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
static EMULATED_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                                    unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
static EMULATED_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                                     unsigned int by)
{
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
static EMULATED_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                                     unsigned int by)
{
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
static EMULATED_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
static EMULATED_INLINE unsigned int __umul24(unsigned int a, unsigned int b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
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

static EMULATED_INLINE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c)
{
    return (a > b ? a - b : b - a) + c;
}
static EMULATED_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
static EMULATED_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
static EMULATED_INLINE unsigned int __uhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
static EMULATED_INLINE unsigned int __urhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
static EMULATED_INLINE long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
#if EMULATED_ARCH >= 610
static inline int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 32; i += 8)
        c += (signed char)(a >> i) * (signed char)(b >> i);
    return c;
}
static inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
}
#else
EMULATED_NEEDS(__dp4a, "6.1")
#endif

#define EMULATED_BITS(name, to, from)                                                              \
    static EMULATED_INLINE to name(from x)                                                         \
    {                                                                                              \
        to y;                                                                                      \
        __builtin_memcpy(&y, &x, sizeof y);                                                        \
        return y;                                                                                  \
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
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

/* Conversions to integers with a rounding mode. Values out of range become the nearest that there
 * is; NaN becomes 0 where both types have 32 bits, else the highest bit alone. */
#define EMULATED_CONVERT_ONE(name, to, from, low, high, rounded)                                   \
    static EMULATED_INLINE to name(from x)                                                         \
    {                                                                                              \
        from y = rounded(x);                                                                       \
        const to none = sizeof(to) + sizeof(from) > 8 ? (to)(1ull << (8 * sizeof(to) - 1)) : 0;    \
        return y != y ? none : y <= (from)low ? low : y >= (from)high ? high : (to)y;              \
    }
#define EMULATED_CONVERT(name, to, from, low, high, nearest, down, up, zero)                       \
    EMULATED_CONVERT_ONE(name##_rn, to, from, low, high, nearest)                                  \
    EMULATED_CONVERT_ONE(name##_rd, to, from, low, high, down)                                     \
    EMULATED_CONVERT_ONE(name##_ru, to, from, low, high, up)                                       \
    EMULATED_CONVERT_ONE(name##_rz, to, from, low, high, zero)
#define EMULATED_CONVERT_BOTH(name, to, low, high)                                                 \
    EMULATED_CONVERT(__float2##name, to, float, low, high, rintf, floorf, ceilf, truncf)           \
    EMULATED_CONVERT(__double2##name, to, double, low, high, rint, floor, ceil, trunc)
EMULATED_CONVERT_BOTH(int, int, INT_MIN, INT_MAX)
EMULATED_CONVERT_BOTH(uint, unsigned int, 0u, UINT_MAX)
EMULATED_CONVERT_BOTH(ll, long long, LLONG_MIN, LLONG_MAX)
EMULATED_CONVERT_BOTH(ull, unsigned long long, 0ull, ULLONG_MAX)
#undef EMULATED_CONVERT
#undef EMULATED_CONVERT_ONE
#undef EMULATED_CONVERT_BOTH
/* And to floating point */
extern "C" float emulated_to_float(int mode, long double x);
extern "C" double emulated_to_double(int mode, long double x);
#define EMULATED_CONVERT(name, to, from)                                                           \
    static EMULATED_INLINE to name##_rn(from x) { return (to)x; }                                  \
    static EMULATED_INLINE to name##_rd(from x) { return emulated_to_##to(emulatedDown, x); }      \
    static EMULATED_INLINE to name##_ru(from x) { return emulated_to_##to(emulatedUp, x); }        \
    static EMULATED_INLINE to name##_rz(from x) { return emulated_to_##to(emulatedZero, x); }
EMULATED_CONVERT(__int2float, float, int)
EMULATED_CONVERT(__uint2float, float, unsigned int)
EMULATED_CONVERT(__ll2float, float, long long)
EMULATED_CONVERT(__ull2float, float, unsigned long long)
EMULATED_CONVERT(__double2float, float, double)
EMULATED_CONVERT(__ll2double, double, long long)
EMULATED_CONVERT(__ull2double, double, unsigned long long)
#undef EMULATED_CONVERT
static EMULATED_INLINE double __int2double_rn(int x) { return (double)x; }
static EMULATED_INLINE double __uint2double_rn(unsigned int x) { return (double)x; }
#endif
