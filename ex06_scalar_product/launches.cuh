/* Shared by the kernels of ex06: grid sizes, loads of 16 bytes, and empty places. */
#ifndef LAUNCHES_CUH
#define LAUNCHES_CUH

#include "measure.h"

enum { MAX_BLOCK = 1024, WARP = 32 };

/* Blocks that give every thread `perThread` elements, but no more than the device can hold at a
 * time. */
static inline unsigned int gridFor(size_t n, int block, size_t perThread)
{
    const size_t needed = (n + block * perThread - 1) / (block * perThread);
    const size_t resident = (size_t)multiprocessors() * (threadsPerMultiprocessor() / block);
    const size_t own = needed < resident ? needed : resident;

    return (unsigned int)gridSize(own > 0 ? own : 1);
}

/* The load of one instruction: four floats or two doubles. */
template <typename real> struct __align__(16) packet { real element[16 / sizeof(real)]; };

template <typename real> __device__ real dotPacket(const packet<real> a, const packet<real> b)
{
    real sum = 0;

#pragma unroll
    for (int k = 0; k < (int)(16 / sizeof(real)); k++)
        sum += a.element[k] * b.element[k];
    return sum;
}

/* An empty place has all bits set: a NaN, but not the one that a GPU's arithmetic makes. */
static __device__ inline int isEmpty(float x) { return __float_as_int(x) == -1; }

static __device__ inline int isEmpty(double x) { return __double_as_longlong(x) == -1; }

static __device__ inline void makeEmpty(volatile float *place) { *place = __int_as_float(-1); }

static __device__ inline void makeEmpty(volatile double *place)
{
    *place = __longlong_as_double(-1);
}

#endif
