/* async.h: copies from global into shared memory that arrive later, the cp.async of compute
 * capability 8.0.
 *
 * A copy arrives when the thread that started it waits for it; until then its destination holds
 * nothing. Other threads see it after a barrier that follows the wait. */
#ifndef EMULATED_ASYNC_H
#define EMULATED_ASYNC_H

extern "C" {
/* The two accesses of one copy, of 4, 8 or 16 bytes; `from` of them are read, the others become
 * zero. */
void emulated_async_read(const void *from, size_t bytes, size_t all);
void emulated_async_write(void *to, size_t bytes);
void emulated_async_commit(void); /* what was started since then is a group */
/* for all groups but the last `prior` ones; -1: for every copy */
void emulated_async_wait(int prior);
int emulated_is_shared(const void *p);
/* Shared memory in 32 bits, as PTX addresses it, and back */
unsigned long long emulated_shared_offset(const void *p);
void *emulated_shared_pointer(unsigned offset);
void *emulated_memcpy(void *to, const void *from, size_t n);

/* mbarrier: 8 bytes in shared memory that count threads and the bytes of copies on their way.
 * `state` is what an arrival returns, or the parity of a phase. */
void emulated_mbarrier_init(void *barrier, unsigned count);
void emulated_mbarrier_inval(void *barrier);
void emulated_mbarrier_expect(void *barrier, unsigned bytes);
unsigned long long emulated_mbarrier_arrive(void *barrier, unsigned count, int drop,
                                            unsigned bytes);
void emulated_mbarrier_arrive_copies(void *barrier, int adds);
int emulated_mbarrier_test(const void *barrier, unsigned long long state, int is_parity);
unsigned emulated_mbarrier_pending(unsigned long long state);
/* Copies by the device itself, of multiples of 16 bytes. Into shared memory: the barrier counts
 * them; `blocks`: bit mask of those of the cluster, 0: where `to` lies. Out of it: in groups. */
void emulated_bulk_load(void *to, const void *from, unsigned bytes, void *barrier, unsigned blocks);
void emulated_bulk_store(void *to, const void *from, unsigned bytes);
void emulated_tensor_load(void *to, const void *map, int rank, const int *at, void *barrier,
                          unsigned blocks);
void emulated_tensor_store(const void *from, const void *map, int rank, const int *at);
void emulated_bulk_commit(void);
void emulated_bulk_wait(int prior, int reads_only);
/* what threads have written in shared memory, such a copy may read */
void emulated_fence_proxy(void);
}

namespace emulated
{

static EMULATED_INLINE void async_copy(void *to, const void *from, size_t bytes, size_t zeros)
{
    emulated_async_read(from, bytes - zeros, bytes);
    emulated_async_write(to, bytes);
}

/* The part of a thread, `rank` of `count`, in a copy that they make together: the largest pieces
 * that fit. A copy that does not lead from global into shared memory, or is no multiple of 4 bytes,
 * is made at once. */
static EMULATED_INLINE void async_copy_together(char *to, const char *from, size_t bytes,
                                                size_t rank, size_t count)
{
    const size_t fits = (size_t)to | (size_t)from | bytes;
    const size_t piece = fits % 16 == 0  ? 16
                         : fits % 8 == 0 ? 8
                         : fits % 4 == 0 ? 4
                         : fits % 2 == 0 ? 2
                                         : 1;
    const bool later = piece >= 4 && emulated_is_shared(to) && !emulated_is_shared(from);
    for (size_t i = rank * piece; i < bytes; i += count * piece)
        if (later)
            async_copy(to + i, from + i, piece, 0);
        else
            emulated_memcpy(to + i, from + i, piece);
}

} // namespace emulated
#endif
