/* simd.h: the bytes or halves of a word, each on its own: __vadd4() and its kin. */
#ifndef EMULATED_SIMD_H
#define EMULATED_SIMD_H

namespace emulated
{
/* r[i] = f(a[i], b[i]) for each part, which has the type T */
template <class T, class F> static EMULATED_INLINE unsigned each_part(unsigned a, unsigned b, F f)
{
    const int bits = 8 * sizeof(T);
    unsigned result = 0;
    for (int i = 0; i < 32; i += bits)
        result |= ((unsigned)f((int)(T)(a >> i), (int)(T)(b >> i)) & ((1u << bits) - 1)) << i;
    return result;
}
static EMULATED_INLINE int clamp_part(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}
} // namespace emulated

#define EMULATED_SIMD(name, T, expression)                                                         \
    static EMULATED_INLINE unsigned __v##name(unsigned a, unsigned b)                              \
    {                                                                                              \
        return ::emulated::each_part<T>(a, b, [](int x, int y) { return expression; });            \
    }
#define EMULATED_SIMD_ONE(name, T, expression)                                                     \
    static EMULATED_INLINE unsigned __v##name(unsigned a)                                          \
    {                                                                                              \
        return ::emulated::each_part<T>(a, 0, [](int x, int) { return expression; });              \
    }
#define EMULATED_SIMD_COMPARE(what, op, parts, S, U)                                               \
    EMULATED_SIMD(cmp##what##s##parts, S, x op y ? -1 : 0)                                         \
    EMULATED_SIMD(cmp##what##u##parts, U, x op y ? -1 : 0)                                         \
    EMULATED_SIMD(set##what##s##parts, S, x op y)                                                  \
    EMULATED_SIMD(set##what##u##parts, U, x op y)
#define EMULATED_SIMD_ALL(parts, S, U, low, high, most)                                            \
    EMULATED_SIMD(add##parts, U, x + y)                                                            \
    EMULATED_SIMD(sub##parts, U, x - y)                                                            \
    EMULATED_SIMD(addss##parts, S, ::emulated::clamp_part(x + y, low, high))                       \
    EMULATED_SIMD(addus##parts, U, ::emulated::clamp_part(x + y, 0, most))                         \
    EMULATED_SIMD(subss##parts, S, ::emulated::clamp_part(x - y, low, high))                       \
    EMULATED_SIMD(subus##parts, U, ::emulated::clamp_part(x - y, 0, most))                         \
    EMULATED_SIMD(maxs##parts, S, x > y ? x : y)                                                   \
    EMULATED_SIMD(maxu##parts, U, x > y ? x : y)                                                   \
    EMULATED_SIMD(mins##parts, S, x < y ? x : y)                                                   \
    EMULATED_SIMD(minu##parts, U, x < y ? x : y)                                                   \
    EMULATED_SIMD(avgs##parts, S, (x + y + (x + y >= 0)) >> 1)                                     \
    EMULATED_SIMD(avgu##parts, U, (x + y + 1) >> 1)                                                \
    EMULATED_SIMD(haddu##parts, U, (x + y) >> 1)                                                   \
    EMULATED_SIMD(absdiffs##parts, S, x > y ? x - y : y - x)                                       \
    EMULATED_SIMD(absdiffu##parts, U, x > y ? x - y : y - x)                                       \
    EMULATED_SIMD(cmpeq##parts, U, x == y ? -1 : 0)                                                \
    EMULATED_SIMD(cmpne##parts, U, x != y ? -1 : 0)                                                \
    EMULATED_SIMD(seteq##parts, U, x == y)                                                         \
    EMULATED_SIMD(setne##parts, U, x != y)                                                         \
    EMULATED_SIMD_COMPARE(gt, >, parts, S, U)                                                      \
    EMULATED_SIMD_COMPARE(ge, >=, parts, S, U)                                                     \
    EMULATED_SIMD_COMPARE(lt, <, parts, S, U)                                                      \
    EMULATED_SIMD_COMPARE(le, <=, parts, S, U)                                                     \
    EMULATED_SIMD_ONE(abs##parts, S, x < 0 ? -x : x)                                               \
    EMULATED_SIMD_ONE(neg##parts, S, -x)                                                           \
    EMULATED_SIMD_ONE(absss##parts, S, ::emulated::clamp_part(x < 0 ? -x : x, low, high))          \
    EMULATED_SIMD_ONE(negss##parts, S, ::emulated::clamp_part(-x, low, high))                      \
    static EMULATED_INLINE unsigned __vsadu##parts(unsigned a, unsigned b)                         \
    {                                                                                              \
        unsigned sum = 0;                                                                          \
        for (int i = 0; i < 32; i += 8 * (int)sizeof(U))                                           \
            sum += __usad((U)(a >> i), (U)(b >> i), 0);                                            \
        return sum;                                                                                \
    }
EMULATED_SIMD_ALL(2, short, unsigned short, -32768, 32767, 65535)
EMULATED_SIMD_ALL(4, signed char, unsigned char, -128, 127, 255)
#undef EMULATED_SIMD_ALL
#undef EMULATED_SIMD_COMPARE
#undef EMULATED_SIMD_ONE
#undef EMULATED_SIMD

#if EMULATED_ARCH >= 610
static EMULATED_INLINE int __dp2a_lo(int a, int b, int c)
{
    return c + (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8);
}
static EMULATED_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
static EMULATED_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
static EMULATED_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return __dp2a_lo(a, b >> 16, c);
}
#endif
#endif
