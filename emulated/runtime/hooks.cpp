// hooks.cpp: the functions that instrumented code calls. The compiler's thread sanitizer reports
// each load and store, its coverage each basic block; these functions replace the library that
// would otherwise be linked.
//
// Host code of a .cu file calls them too, from any thread, so the first question is always: does
// this run on the stack of a lane?
#include "lockstep.h"

#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <unistd.h>

#define RETURN_ADDRESS __builtin_return_address(0)
#define FRAME EMULATED_FRAME

namespace emulated
{

// Not on the stack of the lane that runs: host code, unless it has run over its own.
[[gnu::noinline, gnu::cold]] static void access_elsewhere(u64 address, u64 bytes, u8 flags, Pc pc,
                                                          u64 frame)
{
    if (!on_fiber(frame)) {
        host_access(address, bytes, flags, pc);
        return;
    }
    report({"stack-overflow", pc, current, "",
            "uses more than " + std::to_string(stack_size >> 10) +
                " KB of stack for its local variables and calls: a recursion has no end, or " +
                (stack_size < kMostStack ? "more is needed (cudaDeviceSetLimit can raise "
                                           "cudaLimitStackSize to 512 KB)"
                                         : "is too deep"),
            0});
    kill_kernel(cudaErrorHardwareStackError);
}

// A place on the threads' stacks that holds no variable of a function that runs in this thread.
[[gnu::noinline, gnu::cold]] static void report_local(Lane *lane, u64 address, u8 flags, Pc pc)
{
    const bool own = on_stack_of(lane, address);
    settle(pc, FRAME);
    report({"invalid-address", pc, lane, "local memory",
            std::string(flags & kWrite ? "writes" : "reads") +
                (own ? " a local variable of a function that has returned"
                     : " a local variable of another thread: each thread sees its own only"),
            own});
    if (!own)
        kill_kernel(cudaErrorIllegalAddress);
}

// Fast mode: lanes run on their own as far as they can. Volatile accesses keep them together, since
// older code relies on that, and a lane that spins on an atomic must let the others run.
[[gnu::noinline]] static void strong_access_fast(Lane *lane, u64 address, u8 flags, Pc pc,
                                                 u64 frame)
{
    lane->strong = is_shared(address) ? kSpin : kSpin | kPoll;
    if (!is_shared(address))
        needs_one_core();
    if ((flags & (kVolatile | kWrite | kAtomic)) == (kVolatile | kWrite))
        changed(address);
    if ((flags & kVolatile) || ++lane->own_length % 16 == 0)
        stop(lane, {pc, address, depth_of(lane, frame), 0, flags, kRunning, false});
}

static inline __attribute__((always_inline)) void access_fast(Lane *lane, u64 address, u32 bytes,
                                                              u8 flags, Pc pc, u64 frame)
{
    if (__builtin_expect(suspicious, 0))
        note_touched(lane, &address, 1);
    if (__builtin_expect(launch_now.elsewhere, 0))
        check_owner(lane, address, flags, pc);
    u64 offset = address - (u64)regions[kArena].begin;
    bool good = offset < kArenaSize && bytes == 4 && offset % 4 == 0 // the usual case, quickly
                && (regions[kArena].meta[offset / 4] & kAddressable) == kAddressable;
    if (!good)
        check_bounds(lane, address, bytes, flags, pc);
    if (__builtin_expect(noting_use, 0)) {
        if (good)
            note_words(regions[kArena], offset / 4, 1, flags);
        else
            note_use(address, bytes, flags);
    }
    // blocks that are checked may read it
    if (__builtin_expect(launch_now.every > 1, 0) && (flags & kWrite)) {
        if (good)
            regions[kArena].meta[offset / 4] |= kInitialised;
        else if (Region *r = region_of(address))
            mark(*r, address - (u64)r->begin, bytes, kInitialised, 0);
    }
    if (flags & kStrong)
        strong_access_fast(lane, address, flags, pc, frame);
    else if (flags & kWrite)
        changed(address);
}

// The usual access in fast mode, within memory that exists and may be accessed; otherwise nothing
// is done.
static inline __attribute__((always_inline)) bool access_quickly(u64 address, u32 bytes, u8 flags,
                                                                 u64 frame)
{
    if ((flags & kStrong) || quick.top - frame >= quick.depth || address % bytes)
        return false;
    const u64 begin = (u64)regions[kArena].begin;
    const bool in_arena = address - begin < kArenaSize;
    u64 offset = address - begin;
    const u8 *meta = regions[kArena].meta;
    if (!in_arena) {
        if (address >= launch_now.shared_low && address + bytes <= launch_now.shared_high) {
            offset = address - (u64)regions[kStaticShared].begin;
            meta = regions[kStaticShared].meta;
        } else if ((offset = address - (u64)regions[kDynamicShared].begin) <
                   regions[kDynamicShared].size)
            meta = regions[kDynamicShared].meta;
        else
            return address - frame < quick.top - frame; // a local variable
    }
    const u32 words = bytes < 4 ? 1 : bytes / 4;
    u32 existing = 0, part = (u32)(0xf0f0f0f0 & ((1ull << 8 * words) - 1));
    if (bytes < 4)
        part = ((1u << bytes) - 1) << (4 + offset % 4);
    memcpy(&existing, meta + offset / 4, words);
    if ((existing & part) != part)
        return false;
    if (in_arena && noting_use)
        note_word(regions[kArena], offset / 4, words, flags);
    if (flags & kWrite) {
        if (__builtin_expect(launch_now.every > 1, 0))
            return false;
        launch_now.progress++;
        launch_now.visible += in_arena;
    }
    return true;
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

// Could the lane do this now, and the checks follow?
static inline bool may_go_ahead(u64 address, u32 bytes, u8 flags)
{
    if ((flags & kStrong) || (bytes == 16 && address % 16)) // there the processor insists
        return false;
    if (!(flags & kWrite))
        return may_read_ahead(address) || region_of(address);
    if (!ahead.writes)
        return false;
    const Region *r = region_of(address);
    // The host's writes into page-locked memory are known only as long as nobody else has written
    // there.
    if (!r || r->space == kConstant || (r == &regions[kArena] && !device_only(address)))
        return false;
    const u8 *meta = r->meta + (address - (u64)r->begin) / 4;
    return (meta[0] & meta[(bytes - 1) / 4] & kAddressable) == kAddressable;
}

static inline bool surely_goes_ahead(u64 address, u32 bytes, u8 flags)
{
    if ((flags & kWrite) || bytes == 16)
        return may_go_ahead(address, bytes, flags);
    return may_read_ahead(address);
}

static inline bool follow(u64 address, u32 bytes, u8 flags, Pc pc)
{
    if (*ahead.way == kPause)
        pass_pause();
    if (*ahead.way != pc)
        return false;
    const Row &row = ahead.trace->row[rows_noted(current)];
    if (row.bytes != bytes || row.flags != flags)
        return false;
    ahead.way++;
    note_ahead(address, bytes, flags);
    return true;
}

[[gnu::noinline]] static void access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame)
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
    const u64 depth = depth_of(lane, frame);
    if (may_go_ahead(address, bytes, flags) &&
        (ahead.leads ? lead(pc, address, bytes, flags, depth) : follow(address, bytes, flags, pc)))
        return;
    lane->last_flags = flags;
    stop(lane, {pc, address, depth, bytes, flags, kRunning, false});
    if (flags & kStrong)
        after_strong_access(lane, address, flags);
    if ((flags & (kWrite | kAtomic)) == kWrite)
        changed(address);
}

// The same for the runtime's own atomics: the caller makes the access afterwards.
void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame)
{
    if (!on_fiber(frame)) {
        fprintf(stderr, "an atomic function of CUDA is called from host code: it can only be used "
                        "in a kernel\n");
        exit(2);
    }
    access(address, bytes, flags, pc, frame);
}

// A structure, in the pieces that a GPU would take it in: as large as its alignment allows, which
// only the address tells. Members may be without a value, unless all are.
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
    bool unknown = !settings.fast && wholly_unknown(address, bytes);
    if (unknown) { // unless this thread has just written there
        settle(pc, frame);
        unknown = wholly_unknown(address, bytes);
    }
    u8 part = unknown ? 0 : (u8)kPart;
    for (u64 i = 0; i < bytes; i += piece) {
        access(address + i, (u32)piece, flags | part, pc, frame);
        part = kPart;
    }
}

// The first basic block of a launch identifies the kernel's function.
static void enter_kernel(Pc pc)
{
    launch_now.entry = pc;
    const Symbol *s = symbol_at((u64)pc);
    if (!s)
        return;
    // A template's instance by its arguments: bmm<16, 1> rather than bmm<N, 1>.
    const std::string name = demangled_name(s->name);
    if (launch_now.kernel.empty() ||
        name.compare(0, name.find('<'), launch_now.kernel, 0, launch_now.kernel.find('<')) == 0)
        launch_now.kernel = name;
    const Bounds bounds = bounds_of((u64)pc);
    const uint3 &b = launch_now.block, &c = bounds.cluster;
    if (bounds.threads && b.x * b.y * b.z > bounds.threads) {
        report({"invalid-launch", launch_now.place, nullptr, launch_now.kernel,
                std::to_string(b.x * b.y * b.z) +
                    " threads per block, but the kernel's __launch_bounds__ allow " +
                    std::to_string(bounds.threads) + ". It does not run",
                0});
        kill_kernel(cudaErrorInvalidValue);
    }
    if (c.x * c.y * c.z > 1 && launch_now.cluster_blocks == 1) {
        launch_now.again = true; // a template, of which the launch did not know this
        kill_kernel(cudaSuccess);
    }
    size_t bytes = static_shared_of(*s) + launch_now.dynamic_shared;
    if (bytes > settings.device.sharedMemPerBlock &&
        launch_now.dynamic_shared <= settings.device.sharedMemPerBlock) {
        report({"invalid-launch", launch_now.place, nullptr, launch_now.kernel,
                "the kernel needs " + std::to_string(bytes) +
                    " bytes of shared memory a block; the device has " +
                    std::to_string(settings.device.sharedMemPerBlock) + ". It does not run",
                0});
        kill_kernel(cudaErrorInvalidConfiguration);
    }
}

// Where a signal has come, and how to go on at another place with a stack that holds nothing.
#if defined __x86_64__ || defined __aarch64__
#if defined __x86_64__
static u64 stack_of(const ucontext_t *c) { return (u64)c->uc_mcontext.gregs[REG_RSP]; }
static u64 place_of(const ucontext_t *c) { return (u64)c->uc_mcontext.gregs[REG_RIP]; }

static void go_on(ucontext_t *c, void (*function)(), u64 stack)
{
    c->uc_mcontext.gregs[REG_RIP] = (greg_t)function;
    c->uc_mcontext.gregs[REG_RSP] = (greg_t)(stack - 8); // as after a call
}
#else
static u64 stack_of(const ucontext_t *c) { return c->uc_mcontext.sp; }
static u64 place_of(const ucontext_t *c) { return c->uc_mcontext.pc; }

static void go_on(ucontext_t *c, void (*function)(), u64 stack)
{
    c->uc_mcontext.pc = (u64)function;
    c->uc_mcontext.sp = stack;
    c->uc_mcontext.regs[29] = c->uc_mcontext.regs[30] = 0; // nobody has called it
}
#endif

// A lane does not go on after a crash.
static void after_crash()
{
    Lane *lane = current;
    kill_kernel(cudaErrorIllegalAddress);
    leave_forever(lane);
}

static void go_on_after_crash(ucontext_t *c, const Lane *lane)
{
    go_on(c, after_crash, ((u64)lane->stack_top & ~63ull) - 1024);
}
#define HAVE_AFTER_CRASH
#endif

// The last access of this lane, if it has run ahead.
static Stop last_access(const Lane *lane)
{
    const int rows = lane->trace ? rows_noted(lane) : 0;
    if (rows == 0)
        return lane->stopped;
    const Row &row = lane->trace->row[rows - 1];
    const int first = rows - 1 - (row.flags & kWrite ? (row.bytes <= 8 ? 1 : 2) : 0);
    return {row.pc, lane->trace->address[first][lane->slot], 0, row.bytes, row.flags, kRunning,
            false};
}

static void report_crash(Lane *lane, u64 address)
{
    const Stop last = last_access(lane);
    if (on_fiber(address) && (u64)lane->stack_top - address > stack_size - 8192)
        report({"stack-overflow", last.pc, lane, "", "uses more stack than there is", 0});
    // the processor insists on alignment where the type has it
    else if (last.bytes == 16 && last.address % 16) {
        report({"misaligned", last.pc, lane, object_name(last.address),
                std::string(last.flags & kWrite ? "writes" : "reads") + " 16 bytes at " +
                    describe(last.address) + ": the address is no multiple of 16",
                0});
        launch_now.error = cudaErrorMisalignedAddress;
        launch_now.killed = true;
    } else
        report({"invalid-address", last.pc, lane, "", "crashed soon after this access", 0});
}

// The launch's watch has seen that nothing moves.
static void on_interrupt(int, siginfo_t *, void *context)
{
#if defined HAVE_AFTER_CRASH
    ucontext_t *c = (ucontext_t *)context;
    Lane *lane = current;
    if (lane && on_fiber(stack_of(c)) && !launch_now.killed) {
        interrupted(lane, (Pc)(place_of(c) + 1)); // as a return address
        go_on_after_crash(c, lane);
    }
#else
    (void)context;
    if (!current)
        return;
    interrupted(current, current->pc);
    fflush(nullptr);
    _exit(2); // there is no way back from here
#endif
}

bool divide_as_a_gpu(void *context); // division.cpp

static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    if ((signal_number == SIGFPE || signal_number == SIGILL) && divide_as_a_gpu(context))
        return;
    Lane *lane = current;
    u64 address = (u64)info->si_addr;
#if defined HAVE_AFTER_CRASH
    ucontext_t *c = (ucontext_t *)context;
    if (lane && on_fiber(stack_of(c)) && !launch_now.killed) {
        report_crash(lane, address);
        go_on_after_crash(c, lane);
        return;
    }
#endif
    (void)context;
    current = nullptr;
    if (lane)
        report_crash(lane, address);
    else if (device_only(address))
        report({"host-dereference", nullptr, nullptr, object_name(address),
                "host code touches " + describe(address), 0});
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// Somebody has lost patience with a program that launches kernels without end: which one is it?
static void on_end(int signal_number)
{
    char text[256];
    const int length =
        snprintf(text, sizeof text, "ended after %llu launches, the last of kernel %.160s\n",
                 (unsigned long long)launch_count, launch_now.kernel.c_str());
    if (!launch_now.kernel.empty() && write(STDERR_FILENO, text, (size_t)length) < 0)
        _exit(1);
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
    sigaction(SIGFPE, &action, nullptr);
#if defined __aarch64__
    sigaction(SIGILL, &action, nullptr); // division.cpp
#endif
    action.sa_sigaction = on_interrupt;
    sigaction(SIGURG, &action, nullptr);
    signal(SIGTERM, on_end);
}

template <class T> static bool swapped(T *p, T *expected, T value, u64 frame)
{
    const bool done =
        __atomic_compare_exchange_n(p, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (done && on_fiber(frame) && value != *expected)
        changed((u64)p);
    return done;
}

} // namespace emulated

using namespace emulated;

extern "C" {

// The usual case, quickly: the leader has been here too.
#define HOOK(name, bytes, flags)                                                                   \
    void __tsan_##name##bytes(void *p)                                                             \
    {                                                                                              \
        if (__builtin_expect(!(flags & kStrong) && *ahead.way == RETURN_ADDRESS, 1) &&             \
            surely_goes_ahead((u64)p, bytes, flags)) {                                             \
            ahead.way++;                                                                           \
            note_ahead((u64)p, bytes, flags);                                                      \
        } else if (!access_quickly((u64)p, bytes, flags, FRAME))                                   \
            access((u64)p, bytes, flags, RETURN_ADDRESS, FRAME);                                   \
    }
// "Unaligned" means that the type's alignment is less than its size: a structure of smaller
// members.
#define STRUCTURE_HOOK(name, bytes, flags)                                                         \
    void __tsan_##name##bytes(void *p)                                                             \
    {                                                                                              \
        access_structure((u64)p, bytes, 4, flags, RETURN_ADDRESS, FRAME);                          \
    }
#define HOOKS(bytes)                                                                               \
    HOOK(read, bytes, kRead)                                                                       \
    HOOK(write, bytes, kWrite)                                                                     \
    STRUCTURE_HOOK(unaligned_read, bytes, kRead)                                                   \
    STRUCTURE_HOOK(unaligned_write, bytes, kWrite)                                                 \
    HOOK(volatile_read, bytes, (kRead | kVolatile))                                                \
    HOOK(volatile_write, bytes, (kWrite | kVolatile))                                              \
    STRUCTURE_HOOK(unaligned_volatile_read, bytes, (kRead | kVolatile))                            \
    STRUCTURE_HOOK(unaligned_volatile_write, bytes, (kWrite | kVolatile))
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

// __ldg(): a read that memory.h reports and the compiler does not, so that its place differs from
// others.
#define READ_ONLY(bytes, type)                                                                     \
    type emulated_read_only##bytes(const void *p)                                                  \
    {                                                                                              \
        if (__builtin_expect(*ahead.way == RETURN_ADDRESS, 1) &&                                   \
            surely_goes_ahead((u64)p, bytes, kRead)) {                                             \
            ahead.way++;                                                                           \
            note_ahead((u64)p, bytes, kRead);                                                      \
        } else if (!access_quickly((u64)p, bytes, kRead, FRAME)) {                                 \
            read_only_load(RETURN_ADDRESS);                                                        \
            access((u64)p, bytes, kRead, RETURN_ADDRESS, FRAME);                                   \
        }                                                                                          \
        return *(const type *)p;                                                                   \
    }
struct Pair {
    u64 first, second;
};
READ_ONLY(1, u8)
READ_ONLY(2, u16)
READ_ONLY(4, u32)
READ_ONLY(8, u64)
READ_ONLY(16, Pair)

void __tsan_read_range(void *p, size_t n)
{
    access_structure((u64)p, n, 8, kRead, RETURN_ADDRESS, FRAME);
}
void __tsan_write_range(void *p, size_t n)
{
    access_structure((u64)p, n, 8, kWrite, RETURN_ADDRESS, FRAME);
}
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
// Calls that the compiler has made of the copy of a structure, which it has announced, or of one in
// a header.
static void note_copy(const void *to, const void *from, size_t n, u64 frame)
{
    if (!noting_use || !on_fiber(frame))
        return;
    note_use((u64)to, n, kWrite);
    if (from)
        note_use((u64)from, n, kRead);
}
void *emulated_library_memcpy(void *to, const void *from, size_t n)
{
    note_copy(to, from, n, FRAME);
    return memcpy(to, from, n);
}
void *emulated_library_memmove(void *to, const void *from, size_t n)
{
    note_copy(to, from, n, FRAME);
    return memmove(to, from, n);
}
void *emulated_library_memset(void *to, int byte, size_t n)
{
    note_copy(to, nullptr, n, FRAME);
    return memset(to, byte, n);
}

// The C library's functions that write one of their results where a pointer says
#define WRITES_SECOND(type, name, second)                                                          \
    type emulated_##name(type x, second *p)                                                        \
    {                                                                                              \
        if (on_fiber(FRAME))                                                                       \
            access((u64)p, sizeof *p, kWrite, RETURN_ADDRESS, FRAME);                              \
        return name(x, p);                                                                         \
    }
WRITES_SECOND(double, modf, double)
WRITES_SECOND(float, modff, float)
WRITES_SECOND(double, frexp, int)
WRITES_SECOND(float, frexpf, int)
double emulated_remquo(double x, double y, int *p)
{
    if (on_fiber(FRAME))
        access((u64)p, sizeof *p, kWrite, RETURN_ADDRESS, FRAME);
    return remquo(x, y, p);
}
float emulated_remquof(float x, float y, int *p)
{
    if (on_fiber(FRAME))
        access((u64)p, sizeof *p, kWrite, RETURN_ADDRESS, FRAME);
    return remquof(x, y, p);
}
// The C library returns NaN for a signalling one, and either of two zeros.
#define EMULATED_EXTREME(type, name, before)                                                       \
    type emulated_##name(type a, type b)                                                           \
    {                                                                                              \
        if (a != a || b != b)                                                                      \
            return a != a ? b : a;                                                                 \
        return a before b || (a == b && (0 before 1) == !!std::signbit(a)) ? a : b;                \
    }
EMULATED_EXTREME(float, fminf, <)
EMULATED_EXTREME(float, fmaxf, >)
EMULATED_EXTREME(double, fmin, <)
EMULATED_EXTREME(double, fmax, >)
// Weak references alone would not bring host_functions.cpp out of the library.
int emulated_rand(void);
__attribute__((used)) static int (*const one_of_the_host)(void) = emulated_rand;
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
// The pointer to its virtual functions, which a constructor stores in an object
void __tsan_vptr_update(void **p, void *)
{
    access((u64)p, sizeof *p, kWrite, RETURN_ADDRESS, FRAME);
}
void __tsan_vptr_read(void **p) { access((u64)p, sizeof *p, kRead, RETURN_ADDRESS, FRAME); }

// The leader has stopped because of the length of its path, and this lane has come as far: it stops
// there, too, not a block later.
static inline bool leader_stopped_here(const Lane *lane)
{
    const Trace *t = lane->trace;
    return t && ahead.way == t->way + t->length && t->length && group[0]->stopped.on_its_way;
}

[[gnu::noinline]] static void enter_block(Pc pc, u64 frame)
{
    Lane *lane = current;
    if (__builtin_expect(!lane || !on_stack_of(lane, frame), 0)) {
        if (on_fiber(frame))
            access_elsewhere(0, 0, 0, pc, frame);
        return;
    }
    if (__builtin_expect(!launch_now.entry, 0))
        enter_kernel(pc);
    if (settings.fast) { // now and then it stops
        if (__builtin_expect(--quick.blocks == 0, 0))
            pause(lane, pc, frame);
        return;
    }
    if (ahead.leads) {
        if (!lead_through(pc, depth_of(lane, frame)))
            stop(lane, {pc, 0, depth_of(lane, frame), 0, 0, kRunning, true});
        return;
    }
    if (*ahead.way == kPause) {
        pass_pause();
        if (*ahead.way == pc) {
            ahead.way++;
            return;
        }
    }
    if (leader_stopped_here(lane)) {
        stop(lane, group[0]->stopped);
        if (*ahead.way == pc)
            ahead.way++;
        else
            enter_block(pc, frame);
        return;
    }
    leave_way(lane);
    lane->own_path[lane->own_length++] = pc;
    if (lane->own_length >= kPathLength)
        stop(lane, {pc, 0, depth_of(lane, frame), 0, 0, kRunning, true});
}

void __sanitizer_cov_trace_pc(void)
{
    if (__builtin_expect(*ahead.way == RETURN_ADDRESS, 1))
        ahead.way++;
    else if (quick.top - FRAME < quick.depth && quick.blocks > 1)
        quick.blocks--;
    else
        enter_block(RETURN_ADDRESS, FRAME);
}

// C++ atomics, in kernels and in host code alike. The memory order that they name acts as a fence
// on its side of them.
static void cpp_atomic(u64 address, u32 bytes, u8 flags, int order, Pc pc, u64 frame)
{
    if (!on_fiber(frame)) {
        if (flags & kCompare)
            host_claims(address);
        return;
    }
    if (flags & kWrite && order >= __ATOMIC_RELEASE) {
        settle(pc, frame);
        fence(current, false);
    }
    access(address, bytes, flags, pc, frame);
    if (flags & kRead && order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
        fence(current, false);
}

#define ATOMIC_OPERATION(bits, type, name, expression)                                             \
    type __tsan_atomic##bits##_##name(type *p, type v, int order)                                  \
    {                                                                                              \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic, order, RETURN_ADDRESS, FRAME);      \
        const type old = expression;                                                               \
        if (on_fiber(FRAME) && old != *p)                                                          \
            changed((u64)p);                                                                       \
        return old;                                                                                \
    }
#define ATOMICS(bits, type)                                                                        \
    type __tsan_atomic##bits##_load(const type *p, int order)                                      \
    {                                                                                              \
        cpp_atomic((u64)p, bits / 8, kRead | kVolatile, order, RETURN_ADDRESS, FRAME);             \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(type *p, type v, int order)                                   \
    {                                                                                              \
        cpp_atomic((u64)p, bits / 8, kWrite | kVolatile, order, RETURN_ADDRESS, FRAME);            \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    ATOMIC_OPERATION(bits, type, exchange, __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST))            \
    ATOMIC_OPERATION(bits, type, fetch_add, __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST))            \
    ATOMIC_OPERATION(bits, type, fetch_sub, __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST))            \
    ATOMIC_OPERATION(bits, type, fetch_and, __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST))            \
    ATOMIC_OPERATION(bits, type, fetch_or, __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST))              \
    ATOMIC_OPERATION(bits, type, fetch_xor, __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST))            \
    ATOMIC_OPERATION(bits, type, fetch_nand, __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST))          \
    int __tsan_atomic##bits##_compare_exchange_strong(type *p, type *expected, type v, int order,  \
                                                      int)                                         \
    {                                                                                              \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic | kCompare, order, RETURN_ADDRESS,   \
                   FRAME);                                                                         \
        return swapped(p, expected, v, FRAME);                                                     \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(type *p, type *expected, type v, int order,    \
                                                    int)                                           \
    {                                                                                              \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic | kCompare, order, RETURN_ADDRESS,   \
                   FRAME);                                                                         \
        return swapped(p, expected, v, FRAME);                                                     \
    }                                                                                              \
    type __tsan_atomic##bits##_compare_exchange_val(type *p, type expected, type v, int order,     \
                                                    int)                                           \
    {                                                                                              \
        cpp_atomic((u64)p, bits / 8, kRead | kWrite | kAtomic | kCompare, order, RETURN_ADDRESS,   \
                   FRAME);                                                                         \
        swapped(p, &expected, v, FRAME);                                                           \
        return expected;                                                                           \
    }
ATOMICS(8, u8)
ATOMICS(16, u16)
ATOMICS(32, u32)
ATOMICS(64, u64)

void __tsan_atomic_thread_fence(int)
{
    if (on_fiber(FRAME)) {
        settle(RETURN_ADDRESS, FRAME);
        fence(current, false);
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

// Called by the compiler's bounds checks: an array of a length that the compiler knows is indexed
// with more. `data` is laid out by the compiler.
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
    const long long value = is_signed && bits < 64
                                ? (long long)(index << (64 - bits)) >> (64 - bits)
                                : (long long)index;
    check_array_index(on_fiber(FRAME) ? current : nullptr, data->file, data->line, data->column,
                      data->array->name, value, RETURN_ADDRESS);
}

// A kernel's output appears in the order of the steps.
static void before_output(Pc pc, u64 frame)
{
    settle(pc, frame, true);
    if (on_fiber(frame))
        needs_one_core();
    if (current && on_fiber(frame))
        note_kernel_output();
}
// A kernel's printf(): the strings must be the device's, and its buffer may be too small.
static void check_output(const char *format, va_list given, Pc pc)
{
    va_list arguments;
    u64 bytes = 16;
    va_copy(arguments, given);
    for (const char *p = strchr(format, '%'); p; p = strchr(p, '%')) {
        int is_long = 0;
        for (p++; *p && strchr("-+ #0123456789.*hlLqjzt", *p); p++) {
            if (*p == '*')
                (void)va_arg(arguments, int);
            is_long += strchr("lqjztL", *p) != nullptr;
        }
        if (!*p)
            break;
        if (*p++ == '%')
            continue;
        bytes += 8;
        if (strchr("aAeEfFgG", p[-1]))
            (void)va_arg(arguments, double);
        else if (strchr("sp", p[-1]) || is_long) {
            const u64 value = va_arg(arguments, u64);
            if (p[-1] == 's' && value && !on_fiber(value) && !region_of(value) &&
                value - (u64)launch_now.arguments >= launch_now.arguments_size &&
                !readable_by_kernels(value, 1))
                report({"invalid-address", pc, current, "printf",
                        value < 4096 ? "prints the number " + std::to_string(value) +
                                           " with %s, which takes a string"
                                     : "prints a string that lies in host memory: a kernel can "
                                       "only read device memory",
                        0});
        } else
            (void)va_arg(arguments, int);
    }
    va_end(arguments);
    size_t room = 1 << 20;
    cudaDeviceGetLimit(&room, cudaLimitPrintfFifoSize);
    launch_now.printed += bytes;
    if (launch_now.printed > room && launch_now.printed - bytes <= room)
        report({"printf-overflow", pc, current, "printf",
                "prints more than the buffer of " + std::to_string(room >> 10) +
                    " KB holds, about 16 bytes for each call and 8 for each argument: a GPU loses "
                    "what came first (cudaDeviceSetLimit with cudaLimitPrintfFifoSize)",
                0});
}
int emulated_printf(const char *format, ...)
{
    before_output(RETURN_ADDRESS, FRAME);
    va_list arguments;
    va_start(arguments, format);
    if (current && on_fiber(FRAME))
        check_output(format, arguments, RETURN_ADDRESS);
    const int n = vprintf(format, arguments);
    va_end(arguments);
    return n;
}
int emulated_vprintf(const char *format, va_list arguments)
{
    before_output(RETURN_ADDRESS, FRAME);
    return vprintf(format, arguments);
}
int emulated_puts(const char *text)
{
    before_output(RETURN_ADDRESS, FRAME);
    return puts(text);
}
int emulated_putchar(int c)
{
    before_output(RETURN_ADDRESS, FRAME);
    return putchar(c);
}

// assert() in a kernel ends the kernel, not the program.
[[noreturn]] void __assert_fail(const char *condition, const char *file, unsigned line,
                                const char *function)
{
    settle(RETURN_ADDRESS, FRAME);
    if (on_fiber(FRAME))
        needs_one_core();
    fflush(stdout);
    if (current && on_fiber(FRAME)) {
        const uint3 &t = current->id, &b = current->warp->block->id;
        fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                file, line, function, b.x, b.y, b.z, t.x, t.y, t.z, condition);
        kill_kernel(cudaErrorAssert);
    }
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    abort();
}

} // extern "C"
