/* Functions on the device. */
#ifndef LEGACY_DEVICE_H
#define LEGACY_DEVICE_H

#define LEGACY __device__

LEGACY void __syncthreads(void);
LEGACY int __syncthreads_count(int predicate);
LEGACY int __syncthreads_and(int predicate);
LEGACY int __syncthreads_or(int predicate);
LEGACY void __threadfence(void);
LEGACY void __threadfence_block(void);
LEGACY void __threadfence_system(void);
LEGACY int __all(int predicate);
LEGACY int __any(int predicate);
LEGACY unsigned int __ballot(int predicate);
LEGACY void __trap(void);
LEGACY void __brkpt(int);

/* Atomics: on double, and of a scope, only much later. */
LEGACY int atomicAdd(int *, int);
LEGACY unsigned int atomicAdd(unsigned int *, unsigned int);
LEGACY unsigned long long atomicAdd(unsigned long long *, unsigned long long);
LEGACY float atomicAdd(float *, float);
LEGACY int atomicSub(int *, int);
LEGACY unsigned int atomicSub(unsigned int *, unsigned int);
LEGACY int atomicExch(int *, int);
LEGACY unsigned int atomicExch(unsigned int *, unsigned int);
LEGACY unsigned long long atomicExch(unsigned long long *, unsigned long long);
LEGACY float atomicExch(float *, float);
LEGACY unsigned int atomicInc(unsigned int *, unsigned int);
LEGACY unsigned int atomicDec(unsigned int *, unsigned int);
LEGACY int atomicCAS(int *, int, int);
LEGACY unsigned int atomicCAS(unsigned int *, unsigned int, unsigned int);
LEGACY unsigned long long atomicCAS(unsigned long long *, unsigned long long, unsigned long long);
#define LEGACY_ATOMIC(name)                                                                        \
    LEGACY int name(int *, int);                                                                   \
    LEGACY unsigned int name(unsigned int *, unsigned int);
LEGACY_ATOMIC(atomicMin)
LEGACY_ATOMIC(atomicMax)
LEGACY_ATOMIC(atomicAnd)
LEGACY_ATOMIC(atomicOr)
LEGACY_ATOMIC(atomicXor)
#ifdef LEGACY_KEPLER_35
#define LEGACY_ATOMIC_35(name)                                                                     \
    LEGACY unsigned long long name(unsigned long long *, unsigned long long);
LEGACY_ATOMIC_35(atomicMin)
LEGACY_ATOMIC_35(atomicMax)
LEGACY_ATOMIC_35(atomicAnd)
LEGACY_ATOMIC_35(atomicOr)
LEGACY_ATOMIC_35(atomicXor)
#endif

#ifdef LEGACY_KEPLER
#define LEGACY_SHUFFLE(type)                                                                       \
    LEGACY type __shfl(type value, int lane, int width = 32);                                      \
    LEGACY type __shfl_up(type value, unsigned int delta, int width = 32);                         \
    LEGACY type __shfl_down(type value, unsigned int delta, int width = 32);                       \
    LEGACY type __shfl_xor(type value, int mask, int width = 32);
LEGACY_SHUFFLE(int)
LEGACY_SHUFFLE(float)
#endif

#ifdef LEGACY_KEPLER_35
#define LEGACY_LDG(type) LEGACY type __ldg(const type *);
LEGACY_LDG(char)
LEGACY_LDG(signed char)
LEGACY_LDG(short)
LEGACY_LDG(int)
LEGACY_LDG(long long)
LEGACY_LDG(unsigned char)
LEGACY_LDG(unsigned short)
LEGACY_LDG(unsigned int)
LEGACY_LDG(unsigned long long)
LEGACY_LDG(int2)
LEGACY_LDG(int4)
LEGACY_LDG(uint2)
LEGACY_LDG(uint4)
LEGACY_LDG(float)
LEGACY_LDG(double)
LEGACY_LDG(float2)
LEGACY_LDG(float4)
LEGACY_LDG(double2)
LEGACY unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
LEGACY unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
#endif

/* Bits and numbers. */
LEGACY int __popc(unsigned int);
LEGACY int __popcll(unsigned long long);
LEGACY int __clz(int);
LEGACY int __clzll(long long);
LEGACY int __ffs(int);
LEGACY int __ffsll(long long);
LEGACY unsigned int __brev(unsigned int);
LEGACY unsigned int __umulhi(unsigned int, unsigned int);
LEGACY int __mulhi(int, int);
LEGACY int __float_as_int(float);
LEGACY float __int_as_float(int);
LEGACY long long __double_as_longlong(double);
LEGACY double __longlong_as_double(long long);
LEGACY double __hiloint2double(int, int);
LEGACY int __double2hiint(double);
LEGACY int __double2loint(double);
LEGACY float __fmul_rn(float, float);
LEGACY float __fadd_rn(float, float);
LEGACY float __fmaf_rn(float, float, float);
LEGACY double __dmul_rn(double, double);
LEGACY double __dadd_rn(double, double);
LEGACY double __fma_rn(double, double, double);
LEGACY float __fdividef(float, float);
LEGACY float __frcp_rn(float);
LEGACY float __frsqrt_rn(float);
LEGACY float __expf(float);
LEGACY float __half2float(unsigned short);
LEGACY unsigned short __float2half_rn(float);
LEGACY float __logf(float);
LEGACY float __sinf(float);
LEGACY float __cosf(float);
LEGACY float __powf(float, float);
LEGACY float __saturatef(float);
LEGACY float rsqrtf(float);
LEGACY double rsqrt(double);
LEGACY double sinpi(double);
LEGACY void sincospif(float, float *, float *);
LEGACY int __float2int_rn(float);
LEGACY float __int2float_rn(int);

__host__ LEGACY int min(int, int);
__host__ LEGACY unsigned int min(unsigned int, unsigned int);
__host__ LEGACY long long min(long long, long long);
__host__ LEGACY unsigned long long min(unsigned long long, unsigned long long);
__host__ LEGACY float min(float, float);
__host__ LEGACY double min(double, double);
__host__ LEGACY int max(int, int);
__host__ LEGACY unsigned int max(unsigned int, unsigned int);
__host__ LEGACY long long max(long long, long long);
__host__ LEGACY unsigned long long max(unsigned long long, unsigned long long);
__host__ LEGACY float max(float, float);
__host__ LEGACY double max(double, double);

#ifdef __clang__ /* beside the host's own of the same names */
LEGACY long clock(void);
LEGACY int printf(const char *, ...);
#define LEGACY_MATH_1(name)                                                                        \
    LEGACY double name(double);                                                                    \
    LEGACY float name##f(float);
#define LEGACY_MATH_2(name)                                                                        \
    LEGACY double name(double, double);                                                            \
    LEGACY float name##f(float, float);
extern "C" {
LEGACY_MATH_1(sqrt)
LEGACY_MATH_1(cbrt)
LEGACY_MATH_1(fabs)
LEGACY_MATH_1(floor)
LEGACY_MATH_1(ceil)
LEGACY_MATH_1(round)
LEGACY_MATH_1(rint)
LEGACY_MATH_1(trunc)
LEGACY_MATH_1(exp)
LEGACY_MATH_1(exp2)
LEGACY_MATH_1(log)
LEGACY_MATH_1(log2)
LEGACY_MATH_1(log10)
LEGACY_MATH_1(sin)
LEGACY_MATH_1(cos)
LEGACY_MATH_1(tan)
LEGACY_MATH_1(atan)
LEGACY_MATH_1(tanh)
LEGACY_MATH_1(erf)
LEGACY_MATH_2(fmin)
LEGACY_MATH_2(fmax)
LEGACY_MATH_2(fmod)
LEGACY_MATH_2(pow)
LEGACY_MATH_2(atan2)
LEGACY_MATH_2(hypot)
LEGACY double fma(double, double, double);
LEGACY float fmaf(float, float, float);
LEGACY int abs(int);
LEGACY void *memset(void *, int, size_t);
LEGACY void *memcpy(void *, const void *, size_t);
}
#endif
LEGACY long long clock64(void);

#endif
