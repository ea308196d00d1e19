// times.cpp: what the model of a GPU's time (time_model.h) needs to know of each kernel, and the
// file of times (CUDA_EMULATED_TIMES).
#include "emulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

#include "cuda_emulated.h"
#include "flow.h"
#include "streams.h"
#include "times.h"

namespace emulated
{

bool counting_work;
static const gpu *target; // whose times are asked for
static kernel_work now;   // of the launch under way, as far as requests and barriers tell it
// Of the launch: atomics by part of L2, and of these sums of floating-point numbers, and
// compare-and-swaps that have swapped, by word
static std::unordered_map<u64, double> atomics_on EMULATED_EARLY, sums_on EMULATED_EARLY,
    swaps_on EMULATED_EARLY;
static double spared_atomics; // of the launch: those that nvcc combines with others
struct Kernel {
    kernel_work sums;
    int way; // of copies; kNoCopy: of a kernel
};
const int kNoCopy = -1;
static std::map<std::string, Kernel> kernels EMULATED_EARLY;    // since the last reset
static std::map<std::string, Kernel> of_program EMULATED_EARLY; // before it

// ---- the first-level cache ----------------------------------------------------------------------

// A block is given its part of L1 as if all blocks that a multiprocessor holds ran side by side,
// and a warp its part of that. Really the emulated device runs one warp after the other: what a
// warp finds again it must have kept among its own lines, and what another warp has read among
// those of the block.
struct Line {
    u64 number;
    u32 owner;  // of the block's lines: the warp
    u8 sectors; // bit mask
};
const u64 kMostLines = 4096;
static Line of_block[kMostLines], of_warps[kMostLines];
static u64 lines_of_block, lines_of_warp;

static u64 generation; // lines of earlier blocks are none of this one's

static void clear_cache()
{
    const u64 kLineBits = 40; // of 128 bytes, in 47 bits of addresses
    generation += 1ull << kLineBits;
}

// Which of the line's sectors the warp must fetch.
static u32 missing(u64 line, u32 sectors, u32 warp)
{
    Line &own = of_warps[(warp * lines_of_warp + line % lines_of_warp) % kMostLines],
         &common = of_block[line % lines_of_block];
    u32 found = own.number == line ? own.sectors : 0;
    if (common.number == line && common.owner != warp)
        found |= common.sectors;
    own = {line, warp, (u8)((own.number == line ? own.sectors : 0) | sectors)};
    common = {line, warp, (u8)((common.number == line ? common.sectors : 0) | sectors)};
    return sectors & ~found;
}

static u32 sectors_between(u64 first, u64 last) // of one line
{
    return (2u << last / 32 % 4) - (1u << first / 32 % 4);
}

// Adds the sectors and the lines that a load must fetch. True if there are any.
static bool fetch(const u64 *addresses, int count, u32 bytes, Pattern pattern, u32 warp)
{
    u64 far = 0, lines = 0, line_before = ~0ull;
    auto fetch_range = [&](u64 first, u64 last) {
        for (u64 line = first / 128; line <= last / 128; line++) {
            const u32 sectors = missing(
                generation + line,
                sectors_between(std::max(first, line * 128), std::min(last, line * 128 + 127)),
                warp);
            far += (u64)__builtin_popcount(sectors);
            lines += sectors && line != line_before;
            line_before = line;
        }
    };
    if (pattern != kOther)
        fetch_range(addresses[0], addresses[count - 1] + bytes - 1);
    else
        for (int i = 0; i < count; i++)
            fetch_range(addresses[i], addresses[i] + bytes - 1);
    now.far += (double)far;
    now.loaded_lines += (double)lines;
    return far > 0;
}

// The constant cache of a multiprocessor: 2 KB for all blocks, which read most tables alike.
const u64 kConstantLine = 64;
static u64 constant_lines[2048 / kConstantLine];

static void fetch_constants(const u64 *addresses, int count, u32 bytes)
{
    for (int i = 0; i < count; i++)
        for (u64 line = addresses[i] / kConstantLine;
             line <= (addresses[i] + bytes - 1) / kConstantLine; line++) {
            u64 &held = constant_lines[line % std::size(constant_lines)];
            now.constant_lines += held != line;
            held = line;
        }
}

// ---- a launch -----------------------------------------------------------------------------------

void work_begin_launch()
{
    const uint3 &b = launch_now.block;
    const double threads = (double)b.x * b.y * b.z, shared = (double)launch_now.shared,
                 resident = resident_blocks(target, threads, shared);
    const double bytes = std::max(target->l1_bytes - resident * shared, 8192.0);
    const u64 warps = (u64)(threads + kWarp - 1) / kWarp;
    lines_of_block = std::clamp<u64>((u64)(bytes / resident / 128), 8, kMostLines);
    lines_of_warp = std::clamp<u64>(lines_of_block / warps, 4, kMostLines / 32);
    now = kernel_work();
    for (auto *on : {&atomics_on, &sums_on, &swaps_on})
        on->clear();
    spared_atomics = 0;
    std::fill(std::begin(constant_lines), std::end(constant_lines), 0);
    clear_cache();
}

void work_begin_block() { clear_cache(); }

static void add_wait(Wait &w, bool is_far)
{
    w.waits++;
    w.fars += is_far;
}

// Is it the first load of a loop, once more? Those in front of the loop do not come again. Notes by
// how much the address has changed.
static bool comes_again(Wait &w, u16 site, u64 address)
{
    const u64 kSmall = 64;
    for (int i = 0; i < w.count; i++)
        if (w.loads[i].site == site) {
            const u64 apart = address - w.loads[i].address;
            w.step |= apart + kSmall <= 2 * kSmall;
            w.loads[i].address = address;
            if (!w.looping)
                w.first = i;
            w.looping = true;
            return i == w.first;
        }
    if (w.count < (int)std::size(w.loads))
        w.loads[w.count++] = {site, address};
    return false;
}

// Loads that do not need each other's results wait together: those before the next store, which
// might change what they read, before a barrier, before an address that has been loaded, and before
// the next round of a loop. nvcc unrolls a loop four times, but hardly one that goes on by as many
// elements as there are threads: so say the recorded times.
static void wait_for_load(Warp &warp, u16 site, u64 address, bool is_indirect, bool is_far)
{
    const int kUnrolled = 4;
    Wait &w = warp.wait;
    if (!w.open) {
        w.count = 0;
        w.looping = false;
    }
    const bool again =
        comes_again(w, site, address) && w.open && (++w.rounds == kUnrolled || !w.step);
    if (!w.open || again || (is_indirect && !w.indirect)) {
        if (again && is_indirect)
            add_wait(w, true); // for the index
        add_wait(w, false);
        w.rounds = 0;
        w.open = true;
        w.indirect = is_indirect;
        w.far = w.strong = false;
    }
    w.fars += is_far && !w.far;
    w.far |= is_far;
}

static double sectors_of(const u64 *addresses, int count, u32 bytes)
{
    double sectors = 0;
    for (int i = 0; i < count; i++) {
        bool is_first = true;
        for (int j = 0; j < i && is_first; j++)
            is_first = addresses[j] / 32 != addresses[i] / 32;
        sectors += is_first ? std::max(1.0, bytes / 32.0) : 0;
    }
    return sectors;
}

// L2 has many parts, and neighbouring lines lie in one of them. It makes its atomics in turn, but
// those of a request to several words of a piece at once.
static void note_atomics(const u64 *addresses, int count, u32 bytes)
{
    const u64 kPart = 512; // so say times for 1, 32 and 1024 addresses (timings/h200/device.csv)
    const u64 piece = bytes > 4 ? 16 : 32;
    for (int i = 0; i < count; i++) {
        bool same_word = false, same_piece = false;
        for (int j = 0; j < i; j++) {
            same_word |= addresses[j] == addresses[i];
            same_piece |= addresses[j] / piece == addresses[i] / piece;
        }
        if (same_word || !same_piece)
            atomics_on[addresses[i] / kPart]++;
    }
    now.atomics += count;
}

// In shared memory a sum of floating-point numbers is a compare-and-swap, too: the lanes of a warp
// that want one word try together, until the last of them has swapped.
struct SharedWord {
    double updates; // of the block
    u64 step, lanes;
};
static std::unordered_map<u64, SharedWord> shared_words EMULATED_EARLY;

void work_update(u64 address, bool is_swap)
{
    if (!is_shared(address)) {
        (is_swap ? swaps_on : sums_on)[address]++;
        return;
    }
    SharedWord &word = shared_words[address];
    word.lanes = word.step == launch_now.step ? word.lanes + 1 : 0;
    word.step = launch_now.step;
    word.updates++;
    now.shared_hot += is_swap ? 0 : (double)word.lanes;
}

static double most_of(const std::unordered_map<u64, double> &on)
{
    double most = 0;
    for (const auto &entry : on)
        most = std::max(most, entry.second);
    return most;
}

// ---- managed memory -----------------------------------------------------------------------------

// Pages of managed memory that are on the device: a thread has touched them, or a prefetch has
// moved them. What the host touches later is not seen.
const u64 kPage = 4096;
static std::unordered_set<u64> pages_on_device EMULATED_EARLY;

static void touch_pages(const u64 *addresses, int count, u32 bytes)
{
    for (int i = 0; i < count; i++)
        for (u64 page = addresses[i] / kPage; page <= (addresses[i] + bytes - 1) / kPage; page++)
            now.moved += pages_on_device.insert(page).second ? (double)kPage : 0;
}

void work_of_prefetch(u64 address, u64 bytes, bool to_device)
{
    u64 moved = 0;
    for (u64 page = address / kPage; page <= (address + bytes - 1) / kPage; page++)
        moved += to_device ? pages_on_device.insert(page).second : pages_on_device.erase(page);
    work_of_copy(std::min(moved * kPage, bytes), to_device, COPY_prefetch);
}

void work_request(Warp &warp, u16 id, Site &s, const u64 *addresses, int count, Pattern pattern,
                  bool repeats)
{
    const bool looks = s.space == kShared && (s.flags & kStrong) && !(s.flags & kWrite);
    if (looks && warp.wait.looked == id) { // on a GPU it sleeps until the barrier's phase has ended
        now.shared_requests--;
        now.passes -= s.bytes > 4 ? 2 : 1;
    }
    warp.wait.looked = looks ? id : 0;
    if (s.space == kShared) {
        if (addresses[0] - (u64)regions[kWindows].begin < regions[kWindows].size)
            now.remote += 32.0 * sectors_of(addresses, count, s.bytes);
        return;
    }
    if (s.space == kConstant)
        fetch_constants(addresses, count, s.bytes);
    if (s.space != kGlobal)
        return;
    if (s.by_device) {
        now.far += s.flags & kWrite ? 0 : (double)count * s.bytes / 32;
        return;
    }
    if (s.flags & kAtomic)
        note_atomics(addresses, count, s.bytes);
    if (!device_only(addresses[0])) {
        if (is_managed(addresses[0]))
            touch_pages(addresses, count, s.bytes);
        else
            now.host += (double)count * s.bytes;
    }
    Wait &w = warp.wait;
    if (s.flags & kStrong) { // past L1, and in order
        const bool waits = !(s.flags & kWrite) || (s.flags & kSwap),
                   polls = w.strong && w.loads[0].site == id;
        w.rounds = polls ? w.rounds + 1 : 0;
        if (waits && w.rounds < 2) // who polls waits for others, and then once more to see it
            add_wait(w, true);
        w.open = false;
        w.strong = true;
        w.loads[0].site = id;
    } else if (s.flags & kWrite)
        w.open = w.strong = w.loading = false;
    else {
        const bool is_far = fetch(addresses, count, s.bytes, pattern, warp.index);
        s.groups += !w.loading;
        w.loading = true;
        if (!s.ahead)
            wait_for_load(warp, id, addresses[0], pattern == kOther && !repeats, is_far);
    }
}

// All warps have waited as long as the one that has waited longest.
void work_barrier(Block &block)
{
    u32 waits = 0, fars = 0;
    for (Warp &w : block.warps) {
        waits = std::max(waits, w.wait.waits);
        fars = std::max(fars, w.wait.fars);
        now.barriers += w.live > 0;
        w.wait = {};
    }
    now.waits += (double)waits * (double)block.warps.size();
    now.far_waits += (double)fars * (double)block.warps.size();
}

void work_grid_barrier(Block &block) // an atomic, fences, and looks at what the others do
{
    for (Warp &w : block.warps)
        for (int i = 0; i < 4; i++)
            add_wait(w.wait, true);
    work_barrier(block);
}

void work_end_block(Block &block)
{
    for (Warp &w : block.warps) {
        now.waits += w.wait.waits;
        now.far_waits += w.wait.fars;
    }
    double most = 0;
    for (const auto &word : shared_words)
        most = std::max(most, word.second.updates);
    now.shared_swaps += most;
    shared_words.clear();
}

// __threadfence(): what the warp has written must have arrived where others see it. The one behind
// an atomic or volatile access, which acquires, has nothing to wait for.
void work_fence(Warp &warp)
{
    if (warp.wait.fenced != launch_now.step && !warp.wait.strong)
        add_wait(warp.wait, true);
    warp.wait.fenced = launch_now.step;
}

// What was copied ahead is there when it is waited for, unless nothing else is on its way: then the
// whole latency has been waited.
void work_arrival(Warp &warp, bool is_last)
{
    if (warp.wait.arrived != launch_now.step)
        add_wait(warp.wait, is_last);
    warp.wait.arrived = launch_now.step;
}

void work_exchange() { now.exchanges++; }

void work_matched_value() { now.matched++; }

// Lanes whose atomics nvcc combines, so that one lane of the warp makes one atomic: the operation
// allows it, and all lanes always use the same address.
static double combined(const Site &s)
{
    return (s.flags & kInteger) && s.same_address == s.lanes ? (double)(s.lanes - s.requests) : 0;
}

void work_site(const Site &s) // the sums of an access in this launch
{
    if (s.by_device) { // loads have been counted one by one
        now.far += s.space == kGlobal ? (double)s.sectors : 0;
    } else if (s.space == kGlobal) {
        const bool is_past_l1 = s.flags & (kWrite | kStrong);
        now.requests += (double)s.requests;
        now.lines += (double)s.lines;
        now.far += is_past_l1 ? (double)s.sectors : 0;
        now.stored_lines += is_past_l1 ? (double)s.lines : 0;
        spared_atomics += combined(s);
    } else if (s.space == kShared) {
        now.shared_requests += (double)s.requests;
        now.passes += (double)s.wavefronts;
        now.shared_hot +=
            s.flags & kAtomic ? (double)(s.same_address - s.requests) - combined(s) : 0;
    } else if (s.space == kConstant)
        now.constants += (double)s.wavefronts * std::max(1.0, s.bytes / 4.0);
}

void work_path(Pc pc, u64 times, bool branches)
{
    const int *work = work_of(pc);
    const double n = (double)times;
    // nvcc keeps the elements in registers: the loop is unrolled, and their indices are constants
    const bool is_unrolled = work && work[kElements];
    now.branches += branches && !is_unrolled ? n : 0;
    if (!work)
        return;
    now.floats += n * work[kFloats];
    now.doubles += n * work[kDoubles];
    now.specials += n * work[kSpecials];
    now.integers += is_unrolled ? 0 : n * work[kIntegers];
    now.addresses += is_unrolled ? 0 : n * work[kAddresses];
    now.elements += n * work[kElements];
}

static void add(kernel_work &to, const kernel_work &more)
{
    const double threads = std::max(to.threads, more.threads),
                 shared = std::max(to.shared, more.shared);
#define X(name, meaning) to.name += more.name;
    KERNEL_WORK(X)
#undef X
    to.threads = threads;
    to.shared = shared;
}

// without its template arguments and what stands before its last ::
static std::string bare_name(const std::string &kernel)
{
    const size_t end = kernel.find_first_of("<(");
    std::string name = kernel.substr(0, end);
    const size_t begin = name.rfind(':');
    return begin == std::string::npos ? name : name.substr(begin + 1);
}

static Kernel &kernel_of(const std::string &name, int way)
{
    return kernels.emplace(name, Kernel{{}, way}).first->second;
}

// The kernels and copies of the operation that runs, with their seconds, and the part of the device
// that they occupy
static std::vector<std::pair<Kernel *, double>> of_operation EMULATED_EARLY;
static double occupied;

void work_end_launch(u64 blocks, u64 threads, const Distinct &distinct, u64 busiest)
{
    const double factor =
        launch_now.every > 1 ? (double)blocks / (double)launch_now.checked : 1; // see extrapolate()
    const double sum_of_floats = 2.4; // 1.77 ns each in ex08; integers take 0.74 (device.csv)
    now.hot = std::max(most_of(atomics_on), sum_of_floats * most_of(sums_on));
    now.swaps = most_of(swaps_on);
    for (double *sum : {&now.waits, &now.far_waits, &now.barriers, &now.exchanges, &now.matched,
                        &now.atomics, &now.hot, &now.swaps, &now.shared_swaps, &now.host,
                        &now.moved, &now.constant_lines, &now.remote})
        *sum *= factor;
    const double made = now.atomics > 0 ? 1 - spared_atomics / now.atomics : 1;
    now.hot *= made;
    now.atomics *= made;
    const u64 each = threads / blocks;
    now.launches = 1;
    now.blocks = (double)blocks;
    now.warps = (double)(blocks * ((each + kWarp - 1) / kWarp));
    now.threads = (double)each;
    now.shared = (double)launch_now.shared;
    now.in = 32.0 * (double)distinct.in;
    now.out = 32.0 * (double)distinct.out;
    now.steps = (double)launch_now.step;
    now.busiest = (double)busiest;
    Kernel &k = kernel_of(bare_name(launch_now.kernel), kNoCopy);
    add(k.sums, now);
    of_operation.push_back({&k, steady_time(target, &now)});
    occupied = std::max(occupied, occupied_part(target, &now));
}

void work_of_copy(u64 bytes, bool to_device, copy_way way)
{
    Kernel &k =
        kernel_of(std::string(copy_names[way]) + (to_device ? "_to" : "_from") + "_device", way);
    k.sums.launches++;
    k.sums.in += (double)bytes;
    of_operation.push_back({&k, steady_copy_time(target, (double)bytes, way)});
}

// ---- what runs at the same time -----------------------------------------------------------------

// An operation begins when all that it depends on has ended; a copy also waits for the earlier ones
// in its direction, and a kernel until there is room for its blocks. What it adds is the time by
// which everything ends later.
struct Running {
    double end, part; // of the device
};
const size_t kMostGrids = 128;                      // that a device runs at once
static std::vector<Running> running EMULATED_EARLY; // the last ones to end

static double when_there_is_room(double begin, double part)
{
    for (;;) {
        double sum = part, first_end = HUGE_VAL;
        for (const Running &r : running)
            if (r.end > begin) {
                sum += r.part;
                first_end = std::min(first_end, r.end);
            }
        if (sum <= 1.0 || first_end == HUGE_VAL)
            return begin;
        begin = first_end;
    }
}

void work_end_operation(const Operation &operation)
{
    static double free_engine[kEngines], last_end;
    double begin = end_after(operation.before).seconds, seconds = 0;
    for (const auto &part : of_operation)
        seconds += part.second;
    if (operation.engine == kKernels)
        begin = when_there_is_room(begin, occupied);
    else
        begin = std::max(begin, free_engine[operation.engine]);
    const double end = begin + seconds, added = std::max(0.0, end - std::max(last_end, begin));
    if (operation.engine == kKernels) {
        if (running.size() == kMostGrids)
            running.erase(
                std::min_element(running.begin(), running.end(),
                                 [](const Running &a, const Running &b) { return a.end < b.end; }));
        running.push_back({end, occupied});
    } else if (operation.engine != kNoEngine)
        free_engine[operation.engine] = end;
    operation_ends_at(operation.number, end);
    last_end = std::max(last_end, end);
    for (const auto &part : of_operation) {
        part.first->sums.alone += part.second;
        part.first->sums.added += seconds > 0 ? added * part.second / seconds : 0;
    }
    of_operation.clear();
    occupied = 0;
}

kernel_work &work_of_part() { return now; }
void work_add_part(const kernel_work &part) { add(now, part); }

// ---- what is asked for --------------------------------------------------------------------------

void times_init()
{
    const char *name = getenv("CUDA_EMULATED_TIMES_OF");
    target = gpu_named(name && *name ? name : "h200");
    if (!target) {
        fprintf(stderr, "CUDA_EMULATED_TIMES_OF=%s: expected %s\n", name, gpu_names());
        exit(2);
    }
    counting_work = settings.times_file && !settings.fast;
    if (settings.times_file && settings.fast)
        fprintf(stderr,
                "CUDA_EMULATED_TIMES: nothing is counted in fast mode, so that there are no "
                "times\n");
}

static gpu_time time_of_kernel(const Kernel &k)
{
    return k.way == kNoCopy ? time_of(target, &k.sums)
                            : time_of_copies(target, &k.sums, (copy_way)k.way);
}

static void keep_for_program()
{
    for (const auto &k : kernels) {
        Kernel &sum = of_program.emplace(k.first, Kernel{{}, k.second.way}).first->second;
        add(sum.sums, k.second.sums);
    }
    kernels.clear();
    of_operation.clear();
}

bool write_times()
{
    const std::string temporary = std::string(settings.times_file) + ".part";
    FILE *f = fopen(temporary.c_str(), "w");
    if (!f) {
        perror(settings.times_file);
        return false;
    }
    keep_for_program();
    fprintf(f, "kernel,launches,seconds,limit\n");
    for (const auto &k : of_program) {
        const gpu_time t = time_of_kernel(k.second);
        fprintf(f, "%s,%.0f,%.6g,%s\n", k.first.c_str(), k.second.sums.launches, t.seconds,
                limit_names[t.limit]);
    }
    const bool bad = ferror(f);
    if (fclose(f) != 0 || bad || rename(temporary.c_str(), settings.times_file) != 0) {
        perror(settings.times_file);
        unlink(temporary.c_str());
        return false;
    }
    return true;
}

void work_reset() { keep_for_program(); }

} // namespace emulated

extern "C" {

void emulatedCountWork(void) { emulated::counting_work = !emulated::settings.fast; }

const char *emulatedWork(void)
{
    static std::string &text = *new std::string;
    emulated::finish_operations();
    text.clear();
    for (const auto &k : emulated::kernels) {
        char number[32];
        text += k.first;
#define X(name, meaning)                                                                           \
    snprintf(number, sizeof number, ",%.7g", k.second.sums.name);                                  \
    text += number;
        KERNEL_WORK(X)
#undef X
        text += ";";
    }
    return text.c_str();
}

} // extern "C"
