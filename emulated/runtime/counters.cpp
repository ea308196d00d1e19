// counters.cpp: a profiler's counters. Sums per access instruction within a launch, then per
// kernel, line and kind of access for the whole run.
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>
#include <unistd.h>
#include <unordered_map>

#include "cuda_emulated.h"
#include "shape.h"
#include "streams.h"
#include "times.h"

namespace emulated
{

static std::vector<Site> sites EMULATED_EARLY;
static std::unordered_map<Pc, u16> site_index EMULATED_EARLY;
static emulated_counters totals;

using Row = Sums; // as in the CSV
struct RowKey {
    std::string kernel, file;
    int line, column;
    Space space;
    int operation;
    u32 bytes;
    bool operator<(const RowKey &k) const
    {
        return std::tie(kernel, file, line, column, space, operation, bytes) <
               std::tie(k.kernel, k.file, k.line, k.column, k.space, k.operation, k.bytes);
    }
};
static std::map<RowKey, Row> rows EMULATED_EARLY;
static std::map<std::string, std::string> paths EMULATED_EARLY; // of the files

struct Branch {
    u64 times, divergent;
};
struct BasicBlock {
    Pc successors[2];
    u64 times, divergent;
};
static std::unordered_map<Pc, BasicBlock> basic_blocks EMULATED_EARLY;
static std::map<std::tuple<std::string, std::string, int>, Branch> branches EMULATED_EARLY;

// ---- sites --------------------------------------------------------------------------------------

u16 site_of(Pc pc)
{
    static struct {
        Pc pc;
        u16 id;
    } cache[256];
    auto &entry = cache[((u64)pc ^ (u64)pc >> 8) & 255];
    if (entry.pc == pc && pc)
        return entry.id;
    if (sites.empty())
        sites.emplace_back(); // number 0 means none
    auto found = site_index.find(pc);
    if (found == site_index.end()) {
        u16 id = sites.size() < 65535 ? (u16)sites.size() : 0;
        if (id) {
            sites.emplace_back();
            sites.back().pc = pc;
        }
        found = site_index.emplace(pc, id).first;
    }
    entry = {pc, found->second};
    return entry.id;
}

Site &site(u16 id) { return sites[id]; }

// ---- one request --------------------------------------------------------------------------------

// Sorted copies; the usual request is sorted already.
static int distinct(u64 *values, int count)
{
    if (!std::is_sorted(values, values + count))
        std::sort(values, values + count);
    return (int)(std::unique(values, values + count) - values);
}

static void count_sectors(Site &s, const u64 *addresses, int count, Pattern pattern)
{
    const bool row = pattern == kNeighbours;
    if (pattern != kOther) { // the usual cases, and quick to count
        u64 last = addresses[count - 1] + s.bytes - 1;
        s.sectors += last / 32 - addresses[0] / 32 + 1;
        s.lines += last / 128 - addresses[0] / 128 + 1;
        s.bytes_used += row ? (u64)count * s.bytes : s.bytes;
        return;
    }
    u64 sectors[2 * kWarp], lines[2 * kWarp], words[kWarp];
    int n = 0;
    for (int i = 0; i < count; i++) {
        sectors[n++] = addresses[i] / 32;
        if ((addresses[i] + s.bytes - 1) / 32 != addresses[i] / 32)
            sectors[n++] = (addresses[i] + s.bytes - 1) / 32;
    }
    n = distinct(sectors, n);
    s.sectors += (u64)n;
    for (int i = 0; i < n; i++)
        lines[i] = sectors[i] / 4;
    s.lines += (u64)(std::unique(lines, lines + n) - lines);
    memcpy(words, addresses, (size_t)count * sizeof *words);
    s.bytes_used += (u64)distinct(words, count) * s.bytes;
}

// No two words of one bank: the usual case, decided without sorting.
static bool one_word_per_bank(const u64 *words, int count)
{
    u64 word_in[32];
    u32 taken = 0;
    for (int i = 0; i < count; i++) {
        const u32 bank = words[i] & 31;
        if (!(taken >> bank & 1)) {
            taken |= 1u << bank;
            word_in[bank] = words[i];
        } else if (word_in[bank] != words[i])
            return false;
    }
    return true;
}

static u64 passes_over_banks(u64 *words, int n)
{
    if (n == 1 || one_word_per_bank(words, n))
        return 1;
    int load[32] = {0}, most = 0;
    n = distinct(words, n);
    for (int i = 0; i < n; i++)
        most = std::max(most, ++load[words[i] & 31]);
    return (u64)most;
}

// Keeps two lanes that want different words of the same bank, as an example. The lanes from `begin`
// to `end` are served at once.
static void note_conflict(Site &s, const u64 *addresses, int begin, int end, int count, u64 passes)
{
    for (int j = begin + 1; passes > s.conflict.passes && j < end; j++)
        for (int i = begin; i < j; i++) {
            const u64 a = addresses[i] / 4, b = addresses[j] / 4;
            if (a != b && (a & 31) == (b & 31)) {
                s.conflict = {passes, (u8)count, (u8)i, (u8)j, 4 * (a > b ? a - b : b - a)};
                break;
            }
        }
}

// 32 banks of 4 bytes. Wider accesses are served in parts: half warps for 8 bytes, quarter warps
// for 16. Lanes that want the same word share it.
static void count_banks(Site &s, const u64 *addresses, int count, Pattern pattern)
{
    const int part = s.bytes <= 4 ? kWarp : s.bytes == 8 ? kWarp / 2 : kWarp / 4;
    if (s.bytes == 4 && pattern != kOther) {
        s.wavefronts++;
        s.ideal_wavefronts++;
        return;
    }
    const int words_each = s.bytes <= 4 ? 1 : (int)s.bytes / 4;
    for (int begin = 0; begin < count; begin += part) {
        u64 words[kWarp];
        int n = 0;
        for (int i = begin; i < count && i < begin + part; i++)
            for (int w = 0; w < words_each; w++) {
                words[n] = addresses[i] / 4 + (u64)w;
                n += n == 0 || words[n] != words[n - 1];
            }
        const u64 passes = passes_over_banks(words, n);
        if (passes > 1)
            note_conflict(s, addresses, begin, std::min(begin + part, count), count, passes);
        s.wavefronts += passes;
        s.ideal_wavefronts++;
    }
}

// The cache of constants hands one word to all lanes at a time: a pass for each different one.
static void count_constants(Site &s, const u64 *addresses, int count)
{
    u64 sorted[kWarp];
    memcpy(sorted, addresses, (size_t)count * sizeof *sorted);
    s.wavefronts += (u64)distinct(sorted, count);
    s.ideal_wavefronts++;
}

static int most_on_one_address(const u64 *addresses, int count)
{
    u64 sorted[kWarp];
    memcpy(sorted, addresses, (size_t)count * sizeof *sorted);
    std::sort(sorted, sorted + count);
    int most = 0, run = 0;
    for (int i = 0; i < count; i++) {
        run = i && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        most = std::max(most, run);
    }
    return most;
}

void count_request(Site &s, const u64 *addresses, int count, Pattern pattern)
{
    s.requests++;
    s.lanes += (u64)count;
    if (s.space == kGlobal) {
        count_sectors(s, addresses, count, pattern);
        distinct_request(addresses, count, s.bytes, s.flags, pattern);
    } else if (s.space == kShared)
        count_banks(s, addresses, count, pattern);
    else
        count_constants(s, addresses, count);
    if (s.flags & kAtomic)
        s.same_address += (u64)most_on_one_address(addresses, count);
}

static std::vector<std::unique_ptr<Shape>> shapes EMULATED_EARLY; // by site

Shape &shape_of(u16 site)
{
    if (site >= shapes.size())
        shapes.resize(sites.size());
    if (!shapes[site])
        shapes[site].reset(new Shape);
    return *shapes[site];
}

void Shape::begin(const u64 *addresses, int n, u32 size)
{
    for (int i = 0; i < n; i++)
        apart[i] = addresses[i] - addresses[0];
    count = n;
    bytes = size;
    pattern = pattern_of(addresses, n, size);
    seen = false;
}

void Shape::learn(const u64 *addresses)
{
    seen = true;
    known = 0;
    words = 0;
    several = 0;
    low = high = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        low = addresses[i] < addresses[low] ? (u8)i : low;
        high = addresses[i] > addresses[high] ? (u8)i : high;
        while (k < words && addresses[first[k]] != addresses[i])
            k++;
        if (k < words)
            several |= 1u << k;
        else
            first[words++] = (u8)i;
    }
}

void count_shaped(Site &s, const u64 *addresses, Shape &shape)
{
    const bool global = s.space == kGlobal;
    const u8 offset = (u8)(addresses[0] % (global ? 32 : 4));
    const int i = global ? (int)(addresses[0] % 128 / 32) : 0;
    if (offset != shape.offset)
        shape.known = 0;
    if (!(shape.known >> i & 1)) {
        Site alone = s;
        static_cast<Sums &>(alone) = Sums();
        if (global)
            count_sectors(alone, addresses, shape.count, shape.pattern);
        else
            count_banks(alone, addresses, shape.count, shape.pattern);
        shape.sums[i] = alone;
        s.conflict = alone.conflict;
        shape.known = (u8)(shape.known | 1 << i);
        shape.offset = offset;
    }
    const Sums &sums = shape.sums[i];
    s.requests++;
    s.lanes += (u64)shape.count;
    if (global) {
        s.sectors += sums.sectors;
        s.lines += sums.lines;
        s.bytes_used += sums.bytes_used;
        distinct_request(addresses, shape.count, s.bytes, s.flags, shape.pattern);
    } else {
        s.wavefronts += sums.wavefronts;
        s.ideal_wavefronts += sums.ideal_wavefronts;
    }
}

// ---- branches -----------------------------------------------------------------------------------

static BasicBlock &basic_block(Pc pc)
{
    static struct {
        Pc pc;
        BasicBlock *block;
    } cache[256];
    auto &entry = cache[((u64)pc ^ (u64)pc >> 8) & 255];
    if (entry.pc != pc)
        entry = {pc, &basic_blocks[pc]}; // references into an unordered_map stay valid
    return *entry.block;
}

static void add_successor(BasicBlock &b, Pc to)
{
    if (to != b.successors[0] && to != b.successors[1])
        b.successors[b.successors[0] != nullptr] = to;
}

static void pass(Pc from, Pc to, bool divergent)
{
    BasicBlock &b = basic_block(from);
    b.times++;
    b.divergent += divergent;
    add_successor(b, to);
}

// The lanes' ways from the basic block `from` on, which they all left together.
static void go_on(Pc from, Lane **lanes, int count, int depth)
{
    while (count > 0) {
        Pc to = nullptr;
        int same = 0, ended = 0;
        for (int i = 0; i < count; i++) {
            if (lanes[i]->path_length <= depth) {
                ended++;
                continue;
            }
            Pc next = lanes[i]->path[depth];
            if (!to)
                to = next;
            same += next == to;
        }
        if (!to)
            return; // none of them left this basic block
        if (from) {
            pass(from, to, same + ended < count);
            for (int i = 0; i < count; i++)
                if (lanes[i]->path_length > depth)
                    add_successor(basic_block(from), lanes[i]->path[depth]);
        }
        if (same < count) { // each way on its own
            const bool divided = from && same + ended < count && settings.trace_file &&
                                 trace_wanted(*lanes[0]->warp);
            while (count > 0) {
                int here = 0;
                Lane *group[kWarp], *rest[kWarp];
                int others = 0;
                to = nullptr;
                for (int i = 0; i < count; i++) {
                    if (lanes[i]->path_length <= depth)
                        continue;
                    if (!to)
                        to = lanes[i]->path[depth];
                    if (lanes[i]->path[depth] == to)
                        group[here++] = lanes[i];
                    else
                        rest[others++] = lanes[i];
                }
                if (here && divided)
                    trace_lanes(group, here, "branch", from);
                if (here)
                    go_on(to, group, here, depth + 1);
                count = others;
                memcpy(lanes, rest, (size_t)others * sizeof *rest);
            }
            return;
        }
        from = to;
        depth++;
    }
}

Pc count_path(Pc from, const Pc *path, int length)
{
    for (int i = 0; i < length; from = path[i++])
        if (from)
            pass(from, path[i], false);
    return from;
}

bool one_way(Lane **lanes, int count)
{
    const Lane &first = *lanes[0];
    bool same = true;
    for (int i = 1; i < count; i++)
        same &= lanes[i]->path_length == first.path_length;
    for (int i = 1; i < count && same && first.path_length; i++)
        same =
            lanes[i]->path == first.path ||
            memcmp(lanes[i]->path, first.path, (size_t)first.path_length * sizeof *first.path) == 0;
    return same;
}

void count_paths(Lane **lanes, int count, bool same)
{
    const Lane &first = *lanes[0];
    if (same && !first.path_length)
        return;
    if (same)
        count_path(first.block_now, first.path, first.path_length);
    else {
        Lane *copy[kWarp];
        memcpy(copy, lanes, (size_t)count * sizeof *copy);
        go_on(first.block_now, copy, count, 0);
    }
    for (int i = 0; i < count; i++)
        if (lanes[i]->path_length) {
            lanes[i]->block_now = lanes[i]->path[lanes[i]->path_length - 1];
            lanes[i]->path_length = 0;
        }
}

// ---- launches and totals ------------------------------------------------------------------------

static void add_to_totals(const Site &s)
{
    totals.active_lanes += s.lanes;
    if (s.flags & kAtomic) {
        totals.atomic_requests += s.requests;
        if (s.flags & (kCompare | kSwap))
            totals.compare_requests += s.requests;
        totals.atomic_conflicts += s.same_address;
    }
    if (s.space == kShared) {
        totals.shared_requests += s.requests;
        totals.shared_wavefronts += s.wavefronts;
        totals.shared_ideal += s.ideal_wavefronts;
    } else if (s.space == kGlobal && !(s.flags & kAtomic)) {
        (s.flags & kWrite ? totals.global_store_requests : totals.global_load_requests) +=
            s.requests;
        (s.flags & kWrite ? totals.global_store_sectors : totals.global_load_sectors) += s.sectors;
        totals.load_groups += s.groups;
        totals.lines += s.lines;
        totals.bytes_used += s.bytes_used;
        totals.bytes_moved += s.sectors * 32;
    }
}

static int operation_of(u8 flags) { return flags & kAtomic ? 2 : flags & kWrite ? 1 : 0; }

// The access that has lost most passes to bank conflicts since the last reset.
static struct {
    u64 lost;
    std::string text;
} worst EMULATED_EARLY;

static void add_to_worst(const Site &s)
{
    static const char *const does[] = {"a load", "a store", "an atomic"};
    const BankConflict &c = s.conflict;
    if (s.space != kShared || !c.passes || s.wavefronts - s.ideal_wavefronts <= worst.lost)
        return;
    const Place &p = place_of(s.pc);
    char text[160];
    snprintf(text, sizeof text,
             ":%d: %s takes up to %llu passes. Of %d active lanes, numbers %d and %d want words "
             "that are %llu bytes apart, in the same bank",
             p.line, does[operation_of(s.flags)], (unsigned long long)c.passes, c.lanes, c.i, c.j,
             (unsigned long long)c.apart);
    worst = {s.wavefronts - s.ideal_wavefronts, p.file + text};
}

void counters_library_call() { totals.library_calls++; }
void counters_from_host(u64 bytes) { totals.bytes_from_host += bytes; }

void Sums::add(const Sums &more)
{
    requests += more.requests;
    lanes += more.lanes;
    sectors += more.sectors;
    lines += more.lines;
    bytes_used += more.bytes_used;
    wavefronts += more.wavefronts;
    ideal_wavefronts += more.ideal_wavefronts;
    same_address += more.same_address;
    groups += more.groups;
}

// A launch that was checked by a sample of its blocks counts as if the other blocks were like
// these.
static void extrapolate(u64 blocks)
{
    const double factor = (double)blocks / (double)launch_now.checked;
    auto scale = [factor](u64 &sum) { sum = (u64)((double)sum * factor + 0.5); };
    for (Site &s : sites)
        for (u64 *sum : {&s.requests, &s.lanes, &s.sectors, &s.lines, &s.bytes_used, &s.wavefronts,
                         &s.ideal_wavefronts, &s.same_address, &s.groups})
            scale(*sum);
    for (auto &entry : basic_blocks) {
        scale(entry.second.times);
        scale(entry.second.divergent);
    }
}

static void reset(Site &s) { static_cast<Sums &>(s) = Sums(); }

static u64 busiest_block, second_block; // of this launch: the steps of the two that have most

void counters_end_block(u64 steps)
{
    second_block = std::max(second_block, std::min(steps, busiest_block));
    busiest_block = std::max(busiest_block, steps);
}

// One block of several has far more to do than any other. If blocks take work from a queue, by
// atomics, that is chance: here the first one may be fast enough to take all.
static bool one_block_works(u64 blocks, u64 warps)
{
    const u64 few_blocks = 4, many_steps = 12; // of a warp
    return blocks >= few_blocks && launch_now.every <= 1 && busiest_block >= many_steps * warps &&
           busiest_block >= 10 * second_block;
}

// Do the threads of the launch share its work? If there is so little that a block has enough
// threads for it, each of them stores once, or a few results.
static void add_idleness(u64 blocks, u64 threads)
{
    const u64 each = threads / blocks, several = 6;
    u64 requests = 0, lanes = 0, atomics = 0, stores = 0;
    for (const Site &s : sites)
        if (s.space == kGlobal) {
            requests += s.requests;
            lanes += s.lanes;
            atomics += s.flags & kAtomic ? s.requests : 0;
            stores += s.flags & kWrite ? s.lanes : 0;
        }
    if (threads > kWarp && 10 * lanes < 11 * requests)
        totals.one_lane_requests += requests;
    totals.steps += launch_now.step;
    if (atomics == 0 && one_block_works(blocks, (each + kWarp - 1) / kWarp)) {
        totals.one_block_steps += launch_now.step;
        totals.one_block_repeats += stores >= several * each ? launch_now.step : 0;
    }
    busiest_block = second_block = 0;
}

void counters_end_launch(u64 blocks, u64 threads)
{
    if (settings.trace_file)
        trace_end_launch();
    totals.launches++;
    totals.threads += threads;
    if (settings.fast)
        return;
    // of the blocks that were checked: the sharing of others is unknown
    const Distinct distinct = distinct_end_launch();
    totals.bytes_in += 32 * distinct.in;
    totals.bytes_out += 32 * distinct.out;
    if (launch_now.every > 1 && !launch_now.killed)
        extrapolate(blocks);
    const u64 busiest = busiest_block;
    add_idleness(blocks, threads);
    const bool keep = settings.counters_file || settings.profile;
    bool stores = false;
    for (Site &s : sites) {
        if (!s.requests)
            continue;
        stores |= s.space == kGlobal && s.flags & kWrite;
        add_to_totals(s);
        add_to_worst(s);
        if (counting_work)
            work_site(s);
        if (keep) {
            const Place &p = place_of(s.pc);
            paths[p.file] = p.path;
            rows[{launch_now.kernel, p.file, p.line, p.column, s.space, operation_of(s.flags),
                  s.bytes}]
                .add(s);
        }
        reset(s);
    }
    for (auto &entry : basic_blocks) {
        BasicBlock &b = entry.second;
        if (counting_work && b.times)
            work_path(entry.first, b.times, b.successors[1] != nullptr);
        if (b.times && b.successors[1]) {
            totals.branches += b.times;
            totals.divergent_branches += b.divergent;
            if (keep) {
                const Place &p = place_of(entry.first);
                Branch &sum = branches[std::make_tuple(launch_now.kernel, p.file, p.line)];
                sum.times += b.times;
                sum.divergent += b.divergent;
            }
        }
        b.times = b.divergent = 0;
    }
    if (stores)
        note_kernel_stores();
    if (counting_work && !launch_now.killed)
        work_end_launch(blocks, threads, distinct, busiest);
}

// ---- several cores ------------------------------------------------------------------------------

static size_t sites_before;

void begin_counters_of_part()
{
    distinct_end_launch(); // nothing so far
    busiest_block = second_block = 0;
    sites_before = sites.size();
    work_of_part() = kernel_work();
    for (Site &s : sites)
        reset(s);
    for (auto &entry : basic_blocks)
        entry.second.times = entry.second.divergent = 0;
}

// The sites that were used, in the order in which they got their numbers; then the basic blocks.
u64 pack_counters(char *to, u64 room)
{
    u64 counts[4] = {0, 0, busiest_block, second_block};
    const u64 most =
        sites.size() * sizeof(Site) + basic_blocks.size() * (sizeof(Pc) + sizeof(BasicBlock));
    char *at = to + sizeof counts;
    if (sizeof counts + sizeof(kernel_work) + most > room)
        return 0;
    auto put = [&at](const void *what, size_t bytes) {
        memcpy(at, what, bytes);
        at += bytes;
    };
    for (size_t i = 0; i < sites.size(); i++)
        if (sites[i].requests || i >= sites_before) {
            put(&sites[i], sizeof(Site));
            counts[0]++;
        }
    for (const auto &entry : basic_blocks)
        if (entry.second.times) {
            put(&entry.first, sizeof entry.first);
            put(&entry.second, sizeof entry.second);
            counts[1]++;
        }
    put(&work_of_part(), sizeof(kernel_work));
    memcpy(to, counts, sizeof counts);
    const u64 so_far = (u64)(at - to), distinct = pack_distinct(at, room - so_far);
    return distinct ? so_far + distinct : 0;
}

static void add_to_site(Site &s, const Site &more)
{
    s.flags = more.flags;
    s.space = more.space;
    s.bytes = more.bytes;
    s.compare_seed |= more.compare_seed;
    s.by_device |= more.by_device;
    s.ahead |= more.ahead;
    if (more.conflict.passes > s.conflict.passes)
        s.conflict = more.conflict;
    s.add(more);
}

void unpack_counters(const char *from)
{
    u64 counts[4];
    auto take = [&from](void *what, size_t bytes) {
        memcpy(what, from, bytes);
        from += bytes;
    };
    take(counts, sizeof counts);
    for (u64 i = 0; i < counts[0]; i++) {
        Site more;
        take((void *)&more, sizeof more);
        add_to_site(site(more.pc ? site_of(more.pc) : 0), more);
    }
    for (u64 i = 0; i < counts[1]; i++) {
        Pc pc;
        BasicBlock more;
        take(&pc, sizeof pc);
        take(&more, sizeof more);
        BasicBlock &b = basic_block(pc);
        b.times += more.times;
        b.divergent += more.divergent;
        for (Pc to : more.successors)
            if (to)
                add_successor(b, to);
    }
    kernel_work work;
    take(&work, sizeof work);
    work_add_part(work);
    counters_end_block(counts[2]);
    counters_end_block(counts[3]);
    unpack_distinct(from);
}

static double per(u64 sum, u64 of) { return of ? (double)sum / (double)of : 0; }

static const char *const space_names[] = {"global", "shared", "constant"};
static const char *const operation_names[] = {"load", "store", "atomic"};

static void write_quoted(FILE *f, const std::string &s)
{
    const char *quote = s.find_first_of(",\"\n") == std::string::npos ? "" : "\"";
    fprintf(f, "%s%s%s,", quote, s.c_str(), quote);
}

bool write_counters()
{
    std::string temporary = std::string(settings.counters_file) + ".part";
    FILE *f = fopen(temporary.c_str(), "w");
    if (!f) {
        perror(settings.counters_file);
        return false;
    }
    fprintf(f, "kernel,file,line,column,space,operation,bytes,requests,sectors_per_request,lines_"
               "per_request,"
               "conflict_degree,same_address_degree,active_lanes\n");
    for (const auto &entry : rows) {
        const RowKey &k = entry.first;
        const Row &r = entry.second;
        write_quoted(f, k.kernel);
        write_quoted(f, k.file);
        fprintf(f, "%d,%d,%s,%s,%u,%llu,%.6g,%.6g,%.6g,%.6g,%.6g\n", k.line, k.column,
                space_names[k.space], operation_names[k.operation], k.bytes,
                (unsigned long long)r.requests, per(r.sectors, r.requests),
                per(r.lines, r.requests), per(r.wavefronts, r.ideal_wavefronts),
                per(r.same_address, r.requests), per(r.lanes, r.requests));
    }
    bool bad = ferror(f);
    if (fclose(f) != 0 || bad || rename(temporary.c_str(), settings.counters_file) != 0) {
        perror(settings.counters_file);
        unlink(temporary.c_str());
        return false;
    }
    return true;
}

static const char explanation[] =
    "\nAccesses of the source, counted once a warp. A sector is 32 bytes; used: part of the\n"
    "moved bytes that lanes asked for (nvprof: gld_efficiency, gst_efficiency);\n"
    "conflict: passes over the banks for each one needed; same: most lanes on one\n"
    "address of an atomic; lanes: that took part, of 32.\n";

// The figures that apply to this kind of access.
static std::string figures(const RowKey &k, const Row &r)
{
    char text[160], used[16] = "", same[16] = "";
    if (k.space == kGlobal) {
        snprintf(used, sizeof used, "%.0f%%", 100 * per(r.bytes_used, r.sectors * 32));
        snprintf(text, sizeof text, "%10llu %8.2f %7.2f %6s %8s", (unsigned long long)r.requests,
                 per(r.sectors, r.requests), per(r.lines, r.requests), used, "");
    } else
        snprintf(text, sizeof text, "%10llu %8s %7s %6s %8.2f", (unsigned long long)r.requests, "",
                 "", "", per(r.wavefronts, r.ideal_wavefronts));
    if (k.operation == 2)
        snprintf(same, sizeof same, "%.2f", per(r.same_address, r.requests));
    char end[40];
    snprintf(end, sizeof end, " %6s %6.1f", same, per(r.lanes, r.requests));
    return std::string(text) + end;
}

void print_profile()
{
    std::string kernel;
    fputs(explanation, stderr);
    for (const auto &entry : rows) {
        const RowKey &k = entry.first;
        if (k.kernel != kernel) {
            kernel = k.kernel;
            fprintf(stderr, "%s\n  %-24s %-15s %5s %10s %8s %7s %6s %8s %6s %6s\n", kernel.c_str(),
                    "line:column", "access", "bytes", "requests", "sectors", "lines", "used",
                    "conflict", "same", "lanes");
        }
        const std::string line = k.file + ":" + std::to_string(k.line) +
                                 (k.column ? ":" + std::to_string(k.column) : ""),
                          access = std::string(space_names[k.space]) + " " +
                                   operation_names[k.operation];
        fprintf(stderr, "  %-24s %-15s %5u %s\n", line.c_str(), access.c_str(), k.bytes,
                figures(k, entry.second).c_str());
    }
    for (const auto &entry : branches)
        if (entry.second.divergent)
            fprintf(stderr, "  %s:%d of %s: the warp divides at %llu of %llu branches\n",
                    std::get<1>(entry.first).c_str(), std::get<2>(entry.first),
                    std::get<0>(entry.first).c_str(), (unsigned long long)entry.second.divergent,
                    (unsigned long long)entry.second.times);
}

// ---- the source with the figures in the margin --------------------------------------------------

static const char margin[] = "%8s %7s %8s %6s |";

// One row of the margin for an access, with its kind.
static void print_margin(const RowKey &k, const Row &r)
{
    char requests[24], sectors[16] = "", conflict[16] = "", lanes[16];
    snprintf(requests, sizeof requests, "%llu", (unsigned long long)r.requests);
    if (k.space == kGlobal)
        snprintf(sectors, sizeof sectors, "%.2f", per(r.sectors, r.requests));
    else
        snprintf(conflict, sizeof conflict, "%.2f", per(r.wavefronts, r.ideal_wavefronts));
    if (k.operation == 2)
        snprintf(conflict, sizeof conflict, "%.2f", per(r.same_address, r.requests));
    snprintf(lanes, sizeof lanes, "%.1f", per(r.lanes, r.requests));
    fprintf(stderr, margin, requests, sectors, conflict, lanes);
}

static void print_line(const std::string &kernel, const std::string &file, int line)
{
    const std::string text = source_line(paths[file], (u32)line);
    fprintf(stderr, margin, "", "", "", "");
    fprintf(stderr, "%5d  %s\n", line, text.c_str());
    for (auto it = rows.lower_bound({kernel, file, line, 0, kGlobal, 0, 0});
         it != rows.end() && it->first.kernel == kernel && it->first.file == file &&
         it->first.line == line;
         ++it) {
        const RowKey &k = it->first;
        print_margin(k, it->second);
        std::string under = "       "; // a caret below the access, tabs kept
        for (int i = 0; i + 1 < k.column && i < (int)text.size(); i++)
            under += text[(size_t)i] == '\t' ? '\t' : ' ';
        fprintf(stderr, "%s^ %s %s, %u bytes\n", under.c_str(), space_names[k.space],
                operation_names[k.operation], k.bytes);
    }
    auto branch = branches.find(std::make_tuple(kernel, file, line));
    if (branch != branches.end() && branch->second.divergent) {
        fprintf(stderr, margin, "", "", "", "");
        fprintf(stderr, "       the warp divides %llu times of %llu\n",
                (unsigned long long)branch->second.divergent,
                (unsigned long long)branch->second.times);
    }
}

void print_annotated_source()
{
    fputs(
        "\nThe source with its figures, counted once a warp. sectors: of 32 bytes per request in\n"
        "global memory; conflict: passes over the banks of shared memory for each one needed,\n"
        "or the most lanes on one address of an atomic; lanes: that took part, of 32.\n",
        stderr);
    for (auto it = rows.begin(); it != rows.end();) {
        const std::string kernel = it->first.kernel, file = it->first.file;
        const int first = it->first.line;
        int last = first;
        for (; it != rows.end() && it->first.kernel == kernel && it->first.file == file; ++it)
            last = it->first.line;
        fprintf(stderr, "\n%s in %s\n", kernel.c_str(), file.c_str());
        fprintf(stderr, margin, "requests", "sectors", "conflict", "lanes");
        fprintf(stderr, " line\n");
        if (source_line(paths[file], (u32)first).empty())
            fprintf(stderr, "(the source %s is not there, or newer than the program)\n",
                    paths[file].c_str());
        for (int line = std::max(1, first - 3); line <= last + 1; line++)
            print_line(kernel, file, line);
    }
}

} // namespace emulated

extern "C" {

void emulatedCountersReset(void)
{
    emulated::finish_operations();
    emulated::work_reset();
    memset(&emulated::totals, 0, sizeof emulated::totals);
    emulated::worst = {};
}

const char *emulatedBankConflict(void)
{
    emulated::finish_operations();
    return emulated::worst.lost ? emulated::worst.text.c_str() : nullptr;
}

void emulatedCountersGet(struct emulated_counters *counters)
{
    emulated::finish_operations(); // what has been submitted counts
    *counters = emulated::totals;
    counters->findings = emulatedFindings();
}

} // extern "C"
