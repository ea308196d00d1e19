/* atomics.h: atomicAdd and its kin. The work is done in the runtime, where it is counted and
 * checked. */
#ifndef EMULATED_ATOMICS_H
#define EMULATED_ATOMICS_H

#define EMULATED_ATOMIC(name, type) extern "C" type emulated_atomic_##name(type *p, type value);
#define EMULATED_ATOMIC_CAS(name, type)                                                            \
    extern "C" type emulated_atomic_##name(type *p, type expected, type value);
#include "atomic_list.h"
#undef EMULATED_ATOMIC
#undef EMULATED_ATOMIC_CAS

#define EMULATED_FORWARD(cuda, type, name)                                                         \
    static EMULATED_INLINE type cuda(type *p, type value)                                          \
    {                                                                                              \
        return emulated_atomic_##name(p, value);                                                   \
    }                                                                                              \
    EMULATED_SCOPED(cuda, type, name)
#if EMULATED_ARCH >= 600
#define EMULATED_SCOPED(cuda, type, name)                                                          \
    static EMULATED_INLINE type cuda##_block(type *p, type value)                                  \
    {                                                                                              \
        emulated_block_scope(p);                                                                   \
        return emulated_atomic_##name(p, value);                                                   \
    }                                                                                              \
    static EMULATED_INLINE type cuda##_system(type *p, type value)                                 \
    {                                                                                              \
        return emulated_atomic_##name(p, value);                                                   \
    }
#else
#define EMULATED_SCOPED(cuda, type, name)
EMULATED_NEEDS(atomicAdd_block, "6.0")
EMULATED_NEEDS(atomicAdd_system, "6.0")
EMULATED_NEEDS(atomicCAS_block, "6.0")
EMULATED_NEEDS(atomicCAS_system, "6.0")
#endif
#define EMULATED_INTEGERS(cuda, name)                                                              \
    EMULATED_FORWARD(cuda, int, name##_i32)                                                        \
    EMULATED_FORWARD(cuda, unsigned int, name##_u32)                                               \
    EMULATED_FORWARD(cuda, unsigned long long, name##_u64)
EMULATED_INTEGERS(atomicAdd, add)
EMULATED_FORWARD(atomicAdd, float, add_f32)
#if EMULATED_ARCH >= 600 /* older code brings its own */
EMULATED_FORWARD(atomicAdd, double, add_f64)
#endif
EMULATED_INTEGERS(atomicExch, exch)
EMULATED_FORWARD(atomicExch, float, exch_f32)
EMULATED_INTEGERS(atomicMin, min)
EMULATED_INTEGERS(atomicMax, max)
EMULATED_FORWARD(atomicMin, long long, min_i64)
EMULATED_FORWARD(atomicMax, long long, max_i64)
EMULATED_INTEGERS(atomicAnd, and)
EMULATED_INTEGERS(atomicOr, or)
EMULATED_INTEGERS(atomicXor, xor)
EMULATED_FORWARD(atomicInc, unsigned int, inc_u32)
EMULATED_FORWARD(atomicDec, unsigned int, dec_u32)
#undef EMULATED_INTEGERS
#undef EMULATED_FORWARD
#undef EMULATED_SCOPED

static EMULATED_INLINE int atomicSub(int *p, int value)
{
    return emulated_atomic_add_i32(p, (int)(0u - (unsigned)value));
}
static EMULATED_INLINE unsigned int atomicSub(unsigned int *p, unsigned int value)
{
    return emulated_atomic_add_u32(p, 0u - value);
}

#define EMULATED_CAS(type, name)                                                                   \
    static EMULATED_INLINE type atomicCAS(type *p, type expected, type value)                      \
    {                                                                                              \
        return emulated_atomic_cas_##name(p, expected, value);                                     \
    }                                                                                              \
    EMULATED_CAS_SCOPED(type, name)
#if EMULATED_ARCH >= 600
#define EMULATED_CAS_SCOPED(type, name)                                                            \
    static EMULATED_INLINE type atomicCAS_block(type *p, type expected, type value)                \
    {                                                                                              \
        emulated_block_scope(p);                                                                   \
        return emulated_atomic_cas_##name(p, expected, value);                                     \
    }                                                                                              \
    static EMULATED_INLINE type atomicCAS_system(type *p, type expected, type value)               \
    {                                                                                              \
        return emulated_atomic_cas_##name(p, expected, value);                                     \
    }
#else
#define EMULATED_CAS_SCOPED(type, name)
#endif
EMULATED_CAS(int, i32)
EMULATED_CAS(unsigned int, u32)
EMULATED_CAS(unsigned long long, u64)
#if EMULATED_ARCH >= 700
EMULATED_CAS(unsigned short, u16)
#endif
#undef EMULATED_CAS
#undef EMULATED_CAS_SCOPED
#endif
