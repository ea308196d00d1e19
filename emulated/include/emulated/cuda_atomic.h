/* cuda_atomic.h: <cuda/atomic>. A memory order is what it is made of: a fence of the scope before
 * the access (release) or after it (acquire), which the race detector follows. */
#ifndef EMULATED_CUDA_ATOMIC_H
#define EMULATED_CUDA_ATOMIC_H
#include <atomic>
#include <type_traits>

#include "cuda_runtime.h"

extern "C" {
int emulated_on_device(void);
void emulated_fence(int block_only);
void emulated_nap(void);
}

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace emulated
{

static EMULATED_INLINE bool releases(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}
static EMULATED_INLINE bool acquires(memory_order order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

/* One operation on *p with its order: `operation(order)` makes the access itself, which on the
 * device is relaxed. */
template <thread_scope Scope, class F>
static EMULATED_INLINE auto ordered(memory_order order, F operation)
{
    const bool device = emulated_on_device();
    if (device && Scope != thread_scope_thread && releases(order))
        emulated_fence(Scope == thread_scope_block);
    auto result = device ? operation(true) : operation(false);
    if (device && Scope != thread_scope_thread && acquires(order))
        emulated_fence(Scope == thread_scope_block);
    return result;
}

/* The unsigned integer of the same size */
template <int bytes> struct Bits;
#define EMULATED_BITS_OF(bytes, integer)                                                           \
    template <> struct Bits<bytes> {                                                               \
        typedef integer type;                                                                      \
    };
EMULATED_BITS_OF(1, unsigned char)
EMULATED_BITS_OF(2, unsigned short)
EMULATED_BITS_OF(4, unsigned int)
EMULATED_BITS_OF(8, unsigned long long)
#undef EMULATED_BITS_OF
template <class To, class From> static EMULATED_INLINE To bit_cast(From from)
{
    To to;
    __builtin_memcpy((void *)&to, (const void *)&from, sizeof to);
    return to;
}

/* The common part of atomic and atomic_ref */
template <class T, thread_scope Scope> class Operations
{
    static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                  "atomics of 1, 2, 4 or 8 bytes");
    typedef typename Bits<sizeof(T)>::type bits;
    typedef typename ::std::conditional<::std::is_pointer<T>::value, ::std::ptrdiff_t, T>::type
        difference;

  protected:
    static EMULATED_INLINE T do_load(const T *p, memory_order order)
    {
        return ordered<Scope>(
            order, [=](bool relaxed) __attribute__((always_inline)) {
                return bit_cast<T>(relaxed ? __atomic_load_n((const bits *)p, __ATOMIC_RELAXED)
                                           : __atomic_load_n((const bits *)p, __ATOMIC_SEQ_CST));
            });
    }
    static EMULATED_INLINE void do_store(T *p, T value, memory_order order)
    {
        ordered<Scope>(
            order, [=](bool relaxed) __attribute__((always_inline)) {
                if (relaxed)
                    __atomic_store_n((bits *)p, bit_cast<bits>(value), __ATOMIC_RELAXED);
                else
                    __atomic_store_n((bits *)p, bit_cast<bits>(value), __ATOMIC_SEQ_CST);
                return 0;
            });
    }
    static EMULATED_INLINE T do_exchange(T *p, T value, memory_order order)
    {
        of_block(p);
        return ordered<Scope>(
            order, [=](bool relaxed) __attribute__((always_inline)) {
                return bit_cast<T>(
                    relaxed
                        ? __atomic_exchange_n((bits *)p, bit_cast<bits>(value), __ATOMIC_RELAXED)
                        : __atomic_exchange_n((bits *)p, bit_cast<bits>(value), __ATOMIC_SEQ_CST));
            });
    }
    static EMULATED_INLINE bool do_compare(T *p, T &expected, T desired, memory_order order)
    {
        of_block(p);
        bits old = bit_cast<bits>(expected);
        const bits before = old;
        ordered<Scope>(
            order, [&](bool relaxed) __attribute__((always_inline)) {
                old = relaxed ? swap_if(p, before, bit_cast<bits>(desired))
                              : swap_if_on_host(p, before, bit_cast<bits>(desired));
                return 0;
            });
        expected = bit_cast<T>(old);
        return old == before;
    }
    /* p becomes f(p); returns the old value. */
    template <class F> static T do_update(T *p, F f, memory_order order)
    {
        return ordered<Scope>(
            order, [=](bool relaxed) __attribute__((always_inline)) {
                bits old = relaxed ? __atomic_load_n((bits *)p, __ATOMIC_RELAXED)
                                   : __atomic_load_n((bits *)p, __ATOMIC_SEQ_CST);
                for (;;) {
                    const bits next = bit_cast<bits>(f(bit_cast<T>(old))),
                               seen =
                                   relaxed ? swap_if(p, old, next) : swap_if_on_host(p, old, next);
                    if (seen == old)
                        return bit_cast<T>(old);
                    old = seen;
                }
            });
    }
    static EMULATED_INLINE T do_add(T *p, difference by, memory_order order)
    {
        of_block(p);
        if constexpr (::std::is_integral<T>::value)
            return ordered<Scope>(
                order, [=](bool relaxed) __attribute__((always_inline)) {
                    return (T)(relaxed ? __atomic_fetch_add((bits *)p, (bits)by, __ATOMIC_RELAXED)
                                       : __atomic_fetch_add((bits *)p, (bits)by, __ATOMIC_SEQ_CST));
                });
        else
            return do_update(
                p, [=](T old) __attribute__((always_inline)) { return (T)(old + by); }, order);
    }

  private:
    static EMULATED_INLINE void of_block(const T *p)
    {
        if (Scope == thread_scope_block && emulated_on_device())
            emulated_block_scope(p);
    }
    static EMULATED_INLINE bits swap_if(T *p, bits old, bits next)
    {
        __atomic_compare_exchange_n((bits *)p, &old, next, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
        return old;
    }
    static EMULATED_INLINE bits swap_if_on_host(T *p, bits old, bits next)
    {
        __atomic_compare_exchange_n((bits *)p, &old, next, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        return old;
    }
};

/* The members of both, in terms of a pointer `at()` */
#define EMULATED_ATOMIC_MEMBERS(constant)                                                          \
    static constexpr bool is_always_lock_free = true;                                              \
    bool is_lock_free() const { return true; }                                                     \
    EMULATED_INLINE T load(memory_order order = memory_order_seq_cst) const                        \
    {                                                                                              \
        return Ops::do_load(at(), order);                                                          \
    }                                                                                              \
    EMULATED_INLINE operator T() const { return load(); }                                          \
    EMULATED_INLINE void store(T value, memory_order order = memory_order_seq_cst) constant        \
    {                                                                                              \
        Ops::do_store(at(), value, order);                                                         \
    }                                                                                              \
    EMULATED_INLINE T exchange(T value, memory_order order = memory_order_seq_cst) constant        \
    {                                                                                              \
        return Ops::do_exchange(at(), value, order);                                               \
    }                                                                                              \
    EMULATED_INLINE bool compare_exchange_strong(                                                  \
        T &expected, T value, memory_order order = memory_order_seq_cst) constant                  \
    {                                                                                              \
        return Ops::do_compare(at(), expected, value, order);                                      \
    }                                                                                              \
    EMULATED_INLINE bool compare_exchange_weak(T &expected, T value,                               \
                                               memory_order order = memory_order_seq_cst) constant \
    {                                                                                              \
        return Ops::do_compare(at(), expected, value, order);                                      \
    }                                                                                              \
    EMULATED_INLINE bool compare_exchange_strong(T &expected, T value, memory_order order,         \
                                                 memory_order) constant                            \
    {                                                                                              \
        return Ops::do_compare(at(), expected, value, order);                                      \
    }                                                                                              \
    EMULATED_INLINE bool compare_exchange_weak(T &expected, T value, memory_order order,           \
                                               memory_order) constant                              \
    {                                                                                              \
        return Ops::do_compare(at(), expected, value, order);                                      \
    }                                                                                              \
    template <class D>                                                                             \
    EMULATED_INLINE T fetch_add(D by, memory_order order = memory_order_seq_cst) constant          \
    {                                                                                              \
        return Ops::do_add(at(), by, order);                                                       \
    }                                                                                              \
    template <class D>                                                                             \
    EMULATED_INLINE T fetch_sub(D by, memory_order order = memory_order_seq_cst) constant          \
    {                                                                                              \
        return Ops::do_add(at(), -by, order);                                                      \
    }                                                                                              \
    EMULATED_ATOMIC_UPDATE(fetch_and, old &by, constant)                                           \
    EMULATED_ATOMIC_UPDATE(fetch_or, old | by, constant)                                           \
    EMULATED_ATOMIC_UPDATE(fetch_xor, old ^ by, constant)                                          \
    EMULATED_ATOMIC_UPDATE(fetch_min, by < old ? by : old, constant)                               \
    EMULATED_ATOMIC_UPDATE(fetch_max, old < by ? by : old, constant)                               \
    EMULATED_INLINE T operator=(T value) constant                                                  \
    {                                                                                              \
        store(value);                                                                              \
        return value;                                                                              \
    }                                                                                              \
    EMULATED_INLINE T operator++(int) constant { return fetch_add(1); }                            \
    EMULATED_INLINE T operator--(int) constant { return fetch_sub(1); }                            \
    EMULATED_INLINE T operator++() constant { return fetch_add(1) + 1; }                           \
    EMULATED_INLINE T operator--() constant { return fetch_sub(1) - 1; }                           \
    template <class D> EMULATED_INLINE T operator+=(D by) constant { return fetch_add(by) + by; }  \
    template <class D> EMULATED_INLINE T operator-=(D by) constant { return fetch_sub(by) - by; }  \
    EMULATED_INLINE T operator&=(T by) constant { return fetch_and(by) & by; }                     \
    EMULATED_INLINE T operator|=(T by) constant { return fetch_or(by) | by; }                      \
    EMULATED_INLINE T operator^=(T by) constant { return fetch_xor(by) ^ by; }                     \
    EMULATED_INLINE void wait(T old, memory_order order = memory_order_seq_cst) const              \
    {                                                                                              \
        while (emulated::bit_cast<typename emulated::Bits<sizeof(T)>::type>(load(order)) ==        \
               emulated::bit_cast<typename emulated::Bits<sizeof(T)>::type>(old))                  \
            ;                                                                                      \
    }                                                                                              \
    void notify_one() constant {}                                                                  \
    void notify_all() constant {}
#define EMULATED_ATOMIC_UPDATE(name, expression, constant)                                         \
    EMULATED_INLINE T name(T by, memory_order order = memory_order_seq_cst) constant               \
    {                                                                                              \
        return Ops::do_update(                                                                     \
            at(), [=](T old) __attribute__((always_inline)) { return (T)(expression); }, order);   \
    }

} // namespace emulated

template <class T, thread_scope Scope = thread_scope_system>
class atomic : emulated::Operations<T, Scope>
{
    typedef emulated::Operations<T, Scope> Ops;
    alignas(sizeof(T)) T value_;
    T *at() { return &value_; }
    const T *at() const { return &value_; }

  public:
    typedef T value_type;
    atomic() = default;
    constexpr atomic(T value) : value_(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    EMULATED_ATOMIC_MEMBERS()
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : emulated::Operations<T, Scope>
{
    typedef emulated::Operations<T, Scope> Ops;
    T *p_;
    T *at() const { return p_; }

  public:
    typedef T value_type;
    explicit atomic_ref(T &object) : p_(&object) {}
    atomic_ref(const atomic_ref &) = default;
    EMULATED_ATOMIC_MEMBERS(const)
};
#undef EMULATED_ATOMIC_MEMBERS
#undef EMULATED_ATOMIC_UPDATE

static EMULATED_INLINE void atomic_thread_fence(memory_order order,
                                                thread_scope scope = thread_scope_system)
{
    if (!emulated_on_device())
        __sync_synchronize();
    else if (order != memory_order_relaxed && scope != thread_scope_thread)
        emulated_fence(scope == thread_scope_block);
}

namespace std
{
using namespace ::std;
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
typedef atomic<bool> atomic_bool;
static EMULATED_INLINE void atomic_thread_fence(memory_order order)
{
    ::cuda::atomic_thread_fence(order);
}
} // namespace std

} // namespace cuda
#endif
