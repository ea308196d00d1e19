// access.cpp: the checks of one request, the accesses that the lanes of a warp make together.
#include "lockstep.h"
#include "shape.h"
#include "times.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sys/mman.h>
#include <tuple>

#include "cuda_emulated.h"

namespace emulated
{

static const char *verb(u8 flags)
{
    return flags & kAtomic ? "updates" : flags & kWrite ? "writes" : "reads";
}

void report_alignment(Lane *lane, u64 address, u32 bytes, u8 flags, Pc pc)
{
    show_late_findings(); // this ends the kernel
    report({"misaligned", pc, lane, object_name(address),
            std::string(verb(flags)) + " " + std::to_string(bytes) + " bytes at " +
                describe(address) + ": the address is no multiple of " + std::to_string(bytes),
            0});
    kill_kernel(cudaErrorMisalignedAddress);
}

static const char kWrapped[] = ": an index that is negative, or overflows in 32 bits, leads there";
static const char kUnset[] = ": an index that comes of a local variable which nothing has set";

// How an index far beyond an array came about. g++ fills local variables with bytes of 0xfe.
static const char *reason_of_index(u64 past, const Allocation &a)
{
    const u32 index = a.element ? (u32)(past / a.element) : 0;
    return index - 0xfefefefeu + 4096 < 8192 ? kUnset : kWrapped;
}

// Values that are read and have not been written, until the end of the launch: if another thread
// writes them later, that is a race.
static std::map<std::tuple<u16, u64>, Finding> unwritten EMULATED_EARLY;

// 1 if such a value may be why the thread uses this place: as an index, or since a loop that looks
// for an end has not found it.
static bool may_be_of_unwritten(const Lane *lane, u16 site, u64 array)
{
    if (unwritten.count({site, array}))
        return true;
    for (const auto &entry : unwritten)
        if (thread_name(entry.second.who) == thread_name(lane))
            return true;
    return false;
}

// places that check_array_index() has reported
static std::set<std::string> indexed_too_far EMULATED_EARLY;

// Tells the arrays of global memory apart; 0: elsewhere
static u64 array_at(u64 address)
{
    const Allocation *a = allocation_around(address);
    return a ? a->offset : 0;
}

// A loop that leaves its array may do so for hours. A GPU ends the kernel when an access meets no
// memory at all; here the first ones tell what there is to tell.
const u64 kMostStrays = 1 << 20;

// The access is still made: behind an allocation lies a gap, and what is read there is no zero. So
// a program goes on as it often would on a GPU, and all its mistakes are found.
static void report_bounds(Lane *lane, u64 address, u32 bytes, u8 flags, Pc pc)
{
    if (++launch_now.strays == kMostStrays)
        kill_kernel(cudaErrorIllegalAddress);
    const Allocation *a = allocation_around(address);
    const char *kind = "out-of-bounds";
    const u64 key = array_at(address);
    const u64 past = a ? address - (u64)regions[kArena].begin - a->offset : 0;
    needs_one_core();
    note_reach(address, bytes, pc);
    if (!known(kind, pc, key) && !indexed_too_far.count(place_name(pc))) {
        Finding f = {kind,
                     pc,
                     lane,
                     object_name(address),
                     std::string(verb(flags)) + " " + std::to_string(bytes) + " bytes at " +
                         describe_stray(address, site_of(pc)) +
                         (past >> 31 && past > 2 * a->size ? reason_of_index(past, *a) : ""),
                     key,
                     false,
                     address};
        f.shown_late = true;
        f.of_unwritten = may_be_of_unwritten(lane, site_of(pc), key);
        report(f);
    }
}

// Says which launch has passed the pointer that leads to a host address; "": none.
static std::string passer_of(u64 address)
{
    for (const u64 value : words_of(launch_now.arguments, launch_now.arguments_size))
        if (value >= 4096 && value <= address && address - value < 1ull << 32 &&
            !region_of(value) && symbol_at(value) == symbol_at(address))
            return ", passed by the launch at " + place_name(launch_now.place);
    return "";
}

// 1 if it lies as many elements as 32 bits can count past a place right before shared memory.
static bool is_shared_and_wrapped(u64 address)
{
    for (u64 element = 1; element <= 16; element *= 2)
        for (const int i : {kStaticShared, kDynamicShared})
            if ((u64)regions[i].begin - (address - (element << 32)) - 1 < 4096)
                return true;
    return false;
}

bool is_mapped(u64 address)
{
    unsigned char resident;
    return mincore((void *)(address / page_size() * page_size()), 1, &resident) == 0;
}

static void report_address(Lane *lane, u64 address, u8 flags, Pc pc)
{
    const u64 begin = (u64)regions[kArena].begin;
    u64 block, size;
    const bool before = address < begin && begin - address < 1ull << 34 &&
                        !host_block_around(address, &block, &size);
    const std::string wrapped = before ? "" : describe_wrapped(address);
    const Symbol *const s = symbol_at(address);
    const bool of_runtime = s && belongs_to_runtime(*s);
    std::string what =
        is_shared_and_wrapped(address) ? "an address far past shared memory: an unsigned index "
                                         "of 32 bits that goes below 0 leads there"
        : !wrapped.empty()             ? wrapped + kWrapped
        : before                       ? "an address " + std::to_string((begin - address) >> 20) +
                       " MB before all device memory" + kWrapped
        : !is_mapped(address) || of_runtime
            ? "an address where no memory of the program is: a wrong index, or a pointer that "
              "nothing has set"
            : "a host address" + passer_of(address) +
                  "; a kernel can only use device memory (cudaMalloc, cudaMemcpy) or managed "
                  "memory (cudaMallocManaged)";
    std::string object = "host memory";
    show_late_findings(); // this ends the kernel
    // a pointer whose bytes are all ones, and an offset
    const bool of_unwritten = address + (1u << 31) < 1ull << 32 && !unwritten.empty();
    if (of_unwritten) {
        what = "through a pointer that nothing has written";
    } else if (address < 4096) {
        what = heap_is_full
                   ? "a null pointer: the heap for malloc() in kernels is full "
                     "(cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes))"
                   : "a null pointer (nothing has set it, an allocation has failed or was of 0 "
                     "bytes, or a list ends there)";
        object = "null";
    } else if (s && !of_runtime) {
        object = demangled_name(s->name);
        what = s->function ? "the code of " + object
                           : "the host variable " + object + passer_of(address) +
                                 "; a kernel can only use __device__ variables and device memory";
    }
    Finding f = {"invalid-address", pc, lane, object, std::string(verb(flags)) + " " + what, 0};
    f.of_unwritten = f.shown_late = of_unwritten;
    report(f);
    kill_kernel(cudaErrorIllegalAddress);
}

// Ends the kernel and returns false if the memory is another device's and there is no peer access.
bool check_owner(Lane *lane, u64 address, u8 flags, Pc pc)
{
    const int owner = owner_of(address), here = launch_now.device;
    if (owner < 0 || may_use_memory_of(here, owner))
        return true;
    const std::string there = std::to_string(owner), device = std::to_string(here);
    report({"invalid-address", pc, lane, object_name(address),
            std::string(verb(flags)) + " " + describe(address) + ": that is memory of device " +
                there + ", and the kernel runs on device " + device +
                ", which has no peer access to it (cudaSetDevice(" + device +
                "), then cudaDeviceEnablePeerAccess(" + there +
                ", 0)); or the kernel was meant for another device",
            0});
    kill_kernel(cudaErrorIllegalAddress);
    return false;
}

void end_program(const Finding &f)
{
    launch_now.kernel.clear();
    emulatedSilence(0); // nothing can ask later
    report(f);
    fflush(nullptr);
    exit(139);
}

void host_free(u64 address, Pc pc)
{
    if (region_of(address) != &regions[kArena])
        return;
    const Allocation *a = allocation_around(address);
    const char *how =
        a && a->kind == Allocation::pinned    ? "page-locked memory is freed with cudaFreeHost"
        : a && a->kind == Allocation::managed ? "managed memory is freed with cudaFree"
                                              : "device memory is freed with cudaFree";
    end_program({"bad-free", pc, nullptr, object_name(address),
                 "free() of " + describe(address) + ": " + how + ". A real run ends here", 0});
}

// On a GPU the host has another variable of that name, so the program goes on with a value that no
// kernel has written.
static void host_access_to_variable(u64 address, u8 flags, Pc pc)
{
    const Region *r = region_of(address);
    if (r != &regions[kDeviceVariables] && r != &regions[kConstants])
        return;
    launch_now.kernel.clear();
    report({"host-dereference", pc, nullptr, object_name(address),
            std::string("host code ") + verb(flags) + " " + describe(address) +
                ": the host has a variable of its own there, which no kernel sees. Use cudaMemcpy" +
                (flags & kWrite ? "ToSymbol" : "FromSymbol"),
            0});
}

// Page-locked and managed memory is the host's, too, as long as it is allocated.
static void check_host_bounds(u64 address, u64 bytes, u8 flags, Pc pc)
{
    const Region &r = regions[kArena];
    for (const u64 at : {address, address + bytes - 1}) {
        const u64 offset = at - (u64)r.begin;
        if (offset >= kArenaSize || r.meta[offset / 4] & 1 << (4 + offset % 4))
            continue;
        report({"host-dereference", pc, nullptr, object_name(at),
                std::string("host code ") + verb(flags) + " " + describe(at), 0});
        return;
    }
}

// Nor does it hold anything before somebody has written it.
static void check_host_value(u64 address, u64 bytes, Pc pc)
{
    const Region *r = region_of(address);
    const u8 state = r->meta[(address - (u64)r->begin) / 4];
    if (settings.fast || (state & kInitialised) || !(state & kAddressable))
        return;
    if (operations_wait() || !try_device_lock()) // what will write it may still be under way
        return;
    const u64 array = array_at(address);
    if (wholly_unknown(address, bytes) && !known("uninitialised-read", pc, array)) {
        launch_now.kernel.clear();
        Finding f = {"uninitialised-read",
                     pc,
                     nullptr,
                     object_name(address),
                     "host code reads " + describe(address) + ", which nothing has written yet",
                     array,
                     false,
                     address};
        f.cause = cause_of(f);
        report(f);
    }
    unlock_device();
}

void host_access_closely(u64 address, u64 bytes, u8 flags, Pc pc)
{
    if (!device_only(address)) {
        if (watched(address) && region_of(address)) {
            check_host_bounds(address, bytes, flags, pc);
            touch_by_host(address, bytes, flags, pc);
            if (flags & kRead)
                check_host_value(address, bytes, pc);
        }
        host_access_to_variable(address, flags, pc);
        if (unwritten_on_host.holds(address))
            host_uses_copy(address, bytes, flags, pc);
        return;
    }
    const char *instead =
        source_of(pc).find("thrust::") != std::string::npos
            ? "Thrust takes a pointer for the host's unless thrust::device is its "
              "first argument"
        : flags & kWrite ? "the host can only set it (cudaMemset) or copy to it "
                           "(cudaMemcpy)"
                         : "the host can only copy it (cudaMemcpy)";
    end_program({"host-dereference", pc, nullptr, object_name(address),
                 std::string("host code ") + verb(flags) + " " + describe(address) +
                     ", which is device memory: " + instead +
                     ". A real run ends here with a segmentation fault",
                 0});
}

// The array in `array[index]`, with its ] at this column of the source; "" if that is unknown, or
// if the program may mean the index: in array[i][j] a large j reaches other rows, as
// array[0][thread] does for a whole tile; &array[i] may lie behind the end.
static std::string indexed_array(const std::string &text, u32 column)
{
    size_t i = column - 1;
    if (column == 0 || text.empty())
        return "";
    // the translator has moved the text: a name is useless then
    if (i >= text.size() || text[i] != ']')
        return text.find("][") == std::string::npos ? "the array" : "";
    for (int depth = 0; i > 0; i--) {
        depth += text[i] == ']' ? 1 : text[i] == '[' ? -1 : 0;
        if (depth == 0)
            break;
    }
    const size_t end = i;
    auto part_of_name = [&](char c) {
        return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
    };
    while (i > 0 &&
           (part_of_name(text[i - 1]) || (i > 1 && text[i - 1] == '>' && text[i - 2] == '-')))
        i -= text[i - 1] == '>' ? 2 : 1;
    const bool address = i > 0 && text[i - 1] == '&' && !(i > 1 && text[i - 2] == '&');
    return address ? "" : text.substr(i, end - i);
}

// The compiler knows the length of an array, which is indexed with more.
void check_array_index(Lane *lane, const char *file, u32 line, u32 column, const char *type,
                       long long index, Pc pc)
{
    const u64 key = (u64)line << 16 | column;
    if (known("out-of-bounds", pc, key))
        return;
    const Place &place = place_of(pc);
    std::string name =
        indexed_array(source_line((u32)place.line == line ? place.path : file, line), column);
    if (name.empty())
        return;
    indexed_too_far.insert(place_name(pc));
    const std::string number = std::to_string(index),
                      what = name == "the array" ? "an array" : name,
                      used = name == "the array" ? "index " + number + " of " + what
                                                 : what + "[" + number + "]";
    // not constant
    const std::string length =
        strstr(type, "[*]") ? " has fewer elements" : std::string(" is ") + type;
    report({"out-of-bounds", pc, lane, what,
            std::string(lane ? "uses " : "host code uses ") + used +
                (name == "the array" ? " that" : ", but " + what) + length,
            key});
}

// Close to the static shared variables: running past one of them may lead out of their memory
// altogether.
static bool near_static_shared(u64 address)
{
    const Region &r = regions[kStaticShared];
    return address - ((u64)r.begin - 65536) < r.size + 2 * 65536 ||
           (address - (u64)r.begin < 1 << 20 && !symbol_at(address));
}

bool check_bounds(Lane *lane, u64 address, u32 bytes, u8 flags, Pc pc)
{
    Region *r = region_of(address);
    if (!r) {
        if (address - (u64)launch_now.arguments < launch_now.arguments_size)
            return true;
        if (readable_by_kernels(address, bytes)) {
            if (!in_executable_constants(address, bytes)) // host memory
                needs_one_core();
            return true;
        }
        if (near_static_shared(address)) {
            report({"out-of-bounds", pc, lane, "shared memory",
                    std::string(verb(flags)) + " " + std::to_string(bytes) +
                        " bytes outside the shared variables",
                    0});
            kill_kernel(cudaErrorIllegalAddress);
        } else
            report_address(lane, address, flags, pc);
        return false;
    }
    u64 offset = address - (u64)r->begin;
    if (r == &regions[kStaticShared])
        use_static_shared(address, address + bytes);
    if (r == &regions[kWindows] && settings.fast)
        check_windows(&lane, &address, 1, bytes, flags, pc);
    for (u64 i = 0; i < bytes; i += 4) {
        u8 part =
            bytes - i >= 4 ? (u8)kAddressable : (u8)(((1 << (bytes - i)) - 1) << (4 + offset % 4));
        if ((r->meta[(offset + i) / 4] & part) != part) {
            report_bounds(lane, address, bytes, flags, pc);
            if (r == &regions[kStaticShared] && (flags & kWrite) && is_of_runtime(address, bytes))
                // it would overwrite the device's own data
                kill_kernel(cudaErrorIllegalAddress);
            return false;
        }
    }
    if (address % bytes)
        report_alignment(lane, address, bytes, flags, pc);
    return address % bytes == 0;
}

// ---- races --------------------------------------------------------------------------------------

// Reports that wait for the end of the launch: a plain load next to an atomic is no race when it
// only feeds a compare-and-swap, which is known later.
static std::map<std::tuple<u16, u16>, Finding> held_back EMULATED_EARLY;
static std::set<std::tuple<u16, u64>> racing EMULATED_EARLY; // places, and the arrays there
static bool
    neighbours_now; // the request that is checked is of several lanes, for consecutive elements

static std::string other_thread(const Stamp &s, Lane *lane, bool *same_warp, bool *same_block)
{
    const Interval &i = interval(s.interval);
    Block &block = *lane->warp->block;
    *same_block = i.block == block.linear;
    *same_warp = *same_block && i.warp == lane->warp->index;
    u32 t = i.warp * kWarp + (s.who & kLaneBits);
    if (i.warp * kWarp >= block.lanes.size())
        return "a bulk copy";
    const uint3 &d = launch_now.block, &g = launch_now.grid;
    char text[120];
    if (*same_block)
        snprintf(text, sizeof text, "thread (%u,%u,%u)", t % d.x, t / d.x % d.y, t / d.x / d.y);
    else
        snprintf(text, sizeof text, "thread (%u,%u,%u) of block (%u,%u,%u)", t % d.x, t / d.x % d.y,
                 t / d.x / d.y, i.block % g.x, i.block / g.x % g.y, i.block / g.x / g.y);
    return text;
}

static u64 number_in_grid(const Stamp &s)
{
    const Interval &i = interval(s.interval);
    const uint3 &d = launch_now.block;
    return (u64)i.block * d.x * d.y * d.z + i.warp * kWarp + (s.who & kLaneBits);
}

static const char kBothWrite[] = "both write it at this line, and only one of the values remains";

static const char kNotWaitedFor[] =
    "the asynchronous copy to there has been started, but not waited for";
static const char kWait[] = "cg::wait(), __pipeline_commit() and __pipeline_wait_prior(), or a "
                            "barrier's wait()";

// What is missing between two accesses, and what would order them.
struct Order {
    const char *missing, *remedy;
};

// Between an access with these flags and an earlier one.
static Order missing_order(u8 flags, const Stamp &earlier, bool earlier_wrote, bool same_warp,
                           bool same_block, bool shared, bool one_line)
{
    const bool strong = flags & kStrong, was_strong = earlier.who & kStrongBit;
    const Order no_barrier = {"no __syncthreads() between them", "__syncthreads() between them"},
                nothing = {"nothing orders the two",
                           launch_now.cooperative
                               ? "grid.sync(), or two launches"
                               : "two launches, or __syncthreads(), __threadfence() and an atomic "
                                 "on both sides"};

    if (earlier_wrote && (flags & kWrite) && one_line && !strong && !was_strong)
        return {kBothWrite, ""};
    const bool read_beside_atomic = earlier_wrote ? was_strong && !(flags & (kWrite | kStrong)) &&
                                                        (site(earlier.site).flags & kAtomic)
                                                  : (flags & kAtomic) && !was_strong;
    if (read_beside_atomic && same_block)
        return {no_barrier.missing, "the value that the atomic returns, or __syncthreads()"};
    if (read_beside_atomic)
        return {"a plain read beside an atomic may miss it, or see the same as another thread",
                "the value that the atomic returns, or a later launch, when all have added"};
    if (was_strong ? !strong : (flags & kVolatile) && (flags & kWrite) && !earlier_wrote)
        return {same_block ? "no __syncthreads() between them, and an atomic or volatile access "
                             "protects nothing against a plain one"
                           : "an atomic or volatile access protects nothing against a plain one",
                same_block ? no_barrier.remedy : nothing.remedy};
    if ((flags & kAtomic) && !was_strong && !same_block && earlier_wrote) {
        if (flags & kCompare)
            return {"nothing orders a plain store and another block's atomic",
                    "an atomicExch(), where it frees a lock"};
        return {"a plain store among atomics: it may undo what they have added",
                "an atomic, or a launch of its own"};
    }
    if (earlier_wrote && (flags & kWrite) && !strong && !same_block)
        return {"nothing orders the two, and only one of the values remains", nothing.remedy};
    if (same_block && !shared && launch_now.polls > 0)
        return {"no __syncthreads() between them, nor __threadfence() and an atomic",
                no_barrier.remedy};
    if (same_warp)
        return {"no __syncwarp() or __syncthreads() between them", no_barrier.remedy};
    if (same_block)
        return no_barrier;
    return shared ? Order{"no cluster.sync() between them", "cluster.sync() between them"}
                  : nothing;
}

// A read and a write of one word that two threads have both made, in two steps: others can come in
// between.
static std::set<std::pair<u16, u16>> read_then_written EMULATED_EARLY;

// Two threads write a word at this site: where have they read it?
static void note_both_write(const Lane *lane, u64 address, u16 writer, u16 earlier)
{
    if (writer != earlier && place_name(site(writer).pc) != place_name(site(earlier).pc))
        return;
    for (int i = 0; i < 4; i++)
        if ((lane->reads_noted >> i & 1) && lane->reads[i].address == address)
            read_then_written.insert({lane->reads[i].site, writer});
    const Trace *t = lane->trace; // what is not noted yet
    for (int r = 0; t && r < lane->rows && t->row[r].pc != site(writer).pc; r += t->row[r].width)
        if (t->row[r].flags == kRead && t->address[r][lane->slot] == address)
            read_then_written.insert({site_of(t->row[r].pc), writer});
}

static std::string line_of_site(u16 id) { return place_name(site(id).pc); }

bool settle_order(Finding *f)
{
    if (f->reader == f->writer)
        return false;
    const std::string reader = line_of_site(f->reader), writer = line_of_site(f->writer);
    for (const auto &sites : read_then_written) { // a loop's line may have several
        if (line_of_site(sites.first) != reader || line_of_site(sites.second) != writer)
            continue;
        const std::string atomic =
            reader == writer ? "an atomic" : "one atomic for " + reader + " and " + writer;
        f->remedy = atomic +
                    (f->between_blocks ? ", or two launches" : ", or __syncthreads() between them");
        return true;
    }
    return false;
}

// Races that were found within a block only, so far: lines in which other blocks race, too, need
// more than a barrier.
static std::set<std::pair<Pc, u64>> within_block EMULATED_EARLY;

static bool is_between_blocks(const Stamp &earlier, const Lane *lane)
{
    return interval(earlier.interval).block != lane->warp->block->linear;
}

static bool is_known_race(Pc pc, u64 key, const Stamp &earlier, const Lane *lane)
{
    return known("race", pc, key) &&
           !(is_between_blocks(earlier, lane) && within_block.count({pc, key}));
}

static void race(Lane *lane, u64 address, u8 flags, u16 here, const Stamp &earlier,
                 bool earlier_wrote)
{
    needs_one_core();
    const bool plain_read_and_atomic = earlier_wrote
                                           ? !(flags & kWrite) && (earlier.who & kStrongBit)
                                           : (flags & kStrong) && !(earlier.who & kStrongBit);
    const u8 atomic_flags = earlier_wrote ? site(earlier.site).flags : flags;
    if (plain_read_and_atomic && (atomic_flags & kCompare) && region_of(address)->space == kGlobal)
        // a thread that looks before it claims a place (compare-and-swap, minimum) can only see one
        // of the two values
        return;
    Pc pc = site(here).pc, other = site(earlier.site).pc;
    u64 key = (u64)other - code_base();
    racing.insert({here, array_at(address)});
    racing.insert({earlier.site, array_at(address)});
    const u16 reader = earlier_wrote ? here : earlier.site,
              writer = earlier_wrote ? earlier.site : here;
    const auto pair = std::make_tuple(reader, writer);
    if (is_known_race(pc, key, earlier, lane) || (plain_read_and_atomic && held_back.count(pair)))
        return;
    bool same_warp, same_block;
    std::string who = other_thread(earlier, lane, &same_warp, &same_block);
    u64 number = number_in_grid(earlier);
    const u8 several = earlier.who & kSeveral;
    if (!earlier_wrote && several && ordered(earlier, lane, region_of(address)->space == kShared)) {
        // The recorded reader is innocent, most often this thread itself: the others are not
        // recorded.
        number = ~0ull;
        same_warp = several == kSeveralLanes, same_block = several != kSeveral;
        who = same_warp    ? "another thread of its warp"
              : same_block ? "another warp of its block"
                           : "another block";
    }
    Order order =
        missing_order(flags, earlier, earlier_wrote, same_warp, same_block,
                      region_of(address)->space == kShared, place_name(pc) == place_name(other));
    if (only_acquire_is_missing(earlier, lane))
        order = {"that thread has made its fence, and this one has seen so, but makes no "
                 "__threadfence() of its own before it goes on: it may still see an older value",
                 "__threadfence() on both sides"};
    if (earlier_wrote && copy_on_its_way(lane, address))
        order = {kNotWaitedFor, kWait};
    if (!earlier_wrote && arriving)
        order = {"the copy had been started and not been waited for, or no __syncthreads() "
                 "stands before its start",
                 "a wait for the copy, and __syncthreads() before the next one starts"};
    if (const Pc *load = earlier_wrote ? load_on_its_way(lane, address) : nullptr) {
        report({"race", pc, lane, object_name(address),
                std::string(verb(flags)) + " " + describe(address) +
                    ", while the bulk copy to there is still on its way that was started at " +
                    place_name(*load) +
                    ": nothing has waited for the phase of its mbarrier (or for the other parity)",
                key});
        return;
    }
    Finding f = {"race",
                 pc,
                 lane,
                 object_name(address),
                 std::string(verb(flags)) + " " + describe(address) + ", which " + who +
                     (earlier_wrote ? " wrote" : " read") + " at " + place_name(other) + ": " +
                     order.missing,
                 key,
                 false,
                 address};
    f.neighbours = neighbours_now;
    f.other = number;
    f.shown_late = true;
    f.writes = flags & kWrite;
    f.other_writes = earlier_wrote;
    f.remedy = order.remedy;
    f.both_write = order.missing == kBothWrite;
    f.between_blocks = !same_block;
    if (earlier_wrote != !!(flags & kWrite) && !(flags & kStrong) && !(earlier.who & kStrongBit)) {
        f.reader = reader;
        f.writer = writer;
    }
    if (plain_read_and_atomic)
        held_back.emplace(pair, f);
    else if (within_block.erase({pc, key}))
        replace_late(f);
    else {
        report(f);
        if (same_block)
            within_block.insert({pc, key});
    }
}

void finish_races()
{
    for (auto &entry : held_back)
        if (!site(std::get<0>(entry.first)).compare_seed)
            report(entry.second);
    for (auto &entry : unwritten)
        if (!racing.count(entry.first))
            report(entry.second);
    show_late_findings();
    held_back.clear();
    unwritten.clear();
    racing.clear();
    within_block.clear();
    read_then_written.clear();
}

// Two writes of the same value do no harm. The value is only known when the store has been made, so
// the lane looks before and after.
struct Watch {
    u64 address;
    u32 bytes;
    u8 flags, before[16];
    u16 site;
    Stamp earlier;
    bool earlier_wrote;
};
static std::map<Lane *, Watch> watches EMULATED_EARLY;

static void watch(Lane *lane, u64 address, u32 bytes, u8 flags, u16 here, const Stamp &earlier,
                  bool earlier_wrote)
{
    if (is_known_race(site(here).pc, (u64)site(earlier.site).pc - code_base(), earlier, lane))
        return;
    watches[lane] = {address, bytes, flags, {}, here, earlier, earlier_wrote};
    lane->watching = true;
}

void begin_watch(Lane *lane)
{
    Watch &w = watches[lane];
    memcpy(w.before, (void *)w.address, w.bytes);
}

void end_watch(Lane *lane, const void *before)
{
    Watch w = watches[lane];
    watches.erase(lane);
    lane->watching = false;
    if (memcmp(before ? before : w.before, (void *)w.address, w.bytes) != 0)
        race(lane, w.address, w.flags, w.site, w.earlier, w.earlier_wrote);
    else if (w.earlier_wrote) {
        Finding f = {"race", site(w.site).pc, lane, "", "", 0, false, w.address};
        f.key = (u64)site(w.earlier.site).pc - code_base();
        f.neighbours = neighbours_now;
        f.other = number_in_grid(w.earlier);
        f.writes = f.other_writes = true;
        note_same_value(f);
    }
}

// ---- one word, or one byte ----------------------------------------------------------------------

struct Request {
    Region *region;
    u16 site;
    u8 flags;
    u32 bytes;
    bool shared;
    u32 interval;
    u32 first;  // older ones cannot matter
    u32 before; // an interval that a block barrier divides from this one, 0: none known
};

// Of shared memory a block has only seen itself, and what lies before its last barrier is past.
static inline u32 first_of_interest(const Warp &warp, bool shared)
{
    return shared ? std::max(launch_now.first_interval, warp.block->since)
                  : launch_now.first_interval;
}

static inline bool is_before_barrier(const Stamp &s, const Lane *lane)
{
    const Interval &i = interval(s.interval);
    return i.block == lane->warp->block->linear && i.epoch != lane->warp->block->epoch;
}

static inline bool same_thread(const Stamp &s, const Request &q, const Lane *lane)
{
    return s.interval == q.interval && (s.who & kLaneBits) == lane->index;
}

[[gnu::noinline]] static void check_cell_closely(Lane *lane, const Request &q, Cell &c, u8 part,
                                                 u64 address)
{
    const u32 first = launch_now.first_interval;
    // Other blocks use this memory; in a cluster, since its last barrier
    const bool others = !q.shared || launch_now.cluster_blocks > 1;
    const u32 recent = q.shared ? std::max(first, lane->warp->block->together) : first;
    const bool strong = q.flags & kStrong;
    // An atomic after one's own plain store does not order that store before the others' atomics.
    const bool after_plain =
        c.write.interval >= first && same_thread(c.write, q, lane) && !(c.write.who & kStrongBit);
    const u8 me = (u8)(lane->index | (strong && !after_plain ? kStrongBit : 0));

    if (c.write.interval >= first && (c.write.bytes & part) && !same_thread(c.write, q, lane) &&
        !(strong && (c.write.who & kStrongBit)) && !ordered(c.write, lane, q.shared) &&
        // the Programming Guide's last block: a volatile read finds what was stored before a fence
        !((q.flags & kVolatile) && only_acquire_is_missing(c.write, lane))) {
        if ((q.flags & kWrite) && !strong)
            note_both_write(lane, address, q.site, c.write.site);
        if ((q.flags & kWrite) && !(q.flags & kAtomic))
            watch(lane, address, q.bytes, q.flags, q.site, c.write, true);
        else
            race(lane, address, q.flags, q.site, c.write, true);
    }
    if (q.flags & kWrite) {
        if (c.read.interval >= first && (c.read.bytes & part) &&
            !(strong && (c.read.who & kStrongBit))) {
            u8 several = c.read.who & kSeveral;
            bool unordered = !same_thread(c.read, q, lane) && !ordered(c.read, lane, q.shared);
            if (!unordered && several && !lane->order) {
                // The last reader is this thread or ordered before it, but there were others.
                const Interval &i = interval(c.read.interval);
                bool same_block = i.block == lane->warp->block->linear,
                     same_epoch = i.epoch == lane->warp->block->epoch;
                if (several == kSeveral)
                    unordered = others && c.read.interval >= recent;
                else if (several == kSeveralWarps)
                    unordered = same_block && same_epoch;
                else
                    unordered = same_block && same_epoch && i.warp == lane->warp->index &&
                                i.warp_epoch == lane->warp->epoch;
            }
            if (unordered) {
                if (q.flags & kAtomic)
                    race(lane, address, q.flags, q.site, c.read, false);
                else if (!lane->watching)
                    watch(lane, address, q.bytes, q.flags, q.site, c.read, false);
            }
        }
        c.write = {q.interval, after_plain ? c.write.site : q.site, me, part};
    } else {
        // One reader is kept, and how widely the word has been read since.
        u8 who = me, old = c.read.who;
        if (c.read.interval == q.interval) {
            if ((old & kLaneBits) != lane->index && !(old & kSeveral))
                who |= kSeveralLanes;
            who |= old & kSeveral;
            if (!(old & kStrongBit))
                who &= (u8)~kStrongBit;
        } else if (c.read.interval >= recent) {
            const Interval &i = interval(c.read.interval);
            if (i.block != lane->warp->block->linear) {
                if (others)
                    who |= kSeveral;
            } else if ((old & kSeveral) == kSeveral)
                who |= kSeveral;
            else if (i.epoch == lane->warp->block->epoch && i.warp != lane->warp->index)
                who |= kSeveralWarps;
            else if (i.epoch == lane->warp->block->epoch)
                who |= old & kSeveralWarps;
            if (!(old & kStrongBit) && i.block == lane->warp->block->linear &&
                i.epoch == lane->warp->block->epoch)
                who &= (u8)~kStrongBit;
        }
        if ((me & ~who) & kStrongBit) { // a plain reader since the last barrier: it is to be named
            c.read.who |= who & kSeveral;
            c.read.bytes |= part;
        } else
            c.read = {q.interval, q.site, who, part};
    }
}

// Nobody else has touched it in this launch, or only this thread's own block before its last
// barrier: the usual case, decided here. Returns false if a full check is needed.
static inline bool check_cell_quickly(Lane *lane, const Request &q, Cell &c, u8 part)
{
    const Stamp me = {q.interval, q.site, lane->index, part};
    if (__builtin_expect(
            c.write.interval < q.first && c.read.interval < q.first && !(q.flags & kStrong), 1)) {
        (q.flags & kWrite ? c.write : c.read) = me;
        return true;
    }
    const bool write_is_old =
        c.write.interval < q.first || c.write.interval == q.before || same_thread(c.write, q, lane);
    if (write_is_old && c.read.interval == q.interval && !(c.read.who & kStrongBit) &&
        q.flags == kRead && ((c.read.who & kSeveral) || (c.read.who & kLaneBits) != lane->index)) {
        if (!(c.read.who & kSeveral)) // lanes of one warp read the same word
            c.read.who |= kSeveralLanes;
        c.read.bytes |= part;
        return true;
    }
    const bool read_is_old = c.read.interval < q.first ||
                             (c.read.interval == q.before && (c.read.who & kSeveral) != kSeveral) ||
                             (same_thread(c.read, q, lane) && !(c.read.who & kSeveral));
    if (write_is_old && read_is_old && !(q.flags & kStrong)) {
        (q.flags & kWrite ? c.write : c.read) = me;
        return true;
    }
    if (write_is_old && q.shared && launch_now.cluster_blocks == 1 && q.flags == kRead &&
        !(c.read.who & kStrongBit) && c.read.interval != q.interval) {
        // Another warp has read it since the barrier, or this one before its own.
        const bool other_warp = interval(c.read.interval).warp != lane->warp->index;
        const u8 several = other_warp ? (u8)kSeveralWarps : (u8)(c.read.who & kSeveralWarps);
        c.read = {me.interval, me.site, (u8)(lane->index | several), part};
        return true;
    }
    return false;
}

static inline void check_cell(Lane *lane, Request &q, Cell &c, u8 part, u64 address)
{
    if (check_cell_quickly(lane, q, c, part))
        return;
    if (c.write.interval >= q.first && c.write.interval != q.before &&
        is_before_barrier(c.write, lane))
        q.before = c.write.interval; // remembered: the next lanes will ask again
    check_cell_closely(lane, q, c, part, address);
}

void stamp_by_device(u64 address, u32 bytes, u32 interval, Pc pc)
{
    Region *r = region_of(address);
    const u16 id = site_of(pc);
    for (u64 word = (address - (u64)r->begin) / 4, end = word + bytes / 4; word < end; word++)
        r->cells[word] = {{interval, id, 0, kInitialised}, {}};
}

// A byte that has a value is not marked again: if a launch runs on several cores, each written page
// must be copied.
static inline void initialise(u8 &meta, u8 bytes)
{
    if ((meta & bytes) != bytes)
        meta |= bytes;
}
static inline void initialise(u8 *meta, int words)
{
    u8 all = kInitialised;
    for (int i = 0; i < words; i++)
        all &= meta[i];
    for (int i = 0; i < words && all != kInitialised; i++)
        meta[i] |= kInitialised;
}

// Different threads use the bytes of a word: from now on, until the launch has ended, each byte has
// a cell.
static void split_word(const Request &q, u64 word)
{
    Cell &c = q.region->cells[word], *bytes = q.region->byte_cells + 4 * word;
    for (int i = 0; i < 4; i++) {
        bytes[i].write = c.write.bytes >> i & 1 ? c.write : Stamp();
        bytes[i].read = c.read.bytes >> i & 1 ? c.read : Stamp();
    }
    c.write.interval = kSplit;
    q.region->any_split = true;
}

[[gnu::noinline]] static void check_bytes(Lane *lane, Request &q, u64 word, u8 part, u64 address)
{
    open_row(*q.region, word);
    Cell &c = q.region->cells[word], *bytes = q.region->byte_cells + 4 * word;
    if (c.write.interval == kSplit && c.read.interval < launch_now.first_interval)
        c = Cell(); // by an earlier launch
    const u32 first = launch_now.first_interval;
    if (c.write.interval != kSplit) {
        const bool whole = (c.write.interval < first || c.write.bytes == part) &&
                           (c.read.interval < first || c.read.bytes == part);
        if (whole || part == kInitialised) {
            check_cell(lane, q, c, part, address);
            return;
        }
        split_word(q, word);
    }
    c.read.interval = q.interval;
    for (int i = 0; i < 4; i++)
        if (part >> i & 1)
            check_cell(lane, q, bytes[i], (u8)(1 << i), address);
}

static inline void check_word(Lane *lane, Request &q, u64 word, u64 address)
{
    open_row(*q.region, word);
    Cell &c = q.region->cells[word];
    if (q.flags & kWrite)
        initialise(q.region->meta[word], kInitialised);
    if (__builtin_expect(c.write.interval == kSplit, 0))
        check_bytes(lane, q, word, kInitialised, address);
    else
        check_cell(lane, q, c, kInitialised, address);
}

// ---- a whole request ----------------------------------------------------------------------------

// Who has written the element before this one, which may have been meant to go on.
static std::string writer_before(const Allocation *a, u64 address)
{
    const u64 begin = a ? (u64)regions[kArena].begin + a->offset : 0;
    if (!a || a->element < 4 || address < begin + a->element || wholly_unknown(address - 1, 1))
        return "";
    const u16 writer = last_writer(address - a->element);
    return writer ? " (" + place_name(site(writer).pc) + " has written the element before it)" : "";
}

static void report_uninitialised(Lane *lane, const Request &q, u64 address)
{
    needs_one_core();
    Pc pc = site(q.site).pc;
    const Allocation *a = allocation_around(address);
    const u64 key = array_at(address);
    auto place = std::make_tuple(q.site, key);
    if (unwritten.count(place) || known("uninitialised-read", pc, key))
        return;
    const Allocation *other = a ? array_of_site(q.site) : nullptr;
    const std::string foreign = foreign_kernel_at(address);
    Finding f = {"uninitialised-read",
                 pc,
                 lane,
                 object_name(address),
                 std::string(verb(q.flags)) + " " + describe(address) +
                     (copy_on_its_way(lane, address) ? std::string(": ") + kNotWaitedFor + " (" +
                                                           kWait + "), or it was started too early"
                      : is_fresh_again(address)
                          ? ", which nothing has written in this run: each begins with fresh memory"
                      : !foreign.empty()
                          ? ", which kernel " + foreign +
                                " declares: shared memory ends with the block that has written it"
                      : q.shared && launch_now.cluster_blocks == 1
                          ? ", which no thread of the block has written yet"
                      : q.flags & kAtomic
                          ? ", which nothing has written yet: a sum or a counter begins at 0, by "
                            "cudaMemset()"
                          : ", which nothing has written yet" + writer_before(a, address)) +
                     (other && other != a && other->name
                          ? std::string(" (this line otherwise uses ") + other->name + ")"
                          : ""),
                 key,
                 false,
                 address};
    f.shown_late = true;
    f.cause = cause_of(f); // what is unwritten now, the kernel may write before it ends
    unwritten.emplace(place, f);
}

static bool partly_initialised(const Region &r, u64 offset, u64 bytes)
{
    for (u64 i = offset, next; i < offset + bytes; i = next) {
        next = std::min(i / 4 * 4 + 4, offset + bytes);
        if (r.meta[i / 4] & ((1 << (next - i)) - 1) << i % 4)
            return true;
    }
    return false;
}

bool wholly_unknown(u64 address, u64 bytes)
{
    const Region *r = region_of(address);
    if (!r || partly_initialised(*r, address - (u64)r->begin, bytes))
        return false;
    learn_host_writes(address, bytes);
    return !partly_initialised(*r, address - (u64)r->begin, bytes);
}

// The state of the words of one access
static inline u8 known_of(const u8 *meta, u64 words)
{
    u8 known = meta[0];
    for (u64 i = 1; i < words; i++)
        known &= meta[i];
    return known;
}

// A plain read may want a part only, such as one member of a structure: it lacks a value if no byte
// has one. An atomic computes with all of them.
static inline bool lacks_value(const Request &q, u64 address)
{
    if (!(q.flags & kAtomic))
        return wholly_unknown(address, q.bytes);
    const u8 *meta = q.region->meta + (address - (u64)q.region->begin) / 4;
    const u64 words = q.bytes / 4;
    if ((known_of(meta, words) & kInitialised) == kInitialised)
        return false;
    learn_host_writes(address, q.bytes);
    return (known_of(meta, words) & kInitialised) != kInitialised;
}

static inline void check_lane(Lane *lane, Request &q, u64 address)
{
    u64 offset = address - (u64)q.region->begin, word = offset / 4;
    const bool needs_value = (q.flags & (kRead | kPart)) == kRead;
    if (q.bytes >= 4) {
        if (__builtin_expect(needs_value && lacks_value(q, address), 0))
            report_uninitialised(lane, q, address);
        for (u32 i = 0; i < q.bytes / 4; i++)
            check_word(lane, q, word + i, address + 4 * i);
        return;
    }
    u8 part = (u8)(((1 << q.bytes) - 1) << offset % 4);
    if (needs_value && !(q.region->meta[word] & part) && wholly_unknown(address, q.bytes))
        report_uninitialised(lane, q, address);
    if (q.flags & kWrite)
        initialise(q.region->meta[word], part);
    check_bytes(lane, q, word, part, address);
}

static inline void note_read(Lane *lane, u64 address, u16 id, bool global)
{
    lane->reads[lane->next_read++ & 3] = {address, id};
    lane->reads_noted |= 1 << ((lane->next_read - 1) & 3);
    if (global)
        lane->last_read = address;
}

void note_reads(Lane **lanes, const u64 *addresses, int count, Pc pc)
{
    const u16 id = site_of(pc);
    for (int i = 0; i < count; i++) {
        const Region *r = region_of(addresses[i]);
        if (r && r->space != kConstant)
            note_read(lanes[i], addresses[i], id, r->space == kGlobal);
    }
}

// The plain loads of this word that the lane has made shortly before its compare-and-swap feed
// that.
static void note_compare(const Lane *lane, u64 address)
{
    for (int i = 0; i < 4; i++)
        if ((lane->reads_noted >> i & 1) && lane->reads[i].address == address)
            site(lane->reads[i].site).compare_seed = true;
}

// Lanes that read the same word one after another: the first decides, unless a full check is
// needed.
static inline void check_same_word(Lane **lanes, Request &q, const u64 *addresses,
                                   const Shape &shape, int k, u64 part)
{
    const int i = shape.first[k];
    const u64 word = (addresses[i] - (u64)q.region->begin) / 4 + part;
    open_row(*q.region, word);
    Cell &c = q.region->cells[word];
    if (c.write.interval != kSplit &&
        (c.write.interval < q.first || c.write.interval == q.before) &&
        check_cell_quickly(lanes[i], q, c, kInitialised)) {
        if ((shape.several >> k & 1) && !(c.read.who & kSeveral))
            c.read.who |= kSeveralLanes;
        return;
    }
    for (int j = i; j < shape.count; j++)
        if (addresses[j] == addresses[i])
            check_word(lanes[j], q, word, addresses[i] + 4 * part);
}

// A whole warp uses a whole row of words, each lane its own, that nobody else has used in this
// launch. Returns false, and has changed nothing, if it is not so.
static bool check_row(const Request &q, u64 first, int count)
{
    if (count != (int)kRow || q.bytes != 4 || !may_be_row(*q.region, first))
        return false;
    Row32 &row = q.region->rows[first / kRow];
    const u32 write = row.write.interval, read = row.read.interval;
    if (row.opened == q.first || (write >= q.first && write != q.interval) ||
        (read >= q.first && read != q.interval))
        return false;
    if (q.flags & kWrite)
        initialise(q.region->meta + first, (int)kRow);
    (q.flags & kWrite ? row.write : row.read) = {q.interval, q.site, 0, kInitialised};
    return true;
}

// Words side by side that nobody has used in this launch, some for each lane. Returns false, and
// has changed nothing, if somebody has.
static bool check_unused_row(Lane **lanes, const Request &q, u64 first, int count)
{
    const u64 each = q.bytes / 4, words = (u64)count * each;
    for (u64 word = first; word < first + words; word += kRow)
        open_row(*q.region, word);
    open_row(*q.region, first + words - 1);
    Cell *cells = q.region->cells + first;
    u32 last = 0;
    for (u64 i = 0; i < words; i++)
        last = std::max(last, std::max(cells[i].write.interval, cells[i].read.interval));
    if (last >= q.first)
        return false;
    if (q.flags & kWrite)
        initialise(q.region->meta + first, (int)words);
    for (int i = 0; i < count; i++)
        for (u64 k = 0; k < each; k++) {
            Cell &c = *cells++;
            (q.flags & kWrite ? c.write : c.read) = {q.interval, q.site, lanes[i]->index,
                                                     kInitialised};
        }
    return true;
}

// The usual request: plain, of one to four whole words, within one region of global or shared
// memory, no word unknown. Returns false if it is another, and has changed nothing then.
static bool check_plain_words(Lane **lanes, const u64 *addresses, int count, u8 flags, Site &s,
                              u16 id, const Shape &shape, bool notes)
{
    Region *r = region_of(addresses[0]);
    if (!r || r->space == kConstant || (s.bytes != 4 && s.bytes != 8 && s.bytes != 16) ||
        (flags != kRead && flags != kWrite))
        return false;
    const u8 needed = flags == kRead ? 0xff : (u8)kAddressable;
    const u64 begin = (u64)r->begin, size = r->size, each = s.bytes / 4;
    const bool by_words = shape.seen && flags == kRead && shape.words < count;
    const int different = by_words ? shape.words : count;
    u8 known = 0xff;
    if (shape.pattern == kNeighbours) {
        const u64 offset = addresses[0] - begin;
        if (offset % s.bytes || offset + s.bytes * (u64)count > size)
            return false;
        known = known_of(r->meta + offset / 4, (u64)count * each);
    } else
        for (int i = 0; i < different; i++) {
            const u64 offset = addresses[by_words ? shape.first[i] : i] - begin;
            if (offset >= size || offset % s.bytes || size - offset < s.bytes)
                return false;
            known &= known_of(r->meta + offset / 4, each);
        }
    if ((known & needed) != needed)
        return false;
    const bool shared = r->space == kShared;
    const Warp &warp = *lanes[0]->warp;
    neighbours_now = count > 1 && shape.pattern == kNeighbours;
    Request q = {r,
                 id,
                 flags,
                 s.bytes,
                 shared,
                 current_interval(*lanes[0]->warp),
                 first_of_interest(warp, shared),
                 0};
    if (__builtin_expect(r->written_bits != nullptr, 0)) {
        const u64 first = (addresses[0] - begin) / 4;
        if (shape.pattern == kNeighbours)
            note_words(*r, first, (u64)count * each, flags);
        else
            for (int i = 0; i < different; i++)
                note_word(*r, (addresses[by_words ? shape.first[i] : i] - begin) / 4, (u32)each,
                          flags);
    }
    if (by_words)
        for (int k = 0; k < shape.words; k++)
            for (u64 part = 0; part < each; part++)
                check_same_word(lanes, q, addresses, shape, k, part);
    else if (shape.pattern != kNeighbours ||
             !(check_row(q, (addresses[0] - begin) / 4, count) ||
               check_unused_row(lanes, q, (addresses[0] - begin) / 4, count)))
        for (int i = 0; i < count; i++)
            for (u64 part = 0; part < each; part++)
                check_word(lanes[i], q, (addresses[i] - begin) / 4 + part, addresses[i] + 4 * part);
    if (flags == kRead && notes)
        for (int i = 0; i < count; i++)
            note_read(lanes[i], addresses[i], id, !q.shared);
    s.space = r->space;
    return true;
}

// `good`: those of the addresses that a GPU would access
static void count_checked(Lane **lanes, const u64 *addresses, int count, u16 id, Site &s,
                          const u64 *good, int n, Pattern pattern, Shape *shape)
{
    if (launch_now.cluster_blocks == 1 &&
        good[0] - (u64)regions[kStaticShared].begin < regions[kStaticShared].size) {
        u64 low = good[shape ? shape->low : 0], high = good[shape ? shape->high : 0];
        for (int i = 1; i < n && !shape; i++) {
            low = std::min(low, good[i]);
            high = std::max(high, good[i]);
        }
        use_static_shared(low, high + s.bytes);
    }
    const u64 before = s.sectors + s.wavefronts;
    if (shape)
        count_shaped(s, addresses, *shape);
    else
        count_request(s, good, n, pattern);
    if (counting_work)
        work_request(*lanes[0]->warp, id, s, good, n, pattern, shape_of(id).seen);
    if (__builtin_expect(settings.trace_file != nullptr, 0) && trace_wanted(*lanes[0]->warp))
        trace_request(lanes, addresses, count, s, s.sectors + s.wavefronts - before);
}

void check_request(Lane **lanes, const u64 *addresses, int count, u32 bytes, u8 flags, Pc pc,
                   bool notes)
{
    if (__builtin_expect(watched(addresses[0]), 0)) {
        needs_one_core(); // the marks of operations stay in the process
        touch_by_lanes(lanes, addresses, count, bytes, flags, pc);
    }
    if (__builtin_expect(suspicious, 0))
        note_touched(lanes[0], addresses, count);
    for (int i = 0; i < count && launch_now.elsewhere; i++)
        if (!check_owner(lanes[i], addresses[i], flags, pc))
            return;
    for (int i = 0; i < count && (flags & kStrong); i++)
        if (!is_shared(addresses[i]))
            needs_one_core();
    if (__builtin_expect(launch_now.cluster_blocks > 1, 0) &&
        !check_windows(lanes, addresses, count, bytes, flags, pc))
        return;
    const u16 id = site_of(pc);
    Site &s = site(id);
    s.flags = flags;
    s.bytes = bytes;
    if (__builtin_expect(read_only_loads, 0))
        check_read_only(lanes, addresses, count, s);
    u64 good[kWarp];
    int n = 0;
    Shape &shape = shape_of(id);
    if (shape.again(addresses, count, bytes) && !shape.seen)
        shape.learn(addresses);
    const Pattern pattern = shape.pattern;
    if (check_plain_words(lanes, addresses, count, flags, s, id, shape, notes)) {
        count_checked(lanes, addresses, count, id, s, addresses, count, pattern,
                      shape.seen ? &shape : nullptr);
        return;
    }
    for (int i = 0; i < count && noting_use; i++)
        note_use(addresses[i], bytes, flags);
    Request q = {nullptr, id, flags, bytes, false, 0, 0, 0};
    neighbours_now = count > 1 && pattern_of(addresses, count, bytes) == kNeighbours;
    for (int i = 0; i < count; i++) {
        u64 a = addresses[i];
        if (!check_bounds(lanes[i], a, bytes, flags, pc)) {
            if (launch_now.killed)
                return;
            continue;
        }
        Region *r = region_of(a);
        if (!r)
            continue; // a constant of the executable, registered host memory
        s.space = r->space;
        good[n++] = a;
        if (r->space == kConstant) {
            if (flags & kWrite) {
                report({"invalid-address", pc, lanes[i], object_name(a),
                        "writes __constant__ memory, which kernels can only read", 0});
                kill_kernel(cudaErrorIllegalAddress);
                return;
            }
            if (wholly_unknown(a, bytes))
                report_uninitialised(lanes[i], q, a);
            continue;
        }
        if (q.region != r) {
            q.region = r;
            q.shared = r->space == kShared;
            q.first = first_of_interest(*lanes[i]->warp, q.shared);
        }
        if (!q.interval)
            q.interval = current_interval(*lanes[i]->warp);
        check_lane(lanes[i], q, a);
        if ((flags & kSwap) || ((flags & kCompare) && r->space == kGlobal))
            note_compare(lanes[i], a);
        if (notes && !(flags & (kWrite | kStrong)))
            note_read(lanes[i], a, id, r->space == kGlobal);
    }
    if (n)
        count_checked(lanes, addresses, count, id, s, good, n,
                      n == count ? pattern : pattern_of(good, n, bytes), nullptr);
}

} // namespace emulated
