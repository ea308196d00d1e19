/* small_float.h: floating point numbers of 16 bits, for cuda_fp16.h and cuda_bf16.h. */
#ifndef EMULATED_SMALL_FLOAT_H
#define EMULATED_SMALL_FLOAT_H

extern "C" {                                                                      /* runtime/mathematics.cpp */
unsigned short emulated_pack(double value, int exponent_bits, int fraction_bits); /* to nearest, ties to even */
float emulated_unpack(unsigned short bits, int exponent_bits, int fraction_bits);
}

#define EMULATED_SMALL_OPERATOR(type, op)                                                                              \
    friend EMULATED_INLINE type operator op(type a, type b) { return type((double)(float)a op(double)(float) b); }     \
    EMULATED_INLINE type &operator op##=(type b) { return *this = *this op b; }
#define EMULATED_SMALL_COMPARE(type, op)                                                                               \
    friend EMULATED_INLINE bool operator op(type a, type b) { return (float)a op(float) b; }
#define EMULATED_PAIR_OPERATOR(pair, op)                                                                               \
    friend EMULATED_INLINE pair operator op(pair a, pair b) { return pair(a.x op b.x, a.y op b.y); }                   \
    EMULATED_INLINE pair &operator op##=(pair b) { return *this = *this op b; }

#define EMULATED_SMALL_FLOAT(type, pair, exponent, fraction)                                                           \
    struct __attribute__((aligned(2))) type {                                                                          \
        unsigned short bits;                                                                                           \
        type() = default;                                                                                              \
        EMULATED_INLINE type(float x) : bits(emulated_pack(x, exponent, fraction)) {}                                  \
        EMULATED_INLINE type(double x) : bits(emulated_pack(x, exponent, fraction)) {}                                 \
        EMULATED_INLINE type(int x) : bits(emulated_pack(x, exponent, fraction)) {}                                    \
        EMULATED_INLINE type(unsigned int x) : bits(emulated_pack(x, exponent, fraction)) {}                           \
        EMULATED_INLINE type(long long x) : bits(emulated_pack((double)x, exponent, fraction)) {}                      \
        static EMULATED_INLINE type from_bits(unsigned short b)                                                        \
        {                                                                                                              \
            type t;                                                                                                    \
            t.bits = b;                                                                                                \
            return t;                                                                                                  \
        }                                                                                                              \
        EMULATED_INLINE operator float() const { return emulated_unpack(bits, exponent, fraction); }                   \
        EMULATED_SMALL_OPERATOR(type, +)                                                                               \
        EMULATED_SMALL_OPERATOR(type, -)                                                                               \
        EMULATED_SMALL_OPERATOR(type, *)                                                                               \
        EMULATED_SMALL_OPERATOR(type, /)                                                                               \
        EMULATED_SMALL_COMPARE(type, <)                                                                                \
        EMULATED_SMALL_COMPARE(type, <=)                                                                               \
        EMULATED_SMALL_COMPARE(type, >)                                                                                \
        EMULATED_SMALL_COMPARE(type, >=)                                                                               \
        EMULATED_SMALL_COMPARE(type, ==)                                                                               \
        EMULATED_SMALL_COMPARE(type, !=)                                                                               \
        EMULATED_INLINE type operator-() const { return from_bits(bits ^ 0x8000); }                                    \
    };                                                                                                                 \
    struct __attribute__((aligned(4))) pair {                                                                          \
        type x, y;                                                                                                     \
        pair() = default;                                                                                              \
        EMULATED_INLINE pair(type a, type b) : x(a), y(b) {}                                                           \
        EMULATED_PAIR_OPERATOR(pair, +)                                                                                \
        EMULATED_PAIR_OPERATOR(pair, -)                                                                                \
        EMULATED_PAIR_OPERATOR(pair, *)                                                                                \
        EMULATED_PAIR_OPERATOR(pair, /)                                                                                \
    };

/* The intrinsics of both, which differ in names alone */
#define EMULATED_SMALL_FLOAT_NAMES(name, type, pair, to, from, to2, from2, join, twice)                                \
    static EMULATED_INLINE type __##to(float x) { return type(x); }                                                    \
    static EMULATED_INLINE type __##to##_rn(float x) { return type(x); }                                               \
    static EMULATED_INLINE float __##from(type x) { return (float)x; }                                                 \
    static EMULATED_INLINE pair __##to2##_rn(float x) { return pair(type(x), type(x)); }                               \
    static EMULATED_INLINE pair __##join(type a, type b) { return pair(a, b); }                                        \
    static EMULATED_INLINE pair __##twice(type a) { return pair(a, a); }                                               \
    static EMULATED_INLINE float2 __##from2(pair a) { return make_float2((float)a.x, (float)a.y); }                    \
    static EMULATED_INLINE pair __float22##name##2_rn(float2 a) { return pair(type(a.x), type(a.y)); }                 \
    static EMULATED_INLINE float __low2float(pair a) { return (float)a.x; }                                            \
    static EMULATED_INLINE float __high2float(pair a) { return (float)a.y; }                                           \
    static EMULATED_INLINE type __hadd(type a, type b) { return a + b; }                                               \
    static EMULATED_INLINE type __hsub(type a, type b) { return a - b; }                                               \
    static EMULATED_INLINE type __hmul(type a, type b) { return a * b; }                                               \
    static EMULATED_INLINE type __hdiv(type a, type b) { return a / b; }                                               \
    static EMULATED_INLINE type __hneg(type a) { return -a; }                                                          \
    static EMULATED_INLINE type __habs(type a) { return type::from_bits(a.bits & 0x7fff); }                            \
    static EMULATED_INLINE type __hfma(type a, type b, type c)                                                         \
    {                                                                                                                  \
        return type(fma((double)(float)a, (double)(float)b, (double)(float)c));                                        \
    }                                                                                                                  \
    static EMULATED_INLINE pair __hadd2(pair a, pair b) { return a + b; }                                              \
    static EMULATED_INLINE pair __hsub2(pair a, pair b) { return a - b; }                                              \
    static EMULATED_INLINE pair __hmul2(pair a, pair b) { return a * b; }                                              \
    static EMULATED_INLINE pair __h2div(pair a, pair b) { return a / b; }                                              \
    static EMULATED_INLINE pair __hneg2(pair a) { return pair(-a.x, -a.y); }                                           \
    static EMULATED_INLINE pair __hfma2(pair a, pair b, pair c)                                                        \
    {                                                                                                                  \
        return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                                     \
    }                                                                                                                  \
    static EMULATED_INLINE bool __heq(type a, type b) { return a == b; }                                               \
    static EMULATED_INLINE bool __hne(type a, type b) { return a != b; }                                               \
    static EMULATED_INLINE bool __hlt(type a, type b) { return a < b; }                                                \
    static EMULATED_INLINE bool __hle(type a, type b) { return a <= b; }                                               \
    static EMULATED_INLINE bool __hgt(type a, type b) { return a > b; }                                                \
    static EMULATED_INLINE bool __hge(type a, type b) { return a >= b; }                                               \
    static EMULATED_INLINE bool __hisnan(type a) { return a != a; }                                                    \
    static EMULATED_INLINE type __hmax(type a, type b) { return type(fmaxf((float)a, (float)b)); }                     \
    static EMULATED_INLINE type __hmin(type a, type b) { return type(fminf((float)a, (float)b)); }                     \
    static EMULATED_INLINE type hsqrt(type a) { return type(sqrt((double)(float)a)); }                                 \
    static EMULATED_INLINE type hrsqrt(type a) { return type(1 / sqrt((double)(float)a)); }                            \
    static EMULATED_INLINE type hrcp(type a) { return type(1 / (double)(float)a); }                                    \
    static EMULATED_INLINE type hexp(type a) { return type(exp((double)(float)a)); }                                   \
    static EMULATED_INLINE type hexp2(type a) { return type(exp2((double)(float)a)); }                                 \
    static EMULATED_INLINE type hlog(type a) { return type(log((double)(float)a)); }                                   \
    static EMULATED_INLINE type hlog2(type a) { return type(log2((double)(float)a)); }                                 \
    static EMULATED_INLINE type hsin(type a) { return type(sin((double)(float)a)); }                                   \
    static EMULATED_INLINE type hcos(type a) { return type(cos((double)(float)a)); }                                   \
    static EMULATED_INLINE type hfloor(type a) { return type(floorf((float)a)); }                                      \
    static EMULATED_INLINE type hceil(type a) { return type(ceilf((float)a)); }                                        \
    static EMULATED_INLINE type htrunc(type a) { return type(truncf((float)a)); }                                      \
    static EMULATED_INLINE type hrint(type a) { return type(rintf((float)a)); }
#endif
