/* cuda_barrier.h: <cuda/barrier>. A barrier is a counter of those still to come and the number of
 * its phase, in one word: who arrives releases, who waits acquires. */
#ifndef EMULATED_CUDA_BARRIER_H
#define EMULATED_CUDA_BARRIER_H
#include "async.h"
#include "cuda_atomic.h"

namespace cuda
{

/* A number of bytes that is a multiple of the alignment of both places */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    constexpr operator size_t() const { return value; }
};

namespace emulated
{
struct Nothing {
    void operator()() const {}
};
} // namespace emulated

template <thread_scope Scope, class Completion = emulated::Nothing> class barrier
{
    unsigned long long state_; /* phase << 32 | threads that have not arrived in it */
    unsigned expected_;
    Completion completion_;

  public:
    typedef unsigned long long arrival_token; /* the phase */
    barrier() = default;
    constexpr explicit barrier(::std::ptrdiff_t expected, Completion completion = Completion())
        : state_((unsigned long long)expected), expected_((unsigned)expected),
          completion_(completion)
    {
    }
    barrier(const barrier &) = delete;
    friend EMULATED_INLINE void init(barrier *b, ::std::ptrdiff_t expected,
                                     Completion completion = Completion())
    {
        b->expected_ = (unsigned)expected;
        b->completion_ = completion;
        b->word().store((unsigned long long)expected, memory_order_relaxed);
    }
    static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }

    [[nodiscard]] EMULATED_INLINE arrival_token arrive(::std::ptrdiff_t count = 1)
    {
        return arrive_with(count, 0);
    }
    EMULATED_INLINE bool is_over(arrival_token phase) const
    {
        return acquired(phase_now() != phase);
    }
    EMULATED_INLINE void wait(arrival_token &&phase) const
    {
        while (phase_now() == phase)
            ;
        (void)acquired(true);
    }
    EMULATED_INLINE void wait_parity(bool parity) const
    {
        while (phase_now() % 2 == parity)
            ;
        (void)acquired(true);
    }
    EMULATED_INLINE bool try_wait(arrival_token phase) const { return is_over(phase); }
    EMULATED_INLINE bool test_wait(arrival_token phase) const { return is_over(phase); }
    EMULATED_INLINE bool try_wait_parity(bool parity) const
    {
        return acquired(phase_now() % 2 != parity);
    }
    EMULATED_INLINE void arrive_and_wait() { wait(arrive()); }
    EMULATED_INLINE void arrive_and_drop() { (void)arrive_with(1, 1); }

  private:
    EMULATED_INLINE unsigned phase_now() const
    {
        return (unsigned)(word().load(memory_order_relaxed) >> 32);
    }
    /* A look that finds nothing new acquires nothing. */
    static EMULATED_INLINE bool acquired(bool over)
    {
        if (over)
            atomic_thread_fence(memory_order_acquire, Scope);
        return over;
    }
    EMULATED_INLINE atomic_ref<unsigned long long, Scope> word() const
    {
        return atomic_ref<unsigned long long, Scope>(const_cast<unsigned long long &>(state_));
    }
    /* The copies that the thread has started count as its part of the phase: they have arrived when
     * it arrives. */
    EMULATED_INLINE arrival_token arrive_with(::std::ptrdiff_t count, int dropped)
    {
        if (emulated_on_device())
            emulated_async_wait(-1);
        if (dropped)
            atomic_ref<unsigned, Scope>(expected_).fetch_sub(1u, memory_order_relaxed);
        const unsigned long long old =
            word().fetch_sub((unsigned long long)count, memory_order_acq_rel);
        const unsigned phase = (unsigned)(old >> 32);
        if ((unsigned)old == (unsigned)count) { /* the last one */
            completion_();
            const unsigned expected =
                atomic_ref<unsigned, Scope>(expected_).load(memory_order_relaxed);
            word().store((unsigned long long)(phase + 1) << 32 | expected, memory_order_release);
        }
        return phase;
    }
};

/* The one that a block has for itself is an mbarrier. */
template <> class barrier<thread_scope_block, emulated::Nothing>
{
    unsigned long long state_;

  public:
    typedef unsigned long long arrival_token;
    barrier() = default;
    constexpr explicit barrier(::std::ptrdiff_t expected, emulated::Nothing = {})
        : state_((unsigned long long)expected | (unsigned long long)expected << 20 | 1ull << 63)
    {
    }
    barrier(const barrier &) = delete;
    friend EMULATED_INLINE void init(barrier *b, ::std::ptrdiff_t expected, emulated::Nothing = {})
    {
        emulated_mbarrier_init(&b->state_, (unsigned)expected);
    }
    static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }
    EMULATED_INLINE unsigned long long *native_handle() { return &state_; } /* not CUDA's */

    [[nodiscard]] EMULATED_INLINE arrival_token arrive(::std::ptrdiff_t count = 1)
    {
        return arrive_with(count, 0, 0);
    }
    EMULATED_INLINE arrival_token arrive_with(::std::ptrdiff_t count, int drops, unsigned bytes)
    {
        emulated_async_wait(-1);
        return emulated_mbarrier_arrive(&state_, (unsigned)count, drops, bytes);
    }
    EMULATED_INLINE bool is_over(arrival_token token) const
    {
        return emulated_mbarrier_test(&state_, token, 0);
    }
    EMULATED_INLINE bool try_wait(arrival_token token) const { return is_over(token); }
    EMULATED_INLINE bool test_wait(arrival_token token) const { return is_over(token); }
    EMULATED_INLINE bool try_wait_parity(bool parity) const
    {
        return emulated_mbarrier_test(&state_, parity, 1);
    }
    EMULATED_INLINE void wait(arrival_token &&token) const
    {
        while (!is_over(token))
            ;
    }
    EMULATED_INLINE void wait_parity(bool parity) const
    {
        while (!try_wait_parity(parity))
            ;
    }
    EMULATED_INLINE void arrive_and_wait() { wait(arrive()); }
    EMULATED_INLINE void arrive_and_drop() { (void)arrive_with(1, 1, 0); }
};

#if EMULATED_ARCH >= 800
namespace device
{
typedef barrier<thread_scope_block> block_barrier;
static EMULATED_INLINE unsigned long long *barrier_native_handle(block_barrier &b)
{
    return b.native_handle();
}
#if EMULATED_ARCH >= 900
static EMULATED_INLINE void barrier_expect_tx(block_barrier &b, ::std::ptrdiff_t bytes)
{
    emulated_mbarrier_expect(b.native_handle(), (unsigned)bytes);
}
[[nodiscard]] static EMULATED_INLINE block_barrier::arrival_token
barrier_arrive_tx(block_barrier &b, ::std::ptrdiff_t count, ::std::ptrdiff_t bytes)
{
    return b.arrive_with(count, 0, (unsigned)bytes);
}
template <class T, size_t Alignment>
static EMULATED_INLINE void memcpy_async_tx(T *to, const T *from, aligned_size_t<Alignment> bytes,
                                            block_barrier &b)
{
    static_assert(Alignment >= 16, "memcpy_async_tx() copies multiples of 16 bytes");
    emulated_bulk_load(to, from, (unsigned)(size_t)bytes, b.native_handle(), 0);
}

namespace experimental
{
static EMULATED_INLINE void fence_proxy_async_shared_cta() { emulated_fence_proxy(); }
static EMULATED_INLINE void cp_async_bulk_commit_group() { emulated_bulk_commit(); }
template <int Prior> static EMULATED_INLINE void cp_async_bulk_wait_group_read()
{
    emulated_bulk_wait(Prior, 1);
}
static EMULATED_INLINE void cp_async_bulk_global_to_shared(void *to, const void *from,
                                                           unsigned bytes, block_barrier &b)
{
    emulated_bulk_load(to, from, bytes, b.native_handle(), 0);
}
static EMULATED_INLINE void cp_async_bulk_shared_to_global(void *to, const void *from,
                                                           unsigned bytes)
{
    emulated_bulk_store(to, from, bytes);
}
#define EMULATED_TENSOR(d, parameters, ...)                                                        \
    template <class Map>                                                                           \
    static EMULATED_INLINE void cp_async_bulk_tensor_##d##d_global_to_shared(                      \
        void *to, const Map *map, EMULATED_TENSOR_##parameters, block_barrier &b)                  \
    {                                                                                              \
        const int at[] = {__VA_ARGS__};                                                            \
        emulated_tensor_load(to, map, d, at, b.native_handle(), 0);                                \
    }                                                                                              \
    template <class Map>                                                                           \
    static EMULATED_INLINE void cp_async_bulk_tensor_##d##d_shared_to_global(                      \
        const Map *map, EMULATED_TENSOR_##parameters, const void *from)                            \
    {                                                                                              \
        const int at[] = {__VA_ARGS__};                                                            \
        emulated_tensor_store(from, map, d, at);                                                   \
    }
#define EMULATED_TENSOR_1 int x
#define EMULATED_TENSOR_2 int x, int y
#define EMULATED_TENSOR_3 int x, int y, int z
EMULATED_TENSOR(1, 1, x)
EMULATED_TENSOR(2, 2, x, y)
EMULATED_TENSOR(3, 3, x, y, z)
#undef EMULATED_TENSOR_1
#undef EMULATED_TENSOR_2
#undef EMULATED_TENSOR_3
#undef EMULATED_TENSOR
} // namespace experimental
#endif
} // namespace device
#endif

namespace std
{
template <class Completion = ::cuda::emulated::Nothing>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}

/* Copies that the barrier's phase waits for */
template <class Group, class T, class Size, thread_scope Scope, class Completion>
static EMULATED_INLINE void memcpy_async(const Group &group, T *to, const T *from, Size bytes,
                                         barrier<Scope, Completion> &)
{
    ::emulated::async_copy_together((char *)to, (const char *)from, (size_t)bytes,
                                    group.thread_rank(), group.size());
}
template <class T, class Size, thread_scope Scope, class Completion>
static EMULATED_INLINE void memcpy_async(T *to, const T *from, Size bytes,
                                         barrier<Scope, Completion> &)
{
    ::emulated::async_copy_together((char *)to, (const char *)from, (size_t)bytes, 0, 1);
}

} // namespace cuda
#endif
