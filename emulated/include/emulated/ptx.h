/* ptx.h: what inline PTX is translated into. Cache hints mean nothing here; memory order does. */
#ifndef EMULATED_PTX_H
#define EMULATED_PTX_H

#include "async.h"
#include "tensor_core.h"

namespace emulated
{

/* [%1] and [%1+16]: the operand is a pointer or a number, in shared memory perhaps a short one */
template <class P> static EMULATED_INLINE char *ptx_address(P p, long offset = 0)
{
    const unsigned long long number = (unsigned long long)p;
    return (sizeof p == 4 || (number >= 1024 && !(number >> 32))
                ? (char *)emulated_shared_pointer((unsigned)number)
                : (char *)number) +
           offset;
}

/* What is written to _ */
struct Nobody {
    template <class T> EMULATED_INLINE Nobody &operator=(T) { return *this; }
};
static Nobody ptx_nobody __attribute__((unused));

/* PTX registers have a size but hardly a type: equal sizes are copied bit by bit. */
template <class To, class From> static EMULATED_INLINE void ptx_set(To &to, From from)
{
    if (sizeof to == sizeof from)
        __builtin_memcpy((void *)&to, &from, sizeof to);
    else
        to = (To)from;
}
template <class To, class From> static EMULATED_INLINE To ptx_get(From from)
{
    To to;
    ptx_set(to, from);
    return to;
}

template <class From> static EMULATED_INLINE void ptx_set(Nobody &, From) {}

template <class T> struct __attribute__((aligned(2 * sizeof(T)))) Two {
    T x, y;
};
template <class T> struct __attribute__((aligned(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)))) Four {
    T x, y, z, w;
};

template <class T, class A> static EMULATED_INLINE void ptx_load(A &a, const char *p)
{
    ptx_set(a, *(const T *)p);
}
template <class T, class A> static EMULATED_INLINE void ptx_load_strong(A &a, const char *p)
{
    ptx_set(a, *(const volatile T *)p);
}
template <class T, class A> static EMULATED_INLINE void ptx_load2(A &a, A &b, const char *p)
{
    Two<T> v = *(const Two<T> *)p;
    ptx_set(a, v.x);
    ptx_set(b, v.y);
}
template <class T, class A>
static EMULATED_INLINE void ptx_load4(A &a, A &b, A &c, A &d, const char *p)
{
    Four<T> v = *(const Four<T> *)p;
    ptx_set(a, v.x);
    ptx_set(b, v.y);
    ptx_set(c, v.z);
    ptx_set(d, v.w);
}
template <class T, class A> static EMULATED_INLINE void ptx_store(char *p, A a)
{
    *(T *)p = ptx_get<T>(a);
}
template <class T, class A> static EMULATED_INLINE void ptx_store_strong(char *p, A a)
{
    *(volatile T *)p = ptx_get<T>(a);
}
template <class T, class A> static EMULATED_INLINE void ptx_store2(char *p, A a, A b)
{
    Two<T> v = {ptx_get<T>(a), ptx_get<T>(b)};
    *(Two<T> *)p = v;
}
template <class T, class A> static EMULATED_INLINE void ptx_store4(char *p, A a, A b, A c, A d)
{
    Four<T> v = {ptx_get<T>(a), ptx_get<T>(b), ptx_get<T>(c), ptx_get<T>(d)};
    *(Four<T> *)p = v;
}

template <class T, class F, class Out, class... Values>
static EMULATED_INLINE void ptx_atom(F f, Out &out, char *p, Values... values)
{
    ptx_set(out, f((T *)p, ptx_get<T>(values)...));
}
template <class T, class F, class... Values>
static EMULATED_INLINE void ptx_red(F f, char *p, Values... values)
{
    f((T *)p, ptx_get<T>(values)...);
}

/* ---- arithmetic: ptx_NAME<type>(sources) ---- */

template <class T> struct Wide;
#define EMULATED_WIDE(T, wide)                                                                     \
    template <> struct Wide<T> {                                                                   \
        typedef wide type;                                                                         \
    };
EMULATED_WIDE(short, int)
EMULATED_WIDE(unsigned short, unsigned int)
EMULATED_WIDE(int, long long)
EMULATED_WIDE(unsigned int, unsigned long long)
EMULATED_WIDE(long long, __int128)
EMULATED_WIDE(unsigned long long, unsigned __int128)
#undef EMULATED_WIDE

static EMULATED_INLINE float ptx_float(unsigned long long bits)
{
    return __uint_as_float((unsigned)bits);
}
static EMULATED_INLINE double ptx_double(unsigned long long bits)
{
    return __longlong_as_double((long long)bits);
}

/* Integers wrap around. */
template <class T, bool = std::is_integral<T>::value && sizeof(T) >= 4> struct Wrapping {
    typedef T type;
};
template <class T> struct Wrapping<T, true> {
    typedef typename std::make_unsigned<T>::type type;
};
#define EMULATED_PTX(name, operands, parameters, expression)                                       \
    template <class T, EMULATED_TYPES_##operands>                                                  \
    static EMULATED_INLINE auto ptx_##name(EMULATED_VALUES_##operands)                             \
    {                                                                                              \
        EMULATED_GET_##operands;                                                                   \
        return expression;                                                                         \
    }
#define EMULATED_TYPES_1 class A
#define EMULATED_TYPES_2 class A, class B
#define EMULATED_TYPES_3 class A, class B, class C
#define EMULATED_VALUES_1 A a_
#define EMULATED_VALUES_2 A a_, B b_
#define EMULATED_VALUES_3 A a_, B b_, C c_
#define EMULATED_GET_1                                                                             \
    typedef typename Wrapping<T>::type W;                                                          \
    const T a = ptx_get<T>(a_);                                                                    \
    (void)sizeof(W);                                                                               \
    (void)a
#define EMULATED_GET_2                                                                             \
    EMULATED_GET_1;                                                                                \
    const T b = ptx_get<T>(b_);                                                                    \
    (void)b
#define EMULATED_GET_3                                                                             \
    EMULATED_GET_2;                                                                                \
    const T c = ptx_get<T>(c_);                                                                    \
    (void)c
EMULATED_PTX(add, 2, , (T)((W)a + (W)b))
EMULATED_PTX(sub, 2, , (T)((W)a - (W)b))
EMULATED_PTX(mul, 2, , (T)((W)a *(W)b))
EMULATED_PTX(mul_lo, 2, , (T)((W)a *(W)b))
EMULATED_PTX(mul_hi, 2, , (T)((typename Wide<T>::type)a *b >> 8 * sizeof(T)))
EMULATED_PTX(mul_wide, 2, , (typename Wide<T>::type)a *b)
EMULATED_PTX(mad_lo, 3, , (T)((W)a *(W)b + (W)c))
EMULATED_PTX(mad_hi, 3, , (T)((W)((typename Wide<T>::type)a *b >> 8 * sizeof(T)) + (W)c))
template <class T, class A, class B, class C>
static EMULATED_INLINE auto ptx_mad_wide(A a, B b, C c)
{
    typedef typename Wide<T>::type wide;
    return ptx_add<wide>(ptx_mul_wide<T>(a, b), ptx_get<wide>(c));
}
EMULATED_PTX(fma, 3, , (T)fma((T)a, (T)b, (T)c))
EMULATED_PTX(mad, 3, , (T)fma((T)a, (T)b, (T)c))
EMULATED_PTX(add_sat, 2, , __saturatef(a + b))
EMULATED_PTX(mul_sat, 2, , __saturatef(a *b))
EMULATED_PTX(fma_sat, 3, , __saturatef(fmaf(a, b, c)))
EMULATED_PTX(div, 2, , (T)(a / b))
EMULATED_PTX(rem, 2, , (T)(a % b))
EMULATED_PTX(abs, 1, , (T)(a < 0 ? (W)0 - (W)a : (W)a))
EMULATED_PTX(neg, 1, , (T)((W)0 - (W)a))
EMULATED_PTX(min, 2, , (T)(a != a || b < a ? b : a))
EMULATED_PTX(max, 2, , (T)(a != a || a < b ? b : a))
EMULATED_PTX(and, 2, , (T)(a &b))
EMULATED_PTX(or, 2, , (T)(a | b))
EMULATED_PTX(xor, 2, , (T)(a ^ b))
EMULATED_PTX(not, 1, , (T)(sizeof(T) == 1 ? !a : ~a))
EMULATED_PTX(cnot, 1, , (T)(a == 0))
EMULATED_PTX(popc, 1, , sizeof(T) == 8 ? __popcll((unsigned long long)a) : __popc((unsigned)a))
EMULATED_PTX(clz, 1, , sizeof(T) == 8 ? __clzll((long long)a) : __clz((int)a))
EMULATED_PTX(brev, 1, , (T)(sizeof(T) == 8 ? __brevll((unsigned long long)a) : __brev((unsigned)a)))
EMULATED_PTX(sqrt, 1, , (T)sqrt(a))
EMULATED_PTX(rcp, 1, , (T)(1 / a))
EMULATED_PTX(rsqrt, 1, , (T)(1 / sqrt((double)a)))
EMULATED_PTX(ex2, 1, , (T)exp2(a))
EMULATED_PTX(lg2, 1, , (T)log2(a))
EMULATED_PTX(sin, 1, , (T)sin(a))
EMULATED_PTX(cos, 1, , (T)cos(a))
EMULATED_PTX(copysign, 2, , (T)copysign(b, a))
EMULATED_PTX(mov, 1, , a)
EMULATED_PTX(cvta, 1, , a)
EMULATED_PTX(cvta_to, 1, , a)
EMULATED_PTX(cvta_to_shared, 1, , (T)emulated_shared_offset((const void *)a))
EMULATED_PTX(cvta_shared, 1, , (T)ptx_address(a))
EMULATED_PTX(setp_eq, 2, , a == b)
EMULATED_PTX(setp_ne, 2, , a != b)
EMULATED_PTX(setp_lt, 2, , a < b)
EMULATED_PTX(setp_le, 2, , a <= b)
EMULATED_PTX(setp_gt, 2, , a > b)
EMULATED_PTX(setp_ge, 2, , a >= b)
EMULATED_PTX(sad, 3, , (T)((a > b ? (W)a - (W)b : (W)b - (W)a) + (W)c))
template <class T, class A, class B, class P> static EMULATED_INLINE T ptx_selp(A a, B b, P p)
{
    return p ? ptx_get<T>(a) : ptx_get<T>(b);
}

/* Shifts by more than there is leave nothing, or the sign. */
template <class T, class A> static EMULATED_INLINE T ptx_shl(A a, unsigned by)
{
    return by < 8 * sizeof(T) ? (T)((typename Wrapping<T>::type)ptx_get<T>(a) << by) : 0;
}
template <class T, class A> static EMULATED_INLINE T ptx_shr(A a_, unsigned by)
{
    const T a = ptx_get<T>(a_);
    return by < 8 * sizeof(T) ? (T)(a >> by) : (T)(a < 0 ? -1 : 0);
}
template <class T>
static EMULATED_INLINE unsigned ptx_shf_l_wrap(unsigned low, unsigned high, unsigned by)
{
    return __funnelshift_l(low, high, by);
}
template <class T>
static EMULATED_INLINE unsigned ptx_shf_r_wrap(unsigned low, unsigned high, unsigned by)
{
    return __funnelshift_r(low, high, by);
}
template <class T>
static EMULATED_INLINE unsigned ptx_shf_l_clamp(unsigned low, unsigned high, unsigned by)
{
    return __funnelshift_lc(low, high, by);
}
template <class T>
static EMULATED_INLINE unsigned ptx_shf_r_clamp(unsigned low, unsigned high, unsigned by)
{
    return __funnelshift_rc(low, high, by);
}

template <class T, class A> static EMULATED_INLINE int ptx_bfind(A a_)
{
    const T a = ptx_get<T>(a_), magnitude = a < 0 ? ~a : a;
    return magnitude == 0 ? -1 : 63 - __clzll((long long)(unsigned long long)magnitude);
}
/* `length` bits from `position` on, with their sign if the type has one */
template <class T, class A> static inline T ptx_bfe(A a_, unsigned position, unsigned length)
{
    const int bits = 8 * sizeof(T);
    const T a = ptx_get<T>(a_);
    T result = 0;
    position &= 255;
    length &= 255;
    if (length == 0)
        return 0;
    const unsigned last =
        position + length - 1 < (unsigned)bits - 1 ? position + length - 1 : (unsigned)bits - 1;
    const bool sign = a < 0 || std::is_signed<T>::value ? a >> last & 1 : false;
    for (int i = 0; i < bits; i++)
        if ((unsigned)i < length && position + i < (unsigned)bits ? a >> (position + i) & 1 : sign)
            result |= (T)1 << i;
    return result;
}
template <class T, class A, class B>
static inline T ptx_bfi(A a_, B b_, unsigned position, unsigned length)
{
    const T a = ptx_get<T>(a_);
    T b = ptx_get<T>(b_);
    position &= 255;
    length &= 255;
    for (unsigned i = 0; i < length && position + i < 8 * sizeof(T); i++)
        b = (b & ~((T)1 << (position + i))) | (a >> i & 1) << (position + i);
    return b;
}
template <class T>
static EMULATED_INLINE unsigned ptx_prmt(unsigned a, unsigned b, unsigned selector)
{
    unsigned result = __byte_perm(a, b, selector & 0x7777);
    for (int i = 0; i < 4; i++) /* the sign of a byte, eight times */
        if (selector >> (4 * i + 3) & 1)
            result = (result & ~(255u << 8 * i)) | (result >> (8 * i + 7) & 1 ? 255u << 8 * i : 0);
    return result;
}
template <class T>
static EMULATED_INLINE unsigned ptx_lop3(unsigned a, unsigned b, unsigned c, unsigned table)
{
    unsigned result = 0;
    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return result;
}
template <class T, class A, class B, class C> static EMULATED_INLINE int ptx_dp4a(A a, B b, C c)
{
    return (int)__dp4a(ptx_get<T>(a), ptx_get<T>(b), ptx_get<T>(c));
}

/* ---- warp operations ---- */
template <class T> static EMULATED_INLINE unsigned ptx_vote_ballot(bool p, unsigned mask)
{
    return ballot(mask, p);
}
template <class T> static EMULATED_INLINE bool ptx_vote_any(bool p, unsigned mask)
{
    return ballot(mask, p) != 0;
}
template <class T> static EMULATED_INLINE bool ptx_vote_all(bool p, unsigned mask)
{
    return ballot(mask, !p) == 0;
}
template <class T> static EMULATED_INLINE unsigned ptx_activemask()
{
    return emulated_active_mask();
}
template <class T, class A> static EMULATED_INLINE unsigned ptx_match_any(A a, unsigned mask)
{
    return (unsigned)emulated_warp(mask, (unsigned long long)ptx_get<T>(a), emulatedMatch, 0, 32);
}
/* `shape` holds the clamp, and above it the part of the warp that lanes stay in. */
#define EMULATED_PTX_SHUFFLE(name, operation)                                                      \
    template <class T, class A>                                                                    \
    static EMULATED_INLINE T ptx_shfl_##name(A a, unsigned lane, unsigned shape, unsigned mask)    \
    {                                                                                              \
        return exchange(mask, ptx_get<T>(a), operation, (int)lane, 32 - (int)(shape >> 8 & 31));   \
    }
EMULATED_PTX_SHUFFLE(idx, emulatedShuffle)
EMULATED_PTX_SHUFFLE(up, emulatedShuffleUp)
EMULATED_PTX_SHUFFLE(down, emulatedShuffleDown)
EMULATED_PTX_SHUFFLE(bfly, emulatedShuffleXor)
#undef EMULATED_PTX_SHUFFLE
#if EMULATED_ARCH >= 800
#define EMULATED_PTX_REDUCE(name)                                                                  \
    template <class T, class A> static EMULATED_INLINE T ptx_redux_##name(A a, unsigned mask)      \
    {                                                                                              \
        return __reduce_##name##_sync(mask, ptx_get<T>(a));                                        \
    }
EMULATED_PTX_REDUCE(add)
EMULATED_PTX_REDUCE(min)
EMULATED_PTX_REDUCE(max)
EMULATED_PTX_REDUCE(and)
EMULATED_PTX_REDUCE(or)
EMULATED_PTX_REDUCE(xor)
#undef EMULATED_PTX_REDUCE
#endif

/* ---- conversions: to nearest, towards zero, down, up ---- */
template <class To, class From> static inline To ptx_cvt(int mode, From x)
{
    if constexpr (std::is_floating_point<From>::value && std::is_integral<To>::value) {
        const double y = mode == 0   ? rint((double)x)
                         : mode == 1 ? trunc((double)x)
                         : mode == 2 ? floor((double)x)
                                     : ceil((double)x);
        const double low = (double)std::numeric_limits<To>::min(),
                     high = (double)std::numeric_limits<To>::max();
        return x != x      ? 0
               : y <= low  ? std::numeric_limits<To>::min()
               : y >= high ? std::numeric_limits<To>::max()
                           : (To)y;
    } else if constexpr (std::is_same<To, float>::value && std::is_same<From, float>::value)
        /* to a whole number */
        return mode == 0 ? rintf(x) : mode == 1 ? truncf(x) : mode == 2 ? floorf(x) : ceilf(x);
    else if constexpr (std::is_same<To, float>::value && !std::is_same<From, float>::value)
        return emulated_to_float(mode, (long double)x);
    else
        return (To)x;
}
static EMULATED_INLINE unsigned ptx_tf32(float x)
{
    const unsigned bits = __float_as_uint(x);
    return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0x1000) & ~0x1fffu;
}
/* mov between one wide register and the parts of it, the lowest first */
template <class T, class Whole, class Part>
static EMULATED_INLINE void ptx_pack(Whole &whole, Part a, Part b)
{
    const int bits = 8 * sizeof(T) / 2;
    unsigned long long low = 0, high = 0;
    __builtin_memcpy(&low, &a, bits / 8);
    __builtin_memcpy(&high, &b, bits / 8);
    ptx_set(whole, (T)(high << bits | low));
}
template <class T, class Whole, class Part>
static EMULATED_INLINE void ptx_unpack(Whole whole, Part &a, Part &b)
{
    const int bits = 8 * sizeof(T) / 2;
    const unsigned long long all = ptx_get<T>(whole), low = all & ((1ull << bits) - 1),
                             high = all >> bits;
    __builtin_memcpy((void *)&a, &low, bits / 8);
    __builtin_memcpy((void *)&b, &high, bits / 8);
}
/* ---- clusters, and what newer devices do by themselves ---- */
template <class A> static EMULATED_INLINE A ptx_mapa(A a, unsigned rank)
{
    void *there = emulated_map_shared(ptx_address(a), rank);
    return sizeof a == 4 ? (A)emulated_shared_offset(there) : (A)(size_t)there;
}
template <class Leader, class P>
static EMULATED_INLINE void ptx_elect(Leader &leader, P &elected, unsigned mask)
{
    const unsigned first = (unsigned)__ffs((int)ballot(mask, 1)) - 1;
    ptx_set(leader, first);
    elected = first == emulated_lane();
}
template <class... Coordinates>
static EMULATED_INLINE void ptx_tensor_load(unsigned blocks, void *to, void *barrier,
                                            const void *map, Coordinates... at)
{
    const int c[] = {(int)at...};
    emulated_tensor_load(to, map, (int)sizeof...(at), c, barrier, blocks);
}
template <class... Coordinates>
static EMULATED_INLINE void ptx_tensor_store(const void *from, const void *map, Coordinates... at)
{
    const int c[] = {(int)at...};
    emulated_tensor_store(from, map, (int)sizeof...(at), c);
}

/* ---- tensor cores ---- */
template <int N> struct Places {
    void *at[N];
};
template <class... T> static EMULATED_INLINE Places<(int)sizeof...(T)> ptx_places(T &...t)
{
    return {{(void *)&t...}};
}
template <int N> struct Words {
    unsigned bits[N];
};
template <class... T> static EMULATED_INLINE Words<(int)sizeof...(T)> ptx_words(T... t)
{
    return {{ptx_get<unsigned>(t)...}};
}
template <int D, int A, int B, int C>
static EMULATED_INLINE void ptx_mma(int type, Places<D> d, Words<A> a, Words<B> b, Words<C> c)
{
    emulated_mma(type, A, d.at, a.bits, b.bits, c.bits);
}
template <int N>
static EMULATED_INLINE void ptx_ldmatrix(int transposed, const void *row, Places<N> to)
{
    unsigned bits[N];
    emulated_ldmatrix(N, transposed, row, bits);
    for (int i = 0; i < N; i++)
        *(unsigned *)to.at[i] = bits[i];
}
template <int N> static EMULATED_INLINE void ptx_stmatrix(int transposed, void *row, Words<N> from)
{
    emulated_stmatrix(N, transposed, row, from.bits);
}
/* the left factor by its descriptor, or in registers */
template <int D>
static EMULATED_INLINE void ptx_wgmma(int type, unsigned n, Places<D> d, unsigned long long a,
                                      unsigned long long b, bool adds, int scale_a = 1,
                                      int scale_b = 1, int transposed_a = 0, int transposed_b = 0)
{
    const WarpgroupProduct g = {type, n, false, transposed_a != 0, transposed_b != 0,
                                adds, a, b,     scale_a,           scale_b};
    emulated_wgmma(&g, d.at, nullptr);
}
template <int D>
static EMULATED_INLINE void ptx_wgmma(int type, unsigned n, Places<D> d, Words<4> a,
                                      unsigned long long b, bool adds, int scale_a = 1,
                                      int scale_b = 1, int transposed_b = 0)
{
    const WarpgroupProduct g = {type, n, true, false,   transposed_b != 0,
                                adds, 0, b,    scale_a, scale_b};
    emulated_wgmma(&g, d.at, a.bits);
}

static EMULATED_INLINE void ptx_copy(void *to, const void *from, size_t bytes, size_t there)
{
    async_copy(to, from, bytes, bytes - there);
}

} // namespace emulated
#endif
