// atomics.cpp: atomicAdd and its kin. A lane first stops, as at any access, and then makes the
// whole update at once.
#include "emulator.h"

#include <algorithm>
#include <cstring>

#include "times.h"

namespace emulated
{

void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame); // hooks.cpp

template <class T> static inline T change(T *p, T value)
{
    T old = *p;
    *p = value;
    if (memcmp(&old, &value, sizeof old) != 0)
        changed((u64)p); // somebody may be waiting for this
    return old;
}

template <class T> static inline T add(T a, T b) { return a + b; }
template <> inline int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
template <class T> static inline T exch(T, T b) { return b; }
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
template <class T> static inline T bit_and(T a, T b) { return a & b; }
template <class T> static inline T bit_or(T a, T b) { return a | b; }
template <class T> static inline T bit_xor(T a, T b) { return a ^ b; }
static inline unsigned inc(unsigned a, unsigned b) { return a >= b ? 0 : a + 1; }
static inline unsigned dec(unsigned a, unsigned b) { return a == 0 || a > b ? b : a - 1; }

} // namespace emulated

// mathematics.cpp
extern "C" unsigned short emulated_pack(double value, int exponent_bits, int fraction_bits);
extern "C" float emulated_unpack(unsigned short bits, int exponent_bits, int fraction_bits);

namespace emulated
{

template <int Exponent> static inline unsigned add_small(unsigned a, unsigned b)
{
    auto value = [](unsigned bits) {
        return (double)emulated_unpack((unsigned short)bits, Exponent, 15 - Exponent);
    };
    return emulated_pack(value(a) + value(b), Exponent, 15 - Exponent);
}
static inline unsigned short add_f16(unsigned short a, unsigned short b)
{
    return (unsigned short)add_small<5>(a, b);
}
static inline unsigned short add_bf16(unsigned short a, unsigned short b)
{
    return (unsigned short)add_small<8>(a, b);
}
static inline unsigned add_f16x2(unsigned a, unsigned b)
{
    return add_small<5>(a >> 16, b >> 16) << 16 | add_small<5>(a, b);
}
static inline unsigned add_bf16x2(unsigned a, unsigned b)
{
    return add_small<8>(a >> 16, b >> 16) << 16 | add_small<8>(a, b);
}

} // namespace emulated

using namespace emulated;

#define ENTER(flags)                                                                               \
    atomic_access((u64)p, sizeof *p, kRead | kWrite | kAtomic | (flags),                           \
                  __builtin_return_address(0), EMULATED_FRAME)
#define ATOMIC_WITH(flags, is_sum, name, type, operation)                                          \
    type emulated_atomic_##name(type *p, type value)                                               \
    {                                                                                              \
        ENTER(flags);                                                                              \
        if ((is_sum) && counting_work)                                                             \
            work_update((u64)p, false);                                                            \
        return change<type>(p, emulated::operation(*p, value));                                    \
    }
#define ATOMIC(name, type, operation) ATOMIC_WITH(0, false, name, type, operation)
#define ATOMIC_SUM(name, type, operation) ATOMIC_WITH(0, true, name, type, operation)
#define ATOMIC_INTEGERS(flags, name, operation)                                                    \
    ATOMIC_WITH(flags, false, name##_i32, int, operation)                                          \
    ATOMIC_WITH(flags, false, name##_u32, unsigned, operation)                                     \
    ATOMIC_WITH(flags, false, name##_u64, unsigned long long, operation)
#define ATOMIC_CAS(name, type)                                                                     \
    type emulated_atomic_cas_##name(type *p, type expected, type value)                            \
    {                                                                                              \
        ENTER(kCompare | kSwap);                                                                   \
        if (*p != expected)                                                                        \
            return *p;                                                                             \
        if (counting_work)                                                                         \
            work_update((u64)p, true);                                                             \
        return change<type>(p, value);                                                             \
    }

extern "C" {
ATOMIC_INTEGERS(kInteger, add, add)
ATOMIC_SUM(add_f32, float, add)
ATOMIC_SUM(add_f64, double, add)
ATOMIC_SUM(add_f16, unsigned short, add_f16)
ATOMIC_SUM(add_f16x2, unsigned, add_f16x2)
ATOMIC_SUM(add_bf16, unsigned short, add_bf16)
ATOMIC_SUM(add_bf16x2, unsigned, add_bf16x2)
ATOMIC_INTEGERS(0, exch, exch)
ATOMIC(exch_f32, float, exch)
ATOMIC_INTEGERS(kCompare | kInteger, min, min)
ATOMIC_INTEGERS(kCompare | kInteger, max, max)
ATOMIC_WITH(kCompare | kInteger, false, min_i64, long long, min)
ATOMIC_WITH(kCompare | kInteger, false, max_i64, long long, max)
ATOMIC_INTEGERS(kInteger, and, bit_and)
ATOMIC_INTEGERS(kInteger, or, bit_or)
ATOMIC_INTEGERS(kInteger, xor, bit_xor)
ATOMIC(inc_u32, unsigned, inc)
ATOMIC(dec_u32, unsigned, dec)
ATOMIC_CAS(u16, unsigned short)
ATOMIC_CAS(i32, int)
ATOMIC_CAS(u32, unsigned)
ATOMIC_CAS(u64, unsigned long long)
} // extern "C"
