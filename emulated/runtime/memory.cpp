// memory.cpp: the device's memory and its shadow: for each 4-byte word, which bytes exist, which
// hold a value, and who wrote and read them last.
#include "objects.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <pthread.h>
#include <set>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

extern "C" {
__attribute__((aligned(1024))) char emulated_dynamic_shared[256 * 1024];
extern char __start_emulated_device[], __stop_emulated_device[];
extern char __start_emulated_constant[], __stop_emulated_constant[];
extern char __start_emulated_managed[], __stop_emulated_managed[];
}
// Each section has at least one member, or the linker would not define its ends.
__attribute__((section("emulated_device"), used,
               aligned(256))) static int first_device_variable[64];
__attribute__((section("emulated_constant"), used, aligned(256))) static int first_constant[64];
__attribute__((section("emulated_managed"), used,
               aligned(256))) static int first_managed_variable[64];
// Records the place of the calling host thread's copy of the thread-local image, which is static
// shared memory.
static __thread char emulated_here __attribute__((used)) = 1;

namespace emulated
{

Region regions[kRegions];
Extent device_variables;
static std::map<u64, Allocation> allocations EMULATED_EARLY; // by offset in the arena
static std::map<u64, u64> registered EMULATED_EARLY;         // host memory: begin, size
static u64 next_device = 4096, next_pinned = kDevicePart;
static u64 in_use[64];
const u64 kGap = 4096; // between allocations, so that running past one is noticed

// Raises the limit of the address space (ulimit -v) as far as it may be raised. Returns whether
// there is more now.
static bool raise_limit()
{
    rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
        return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}

void *reserve(u64 bytes, const char *what)
{
    const int protection = PROT_READ | PROT_WRITE,
              how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *p = mmap(nullptr, bytes, protection, how, -1, 0);
    rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};

    if (p == MAP_FAILED && raise_limit())
        p = mmap(nullptr, bytes, protection, how, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "emulated device: cannot reserve address space for %s: %s\n", what,
                strerror(errno));
        getrlimit(RLIMIT_AS, &limit);
        if (limit.rlim_cur != RLIM_INFINITY)
            fprintf(stderr,
                    "It needs some 800 GB of addresses, hardly any of it as memory, and the shell "
                    "or the batch job "
                    "allows %llu MB of them: ulimit -v unlimited\n",
                    (unsigned long long)limit.rlim_cur >> 20);
        else
            fprintf(stderr, "Does this machine promise no more memory than it has "
                            "(/proc/sys/vm/overcommit_memory is "
                            "2)? Then use another one.\n");
        exit(2);
    }
    return p;
}

u64 page_size()
{
    static const u64 bytes = (u64)sysconf(_SC_PAGESIZE);
    return bytes;
}

void make_region(int i, char *begin, u64 bytes, Space space, const char *name, u8 *meta)
{
    u64 words = bytes / 4 + 64;
    regions[i] = {begin,
                  bytes,
                  (Cell *)reserve(words * sizeof(Cell), name),
                  (Cell *)reserve(words * 4 * sizeof(Cell), name),
                  i == kArena ? (Row32 *)reserve((words / kRow + 1) * sizeof(Row32), name)
                              : nullptr,
                  meta ? meta : (u8 *)reserve(words, name),
                  space,
                  name,
                  false,
                  nullptr,
                  nullptr,
                  nullptr};
}

// ---- the arena ----------------------------------------------------------------------------------

// Its memory, and behind that its meta, lie in a file without a name: a process that is forked gets
// a copy of its own, page by page as it writes there, and the part of a launch that it runs can
// still be put where the parent sees it.

const u64 kArenaFile = kArenaSize + kArenaSize / 4 + 4096;
static int arena_file = -1; // -1: there is none, or this process has been forked

static char *map_arena(int how, char *place)
{
    void *p = mmap(place, kArenaFile, PROT_READ | PROT_WRITE, how | MAP_NORESERVE, arena_file, 0);
    return p == MAP_FAILED ? nullptr : (char *)p;
}

static void after_fork()
{
    if (arena_file >= 0 && !map_arena(MAP_PRIVATE | MAP_FIXED, regions[kArena].begin))
        _exit(1);
    arena_file = -1;
}

static char *make_arena()
{
    rlimit limit;
    const bool allowed = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur > kArenaFile;
    const int file = allowed ? memfd_create("emulated device", MFD_CLOEXEC) : -1;
    if (file >= 0) {
        arena_file = fcntl(file, F_DUPFD_CLOEXEC, 500); // out of the way of the program's own
        close(file);
    }
    char *arena = arena_file >= 0 && ftruncate(arena_file, (off_t)kArenaFile) == 0
                      ? map_arena(MAP_SHARED, nullptr)
                      : nullptr;
    if (arena)
        pthread_atfork(nullptr, nullptr, after_fork);
    else
        arena_file = -1;
    return arena ? arena : (char *)reserve(kArenaFile, "the device's memory");
}

bool arena_has_a_file() { return arena_file >= 0; }

// For a child that is about to be forked: the arena that its parent will see, besides its own copy.
char *map_arena_of_parent() { return map_arena(MAP_SHARED, nullptr); }

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

bool leave_rest_unwritten(u64 to, u64 bytes)
{
    static std::set<u64> &copied = *new std::set<u64>;
    Region &r = regions[kConstants];
    const Symbol *s = region_of(to) == &r ? symbol_at(to) : nullptr;
    if (!s || !copied.insert(s->address).second || to != s->address || bytes >= s->size)
        return false;
    const u8 *rest = (u8 *)to + bytes, *end = (u8 *)to + s->size;
    if (std::any_of(rest, end, [](u8 byte) { return byte != 0; }))
        return false;
    mark(r, (u64)rest - (u64)r.begin, (u64)(end - rest), 0, kInitialised);
    return true;
}

u64 copy_initialised(u64 to, u64 from, u64 bytes)
{
    Region *target = region_of(to), *source = region_of(from);
    if (!target)
        return bytes;
    u64 t = to - (u64)target->begin;
    if (!source) {
        mark(*target, t, bytes, kInitialised, 0);
        return bytes;
    }
    u64 s = from - (u64)source->begin, i = 0, known = bytes;
    for (; t % 4 == 0 && s % 4 == 0 && i + 4 <= bytes; i += 4) { // whole words
        u8 &m = target->meta[(t + i) / 4], from_there = source->meta[(s + i) / 4] & kInitialised;
        m = (u8)((m & kAddressable) | from_there);
        known = from_there ? known : std::min(known, i);
    }
    for (; i < bytes; i++) {
        u8 known_byte = source->meta[(s + i) / 4] >> (s + i) % 4 & 1, bit = (u8)(1 << (t + i) % 4);
        u8 &m = target->meta[(t + i) / 4];
        m = (u8)(known_byte ? m | bit : m & ~bit);
        known = known_byte ? known : std::min(known, i);
    }
    return known;
}

// ---- allocations --------------------------------------------------------------------------------

static void forget_freed()
{
    for (auto it = allocations.begin(); it != allocations.end();)
        it = it->second.freed && !it->second.of_graph ? allocations.erase(it) : std::next(it);
}

static void fill_fresh(u64 offset, u64 bytes);

// After all addresses have been used once, those of freed allocations are used again.
static u64 find_gap(u64 begin, u64 end, u64 bytes)
{
    forget_freed();
    u64 at = begin;
    for (auto it = allocations.lower_bound(begin); it != allocations.end() && it->first < end;
         ++it) {
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
    u64 limit =
        kind == Allocation::pinned ? kArenaSize - kDevicePart : settings.device.totalGlobalMem;
    if (bytes > limit || (kind != Allocation::pinned && in_use[owner] + bytes > limit))
        return nullptr;
    u64 &next = on_device ? next_device : next_pinned, end = on_device ? kHeapPart : kArenaSize;
    u64 offset = next, whole = (bytes + kGap + 511) & ~511ull;
    if (offset + whole <= end)
        next += whole;
    else if ((offset = find_gap(on_device ? 4096 : kDevicePart, end, whole)) == 0)
        return nullptr;
    if (kind != Allocation::pinned)
        in_use[owner] += bytes;
    allocations[offset] = {offset, bytes, kind, owner, place, false, nullptr, 1, 0, false};
    if (owners && on_device)
        memset(owners + offset / 512, owner + 1, whole / 512);
    // As on a GPU, fresh memory holds anything but zeros; the gap behind it too, for those who read
    // there.
    if (on_device)
        memset(regions[kArena].begin + offset, 0xff, whole);
    else
        fill_fresh(offset, whole);
    mark(regions[kArena], offset, bytes, kAddressable, 0);
    return regions[kArena].begin + offset;
}

// ---- the device's heap: malloc() and new in a kernel --------------------------------------------

// Addresses are handed out in turn and used again only after all of them have been: use after free
// shows.

u64 heap_limit = 8 << 20;
bool heap_is_used, heap_is_full;
static u64 next_heap = kHeapPart, heap_in_use;
// behind each piece; for the device's own records
const u64 kHeapGap = 32, kHeapExtra = 16;

static u64 find_heap_gap(u64 whole)
{
    const u64 end = std::min(kDevicePart, kHeapPart + 2 * heap_limit + (1 << 20));
    for (int round = 0; round < 2; round++) {
        u64 at = next_heap;
        for (auto it = allocations.lower_bound(at); at + whole <= end; ++it) {
            if (it == allocations.end() || at + whole <= it->first)
                return at;
            at = (it->first + it->second.size + kHeapGap + 15) & ~15ull;
        }
        forget_freed();
        next_heap = kHeapPart;
    }
    return 0;
}

void *allocate_heap(u64 bytes, Pc place)
{
    heap_is_used = true;
    heap_is_full = bytes > heap_limit || heap_in_use + bytes + kHeapExtra > heap_limit;
    if (heap_is_full)
        return nullptr;
    const u64 whole = (bytes + kHeapGap + 15) & ~15ull, offset = find_heap_gap(whole);
    if (!offset)
        return nullptr;
    next_heap = offset + whole;
    heap_in_use += bytes + kHeapExtra;
    Region &r = regions[kArena];
    allocations[offset] = {
        offset, bytes, Allocation::heap, current_device(), place, false, nullptr, 1, 0, false};
    memset(r.begin + offset, 0xff, whole);
    // its last owner's accesses do not count
    memset((void *)(r.cells + offset / 4), 0, whole / 4 * sizeof(Cell));
    mark(r, offset, bytes, kAddressable, 0);
    return r.begin + offset;
}

Allocation *allocation_at(const void *p)
{
    auto it = allocations.find((u64)p - (u64)regions[kArena].begin);
    return it == allocations.end() ? nullptr : &it->second;
}

Allocation *allocation_around(u64 address)
{
    auto it = allocations.upper_bound(address - (u64)regions[kArena].begin);
    return it == allocations.begin() || !in_arena(address) ? nullptr : &std::prev(it)->second;
}

static bool is_stamped(u64 word, u16 site, bool any_site)
{
    const Region &r = regions[kArena];
    const Row32 &row = r.rows[word / kRow];
    const bool cells = row.opened == launch_now.first_interval;
    for (const Stamp &s :
         {cells ? r.cells[word].write : row.write, cells ? r.cells[word].read : row.read})
        if (s.interval >= launch_now.first_interval && (any_site || s.site == site))
            return true;
    return false;
}

bool is_used_in_launch(u64 address)
{
    return is_stamped((address - (u64)regions[kArena].begin) / 4, 0, true);
}

// Has more than one block read it in this launch, and none written it?
bool is_read_by_blocks(u64 address)
{
    const Region &r = regions[kArena];
    const u64 word = (address - (u64)r.begin) / 4;
    const Stamp &read = r.cells[word].read;
    return r.rows[word / kRow].opened == launch_now.first_interval &&
           read.interval >= launch_now.first_interval && (read.who & kSeveral) == kSeveral &&
           r.cells[word].write.interval < launch_now.first_interval;
}

u16 last_writer(u64 address)
{
    const Region &r = regions[kArena];
    const u64 word = (address - (u64)r.begin) / 4;
    const Stamp &row = r.rows[word / kRow].write, &cell = r.cells[word].write;
    return cell.interval == kSplit ? 0 : row.interval > cell.interval ? row.site : cell.site;
}

// Looks at the begin of each array only, if it is long: this is asked for a message.
Allocation *array_of_site(u16 site)
{
    Allocation *only = nullptr;
    for (auto &entry : allocations) {
        const u64 begin = entry.second.offset / 4,
                  words = std::min<u64>(entry.second.size / 4, 1 << 18);
        bool used = false;
        for (u64 w = begin; w < begin + words && !used; w++)
            used = is_stamped(w, site, false);
        if (used && only)
            return nullptr;
        only = used ? &entry.second : only;
    }
    return only;
}

static bool is_near(u64 address, const Allocation &a)
{
    const u64 close = 256, here = address - (u64)regions[kArena].begin;
    return here + close >= a.offset && here < a.offset + a.size + close;
}

// 1 if the launch's arguments point into no other array.
static bool is_only_array_given(const Allocation *a)
{
    for (const u64 value : words_of(launch_now.arguments, launch_now.arguments_size)) {
        const Allocation *given = allocation_around(value);
        if (given && given != a)
            return false;
    }
    return true;
}

// Of which that is an element right beyond 2^31 or before 2^32, as a wrong index gives; or NULL
static const Allocation *array_of_wrapped_index(u64 address)
{
    const u64 here = address - (u64)regions[kArena].begin;
    const Allocation *best = nullptr;
    u64 least = 1 << 30;
    for (auto &entry : allocations) {
        const Allocation &a = entry.second;
        const u64 index = (here - a.offset) / std::max(a.element, 1u),
                  beyond = std::min(index - (1ull << 31), (1ull << 32) - index);
        if (beyond < std::min(least, a.size / std::max(a.element, 1u))) {
            best = &a;
            least = beyond;
        }
    }
    return best;
}

static u64 bytes_of_rows(const Region &r) { return (r.size / 4 / kRow + 1) * sizeof(Row32); }

static void give_back(void *begin, u64 bytes)
{
    const u64 page = page_size(); // of which the system would take all, if it got a part
    const u64 first = ((u64)begin + page - 1) & ~(page - 1),
              last = ((u64)begin + bytes) & ~(page - 1);
    const bool in_file = arena_file >= 0 && first - (u64)regions[kArena].begin < kArenaFile;
    if (last > first)
        madvise((void *)first, last - first, in_file ? MADV_REMOVE : MADV_DONTNEED);
}

// Memory of a graph, at its address, with nothing in it; what has not been freed since the last
// time is lost.
void allocate_again(Allocation &a)
{
    Region &r = regions[kArena];
    if (a.freed)
        in_use[a.owner] += a.size;
    a.freed = false;
    object_created(a);
    memset(r.begin + a.offset, 0xff, a.size);
    mark(r, a.offset, a.size, kAddressable, kInitialised);
}

void release(Allocation &a, Pc place)
{
    Region &r = regions[kArena];
    a.freed = true;
    a.freed_at = place;
    object_ended(a);
    if (a.kind == Allocation::heap)
        heap_in_use -= a.size + kHeapExtra;
    else if (a.kind != Allocation::pinned)
        in_use[a.owner] -= a.size;
    mark(r, a.offset, a.size, 0, kInitialised | kAddressable);
    give_back(r.begin + a.offset, a.size);
    give_back(r.cells + a.offset / 4, a.size / 4 * sizeof(Cell));
    if (r.any_split)
        give_back(r.byte_cells + a.offset, a.size * sizeof(Cell));
}

void open_row_now(const Region &r, u64 row)
{
    const u32 first = launch_now.first_interval;
    Row32 &whole = r.rows[row];
    Cell *cells = r.cells + row * kRow;
    const bool written = whole.write.interval >= first, read = whole.read.interval >= first;
    whole.opened = first;
    for (u8 i = 0; i < kRow && (written || read); i++) {
        if (cells[i].write.interval == kSplit) // in an earlier launch
            cells[i] = Cell();
        if (written)
            cells[i].write = {whole.write.interval, whole.write.site, i, kInitialised};
        if (read)
            cells[i].read = {whole.read.interval, whole.read.site, i, kInitialised};
    }
}

// If the records of readers and writers would take too much of the host's memory, they are dropped:
// only races across that moment are missed then.
void forget_stamps()
{
    for (Region &r : regions) {
        if (r.rows)
            give_back(r.rows, bytes_of_rows(r));
        give_back(r.cells, r.size / 4 * sizeof(Cell));
        give_back(r.byte_cells, r.size * sizeof(Cell));
    }
}

// A child does not need its parent's accesses; copying the stamps would take most of the time.
void leave_stamps_to_children(bool leave)
{
    const Region &r = regions[kArena];
    const u64 words = r.size / 4 + 64;
    madvise((void *)r.cells, words * sizeof(Cell), leave ? MADV_DOFORK : MADV_DONTFORK);
    madvise((void *)r.byte_cells, words * 4 * sizeof(Cell), leave ? MADV_DOFORK : MADV_DONTFORK);
    madvise((void *)r.rows, bytes_of_rows(r), leave ? MADV_DOFORK : MADV_DONTFORK);
}

// Large pages come more quickly, where each word of them will be used.
static bool stamps_are_dense;
void stamps_will_be_dense(bool dense)
{
    const Region &r = regions[kArena];
    if (dense != stamps_are_dense) {
        madvise((void *)r.cells, (r.size / 4 + 64) * sizeof(Cell),
                dense ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        madvise((void *)r.rows, bytes_of_rows(r), dense ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }
    stamps_are_dense = dense;
}

bool begin_stamps()
{
    const Region &r = regions[kArena];
    const u64 bytes = (r.size / 4 + 64) * sizeof(Cell);
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    for (Cell *cells : {r.cells, r.byte_cells})
        if (mmap((void *)cells, cells == r.cells ? bytes : 4 * bytes, PROT_READ | PROT_WRITE, how,
                 -1, 0) == MAP_FAILED)
            return false;
    if (mmap((void *)r.rows, bytes_of_rows(r), PROT_READ | PROT_WRITE, how, -1, 0) == MAP_FAILED)
        return false;
    stamps_are_dense = false;
    stamps_will_be_dense(launch_now.every == 1);
    return true;
}

static u64 resident_bytes() // 0: not known
{
    unsigned long size, resident;
    FILE *f = fopen("/proc/self/statm", "r");
    const bool known = f && fscanf(f, "%lu %lu", &size, &resident) == 2;
    if (f)
        fclose(f);
    return known ? resident * (u64)sysconf(_SC_PAGESIZE) : 0;
}

void watch_memory()
{
    if (resident_bytes() <= settings.memory)
        return;
    needs_one_core();
    forget_stamps();
}

// Even if each word got its stamps in this launch, half of them by bytes, nothing would be
// forgotten.
bool memory_is_ample(const std::vector<Words> &words)
{
    u64 bytes = resident_bytes();
    for (const Words &w : words)
        bytes += (w.end - w.begin) * 3 * sizeof(Cell);
    return bytes < settings.memory;
}

std::vector<Words> words_in_use()
{
    std::vector<Words> list;
    for (const auto &entry : allocations) {
        const Allocation &a = entry.second;
        const u64 begin = a.offset / 256 * 64, end = (a.offset + a.size + 255) / 256 * 64;
        if (a.freed)
            continue;
        if (!list.empty() && list.back().end >= begin)
            list.back().end = end;
        else
            list.push_back({kArena, begin, end});
    }
    for (int i : {kDeviceVariables, kManagedVariables})
        list.push_back({i, 0, (regions[i].size + 255) / 256 * 64});
    return list;
}

void free_everything(int device)
{
    for (auto &a : allocations)
        if (!a.second.freed && a.second.owner == device)
            release(a.second, nullptr);
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

// ---- page-locked and managed memory -------------------------------------------------------------

// What the host writes there is not seen. Fresh memory of these kinds holds words that no program
// writes by chance, each place another NaN; where 16 bytes still hold theirs, nobody has written.

static u32 fresh_word(u64 offset)
{
    return 0xfff00000u | (u32)(offset / 4 * 0x9e3779b97f4a7c15ull >> 44);
}

static void fill_fresh(u64 offset, u64 bytes)
{
    u32 *words = (u32 *)(regions[kArena].begin + offset);
    for (u64 i = 0; i < bytes / 4; i++)
        words[i] = fresh_word(offset + 4 * i);
}

void learn_host_writes(u64 address, u64 bytes)
{
    Region &r = regions[kArena];
    const u64 offset = address - (u64)r.begin;
    if (offset >= kArenaSize || device_only(address) || bytes == 0)
        return;
    const Allocation *a = allocation_around(address);
    if (!a || a->freed)
        return;
    const u64 end = std::min(offset + bytes, a->offset + a->size);
    for (u64 at = offset & ~15ull; at < end; at += 16) {
        u32 known;
        memcpy(&known, r.meta + at / 4, sizeof known);
        if ((known & 0x0f0f0f0f) == 0x0f0f0f0f)
            continue;
        const u32 *words = (const u32 *)(r.begin + at);
        bool fresh = true;
        for (u64 i = 0; i < 4 && at + 4 * i < a->offset + a->size; i++)
            fresh &= words[i] == fresh_word(at + 4 * i);
        if (!fresh)
            mark(r, at, std::min<u64>(16, a->offset + a->size - at), kInitialised, 0);
    }
}

// ---- shared memory ------------------------------------------------------------------------------

// A __shared__ variable is thread-local to the host thread that runs the kernel, so it lies at a
// fixed place for all blocks, which take turns there.

// The runtime's own thread-local variables lie among them.
static bool is_own(const Symbol &s)
{
    return belongs_to_runtime(s) || s.name.compare(0, 5, "_ZGVZ") == 0 ||
           s.name == "_ZL13emulated_here";
}

bool is_of_runtime(u64 address, u32 bytes)
{
    const u64 begin = address - (u64)regions[kStaticShared].begin;
    for (const Symbol &s : shared_symbols())
        if (is_own(s) && begin < s.address + s.size && begin + bytes > s.address)
            return true;
    return false;
}

void shared_memory_here()
{
    static const u64 offset = [] {
        for (const Symbol &s : shared_symbols())
            if (s.name == "_ZL13emulated_here" ||
                s.name.find("L13emulated_hereE") != std::string::npos)
                return s.address;
        return (u64)0;
    }();
    regions[kStaticShared].begin = &emulated_here - offset;
}

void use_static_shared(u64 low, u64 high)
{
    launch_now.shared_low = std::min(launch_now.shared_low, low);
    launch_now.shared_high = std::max(launch_now.shared_high, high);
}
static u64 low_word() { return (launch_now.shared_low - (u64)regions[kStaticShared].begin) / 4; }
static u64 high_word()
{
    return (launch_now.shared_high - (u64)regions[kStaticShared].begin + 3) / 4;
}
static bool static_in_use() { return launch_now.shared_low < launch_now.shared_high; }

void clear_shared()
{
    if (static_in_use()) { // only memory that earlier blocks have touched
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

// Words [low, high) of a region: their values and their state.
static void save_words(std::vector<char> &to, const Region &r, u64 low, u64 high)
{
    const u64 head[3] = {low, high, r.any_split};
    append(to, head, 3);
    append(to, (u32 *)r.begin + low, high - low);
    append(to, r.meta + low, high - low);
    append(to, r.cells + low, high - low);
    if (r.any_split)
        append(to, r.byte_cells + 4 * low, 4 * (high - low));
}

static const char *restore_words(const Region &r, const char *from)
{
    u64 head[3];
    from = take(head, from, 3);
    const u64 low = head[0], words = head[1] - low;
    from = take((u32 *)r.begin + low, from, words);
    from = take(r.meta + low, from, words);
    from = take(r.cells + low, from, words);
    return head[2] ? take(r.byte_cells + 4 * low, from, 4 * words) : from;
}

// Words, and all that is known about them, from one region to another
static void move_words(Region &to, u64 at, Region &from, u64 first, u64 count)
{
    memcpy(to.begin + 4 * at, from.begin + 4 * first, 4 * count);
    memcpy(to.meta + at, from.meta + first, count);
    memcpy((void *)(to.cells + at), from.cells + first, count * sizeof(Cell));
    if (to.any_split || from.any_split)
        memcpy((void *)(to.byte_cells + 4 * at), from.byte_cells + 4 * first,
               4 * count * sizeof(Cell));
    to.any_split |= from.any_split;
}

// Between a block's shared memory and its window
static void move_window(const Block &block, bool out)
{
    Region &windows = regions[kWindows];
    const u64 low = static_in_use() ? low_word() : 0;
    const struct {
        Region &region;
        u64 first, count;
    } parts[] = {
        {regions[kStaticShared], low, static_in_use() ? high_word() - low : 0},
        {regions[kDynamicShared], 0, (launch_now.dynamic_shared + 3) / 4},
    };
    for (const auto &p : parts) {
        const u64 at =
            (in_window(block, (u64)p.region.begin + 4 * p.first) - (u64)windows.begin) / 4;
        if (out)
            move_words(windows, at, p.region, p.first, p.count);
        else
            move_words(p.region, p.first, windows, at, p.count);
    }
}

void clear_window(const Block &block)
{
    Region &windows = regions[kWindows];
    const Region &fixed = regions[kStaticShared], &dynamic = regions[kDynamicShared];
    const u64 first = (in_window(block, (u64)fixed.begin) - (u64)windows.begin) / 4,
              behind = in_window(block, (u64)dynamic.begin) - (u64)windows.begin;
    for (u64 i = 0; i < fixed.size / 4; i++)
        windows.meta[first + i] = fixed.meta[i] & kAddressable;
    mark(windows, behind, dynamic.size, 0, kInitialised | kAddressable);
    mark(windows, behind, launch_now.dynamic_shared, kAddressable, 0);
    memset((void *)(windows.cells + first), 0, window_bytes() / 4 * sizeof(Cell));
}

void save_shared(Block &block)
{
    if (launch_now.cluster_blocks > 1) {
        move_window(block, true);
        return;
    }
    block.saved_shared.clear();
    const bool any = static_in_use();
    save_words(block.saved_shared, regions[kStaticShared], any ? low_word() : 0,
               any ? high_word() : 0);
    save_words(block.saved_shared, regions[kDynamicShared], 0, (launch_now.dynamic_shared + 3) / 4);
}

void restore_shared(Block &block)
{
    if (launch_now.cluster_blocks > 1) {
        move_window(block, false);
        return;
    }
    if (block.saved_shared.empty())
        return;
    const Region &s = regions[kStaticShared];
    if (static_in_use()) // what other blocks have used since then, this one has not
        memset((void *)(s.cells + low_word()), 0, (high_word() - low_word()) * sizeof(Cell));
    restore_words(regions[kDynamicShared], restore_words(s, block.saved_shared.data()));
}

// ---- names --------------------------------------------------------------------------------------

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

std::string foreign_kernel_at(u64 address)
{
    const Symbol *s =
        region_of(address) == &regions[kStaticShared] ? shared_symbol(address) : nullptr;
    const std::string kernel = s ? kernel_of_shared(*s) : "";
    return kernel == launch_now.kernel ? "" : kernel;
}

static std::vector<Symbol> variables[kRegions] EMULATED_EARLY;

// The device variable at an address, or the last one before it.
static const Symbol *variable_near(const Region &r, u64 address)
{
    const Symbol *last = nullptr;
    for (const Symbol &s : variables[&r - regions])
        if (s.address <= address)
            last = &s;
    return last;
}

static std::string byte_of(u64 offset, const std::string &what)
{
    return "byte " + std::to_string(offset) + " of " + what;
}

// "d_x[12] (": the element at that many bytes from the begin of an allocation, with a parenthesis
// for the bytes.
static std::string element_at(const Allocation &a, long long offset)
{
    if (!a.name)
        return "";
    const std::string name = a.name;
    if (!a.element)
        return name + " (";
    if (a.pitch && offset >= 0)
        return "row " + std::to_string((u64)offset / a.pitch) + ", element " +
               std::to_string((u64)offset % a.pitch / a.element) + " of " + name + " (";
    const long long index =
        offset >= 0 ? offset / a.element : -((-offset + a.element - 1) / a.element);
    return name + "[" + std::to_string(index) + "] (";
}

static std::string describe_in_arena(u64 address, const Allocation &a, bool by_name = true)
{
    const u64 here = address - (u64)regions[kArena].begin;
    const std::string whole = "the " + std::to_string(a.size) + "-byte allocation made " +
                              (place_of(a.place).line ? "at " + place_name(a.place)
                                                      : std::string("in a library")),
                      element = by_name ? element_at(a, (long long)(here - a.offset)) : "";
    std::string text;
    if (here < a.offset)
        text = std::to_string(a.offset - here) + " bytes before the start of " + whole;
    else if (here >= a.offset + a.size)
        text = std::to_string(here - a.offset - a.size) + " bytes past the end of " + whole;
    else
        text = byte_of(here - a.offset, whole) + (a.freed ? ", which has been freed" : "") +
               (a.freed && place_of(a.freed_at).line ? " at " + place_name(a.freed_at) : "");
    return element + text + (element.empty() ? "" : ")");
}

// The allocation at an address, or the nearest one; NULL: none
static const Allocation *nearest_allocation(u64 address)
{
    const u64 here = address - (u64)regions[kArena].begin;
    const Allocation *before = allocation_around(address);
    const auto next = allocations.upper_bound(here);
    const Allocation *after = next != allocations.end() ? &next->second : nullptr;
    return !before || (after && here >= before->offset + before->size &&
                       after->offset - here < here - before->offset - before->size)
               ? after
               : before;
}

static std::string describe_variable(u64 address, const Region &r, const Symbol &s)
{
    const u64 begin = s.address + (&r == &regions[kStaticShared] ? (u64)r.begin : 0);
    const std::string name = std::string(r.name) + " variable " + demangled_name(s.name);
    if (address < begin)
        return std::to_string(begin - address) + " bytes before the start of " + name;
    if (address - begin >= s.size)
        return std::to_string(address - begin - s.size) + " bytes past the end of " + name;
    return byte_of(address - begin, name);
}

std::string describe(u64 address)
{
    Region *r = region_of(address);
    if (r == &regions[kWindows]) {
        Block *owner;
        const u64 own = from_window(address, &owner);
        return describe(own) + (owner ? " of block (" + std::to_string(owner->id.x) + "," +
                                            std::to_string(owner->id.y) + "," +
                                            std::to_string(owner->id.z) + ") of the cluster"
                                      : " of no block");
    }
    if (!r)
        return address < 4096 ? "a null pointer" : "host memory";
    if (r == &regions[kArena]) {
        const Allocation *a = nearest_allocation(address);
        return a ? describe_in_arena(address, *a) : "unallocated device memory";
    }
    if (r == &regions[kDynamicShared]) {
        u64 offset = address - (u64)r->begin;
        if (offset < launch_now.dynamic_shared)
            return byte_of(offset, "dynamic shared memory");
        return std::to_string(offset - launch_now.dynamic_shared) + " bytes past the end of the " +
               std::to_string(launch_now.dynamic_shared) + " bytes of dynamic shared memory";
    }
    const Symbol *s =
        r == &regions[kStaticShared] ? shared_symbol(address) : variable_near(*r, address);
    return s ? describe_variable(address, *r, *s)
             : "a place next to the variables in " + std::string(r->name) + " memory";
}

// The shared variable that this site has used, if only one; or NULL
static const Symbol *variable_of_site(u16 site)
{
    const Cell *cells = regions[kStaticShared].cells;
    const Symbol *only = nullptr;
    for (const Symbol &s : shared_symbols()) {
        bool used = false;
        for (u64 word = s.address / 4; word < (s.address + s.size) / 4 && !used; word++)
            for (const Stamp &stamp : {cells[word].write, cells[word].read})
                used |= stamp.site == site && stamp.interval >= launch_now.first_interval;
        if (used && only)
            return nullptr;
        only = used ? &s : only;
    }
    return only;
}

std::string describe_wrapped(u64 address)
{
    const Allocation *a = array_of_wrapped_index(address);
    return a ? describe_in_arena(address, *a) : "";
}

std::string describe_stray(u64 address, u16 site)
{
    const Region *r = region_of(address);
    const Allocation *a = r == &regions[kArena] ? array_of_site(site) : nullptr;
    if (r == &regions[kArena] && !a) {
        const Allocation *nearest = nearest_allocation(address);
        a = array_of_wrapped_index(address);
        // Which array was meant? One of several is told by a short distance only.
        if (!a && nearest && !is_only_array_given(nearest) && !is_near(address, *nearest))
            return describe_in_arena(address, *nearest, false);
    }
    if (r == &regions[kDynamicShared] && address - (u64)r->begin < launch_now.dynamic_shared)
        return byte_of(address - (u64)r->begin, "the " + std::to_string(launch_now.dynamic_shared) +
                                                    " bytes of dynamic shared memory");
    if (r != &regions[kStaticShared])
        return a ? describe_in_arena(address, *a) : describe(address);
    const Symbol *s = variable_of_site(site);
    return s ? describe_variable(address, *r, *s)
             : "a place outside the shared variables, " + describe(address);
}

std::string object_name(u64 address)
{
    Region *r = region_of(address);
    Block *owner;
    if (r == &regions[kWindows])
        return object_name(from_window(address, &owner));
    if (!r)
        return address < 4096 ? "null" : "host memory";
    if (r == &regions[kDynamicShared])
        return "dynamic shared memory";
    if (r == &regions[kArena]) {
        Allocation *a = allocation_around(address);
        if (!a)
            return "unallocated";
        return (a->name ? std::string(a->name) + ", " : "") + "allocation at " +
               place_name(a->place);
    }
    const Symbol *s =
        r == &regions[kStaticShared] ? shared_symbol(address) : variable_near(*r, address);
    return s ? demangled_name(s->name) : r->name;
}

u64 shared_variable_begin(u64 address)
{
    const Symbol *s =
        region_of(address) == &regions[kStaticShared] ? shared_symbol(address) : nullptr;
    return s ? (u64)regions[kStaticShared].begin + s->address : 0;
}

// Between the variables lies memory that nobody may touch (translate.c), where the symbol table
// tells them apart.
static void find_variables(int i)
{
    Region &r = regions[i];
    variables[i] = variables_between((u64)r.begin, (u64)r.begin + r.size);
    for (const Symbol &s : variables[i])
        mark(r, s.address - (u64)r.begin, s.size, kInitialised | kAddressable, 0);
    if (variables[i].empty())
        mark(r, 0, r.size, kInitialised | kAddressable, 0);
}

u8 *owners;

void note_owners()
{
    if (settings.device_count > 1 && !owners)
        owners = (u8 *)reserve(kDevicePart / 512, "the devices' memory");
}

// ---- fresh memory -------------------------------------------------------------------------------

static std::vector<std::pair<u64, u64>> fresh EMULATED_EARLY; // begin and end, as words
static bool made_fresh;

static void find_fresh()
{
    const u8 *meta = regions[kArena].meta;
    made_fresh = false;
    fresh.clear();
    for (const auto &entry : allocations) {
        const Allocation &a = entry.second;
        const u64 end = (a.offset + a.size) / 4;
        if (a.freed || a.kind != Allocation::device || settings.fast)
            continue;
        for (u64 word = a.offset / 4, first; word < end;) {
            while (word < end && meta[word] & kInitialised)
                word++;
            for (first = word; word < end && !(meta[word] & kInitialised);)
                word++;
            if (word > first)
                fresh.push_back({first, word});
        }
    }
}

static void make_fresh()
{
    made_fresh = true;
    Region &r = regions[kArena];
    for (const auto &part : fresh) {
        const u64 offset = part.first * 4, bytes = (part.second - part.first) * 4;
        memset(r.begin + offset, 0xff, bytes);
        mark(r, offset, bytes, 0, kInitialised);
    }
}

bool is_fresh_again(u64 address)
{
    const u64 word = (address - (u64)regions[kArena].begin) / 4;
    for (const auto &part : fresh)
        if (made_fresh && word >= part.first && word < part.second)
            return true;
    return false;
}

void memory_init()
{
    note_owners();
    first_device_variable[0] = first_constant[0] = first_managed_variable[0] = 0;
    char *arena = make_arena();
    make_region(kArena, arena, kArenaSize, kGlobal, "device", (u8 *)arena + kArenaSize);
    make_region(kStaticShared, nullptr, shared_image_size(), kShared, "shared");
    make_region(kDynamicShared, emulated_dynamic_shared, sizeof emulated_dynamic_shared, kShared,
                "dynamic shared");
    make_region(kDeviceVariables, __start_emulated_device,
                (u64)(__stop_emulated_device - __start_emulated_device), kGlobal, "device");
    make_region(kConstants, __start_emulated_constant,
                (u64)(__stop_emulated_constant - __start_emulated_constant), kConstant, "constant");
    make_region(kManagedVariables, __start_emulated_managed,
                (u64)(__stop_emulated_managed - __start_emulated_managed), kGlobal, "managed");
    device_variables = {~0ull, 0};
    for (int i : {kDeviceVariables, kConstants, kManagedVariables}) {
        const u64 begin = (u64)regions[i].begin;
        device_variables = {std::min(device_variables.begin, begin),
                            std::max(device_variables.end, begin + regions[i].size)};
        find_variables(i);
    }
    for (const Symbol &s : shared_symbols())
        if (!is_own(s))
            mark(regions[kStaticShared], s.address, s.size, kAddressable, 0);
    shared_memory_here();
}

} // namespace emulated

extern "C" void emulatedFindFresh(void) { emulated::find_fresh(); }

extern "C" void emulatedMakeFresh(void) { emulated::make_fresh(); }

extern "C" void *emulatedMemory(int i, size_t *bytes, int *is_hosts)
{
    using namespace emulated;
    for (const auto &entry : allocations) {
        const Allocation &a = entry.second;
        if (a.freed || a.kind == Allocation::heap || i-- > 0)
            continue;
        *bytes = a.size;
        *is_hosts = a.kind != Allocation::device;
        return regions[kArena].begin + a.offset;
    }
    return nullptr;
}
