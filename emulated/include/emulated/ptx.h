/* ptx.h: what inline PTX is translated into. Cache hints mean nothing here; memory order does. */
#ifndef EMULATED_PTX_H
#define EMULATED_PTX_H

namespace emulated {

/* [%1] and [%1+16]: the operand is a pointer or a number */
template <class P> static EMULATED_INLINE char *ptx_address(P p, long offset = 0)
{
    return (char *)(unsigned long long)p + offset;
}

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

template <class T> struct __attribute__((aligned(2 * sizeof(T)))) Two {
    T x, y;
};
template <class T> struct __attribute__((aligned(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)))) Four {
    T x, y, z, w;
};

template <class T, class A> static EMULATED_INLINE void ptx_load(A &a, const char *p) { ptx_set(a, *(const T *)p); }
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
template <class T, class A> static EMULATED_INLINE void ptx_load4(A &a, A &b, A &c, A &d, const char *p)
{
    Four<T> v = *(const Four<T> *)p;
    ptx_set(a, v.x);
    ptx_set(b, v.y);
    ptx_set(c, v.z);
    ptx_set(d, v.w);
}
template <class T, class A> static EMULATED_INLINE void ptx_store(char *p, A a) { *(T *)p = ptx_get<T>(a); }
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
template <class T, class F, class... Values> static EMULATED_INLINE void ptx_red(F f, char *p, Values... values)
{
    f((T *)p, ptx_get<T>(values)...);
}

} // namespace emulated
#endif
