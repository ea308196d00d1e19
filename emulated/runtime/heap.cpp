// heap.cpp: malloc() and new. In a kernel they take memory of the device's heap; in host code the C
// library's, noted here so that a copy past the end of a host array is found. The driver sends .cu
// files' calls to emulated_malloc and its kin, and lets the linker send the other objects' to
// __wrap_malloc (--wrap).
#include "emulator.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <sys/mman.h>

#define RETURN_ADDRESS __builtin_return_address(0)
#define ON_DEVICE on_fiber(EMULATED_FRAME)

extern "C" {
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void __real_free(void *);
}

namespace emulated
{

// ---- host memory that is known ------------------------------------------------------------------

// Blocks by address, in a table with open addressing: noting one costs some 20 ns, finding the one
// around an address a walk through all, which only copies need.

struct HostBlock {
    u64 begin, size; // begin is 0: never used, 1: used before
};
static HostBlock *blocks;
static u64 capacity, used;
static std::atomic_flag blocks_lock = ATOMIC_FLAG_INIT;

static u64 slot_of(u64 begin)
{
    return (begin >> 4) * 0x9e3779b97f4a7c15ull >> 20 & (capacity - 1);
}

static void put(u64 begin, u64 size)
{
    u64 i = slot_of(begin);
    while (blocks[i].begin > 1 && blocks[i].begin != begin)
        i = (i + 1) & (capacity - 1);
    used += blocks[i].begin == 0;
    blocks[i] = {begin, size};
}

static void make_room()
{
    if (used * 2 < capacity)
        return;
    HostBlock *old = blocks;
    u64 old_capacity = capacity, live = 0;
    for (u64 i = 0; i < old_capacity; i++)
        live += old[i].begin > 1;
    capacity = 4096;
    while (capacity < 4 * live)
        capacity *= 2;
    used = 0;
    blocks = (HostBlock *)__real_calloc(capacity, sizeof *blocks);
    if (!blocks) { // without the table less is found
        capacity = 0;
        blocks = old;
        return;
    }
    for (u64 i = 0; i < old_capacity; i++)
        if (old[i].begin > 1)
            put(old[i].begin, old[i].size);
    __real_free(old);
}

struct BlocksLock {
    BlocksLock()
    {
        while (blocks_lock.test_and_set(std::memory_order_acquire)) {}
    }
    ~BlocksLock() { blocks_lock.clear(std::memory_order_release); }
};

static void *note(void *p, u64 size)
{
    if (!p)
        return p;
    BlocksLock lock;
    make_room();
    if (capacity)
        put((u64)p, size);
    return p;
}

static void forget(void *p)
{
    u64 begin, size;
    if (unwritten_on_host.holds((u64)p) && host_block_around((u64)p, &begin, &size))
        forget_host_block(begin, size);
    BlocksLock lock;
    for (u64 i = capacity ? slot_of((u64)p) : 0; p && capacity && blocks[i].begin;
         i = (i + 1) & (capacity - 1))
        if (blocks[i].begin == (u64)p) {
            blocks[i] = {1, 0};
            return;
        }
}

bool host_block_around(u64 address, u64 *begin, u64 *size)
{
    BlocksLock lock;
    for (u64 i = 0; i < capacity; i++)
        if (blocks[i].begin > 1 && address - blocks[i].begin < blocks[i].size) {
            *begin = blocks[i].begin;
            *size = blocks[i].size;
            // Freed by a library behind our back, and handed out anew?
            const u64 really = malloc_usable_size((void *)*begin);
            return really >= *size && really < *size + 8192;
        }
    return false;
}

// To copy the page tables of the program's large arrays takes most of the time of a fork, and
// kernels cannot use them. Where blocks of the runtime's own are noted, too, children may need any
// of them.
void leave_host_blocks_to_children(bool leave)
{
    static const bool only_foreign = [] {
        void *own = ::operator new(1);
        u64 begin, size;
        const bool noted = host_block_around((u64)own, &begin, &size);
        ::operator delete(own);
        return !noted;
    }();
    const u64 large = 256 << 10, page = page_size();
    BlocksLock lock;
    for (u64 i = 0; i < capacity && only_foreign; i++)
        if (blocks[i].begin > 1 && blocks[i].size >= large) {
            const u64 first = (blocks[i].begin + page - 1) & ~(page - 1),
                      end = (blocks[i].begin + blocks[i].size) & ~(page - 1);
            madvise((void *)first, end - first, leave ? MADV_DOFORK : MADV_DONTFORK);
        }
}

// ---- the device's heap --------------------------------------------------------------------------

void free_on_device(void *p, Pc pc, bool by_cuda)
{
    if (!p)
        return;
    settle(pc, EMULATED_FRAME);
    needs_one_core();
    Allocation *a = region_of((u64)p) == &regions[kArena] ? allocation_at(p) : nullptr;
    const char *wrong = !a ? "frees an address that malloc() has not returned"
                        : a->kind != Allocation::heap
                            ? by_cuda
                                  ? "frees memory that the host has allocated: the host frees it"
                                  : "frees memory that cudaMalloc() has made: cudaFree() does that"
                        : a->freed ? "frees what has been freed before"
                                   : nullptr;
    if (wrong)
        report({"bad-free", pc, current, object_name((u64)p),
                std::string(wrong) + ": " + describe((u64)p), 0});
    else
        release(*a, pc);
}

void *new_on_device(u64 size, Pc pc)
{
    settle(pc, EMULATED_FRAME);
    needs_one_core();
    return allocate_heap(size ? size : 1, pc);
}

} // namespace emulated

using namespace emulated;

extern "C" {

void *emulated_malloc(size_t size)
{
    return ON_DEVICE ? new_on_device(size, RETURN_ADDRESS) : malloc(size);
}

void *emulated_calloc(size_t count, size_t size)
{
    if (!ON_DEVICE)
        return calloc(count, size);
    void *p =
        size && count > ~(size_t)0 / size ? nullptr : new_on_device(count * size, RETURN_ADDRESS);
    if (p) {
        memset(p, 0, count * size);
        mark(regions[kArena], (u64)p - (u64)regions[kArena].begin, count * size, kInitialised, 0);
    }
    return p;
}

void emulated_free(void *p)
{
    if (ON_DEVICE) {
        free_on_device(p, RETURN_ADDRESS);
        return;
    }
    if (p)
        host_free((u64)p, RETURN_ADDRESS);
    free(p);
}

// operator new and delete in all their forms (main.c of the driver has the list)
void *emulated_new(size_t size)
{
    return ON_DEVICE ? new_on_device(size, RETURN_ADDRESS) : note(::operator new(size), size);
}
void *emulated_new_nothrow(size_t size, const std::nothrow_t &how)
{
    return ON_DEVICE ? new_on_device(size, RETURN_ADDRESS) : note(::operator new(size, how), size);
}
void emulated_delete(void *p)
{
    if (ON_DEVICE) {
        free_on_device(p, RETURN_ADDRESS);
        return;
    }
    if (p)
        host_free((u64)p, RETURN_ADDRESS);
    forget(p);
    ::operator delete(p);
}

void *__wrap_malloc(size_t size) { return note(__real_malloc(size), size); }
void *__wrap_calloc(size_t count, size_t size)
{
    return note(__real_calloc(count, size), count * size);
}
void *__wrap_realloc(void *p, size_t size)
{
    void *q = __real_realloc(p, size);
    if (q || size == 0)
        forget(p);
    return note(q, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return note(__real_aligned_alloc(alignment, size), size);
}
int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    int error = __real_posix_memalign(p, alignment, size);
    if (!error)
        note(*p, size);
    return error;
}
void __wrap_free(void *p)
{
    forget(p);
    __real_free(p);
}

} // extern "C"
