/* Vector types and built-in variables. */
#ifndef LEGACY_TYPES_H
#define LEGACY_TYPES_H

#define LEGACY_VECTORS(scalar, name, a2, a4)                                                       \
    struct name##1 { scalar x; };                                                                  \
    struct __attribute__((aligned(a2))) name##2 { scalar x, y; };                                  \
    struct name##3 { scalar x, y, z; };                                                            \
    struct __attribute__((aligned(a4))) name##4 { scalar x, y, z, w; };                            \
    static __host__ __device__ inline name##1 make_##name##1(scalar x)                             \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    static __host__ __device__ inline name##2 make_##name##2(scalar x, scalar y)                   \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    static __host__ __device__ inline name##3 make_##name##3(scalar x, scalar y, scalar z)         \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static __host__ __device__ inline name##4 make_##name##4(scalar x, scalar y, scalar z,         \
                                                             scalar w)                             \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }

LEGACY_VECTORS(signed char, char, 2, 4)
LEGACY_VECTORS(unsigned char, uchar, 2, 4)
LEGACY_VECTORS(short, short, 4, 8)
LEGACY_VECTORS(unsigned short, ushort, 4, 8)
LEGACY_VECTORS(int, int, 8, 16)
LEGACY_VECTORS(unsigned int, uint, 8, 16)
LEGACY_VECTORS(long, long, 16, 16)
LEGACY_VECTORS(unsigned long, ulong, 16, 16)
LEGACY_VECTORS(long long, longlong, 16, 16)
LEGACY_VECTORS(unsigned long long, ulonglong, 16, 16)
LEGACY_VECTORS(float, float, 8, 16)
LEGACY_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
        : x(a), y(b), z(c)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const { return make_uint3(x, y, z); }
};

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

#endif
