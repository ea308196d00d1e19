/* vector_functions.h: make_float4 and its kin */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#include "vector_types.h"

#define EMULATED_ALWAYS static inline __attribute__((always_inline))

#define EMULATED_MAKE(type, name)                                                                  \
    EMULATED_ALWAYS name##1 make_##name##1(type x)                                                 \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    EMULATED_ALWAYS name##2 make_##name##2(type x, type y)                                         \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    EMULATED_ALWAYS name##3 make_##name##3(type x, type y, type z)                                 \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    EMULATED_ALWAYS name##4 make_##name##4(type x, type y, type z, type w)                         \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }
EMULATED_MAKE(signed char, char)
EMULATED_MAKE(unsigned char, uchar)
EMULATED_MAKE(short, short)
EMULATED_MAKE(unsigned short, ushort)
EMULATED_MAKE(int, int)
EMULATED_MAKE(unsigned int, uint)
EMULATED_MAKE(long, long)
EMULATED_MAKE(unsigned long, ulong)
EMULATED_MAKE(long long, longlong)
EMULATED_MAKE(unsigned long long, ulonglong)
EMULATED_MAKE(float, float)
EMULATED_MAKE(double, double)
#undef EMULATED_MAKE
#endif
