/* small_float.h: floating point numbers of 16 bits, for cuda_fp16.h and cuda_bf16.h. */
#ifndef EMULATED_SMALL_FLOAT_H
#define EMULATED_SMALL_FLOAT_H

/* runtime/mathematics.cpp */
extern "C" {
/* to nearest, ties to even */
unsigned short emulated_pack(double value, int exponent_bits, int fraction_bits);
float emulated_unpack(unsigned short bits, int exponent_bits, int fraction_bits);
}

#define EMULATED_SMALL_OPERATOR(type, op)                                                          \
    friend EMULATED_INLINE type operator op(type a, type b)                                        \
    {                                                                                              \
        return type((double)(float)a op(double)(float) b);                                         \
    }                                                                                              \
    EMULATED_INLINE type &operator op##=(type b) { return *this = *this op b; }
#define EMULATED_SMALL_COMPARE(type, op)                                                           \
    friend EMULATED_INLINE bool operator op(type a, type b) { return (float)a op(float) b; }
#define EMULATED_PAIR_OPERATOR(pair, op)                                                           \
    friend EMULATED_INLINE pair operator op(pair a, pair b)                                        \
    {                                                                                              \
        return pair(a.x op b.x, a.y op b.y);                                                       \
    }                                                                                              \
    EMULATED_INLINE pair &operator op##=(pair b) { return *this = *this op b; }

#define EMULATED_SMALL_FLOAT(type, pair, raw, raw2, exponent, fraction)                            \
    struct raw {                                                                                   \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct raw2 {                                                                                  \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(2))) type {                                                      \
        unsigned short bits;                                                                       \
        type() = default;                                                                          \
        EMULATED_INLINE type(float x) : bits(emulated_pack(x, exponent, fraction)) {}              \
        EMULATED_INLINE type(double x) : bits(emulated_pack(x, exponent, fraction)) {}             \
        EMULATED_INLINE type(int x) : bits(emulated_pack(x, exponent, fraction)) {}                \
        EMULATED_INLINE type(unsigned int x) : bits(emulated_pack(x, exponent, fraction)) {}       \
        EMULATED_INLINE type(long long x) : bits(emulated_pack((double)x, exponent, fraction)) {}  \
        EMULATED_INLINE type(raw r) : bits(r.x) {}                                                 \
        EMULATED_INLINE operator raw() const                                                       \
        {                                                                                          \
            const raw r = {bits};                                                                  \
            return r;                                                                              \
        }                                                                                          \
        static EMULATED_INLINE type from_bits(unsigned short b)                                    \
        {                                                                                          \
            type t;                                                                                \
            t.bits = b;                                                                            \
            return t;                                                                              \
        }                                                                                          \
        EMULATED_INLINE operator float() const                                                     \
        {                                                                                          \
            return emulated_unpack(bits, exponent, fraction);                                      \
        }                                                                                          \
        EMULATED_SMALL_OPERATOR(type, +)                                                           \
        EMULATED_SMALL_OPERATOR(type, -)                                                           \
        EMULATED_SMALL_OPERATOR(type, *)                                                           \
        EMULATED_SMALL_OPERATOR(type, /)                                                           \
        EMULATED_SMALL_COMPARE(type, <)                                                            \
        EMULATED_SMALL_COMPARE(type, <=)                                                           \
        EMULATED_SMALL_COMPARE(type, >)                                                            \
        EMULATED_SMALL_COMPARE(type, >=)                                                           \
        EMULATED_SMALL_COMPARE(type, ==)                                                           \
        EMULATED_SMALL_COMPARE(type, !=)                                                           \
        EMULATED_INLINE type operator+() const { return *this; }                                   \
        EMULATED_INLINE type operator-() const { return from_bits(bits ^ 0x8000); }                \
    };                                                                                             \
    struct __attribute__((aligned(4))) pair {                                                      \
        type x, y;                                                                                 \
        pair() = default;                                                                          \
        EMULATED_INLINE pair(type a, type b) : x(a), y(b) {}                                       \
        EMULATED_INLINE pair(raw2 r) : x(type::from_bits(r.x)), y(type::from_bits(r.y)) {}         \
        EMULATED_INLINE operator raw2() const                                                      \
        {                                                                                          \
            const raw2 r = {x.bits, y.bits};                                                       \
            return r;                                                                              \
        }                                                                                          \
        EMULATED_INLINE pair operator+() const { return *this; }                                   \
        EMULATED_INLINE pair operator-() const { return pair(-x, -y); }                            \
        EMULATED_PAIR_OPERATOR(pair, +)                                                            \
        EMULATED_PAIR_OPERATOR(pair, -)                                                            \
        EMULATED_PAIR_OPERATOR(pair, *)                                                            \
        EMULATED_PAIR_OPERATOR(pair, /)                                                            \
    };

/* To the nearest integer there is; NaN: zero */
template <class I> static EMULATED_INLINE I emulatedToInteger(float x)
{
    const I low = sizeof(I) == 1 ? (I)-1 : (I)((I)-1 < 0 ? 1ull << (8 * sizeof(I) - 1) : 0),
            high = (I)~low;
    return x != x ? I() : x >= (float)high ? high : x <= (float)low ? low : (I)x;
}
#define EMULATED_SMALL_INTEGER(name, type, word, integer)                                          \
    static EMULATED_INLINE integer __##name##2##word##_rn(type a)                                  \
    {                                                                                              \
        return emulatedToInteger<integer>(rintf((float)a));                                        \
    }                                                                                              \
    static EMULATED_INLINE integer __##name##2##word##_rz(type a)                                  \
    {                                                                                              \
        return emulatedToInteger<integer>(truncf((float)a));                                       \
    }                                                                                              \
    static EMULATED_INLINE integer __##name##2##word##_rd(type a)                                  \
    {                                                                                              \
        return emulatedToInteger<integer>(floorf((float)a));                                       \
    }                                                                                              \
    static EMULATED_INLINE integer __##name##2##word##_ru(type a)                                  \
    {                                                                                              \
        return emulatedToInteger<integer>(ceilf((float)a));                                        \
    }                                                                                              \
    static EMULATED_INLINE type __##word##2##name##_rn(integer i) { return type((double)i); }
/* Lane by lane of a pair: f, and comparisons, of which both (hb) may be asked for */
#define EMULATED_PAIR_FUNCTION(type, pair, f, one)                                                 \
    static EMULATED_INLINE pair f(pair a) { return pair(one(a.x), one(a.y)); }
#define EMULATED_PAIR_COMPARISON(type, pair, word, op)                                             \
    static EMULATED_INLINE pair __h##word##2(pair a, pair b)                                       \
    {                                                                                              \
        return pair(type((float)(a.x op b.x)), type((float)(a.y op b.y)));                         \
    }                                                                                              \
    static EMULATED_INLINE bool __hb##word##2(pair a, pair b) { return a.x op b.x && a.y op b.y; }
#define EMULATED_SMALL_FLOAT_MORE(name, type, pair, from2, atomic)                                 \
    EMULATED_SMALL_INTEGER(name, type, int, int)                                                   \
    EMULATED_SMALL_INTEGER(name, type, uint, unsigned int)                                         \
    EMULATED_SMALL_INTEGER(name, type, short, short)                                               \
    EMULATED_SMALL_INTEGER(name, type, ushort, unsigned short)                                     \
    EMULATED_PAIR_COMPARISON(type, pair, eq, ==)                                                   \
    EMULATED_PAIR_COMPARISON(type, pair, ne, !=)                                                   \
    EMULATED_PAIR_COMPARISON(type, pair, lt, <)                                                    \
    EMULATED_PAIR_COMPARISON(type, pair, le, <=)                                                   \
    EMULATED_PAIR_COMPARISON(type, pair, gt, >)                                                    \
    EMULATED_PAIR_COMPARISON(type, pair, ge, >=)                                                   \
    static EMULATED_INLINE pair __hmax2(pair a, pair b)                                            \
    {                                                                                              \
        return pair(__hmax(a.x, b.x), __hmax(a.y, b.y));                                           \
    }                                                                                              \
    static EMULATED_INLINE pair __hmin2(pair a, pair b)                                            \
    {                                                                                              \
        return pair(__hmin(a.x, b.x), __hmin(a.y, b.y));                                           \
    }                                                                                              \
    EMULATED_PAIR_FUNCTION(type, pair, __habs2, __habs)                                            \
    static EMULATED_INLINE type atomicAdd(type *p, type value)                                     \
    {                                                                                              \
        return type::from_bits(emulated_atomic_add_##atomic(&p->bits, value.bits));                \
    }                                                                                              \
    static EMULATED_INLINE pair atomicAdd(pair *p, pair value)                                     \
    {                                                                                              \
        unsigned bits;                                                                             \
        __builtin_memcpy(&bits, &value, sizeof bits);                                              \
        bits = emulated_atomic_add_##atomic##x2((unsigned *)p, bits);                              \
        __builtin_memcpy(&value, &bits, sizeof bits);                                              \
        return value;                                                                              \
    }

/* The intrinsics of both, which differ in names alone */
#define EMULATED_SMALL_FLOAT_NAMES(name, type, pair, to, from, to2, from2, join, twice, atomic)    \
    static EMULATED_INLINE type __##to(float x) { return type(x); }                                \
    static EMULATED_INLINE type __##to##_rn(float x) { return type(x); }                           \
    static EMULATED_INLINE float __##from(type x) { return (float)x; }                             \
    static EMULATED_INLINE pair __##to2##_rn(float x) { return pair(type(x), type(x)); }           \
    static EMULATED_INLINE pair __##join(type a, type b) { return pair(a, b); }                    \
    static EMULATED_INLINE pair __##twice(type a) { return pair(a, a); }                           \
    static EMULATED_INLINE float2 __##from2(pair a)                                                \
    {                                                                                              \
        return make_float2((float)a.x, (float)a.y);                                                \
    }                                                                                              \
    static EMULATED_INLINE pair __float22##name##2_rn(float2 a)                                    \
    {                                                                                              \
        return pair(type(a.x), type(a.y));                                                         \
    }                                                                                              \
    static EMULATED_INLINE float __low2float(pair a) { return (float)a.x; }                        \
    static EMULATED_INLINE float __high2float(pair a) { return (float)a.y; }                       \
    static EMULATED_INLINE type __hadd(type a, type b) { return a + b; }                           \
    static EMULATED_INLINE type __hsub(type a, type b) { return a - b; }                           \
    static EMULATED_INLINE type __hmul(type a, type b) { return a * b; }                           \
    static EMULATED_INLINE type __hdiv(type a, type b) { return a / b; }                           \
    static EMULATED_INLINE type __hneg(type a) { return -a; }                                      \
    static EMULATED_INLINE type __habs(type a) { return type::from_bits(a.bits & 0x7fff); }        \
    static EMULATED_INLINE type __hfma(type a, type b, type c)                                     \
    {                                                                                              \
        return type(fma((double)(float)a, (double)(float)b, (double)(float)c));                    \
    }                                                                                              \
    static EMULATED_INLINE pair __hadd2(pair a, pair b) { return a + b; }                          \
    static EMULATED_INLINE pair __hsub2(pair a, pair b) { return a - b; }                          \
    static EMULATED_INLINE pair __hmul2(pair a, pair b) { return a * b; }                          \
    static EMULATED_INLINE pair __h2div(pair a, pair b) { return a / b; }                          \
    static EMULATED_INLINE pair __hneg2(pair a) { return pair(-a.x, -a.y); }                       \
    static EMULATED_INLINE pair __hfma2(pair a, pair b, pair c)                                    \
    {                                                                                              \
        return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                 \
    }                                                                                              \
    static EMULATED_INLINE bool __heq(type a, type b) { return a == b; }                           \
    static EMULATED_INLINE bool __hne(type a, type b) { return a != b; }                           \
    static EMULATED_INLINE bool __hlt(type a, type b) { return a < b; }                            \
    static EMULATED_INLINE bool __hle(type a, type b) { return a <= b; }                           \
    static EMULATED_INLINE bool __hgt(type a, type b) { return a > b; }                            \
    static EMULATED_INLINE bool __hge(type a, type b) { return a >= b; }                           \
    static EMULATED_INLINE bool __hisnan(type a) { return a != a; }                                \
    static EMULATED_INLINE type __hmax(type a, type b) { return type(fmaxf((float)a, (float)b)); } \
    static EMULATED_INLINE type __hmin(type a, type b) { return type(fminf((float)a, (float)b)); } \
    EMULATED_SMALL_FLOAT_MORE(name, type, pair, from2, atomic)                                     \
    static EMULATED_INLINE type hsqrt(type a) { return type(sqrt((double)(float)a)); }             \
    static EMULATED_INLINE type hrsqrt(type a) { return type(1 / sqrt((double)(float)a)); }        \
    static EMULATED_INLINE type hrcp(type a) { return type(1 / (double)(float)a); }                \
    static EMULATED_INLINE type hexp(type a) { return type(exp((double)(float)a)); }               \
    static EMULATED_INLINE type hexp2(type a) { return type(exp2((double)(float)a)); }             \
    static EMULATED_INLINE type hlog(type a) { return type(log((double)(float)a)); }               \
    static EMULATED_INLINE type hlog2(type a) { return type(log2((double)(float)a)); }             \
    static EMULATED_INLINE type hsin(type a) { return type(sin((double)(float)a)); }               \
    static EMULATED_INLINE type hcos(type a) { return type(cos((double)(float)a)); }               \
    static EMULATED_INLINE type hfloor(type a) { return type(floorf((float)a)); }                  \
    static EMULATED_INLINE type hceil(type a) { return type(ceilf((float)a)); }                    \
    static EMULATED_INLINE type htrunc(type a) { return type(truncf((float)a)); }                  \
    static EMULATED_INLINE type hrint(type a) { return type(rintf((float)a)); }                    \
    static EMULATED_INLINE type htanh(type a) { return type(tanh((double)(float)a)); }             \
    static EMULATED_INLINE type htanh_approx(type a) { return htanh(a); }                          \
    EMULATED_PAIR_FUNCTION(type, pair, h2sqrt, hsqrt)                                              \
    EMULATED_PAIR_FUNCTION(type, pair, h2rsqrt, hrsqrt)                                            \
    EMULATED_PAIR_FUNCTION(type, pair, h2rcp, hrcp)                                                \
    EMULATED_PAIR_FUNCTION(type, pair, h2exp, hexp)                                                \
    EMULATED_PAIR_FUNCTION(type, pair, h2exp2, hexp2)                                              \
    EMULATED_PAIR_FUNCTION(type, pair, h2log, hlog)                                                \
    EMULATED_PAIR_FUNCTION(type, pair, h2log2, hlog2)                                              \
    EMULATED_PAIR_FUNCTION(type, pair, h2sin, hsin)                                                \
    EMULATED_PAIR_FUNCTION(type, pair, h2cos, hcos)                                                \
    EMULATED_PAIR_FUNCTION(type, pair, h2floor, hfloor)                                            \
    EMULATED_PAIR_FUNCTION(type, pair, h2ceil, hceil)                                              \
    EMULATED_PAIR_FUNCTION(type, pair, h2trunc, htrunc)                                            \
    EMULATED_PAIR_FUNCTION(type, pair, h2rint, hrint)                                              \
    EMULATED_PAIR_FUNCTION(type, pair, h2tanh, htanh)                                              \
    EMULATED_PAIR_FUNCTION(type, pair, h2tanh_approx, htanh_approx)
#endif
