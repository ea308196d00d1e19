// memory.cpp: the device's memory and its shadow: for each 4-byte word, which bytes exist, which hold a value, and who
// wrote and read them last.
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>

extern "C" {
__attribute__((aligned(1024))) char emulated_dynamic_shared[256 * 1024];
extern char __start_emulated_device[], __stop_emulated_device[];
extern char __start_emulated_constant[], __stop_emulated_constant[];
}
// Each section has at least one member, or the linker would not define its ends.
__attribute__((section("emulated_device"), used, aligned(256))) static int first_device_variable[64];
__attribute__((section("emulated_constant"), used, aligned(256))) static int first_constant[64];
// Tells where the calling host thread's copy of the thread-local image lies: that is static shared memory.
static __thread char emulated_here __attribute__((used)) = 1;

namespace emulated {

Region regions[kRegions];
static std::map<u64, Allocation> allocations EMULATED_EARLY; // by offset in the arena
static std::map<u64, u64> registered EMULATED_EARLY;         // host memory: begin, size
static u64 next_device = 4096, next_pinned = kDevicePart;
static u64 in_use[64];
const u64 kGap = 4096; // between allocations, so that running past one is noticed

static void *reserve(u64 bytes)
{
    void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        perror("emulated device: cannot reserve address space for the device's memory");
        exit(2);
    }
    return p;
}

static void make_region(int i, char *begin, u64 bytes, Space space, const char *name)
{
    u64 words = bytes / 4 + 64;
    regions[i] = {begin, bytes, (Cell *)reserve(words * sizeof(Cell)), (u8 *)reserve(words), space, name};
}

void mark(Region &r, u64 offset, u64 bytes, u8 set, u8 clear)
{
    u64 end = offset + bytes;
    for (; offset < end && offset % 4; offset++) { // part of a word
        u8 bit = (u8)(0x11 << offset % 4);
        r.meta[offset / 4] = (u8)((r.meta[offset / 4] & ~(clear & bit)) | (set & bit));
    }
    if (set == (kInitialised | kAddressable) || clear == (kInitialised | kAddressable)) {
        memset(r.meta + offset / 4, set, (end - offset) / 4);
        offset += (end - offset) / 4 * 4;
    }
    for (; offset + 4 <= end; offset += 4)
        r.meta[offset / 4] = (u8)((r.meta[offset / 4] & ~clear) | set);
    for (; offset < end; offset++) {
        u8 bit = (u8)(0x11 << offset % 4);
        r.meta[offset / 4] = (u8)((r.meta[offset / 4] & ~(clear & bit)) | (set & bit));
    }
}

void copy_initialised(u64 to, u64 from, u64 bytes)
{
    Region *target = region_of(to), *source = region_of(from);
    if (!target)
        return;
    u64 t = to - (u64)target->begin;
    if (!source) {
        mark(*target, t, bytes, kInitialised, 0);
        return;
    }
    u64 s = from - (u64)source->begin;
    for (u64 i = 0; i < bytes; i++) {
        u8 known_byte = source->meta[(s + i) / 4] >> (s + i) % 4 & 1, bit = (u8)(1 << (t + i) % 4);
        u8 &m = target->meta[(t + i) / 4];
        m = (u8)(known_byte ? m | bit : m & ~bit);
    }
}

// ---- allocations ----------------------------------------------------------------------------------------

static void forget_freed()
{
    for (auto it = allocations.begin(); it != allocations.end();)
        it = it->second.freed ? allocations.erase(it) : std::next(it);
}

// When all addresses have been handed out once, those of freed allocations are used again.
static u64 find_gap(u64 begin, u64 end, u64 bytes)
{
    forget_freed();
    u64 at = begin;
    for (auto it = allocations.lower_bound(begin); it != allocations.end() && it->first < end; ++it) {
        if (at + bytes <= it->first)
            return at;
        at = (it->first + it->second.size + kGap + 511) & ~511ull;
    }
    return at + bytes <= end ? at : 0;
}

u64 device_bytes_in_use(int device) { return in_use[device]; }

void *allocate(size_t bytes, Allocation::Kind kind, Pc place)
{
    bool on_device = kind == Allocation::device;
    int owner = current_device();
    u64 limit = kind == Allocation::pinned ? kArenaSize - kDevicePart : settings.device.totalGlobalMem;
    if (bytes > limit || (kind != Allocation::pinned && in_use[owner] + bytes > limit))
        return nullptr;
    u64 &next = on_device ? next_device : next_pinned, end = on_device ? kDevicePart : kArenaSize;
    u64 offset = next, whole = (bytes + kGap + 511) & ~511ull;
    if (offset + whole <= end)
        next += whole;
    else if ((offset = find_gap(on_device ? 4096 : kDevicePart, end, whole)) == 0)
        return nullptr;
    if (kind != Allocation::pinned)
        in_use[owner] += bytes;
    allocations[offset] = {offset, bytes, kind, owner, place, false};
    // As on a GPU, fresh memory holds anything but zeros; the gap behind it too, for those who read there.
    if (kind != Allocation::managed)
        memset(regions[kArena].begin + offset, 0xff, whole);
    // What the host writes into memory of its own is not seen, so that counts as initialised.
    mark(regions[kArena], offset, bytes, on_device ? kAddressable : kAddressable | kInitialised, 0);
    return regions[kArena].begin + offset;
}

Allocation *allocation_at(const void *p)
{
    auto it = allocations.find((u64)p - (u64)regions[kArena].begin);
    return it == allocations.end() ? nullptr : &it->second;
}

Allocation *allocation_around(u64 address)
{
    auto it = allocations.upper_bound(address - (u64)regions[kArena].begin);
    return it == allocations.begin() ? nullptr : &std::prev(it)->second;
}

static void give_back(void *begin, u64 bytes)
{
    u64 first = ((u64)begin + 4095) & ~4095ull, last = ((u64)begin + bytes) & ~4095ull;
    if (last > first)
        madvise((void *)first, last - first, MADV_DONTNEED);
}

void release(Allocation &a)
{
    Region &r = regions[kArena];
    a.freed = true;
    if (a.kind != Allocation::pinned)
        in_use[a.owner] -= a.size;
    mark(r, a.offset, a.size, 0, kInitialised | kAddressable);
    give_back(r.begin + a.offset, a.size);
    give_back(r.cells + a.offset / 4, a.size / 4 * sizeof(Cell));
}

void free_everything(int device)
{
    for (auto &a : allocations)
        if (!a.second.freed && a.second.owner == device)
            release(a.second);
}

void report_leaks()
{
    for (auto &entry : allocations) {
        Allocation &a = entry.second;
        if (a.freed)
            continue;
        const char *how = a.kind == Allocation::device   ? "device"
                          : a.kind == Allocation::pinned ? "page-locked"
                                                         : "managed";
        report({"leak", a.place, nullptr, object_name((u64)regions[kArena].begin + a.offset),
                std::to_string(a.size) + " bytes of " + how + " memory allocated here are never freed", 0});
    }
}

void register_host(void *p, size_t n, bool add)
{
    if (add)
        registered[(u64)p] = n;
    else
        registered.erase((u64)p);
}

bool registered_host(u64 address)
{
    auto it = registered.upper_bound(address);
    return it != registered.begin() && address < (--it)->first + it->second;
}

bool readable_by_kernels(u64 address, u32 bytes)
{
    return in_executable_constants(address, bytes) || registered_host(address);
}

// ---- shared memory --------------------------------------------------------------------------------------
// A __shared__ variable is thread-local to the host thread that runs the kernel, so it lies at a fixed place for
// all blocks, which take turns there.

// The runtime's own thread-local variables lie among them.
static bool is_own(const Symbol &s)
{
    return s.name.compare(0, 12, "_ZN8emulated") == 0 || s.name == "_ZL13emulated_here";
}

void shared_memory_here()
{
    static const u64 offset = [] {
        for (const Symbol &s : shared_symbols())
            if (s.name == "_ZL13emulated_here" || s.name.find("L13emulated_hereE") != std::string::npos)
                return s.address;
        return (u64)0;
    }();
    regions[kStaticShared].begin = &emulated_here - offset;
}

static u64 low_word() { return (launch_now.shared_low - (u64)regions[kStaticShared].begin) / 4; }
static u64 high_word() { return (launch_now.shared_high - (u64)regions[kStaticShared].begin + 3) / 4; }
static bool static_in_use() { return launch_now.shared_low < launch_now.shared_high; }

void clear_shared()
{
    if (static_in_use()) { // only what the blocks before have touched
        u8 *meta = regions[kStaticShared].meta;
        for (u64 i = low_word(); i < high_word(); i++)
            meta[i] &= (u8)~kInitialised;
    }
    u64 words = launch_now.dynamic_shared / 4;
    memset(regions[kDynamicShared].meta, kAddressable, words);
    for (u64 i = words * 4; i < launch_now.dynamic_shared; i++)
        mark(regions[kDynamicShared], i, 1, kAddressable, kInitialised);
}

template <class T> static void append(std::vector<char> &to, const T *from, u64 count)
{
    to.insert(to.end(), (const char *)from, (const char *)(from + count));
}

template <class T> static const char *take(T *to, const char *from, u64 count)
{
    memcpy((void *)to, from, count * sizeof(T));
    return from + count * sizeof(T);
}

void save_shared(Block &block)
{
    Region &s = regions[kStaticShared], &d = regions[kDynamicShared];
    std::vector<char> &to = block.saved_shared;
    to.clear();
    u64 words = (launch_now.dynamic_shared + 3) / 4, low = 0, high = 0;
    if (static_in_use()) {
        low = low_word();
        high = high_word();
    }
    append(to, &low, 1);
    append(to, &high, 1);
    append(to, (u32 *)s.begin + low, high - low);
    append(to, s.meta + low, high - low);
    append(to, s.cells + low, high - low);
    append(to, (u32 *)d.begin, words);
    append(to, d.meta, words);
    append(to, d.cells, words);
}

void restore_shared(Block &block)
{
    if (block.saved_shared.empty())
        return;
    Region &s = regions[kStaticShared], &d = regions[kDynamicShared];
    u64 words = (launch_now.dynamic_shared + 3) / 4, low, high;
    if (static_in_use()) // what other blocks have used since then, this one has not
        memset(s.cells + low_word(), 0, (high_word() - low_word()) * sizeof(Cell));
    const char *from = block.saved_shared.data();
    from = take(&low, from, 1);
    from = take(&high, from, 1);
    from = take((u32 *)s.begin + low, from, high - low);
    from = take(s.meta + low, from, high - low);
    from = take(s.cells + low, from, high - low);
    from = take((u32 *)d.begin, from, words);
    from = take(d.meta, from, words);
    take(d.cells, from, words);
}

// ---- names ----------------------------------------------------------------------------------------------

// The shared variable at an address, or the last one before it.
static const Symbol *shared_symbol(u64 address)
{
    u64 offset = address - (u64)regions[kStaticShared].begin;
    const Symbol *last = nullptr;
    for (const Symbol &s : shared_symbols())
        if (!is_own(s) && s.address <= offset)
            last = &s;
    return last;
}

static std::string byte_of(u64 offset, const std::string &what)
{
    return "byte " + std::to_string(offset) + " of " + what;
}

std::string describe(u64 address)
{
    Region *r = region_of(address);
    if (!r)
        return address < 4096 ? "a null pointer" : "host memory";
    if (r == &regions[kArena]) {
        Allocation *a = allocation_around(address);
        if (!a)
            return "unallocated device memory";
        u64 offset = address - (u64)r->begin - a->offset;
        std::string what = "the " + std::to_string(a->size) + "-byte allocation made at " + place_name(a->place);
        if (offset < a->size)
            return byte_of(offset, what) + (a->freed ? ", which has been freed" : "");
        auto next = allocations.upper_bound(a->offset);
        u64 here_now = address - (u64)r->begin;
        if (next != allocations.end() && next->first - here_now < offset - a->size)
            return std::to_string(next->first - here_now) + " bytes before the start of the "
                   + std::to_string(next->second.size) + "-byte allocation made at " + place_name(next->second.place);
        return std::to_string(offset - a->size) + " bytes past the end of " + what;
    }
    if (r == &regions[kDynamicShared]) {
        u64 offset = address - (u64)r->begin;
        if (offset < launch_now.dynamic_shared)
            return byte_of(offset, "dynamic shared memory");
        return std::to_string(offset - launch_now.dynamic_shared) + " bytes past the end of the "
               + std::to_string(launch_now.dynamic_shared) + " bytes of dynamic shared memory";
    }
    const Symbol *s = r == &regions[kStaticShared] ? shared_symbol(address) : symbol_at(address);
    if (!s)
        return "a place next to the variables in " + std::string(r->name) + " memory";
    u64 begin = s->address + (r == &regions[kStaticShared] ? (u64)r->begin : 0);
    if (address - begin >= s->size)
        return std::to_string(address - begin - s->size) + " bytes past the end of " + r->name + " variable "
               + demangled_name(s->name);
    return byte_of(address - begin, std::string(r->name) + " variable " + demangled_name(s->name));
}

std::string object_name(u64 address)
{
    Region *r = region_of(address);
    if (!r)
        return address < 4096 ? "null" : "host memory";
    if (r == &regions[kDynamicShared])
        return "dynamic shared memory";
    if (r == &regions[kArena]) {
        Allocation *a = allocation_around(address);
        return a ? "allocation at " + place_name(a->place) : "unallocated";
    }
    const Symbol *s = r == &regions[kStaticShared] ? shared_symbol(address) : symbol_at(address);
    return s ? demangled_name(s->name) : r->name;
}

void memory_init()
{
    first_device_variable[0] = first_constant[0] = 0;
    make_region(kArena, (char *)reserve(kArenaSize), kArenaSize, kGlobal, "device");
    make_region(kStaticShared, nullptr, shared_image_size(), kShared, "shared");
    make_region(kDynamicShared, emulated_dynamic_shared, sizeof emulated_dynamic_shared, kShared, "dynamic shared");
    make_region(kDeviceVariables, __start_emulated_device, (u64)(__stop_emulated_device - __start_emulated_device),
                kGlobal, "device");
    make_region(kConstants, __start_emulated_constant, (u64)(__stop_emulated_constant - __start_emulated_constant),
                kConstant, "constant");
    for (int i : {kDeviceVariables, kConstants})
        mark(regions[i], 0, regions[i].size, kInitialised | kAddressable, 0);
    for (const Symbol &s : shared_symbols())
        if (!is_own(s))
            mark(regions[kStaticShared], s.address, s.size, kAddressable, 0);
    shared_memory_here();
}

} // namespace emulated
