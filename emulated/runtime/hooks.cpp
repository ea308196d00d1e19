// hooks.cpp: what instrumented code calls. The compiler's thread sanitizer announces each load and store, its coverage
// each basic block; these functions stand in for the library that would otherwise be linked.
//
// Host code of a .cu file calls them too, from any thread, so the first question is always: does this run on the stack
// of a lane?
#include "lockstep.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <unistd.h>

#define RETURN_ADDRESS __builtin_return_address(0)
#define FRAME ((u64)__builtin_frame_address(0))

namespace emulated {

// Not on the stack of the lane that runs: host code, unless it has run over its own.
[[gnu::noinline, gnu::cold]] static void access_elsewhere(u64 address, u64 bytes, u8 flags, Pc pc, u64 frame)
{
    if (!on_fiber(frame)) {
        host_access(address, bytes, flags, pc);
        return;
    }
    report({"stack-overflow", pc, current, "",
            "uses more than " + std::to_string(stack_size >> 10)
                + " KB of stack for its local variables and calls (cudaDeviceSetLimit can raise cudaLimitStackSize)",
            0});
    kill_kernel(cudaErrorHardwareStackError);
}

// A place on the threads' stacks that holds no variable of a function that runs in this thread.
[[gnu::noinline, gnu::cold]] static void report_local(Lane *lane, u64 address, u8 flags, Pc pc)
{
    const bool own = on_stack_of(lane, address);
    report({"invalid-address", pc, lane, "local memory",
            std::string(flags & kWrite ? "writes" : "reads")
                + (own ? " a local variable of a function that has returned"
                       : " a local variable of another thread: each thread sees its own only"),
            own});
    if (!own)
        kill_kernel(cudaErrorIllegalAddress);
}

// Fast mode: lanes run on their own as far as they can. Volatile accesses keep them together, since older code relies
// on that, and whoever spins on an atomic must let the others run.
[[gnu::noinline]] static void strong_access_fast(Lane *lane, u64 address, u8 flags, Pc pc, u64 frame)
{
    lane->strong = is_shared(address) ? kSpin : kSpin | kPoll;
    if ((flags & (kVolatile | kWrite | kAtomic)) == (kVolatile | kWrite))
        changed(address);
    if ((flags & kVolatile) || ++lane->last_read % 16 == 0) {
        lane->flags = flags;
        stop(lane, pc, frame);
    }
}

static inline __attribute__((always_inline)) void access_fast(Lane *lane, u64 address, u32 bytes, u8 flags, Pc pc,
                                                              u64 frame)
{
    u64 offset = address - (u64)regions[kArena].begin;
    bool good = offset < kArenaSize && bytes == 4 && offset % 4 == 0 // the usual case, quickly
                && (regions[kArena].meta[offset / 4] & kAddressable) == kAddressable;
    if (!good)
        check_bounds(lane, address, bytes, flags, pc);
    if (flags & kStrong)
        strong_access_fast(lane, address, flags, pc, frame);
    else if (flags & kWrite)
        changed(address);
}

[[gnu::noinline]] static void after_strong_access(Lane *lane, u64 address, u8 flags)
{
    const bool again = lane->polled == address && lane->read_before_poll == lane->last_read;
    lane->polled = address;
    lane->read_before_poll = lane->last_read;
    lane->strong = is_shared(address) ? kSpin : again ? kSpin | kPoll : kSpin | kLook;
    launch_now.progress += !again;
    if (Region *r = region_of(address))
        synchronise(lane, address, flags & kWrite, r->space == kShared);
}

static inline bool surely_readable(u64 address, u32 bytes)
{
    Region *r = region_of(address);
    if (!r || bytes < 4 || address % bytes || r->space == kConstant)
        return false;
    const u8 *meta = r->meta + (address - (u64)r->begin) / 4;
    return (meta[0] & meta[bytes / 4 - 1] & kAddressable) == kAddressable;
}

static inline __attribute__((always_inline)) void access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame)
{
    Lane *lane = current;
    if (__builtin_expect(!lane || !on_stack_of(lane, frame), 0)) {
        access_elsewhere(address, bytes, flags, pc, frame);
        return;
    }
    if (on_fiber(address)) { // a local variable
        if (__builtin_expect(address - frame >= (u64)lane->stack_top - frame, 0))
            report_local(lane, address, flags, pc);
        return;
    }
    if (settings.fast) {
        access_fast(lane, address, bytes, flags, pc, frame);
        return;
    }
    // A second read in straight-line code meets no other lanes than the first did: it is checked at the next stop.
    if (flags == kRead && lane->straight && lane->further_count < kFurtherReads && surely_readable(address, bytes)) {
        lane->further[lane->further_count++] = {pc, address, bytes};
        return;
    }
    lane->address = address;
    lane->bytes = bytes;
    lane->flags = lane->last_flags = flags;
    lane->straight = flags == kRead;
    stop(lane, pc, frame);
    if (flags & kStrong)
        after_strong_access(lane, address, flags);
    if ((flags & (kWrite | kAtomic)) == kWrite)
        changed(address);
}

// The same for the runtime's own atomics: the caller makes the access afterwards.
void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame)
{
    if (!on_fiber(frame)) {
        fprintf(stderr, "an atomic function of CUDA is called from host code: it can only be used in a kernel\n");
        exit(2);
    }
    access(address, bytes, flags, pc, frame);
}

// A structure, in the pieces that a GPU would take it in: as large as its alignment allows, which only the address
// tells. Members may be without a value, unless all are.
static void access_structure(u64 address, u64 bytes, u64 largest, u8 flags, Pc pc, u64 frame)
{
    if (!on_fiber(frame)) {
        host_access(address, bytes, flags, pc);
        return;
    }
    if (on_fiber(address) || bytes == 0)
        return;
    u64 piece = (address | bytes) & -(address | bytes);
    if (piece > largest)
        piece = largest;
    u8 part = !settings.fast && wholly_unknown(address, bytes) ? 0 : (u8)kPart;
    for (u64 i = 0; i < bytes; i += piece) {
        access(address + i, (u32)piece, flags | part, pc, frame);
        part = kPart;
    }
}

// The first basic block of a launch tells which function the kernel is.
static void enter_kernel(Pc pc)
{
    launch_now.entry = pc;
    const Symbol *s = symbol_at((u64)pc);
    if (!s)
        return;
    // A template's instance by its arguments: bmm<16, 1> rather than bmm<N, 1>.
    const std::string name = demangled_name(s->name);
    if (launch_now.kernel.empty()
        || name.compare(0, name.find('<'), launch_now.kernel, 0, launch_now.kernel.find('<')) == 0)
        launch_now.kernel = name;
    size_t bytes = static_shared_of(*s) + launch_now.dynamic_shared;
    if (bytes > settings.device.sharedMemPerBlock && launch_now.dynamic_shared <= settings.device.sharedMemPerBlock) {
        report({"invalid-launch", launch_now.place, nullptr, launch_now.kernel,
                "the kernel needs " + std::to_string(bytes) + " bytes of shared memory a block; the device has "
                    + std::to_string(settings.device.sharedMemPerBlock) + ". It does not run",
                0});
        kill_kernel(cudaErrorInvalidConfiguration);
    }
}

#if defined __x86_64__
// Where a lane goes on after a crash: nowhere.
static void after_crash()
{
    Lane *lane = current;
    kill_kernel(cudaErrorIllegalAddress);
    leave_forever(lane);
}
#endif

static void report_crash(Lane *lane, u64 address)
{
    if (on_fiber(address) && (u64)lane->stack_top - address > stack_size - 8192)
        report({"stack-overflow", lane->pc, lane, "", "uses more stack than there is", 0});
    else if (lane->bytes == 16 && lane->address % 16) { // the processor insists on alignment where the type has it
        report({"misaligned", lane->pc, lane, object_name(lane->address),
                std::string(lane->last_flags & kWrite ? "writes" : "reads") + " 16 bytes at " + describe(lane->address)
                    + ": the address is no multiple of 16",
                0});
        launch_now.error = cudaErrorMisalignedAddress;
        launch_now.killed = true;
    } else
        report({"invalid-address", lane->pc, lane, "", "crashed soon after this access", 0});
}

// The launch's watch has seen that nothing moves any more.
static void on_interrupt(int, siginfo_t *, void *context)
{
#if defined __x86_64__
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    Lane *lane = current;
    if (lane && on_fiber((u64)registers[REG_RSP]) && !launch_now.killed) {
        interrupted(lane);
        registers[REG_RIP] = (greg_t)after_crash;
        registers[REG_RSP] = (greg_t)(((u64)lane->stack_top & ~63ull) - 1024 - 8);
    }
#else
    (void)context;
    interrupted(current);
    fflush(nullptr);
    _exit(2); // there is no way back from here
#endif
}

static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    Lane *lane = current;
    u64 address = (u64)info->si_addr;
#if defined __x86_64__
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (lane && on_fiber((u64)registers[REG_RSP]) && !launch_now.killed) {
        report_crash(lane, address);
        registers[REG_RIP] = (greg_t)after_crash;
        registers[REG_RSP] = (greg_t)(((u64)lane->stack_top & ~63ull) - 1024 - 8);
        return;
    }
#endif
    (void)context;
    current = nullptr;
    if (lane)
        report_crash(lane, address);
    else if (device_only(address))
        report(
            {"host-dereference", nullptr, nullptr, object_name(address), "host code touches " + describe(address), 0});
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void catch_crashes()
{
    static char stack[1 << 16];
    stack_t alternative = {};
    alternative.ss_sp = stack;
    alternative.ss_size = sizeof stack;
    sigaltstack(&alternative, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    action.sa_sigaction = on_interrupt;
    sigaction(SIGURG, &action, nullptr);
}

template <class T> static bool swapped(T *p, T *expected, T value, u64 frame)
{
    const bool done = __atomic_compare_exchange_n(p, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (done && on_fiber(frame) && value != *expected)
        changed((u64)p);
    return done;
}

} // namespace emulated

using namespace emulated;

extern "C" {

#define HOOK(name, bytes, flags)                                                                                       \
    void __tsan_##name##bytes(void *p) { access((u64)p, bytes, flags, RETURN_ADDRESS, FRAME); }
// "Unaligned" means that the type's alignment is less than its size: a structure of smaller members.
#define STRUCTURE_HOOK(name, bytes, flags)                                                                             \
    void __tsan_##name##bytes(void *p) { access_structure((u64)p, bytes, 4, flags, RETURN_ADDRESS, FRAME); }
#define HOOKS(bytes)                                                                                                   \
    HOOK(read, bytes, kRead)                                                                                           \
    HOOK(write, bytes, kWrite)                                                                                         \
    STRUCTURE_HOOK(unaligned_read, bytes, kRead)                                                                       \
    STRUCTURE_HOOK(unaligned_write, bytes, kWrite)                                                                     \
    HOOK(volatile_read, bytes, kRead | kVolatile)                                                                      \
    HOOK(volatile_write, bytes, kWrite | kVolatile)                                                                    \
    STRUCTURE_HOOK(unaligned_volatile_read, bytes, kRead | kVolatile)                                                  \
    STRUCTURE_HOOK(unaligned_volatile_write, bytes, kWrite | kVolatile)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void *p, size_t n) { access_structure((u64)p, n, 8, kRead, RETURN_ADDRESS, FRAME); }
void __tsan_write_range(void *p, size_t n) { access_structure((u64)p, n, 8, kWrite, RETURN_ADDRESS, FRAME); }
void *emulated_memcpy(void *to, const void *from, size_t n)
{
    access_structure((u64)from, n, 4, kRead, RETURN_ADDRESS, FRAME);
    access_structure((u64)to, n, 4, kWrite, RETURN_ADDRESS, FRAME);
    return memcpy(to, from, n);
}
void *emulated_memmove(void *to, const void *from, size_t n)
{
    access_structure((u64)from, n, 4, kRead, RETURN_ADDRESS, FRAME);
    access_structure((u64)to, n, 4, kWrite, RETURN_ADDRESS, FRAME);
    return memmove(to, from, n);
}
void *emulated_memset(void *to, int byte, size_t n)
{
    access_structure((u64)to, n, 4, kWrite, RETURN_ADDRESS, FRAME);
    return memset(to, byte, n);
}
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

static inline void stop_between(Lane *lane, Pc pc, u64 frame)
{
    lane->flags = 0;
    stop(lane, pc, frame);
}

void __sanitizer_cov_trace_pc(void)
{
    Lane *lane = current;
    if (__builtin_expect(!lane || !on_stack_of(lane, FRAME), 0)) {
        if (on_fiber(FRAME))
            access_elsewhere(0, 0, 0, RETURN_ADDRESS, FRAME);
        return;
    }
    if (__builtin_expect(!launch_now.entry, 0))
        enter_kernel(RETURN_ADDRESS);
    if (__builtin_expect(settings.fast, 0)) {
        if (__builtin_expect((++lane->blocks_entered & 0xffff) == 0, 0))
            stop_between(lane, RETURN_ADDRESS, FRAME);
        return;
    }
    lane->straight = false;
    lane->path[lane->path_length++] = RETURN_ADDRESS;
    if (__builtin_expect(lane->path_length == kPathLength, 0)) {
        lane->on_its_way = true;
        stop_between(lane, RETURN_ADDRESS, FRAME);
        lane->on_its_way = false;
    }
}

// C++ atomics, in kernels and in host code alike. The memory order that they name acts as a fence on its side of them.
static void cpp_atomic(u64 address, u32 bytes, u8 flags, int order, Pc pc, u64 frame)
{
    if (!on_fiber(frame)) {
        if (flags & kCompare)
            host_claims(address);
        return;
    }
    if (flags & kWrite && order >= __ATOMIC_RELEASE)
        fence(current, false);
    access(address, bytes, flags, pc, frame);
    if (flags & kRead && order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
        fence(current, false);
}

#define ATOMIC_OPERATION(bits, type, name, expression)                                                                 \
    type __tsan_atomic##bits##_##name(type *p, type v, int order)                                                      \
    {                                                                                                                  \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic, order, RETURN_ADDRESS, FRAME);                          \
        const type old = expression;                                                                                   \
        if (on_fiber(FRAME) && old != *p)                                                                              \
            changed((u64)p);                                                                                           \
        return old;                                                                                                    \
    }
#define ATOMICS(bits, type)                                                                                            \
    type __tsan_atomic##bits##_load(const type *p, int order)                                                          \
    {                                                                                                                  \
        cpp_atomic((u64)p, bits / 8, kRead | kVolatile, order, RETURN_ADDRESS, FRAME);                                 \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(type *p, type v, int order)                                                       \
    {                                                                                                                  \
        cpp_atomic((u64)p, bits / 8, kWrite | kVolatile, order, RETURN_ADDRESS, FRAME);                                \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                      \
    }                                                                                                                  \
    ATOMIC_OPERATION(bits, type, exchange, __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST))                                \
    ATOMIC_OPERATION(bits, type, fetch_add, __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST))                                \
    ATOMIC_OPERATION(bits, type, fetch_sub, __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST))                                \
    ATOMIC_OPERATION(bits, type, fetch_and, __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST))                                \
    ATOMIC_OPERATION(bits, type, fetch_or, __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST))                                  \
    ATOMIC_OPERATION(bits, type, fetch_xor, __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST))                                \
    ATOMIC_OPERATION(bits, type, fetch_nand, __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST))                              \
    int __tsan_atomic##bits##_compare_exchange_strong(type *p, type *expected, type v, int order, int)                 \
    {                                                                                                                  \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic | kCompare, order, RETURN_ADDRESS, FRAME);               \
        return swapped(p, expected, v, FRAME);                                                                         \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(type *p, type *expected, type v, int order, int)                   \
    {                                                                                                                  \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic | kCompare, order, RETURN_ADDRESS, FRAME);               \
        return swapped(p, expected, v, FRAME);                                                                         \
    }                                                                                                                  \
    type __tsan_atomic##bits##_compare_exchange_val(type *p, type expected, type v, int order, int)                    \
    {                                                                                                                  \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic | kCompare, order, RETURN_ADDRESS, FRAME);               \
        swapped(p, &expected, v, FRAME);                                                                               \
        return expected;                                                                                               \
    }
ATOMICS(8, u8)
ATOMICS(16, u16)
ATOMICS(32, u32)
ATOMICS(64, u64)

void __tsan_atomic_thread_fence(int)
{
    if (on_fiber(FRAME))
        fence(current, false);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

// What the compiler's bounds checks say: an array whose length the compiler knows is indexed with more. `data` is laid
// out by the compiler.
struct ArrayType {
    u16 kind, info;
    char name[1];
};
struct ArrayBounds {
    const char *file;
    u32 line, column;
    const ArrayType *array, *index;
};
void __ubsan_handle_out_of_bounds(const ArrayBounds *data, u64 index)
{
    const int bits = 1 << (data->index->info >> 1);
    const bool is_signed = data->index->info & 1;
    const long long value =
        is_signed && bits < 64 ? (long long)(index << (64 - bits)) >> (64 - bits) : (long long)index;
    check_array_index(on_fiber(FRAME) ? current : nullptr, data->file, data->line, data->column, data->array->name,
                      value, RETURN_ADDRESS);
}

// assert() in a kernel ends the kernel, not the program.
[[noreturn]] void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    fflush(stdout);
    if (current && on_fiber(FRAME)) {
        const uint3 &t = current->id, &b = current->warp->block->id;
        fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
                function, b.x, b.y, b.z, t.x, t.y, t.z, condition);
        kill_kernel(cudaErrorAssert);
    }
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    abort();
}

} // extern "C"
