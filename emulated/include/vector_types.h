/* vector_types.h: char1 ... double4 and dim3, laid out and aligned as nvcc does it. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#define EMULATED_ALIGNED(n) __attribute__((aligned(n)))
#define EMULATED_VECTOR(type, name, align2, align4)                                                \
    struct name##1 { type x; };                                                                    \
    struct EMULATED_ALIGNED(align2) name##2 { type x, y; };                                        \
    struct name##3 { type x, y, z; };                                                              \
    struct EMULATED_ALIGNED(align4) name##4 { type x, y, z, w; };                                  \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

EMULATED_VECTOR(signed char, char, 2, 4)
EMULATED_VECTOR(unsigned char, uchar, 2, 4)
EMULATED_VECTOR(short, short, 4, 8)
EMULATED_VECTOR(unsigned short, ushort, 4, 8)
EMULATED_VECTOR(int, int, 8, 16)
EMULATED_VECTOR(unsigned int, uint, 8, 16)
EMULATED_VECTOR(long, long, 16, 16)
EMULATED_VECTOR(unsigned long, ulong, 16, 16)
EMULATED_VECTOR(long long, longlong, 16, 16)
EMULATED_VECTOR(unsigned long long, ulonglong, 16, 16)
EMULATED_VECTOR(float, float, 8, 16)
EMULATED_VECTOR(double, double, 16, 16)
#undef EMULATED_VECTOR

#ifdef __cplusplus
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 {
    unsigned int x, y, z;
} dim3;
#endif
#endif
