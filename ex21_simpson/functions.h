/* The functions that can be integrated: add a line for one of your own. A line has the name for
 * --function, f(x) in double, in float, by the special function unit, an antiderivative, and a
 * bound of |f''''(x)| from a to b. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <math.h>

#define FUNCTIONS(X)                                                                               \
    X(circle, 4.0 / (1.0 + x * x), 4.0f / (1.0f + x * x), 4.0f * reciprocal(1.0f + x * x),         \
      4.0 * atan(x), 96.0)                                                                         \
    X(sine, sin(x), sinf(x), __sinf(x), -cos(x), 1.0)                                              \
    X(exponential, exp(x), expf(x), powerOfTwo(1.442695041f * x), exp(x), exp(b))                  \
    X(root, 1.0 / sqrt(1.0 + x * x), 1.0f / sqrtf(1.0f + x * x), reciprocalRoot(1.0f + x * x),     \
      asinh(x), 9.0)

#define FUNCTION_NAME(name, f, inFloat, fast, antiderivative, bound) name,
enum function { FUNCTIONS(FUNCTION_NAME) FUNCTION_COUNT };
#undef FUNCTION_NAME

#if defined __CUDACC__ || defined __CUDA_EMULATED__
/* clang-format takes the macro behind a case for a part of it. */
/* clang-format off */
#define CASE(name, f, inFloat, fast, antiderivative, bound) case name: return f;
#define CASE_IN_FLOAT(name, f, inFloat, fast, antiderivative, bound) case name: return inFloat;
#define CASE_FAST(name, f, inFloat, fast, antiderivative, bound) case name: return fast;
/* clang-format on */

/* Single instructions of the special function unit, in PTX (exercise 9): the intrinsics
 * __fdividef(), rsqrtf() and __expf() add a few for operands close to the end of the range of
 * float, which .ftz takes for 0. */
static __device__ inline float reciprocal(float x)
{
#ifdef __CUDA_EMULATED__
    return __fdividef(1.0f, x);
#else
    float y;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#endif
}

static __device__ inline float reciprocalRoot(float x)
{
#ifdef __CUDA_EMULATED__
    return rsqrtf(x);
#else
    float y;

    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#endif
}

static __device__ inline float powerOfTwo(float x)
{
#ifdef __CUDA_EMULATED__
    return exp2f(x);
#else
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#endif
}

/* The value of function number f at x: the compiler knows f, and drops all other cases. */
template <int f> __device__ double valueOf(double x)
{
    switch (f) {
        FUNCTIONS(CASE)
    default: return 0.0;
    }
}

template <int f> __device__ float valueOf(float x)
{
    switch (f) {
        FUNCTIONS(CASE_IN_FLOAT)
    default: return 0.0f;
    }
}

/* The same by the special function unit, with an error of a few units in the last place, or
 * more. */
template <int f> __device__ float fastValueOf(float x)
{
    switch (f) {
        FUNCTIONS(CASE_FAST)
    default: return 0.0f;
    }
}
#undef CASE
#undef CASE_IN_FLOAT
#undef CASE_FAST
#endif

#endif
