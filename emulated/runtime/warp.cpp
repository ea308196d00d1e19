// warp.cpp: the lanes of a warp in lockstep.
//
// A lane stops before each access. Those that stopped at the same place form a group and go on
// together, each making that access and running to its next stop. When lanes are at different
// places, the group with the deepest call goes first and then the one that is behind (flow.h), so
// that the groups ahead wait where the others will join them.
//
// That is the model. In fact they run further (lockstep.h), and their stops are taken from the
// trace.
#include "flow.h"
#include "lockstep.h"
#include "times.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

extern "C" {
uint3 threadIdx, blockIdx, blockDim, gridDim;
}

namespace emulated
{

Lane *current;
void *scheduler;
Lane *group[kWarp];
int group_size, group_next;

void leave_forever(Lane *lane)
{
    for (;;)
        emulated_switch(&lane->stack_pointer, scheduler);
}

void kill_kernel(cudaError_t error)
{
    needs_one_core();
    if (!launch_now.killed)
        launch_now.error = error;
    launch_now.killed = true;
    if (current)
        leave_forever(current);
}

static inline void count_ends(Warp &warp, int lanes)
{
    warp.live -= lanes;
    warp.block->live -= lanes;
    launch_now.progress += (u64)lanes;
    launch_now.visible += (u64)lanes;
    launch_now.ended += (u64)lanes;
}
// In fast mode: lanes of the warp that runs, and how many of them have ended and are not yet
// counted
static int lanes_fast, ended_fast;

static inline void begin_lane(Lane *lane) // whose Stop is as new_block() has left it
{
    lane->state = kRunning;
    lane->watching = lane->straight = false;
    lane->strong = 0;
    lane->own_length = 0;
}

// Not needed before it has stopped for the first time, if it does
static inline void begin_books(Lane *lane)
{
    lane->reads_noted = 0;
    lane->path_length = 0;
    lane->block_now = nullptr;
    lane->last_step = launch_now.step;
    lane->last_wait = 0;
    lane->last_read = lane->polled = 0;
    lane->loops_known = 0;
}

// Has it gone the whole way of its leader? Then only that is noted for now, instead of the path.
const u16 kAllRows = 0xffff;
static inline bool ends_on_way(const Lane *lane)
{
    if (ahead.leads)
        return true;
    if (__builtin_expect(*ahead.way == kPause, 0))
        pass_pause();
    return ahead.way != nowhere && !*ahead.way && rows_noted(lane) == lane->trace->rows;
}
static void note_ends(Lane **lanes, int count)
{
    for (int i = 0; i < count; i++)
        if (lanes[i]->rows == kAllRows) {
            const Trace &t = *lanes[i]->trace;
            lanes[i]->stopped = {nullptr, 0, 0, 0, 0, kDone, false};
            lanes[i]->rows = (u16)t.rows;
            lanes[i]->way = t.way + t.length;
        }
}

// A thread has returned from its kernel. If the next lane of its group has not begun, that one goes
// on, on the same stack; in fast mode likewise. Else this lane's fiber ends here.
static void end_lane()
{
    Lane *lane = current, *next = nullptr;
    if (lane->watching)
        end_watch(lane);
    if (settings.fast) {
        lane->state = kDone;
        if (lane->warp->block->cluster)
            end_thread_in_cluster(lane);
        forget_copies(lane);
        ended_fast++;
        if (lane->index + 1 < lanes_fast)
            next = lane + 1;
    } else {
        if (ends_on_way(lane)) {
            lane->trace->ended++;
            lane->rows = kAllRows;
        } else {
            lane->stopped = {nullptr, 0, 0, 0, 0, kDone, false};
            keep_way(lane);
        }
        if (group_next + 1 < group_size)
            next = group[group_next + 1];
    }
    if (next && next->state == kNew) {
        next->stack_top = lane->stack_top;
        lane->stack_top = nullptr;
        begin_lane(next);
        group_next++;
        if (settings.fast) {
            current = next;
            threadIdx = next->id;
            quick.blocks = kLongWay;
        } else
            begin_at_trace(next);
        return;
    }
    if (settings.fast)
        free_stack(lane->stack_top);
    next_lane(lane);
}

// Where every lane begins.
static void lane_main()
{
    for (;;) {
        launch_now.thunk(launch_now.arguments);
        end_lane();
    }
}

void start_lane(Lane *lane)
{
    lane->stack_top = new_stack();
    forget_copies(lane); // of a killed kernel
    prepare_fiber(*lane, lane_main);
    begin_lane(lane);
}

// ---- warp operations ----------------------------------------------------------------------------

// As in the instruction: five bits of the argument count, and a lane that would leave its part of
// the warp keeps its own value.
static int shuffle_source(const Lane &lane)
{
    const int width = lane.width, i = lane.index, base = i & ~(width - 1), by = lane.argument & 31;
    int source = i;
    switch (lane.operation) {
    case kShuffleIndex: return base + (lane.argument & (width - 1));
    case kShuffleUp: source = i - by; return source < base ? i : source;
    case kShuffleDown: source = i + by; return source >= base + width ? i : source;
    case kShuffleXor: source = i ^ by; return source >= base + width ? i : source;
    default: return i;
    }
}

// A value that shows if it is used, in a sum, as the smallest or as the largest: a NaN, or far too
// large, or far too small, in different orders.
static u64 undefined_value()
{
    return settings.order == Settings::early  ? ~0ull
           : settings.order == Settings::late ? 0x7f7f7f7f7f7f7f7full
                                              : 0xff7f7f7fff7f7f7full;
}

static void finish_operation(Warp &warp, u32 lanes, WarpOperation operation)
{
    u32 votes = 0;
    if (counting_work)
        work_exchange();
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1 && warp.lanes[i].value)
            votes |= 1u << i;
    for (int i = 0; i < warp.count; i++) {
        Lane &lane = warp.lanes[i];
        if (!(lanes >> i & 1))
            continue;
        if (lane.operation == kVote)
            lane.result = votes;
        else if (lane.operation == kMeet) {
            lane.result = 0;
            for (int k = 0; k < warp.count; k++)
                if (lanes >> k & 1 && warp.lanes[k].operation == kMeet &&
                    warp.lanes[k].wait_pc == lane.wait_pc)
                    lane.result |= 1ull << k;
        } else if (lane.operation == kMatch) {
            lane.result = 0;
            for (int k = 0; k < warp.count; k++)
                if (lanes >> k & 1 && warp.lanes[k].value == lane.value)
                    lane.result |= 1ull << k;
            if (counting_work && !(lane.result & ((1ull << i) - 1)))
                work_matched_value();
        } else {
            int from = shuffle_source(lane);
            if (from >= warp.count || !(lanes >> from & 1)) {
                report({"shuffle-inactive", lane.wait_pc, &lane, "lane " + std::to_string(from),
                        "shuffles from lane " + std::to_string(from) +
                            ", which does not take part: the value is undefined",
                        0, true});
                lane.result = undefined_value();
            } else
                lane.result = warp.lanes[from].value;
        }
    }
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1) {
            warp.lanes[i].state = kRunning;
            warp.lanes[i].loops_known = 0; // they are together
        }
    u32 alive = 0;
    for (int i = 0; i < warp.count; i++)
        alive |= (u32)(warp.lanes[i].state != kDone) << i;
    if (operation == kVote && (alive & ~lanes))
        order_at_barrier_of_some(warp, lanes);
    else if (operation != kMeet)
        order_at_warp_barrier(warp, lanes);
    launch_now.progress++;
}

// Releases the warp operations for which all lanes have arrived.
static bool release_warp(Warp &warp)
{
    u32 here = 0, ended = 0;
    bool any = false;
    for (int i = 0; i < warp.count; i++) {
        here |= (u32)(warp.lanes[i].state == kAtWarpBarrier) << i;
        ended |= (u32)(warp.lanes[i].state == kDone) << i;
    }
    u32 exist = warp.count == kWarp ? ~0u : (1u << warp.count) - 1;
    for (int i = 0; i < warp.count; i++) {
        if (!(here >> i & 1))
            continue;
        u32 mask = warp.lanes[i].mask & exist & ~ended;
        bool together = (mask & here) == mask;
        for (int k = 0; k < warp.count && together; k++)
            if (mask >> k & 1)
                together = warp.lanes[k].mask == warp.lanes[i].mask;
        if (!together)
            continue;
        finish_operation(warp, mask | 1u << i, warp.lanes[i].operation);
        here &= ~(mask | 1u << i);
        any = true;
    }
    return any;
}

// ---- block barrier ------------------------------------------------------------------------------

// As the program calls it: __syncthreads(), block.sync(), ...
static std::string barrier_at(Pc pc)
{
    const std::string line = source_of(pc);
    const size_t call = line.find("sync(");
    if (call == std::string::npos || line.find("__syncthreads") != std::string::npos)
        return "__syncthreads()";
    size_t begin = call;
    while (begin > 0 &&
           (isalnum((unsigned char)line[begin - 1]) || strchr("_.:>-", line[begin - 1])))
        begin--;
    return line.substr(begin, call - begin) + "sync()";
}

static bool check_block_barrier(Block &block, Lane *first)
{
    int ended = 0;
    Lane *an_ended = nullptr;
    for (Lane &lane : block.lanes) {
        if (lane.state == kDone) {
            ended++;
            an_ended = &lane;
        } else if (lane.wait_line != first->wait_line) {
            if (!known("barrier-divergence", first->wait_pc, 0))
                report({"barrier-divergence", first->wait_pc, first, "__syncthreads",
                        "waits at this " + barrier_at(first->wait_pc) + " while " +
                            thread_name(&lane) + " waits at another one, at " +
                            place_name(lane.wait_pc),
                        0});
            return false;
        }
    }
    if (ended && !known("barrier-divergence", first->wait_pc, 0))
        report({"barrier-divergence", first->wait_pc, first, "__syncthreads",
                "waits at this " + barrier_at(first->wait_pc) + ", which " + std::to_string(ended) +
                    " threads of the block, such as " + thread_name(an_ended) +
                    ", ended without reaching; since Volta it waits only for the others",
                0, true});
    return true;
}

static void trace_barrier(Block &block)
{
    for (Warp &warp : block.warps) {
        Lane *waiting[kWarp];
        int n = 0;
        for (int i = 0; i < warp.count; i++)
            if (warp.lanes[i].state == kAtBlockBarrier)
                waiting[n++] = &warp.lanes[i];
        if (n && trace_wanted(warp))
            trace_lanes(waiting, n, "barrier", waiting[0]->wait_pc);
    }
}

bool release_block(Block &block)
{
    Lane *first = nullptr;
    u64 votes = 0;
    u32 waiting = 0;
    for (Lane &lane : block.lanes) {
        if (lane.state == kDone)
            continue;
        if (lane.state != kAtBlockBarrier)
            return false;
        if (!first)
            first = &lane;
        votes += lane.value;
        waiting++;
    }
    if (!first)
        return false;
    check_block_barrier(block, first);
    if (settings.trace_file)
        trace_barrier(block);
    if (!settings.fast)
        order_at_block_barrier(block);
    if (counting_work)
        work_barrier(block);
    for (Lane &lane : block.lanes)
        if (lane.state == kAtBlockBarrier) {
            lane.state = kRunning;
            lane.loops_known = 0;
            lane.result = votes | (u64)waiting << 32;
        }
    launch_now.progress++;
    return true;
}

// ---- barriers with a number ---------------------------------------------------------------------

static NamedBarrier &named_barrier(Block &block, int number)
{
    for (NamedBarrier &n : block.named)
        if (n.number == number)
            return n;
    block.named.push_back({number, 0, 0, 0, {}, nullptr, nullptr, nullptr});
    return block.named.back();
}

bool release_named(Block &block)
{
    bool any = false;
    for (Lane &lane : block.lanes)
        if (lane.state == kAtNamedBarrier &&
            named_barrier(block, lane.argument).turn != (u32)lane.value) {
            lane.state = kRunning;
            lane.loops_known = 0;
            any = true;
        }
    return any;
}

// ---- the scheduler ------------------------------------------------------------------------------

// Of lanes in one function the one that is behind, so that it comes up with the others (flow.h).
// Where that cannot be told, one that stopped for the length of its path is on its way to where
// others may wait for it already, and goes before any that is at an access. A lane that holds a
// lock may be the one that is ahead: whoever has waited long goes first.
const u32 kStarved = 256; // in Warp::waits
static Lane *choose(Warp &warp, Lane **running, int count)
{
    Lane *oldest = nullptr, *pick = running[0];
    for (int i = 0; i < count; i++) {
        Lane *lane = running[i];
        bool starved =
            warp.waits - lane->last_wait > kStarved || launch_now.step - lane->last_step > 20000;
        if (starved && (!oldest || lane->last_step < oldest->last_step))
            oldest = lane;
        const int order = behind(lane, pick);
        if (order != kApart) {
            pick = order < 0 ? lane : pick;
            continue;
        }
        if (lane->on_its_way != pick->on_its_way) {
            pick = lane->on_its_way ? lane : pick;
            continue;
        }
        u64 depth = lane->depth & ~63ull, best = pick->depth & ~63ull;
        const bool before =
            lane->pc < pick->pc || (lane->pc == pick->pc && !lane->flags && pick->flags);
        if (depth > best || (depth == best && before))
            pick = lane;
    }
    return oldest ? oldest : pick;
}

// Do the two make the same step? One that has settled stands at the place of an access, but before
// it.
static inline bool same_step(const Lane *a, const Lane *b)
{
    return a->pc == b->pc && !a->flags == !b->flags && same_iteration(a, b);
}

// Those who go on next; none when no lane can.
static int form_group(Warp &warp, Lane **chosen)
{
    Lane *running[kWarp];
    int count = 0, n = 0;
    bool together = true;
    for (int i = 0; i < warp.count; i++) {
        Lane *lane = &warp.lanes[i];
        if (lane->state != kRunning && lane->state != kNew)
            continue;
        together &= !count || same_step(lane, running[0]);
        running[count++] = lane;
    }
    warp.running = count;
    if (!count)
        return 0;
    const Lane *next = together ? running[0] : choose(warp, running, count);
    for (int i = 0; i < count && together; i++)
        running[i]->loops_known = 0;
    for (int i = 0; i < count; i++)
        if (same_step(running[i], next)) {
            chosen[n++] = running[i];
            running[i]->last_step = launch_now.step;
            running[i]->last_wait = warp.waits;
        }
    return n;
}

const u64 kLongTurn = 1 << 16; // steps of one warp
static inline u64 weight_of(u8 strong) { return strong & kPoll ? 64 : strong & kLook ? 1 : 0; }

// Each lane in turn runs as far as it can.
static bool run_warp_fast(Warp &warp)
{
    const u32 spins_before = warp.spins;
    const u64 first_step = launch_now.step;
    group_size = 0;
    lanes_fast = warp.count;
    for (;;) {
        bool ran = false;
        u8 strong = 0;
        for (int i = 0; i < warp.count; i++) {
            Lane *lane = &warp.lanes[i];
            if (lane->state == kNew)
                start_lane(lane);
            if (lane->state != kRunning)
                continue;
            ran = true;
            if (i + 1 < warp.count)
                expect_lane(lane + 1);
            resume(lane, &scheduler);
            quick.depth = 0;
            count_ends(warp, ended_fast);
            ended_fast = 0;
            lane = current; // others may have begun and ended on its stack
            current = nullptr;
            if (launch_now.killed)
                return true;
            strong |= lane->strong;
            lane->strong = 0;
            if ((++launch_now.step & 63) == 0 && out_of_patience(lane->pc, lane))
                return true;
        }
        if (!ran && (warp.live == 0 || !release_warp(warp)))
            return true;
        launch_now.polls += weight_of(strong);
        if ((strong && ++warp.spins - spins_before > 64) ||
            launch_now.step - first_step > kLongTurn)
            return false;
    }
}

// The lanes' actions in their step. `together`: all that can go on are at one place, so that the
// next group is this one.
struct Step {
    u8 strong;
    bool together;
};
static inline Step look_back(Warp &warp, Lane **ran, int count)
{
    Step step = {0, count == warp.running};
    for (int i = 0; i < count; i++) {
        Lane *lane = ran[i];
        step.strong |= lane->strong;
        lane->strong = 0;
        step.together &= same_step(lane, ran[0]) && lane->state == kRunning;
        if (__builtin_expect(lane->state == kDone, 0)) {
            if (lane->stack_top)
                free_stack(lane->stack_top);
            if (lane->warp->block->cluster)
                end_thread_in_cluster(lane);
            order_forget(*lane);
            forget_copies(lane);
            count_ends(*lane->warp, 1);
        }
    }
    return step;
}

// ---- running, and following what was run --------------------------------------------------------

static void run_group(Lane **lanes, int count, bool writes)
{
    Trace *t = new_trace(count);
    for (int i = 0; i < count; i++) {
        lanes[i]->trace = t;
        lanes[i]->slot = (u8)i;
        lanes[i]->row = lanes[i]->rows = 0;
        lanes[i]->own_length = 0;
    }
    memcpy(group, lanes, (size_t)count * sizeof *group);
    group_size = count;
    group_next = 0;
    ahead.trace = t;
    ahead.writes = writes;
    if (group[0]->state == kNew)
        start_lane(group[0]);
    resume(group[0], &scheduler);
    ahead.way = nowhere;
    current = nullptr;
    if (t->ended && !(writes && t->ended == count))
        note_ends(lanes, count);
}

// Lanes that all begin run one after another, without a switch, for as long as each keeps to
// itself.
static bool run_from_begin(Lane **lanes, int count)
{
    run_group(lanes, count, true);
    Trace *t = lanes[0]->trace;
    if (launch_now.killed || harmless(*t, lanes, count)) {
        if (t->ended < count)
            for (int i = 0; i < count; i++)
                begin_books(lanes[i]);
        return true;
    }
    note_ends(lanes, count);
    undo(*t, lanes, count);
    free_trace(t);
    for (int i = 0; i < count; i++) {
        if (lanes[i]->stack_top)
            free_stack(lanes[i]->stack_top);
        lanes[i]->state = kNew;
        lanes[i]->trace = nullptr;
    }
    launch_now.careful = true;
    return false;
}

static void run_lanes(Lane **lanes, int count)
{
    if (lanes[0]->state != kNew) {
        run_group(lanes, count, false);
        return;
    }
    if (!launch_now.careful && run_from_begin(lanes, count))
        return;
    for (int i = 0; i < count; i++) {
        start_lane(lanes[i]);
        begin_books(lanes[i]);
    }
    run_group(lanes, count, false);
}

// To the next stop that the lane has passed, or to the one where it stands.
static inline void advance(Lane *lane)
{
    Trace &t = *lane->trace;
    if (lane->row < lane->rows) {
        const Row &row = t.row[lane->row];
        const int begin = lane->row ? t.row[lane->row - 1].end : 0;
        (Stop &)*lane = {row.pc,        t.address[lane->row][lane->slot],
                         row.depth,     row.bytes,
                         row.flags,     kRunning,
                         row.flags == 0};
        lane->path = t.way + begin;
        lane->path_length = row.end - begin - 1; // without this access, or the mark of a pause
        lane->row = (u16)(lane->row + row.width);
        return;
    }
    (Stop &)*lane = lane->stopped;
    if (lane->own_length) {
        lane->path = lane->own_path;
        lane->path_length = lane->own_length;
    } else {
        lane->path = t.way + (lane->rows ? t.row[lane->rows - 1].end : 0);
        lane->path_length = lane->way == nowhere ? 0 : (int)(lane->way - lane->path);
    }
    lane->trace = nullptr;
    if (--t.lanes == 0)
        free_trace(&t);
}

// The state that note_reads() in the checks would have left.
static void note_last_reads(Lane **lanes, int count, const Trace &t, int rows)
{
    int noted[4], n = 0;
    for (int r = rows; r-- > 0 && n < 4;)
        if (t.row[r].flags == kRead)
            noted[n++] = r;
    while (n-- > 0)
        note_reads(lanes, t.address[noted[n]], count, t.row[noted[n]].pc);
}

static bool all_end(Lane **lanes, int count, int rows)
{
    bool end = true;
    for (int i = 0; i < count; i++)
        end &= lanes[i]->rows == rows && lanes[i]->stopped.state == kDone;
    return end;
}

// Of row r, which they have made already.
static inline void after_writes(Lane **lanes, int count, int r)
{
    const Trace &t = *lanes[0]->trace;
    for (int i = 0; i < count; i++) {
        changed(t.address[r][lanes[i]->slot]);
        if (__builtin_expect(lanes[i]->watching, 0)) {
            u64 before[2] = {t.address[r + 1][lanes[i]->slot], 0};
            if (t.row[r].width > 2)
                before[1] = t.address[r + 2][lanes[i]->slot];
            end_watch(lanes[i], before);
        }
    }
}

static bool is_further(Lane *lane)
{
    const Region *r = lane->trace && lane->flags == kRead && !lane->path_length
                          ? region_of(lane->address)
                          : nullptr;
    if (!r || lane->bytes < 4 || lane->address % lane->bytes || r->space == kConstant)
        return false;
    const u8 *meta = r->meta + (lane->address - (u64)r->begin) / 4;
    return (meta[0] & meta[lane->bytes / 4 - 1] & kAddressable) == kAddressable;
}

// After a read. Only returning to different callers may have parted the lanes.
static void check_further_reads(Lane **ran, int count, int further)
{
    for (int k = further; k < kFurtherReads; k++) {
        Lane *todo[kWarp], *same[kWarp];
        int left = 0;
        for (int i = 0; i < count; i++)
            if (is_further(ran[i]))
                todo[left++] = ran[i];
        while (left > 0) {
            const Pc pc = todo[0]->pc;
            const u32 bytes = todo[0]->bytes;
            u64 addresses[kWarp];
            int n = 0, rest = 0;
            for (int i = 0; i < left; i++)
                if (todo[i]->pc == pc) {
                    addresses[n] = todo[i]->address;
                    same[n++] = todo[i];
                } else
                    todo[rest++] = todo[i];
            check_request(same, addresses, n, bytes, kRead, pc);
            for (int i = 0; i < n; i++)
                advance(same[i]);
            left = rest;
        }
    }
}

// All lanes of the warp that can go on have run through these rows: row after row, without asking
// who is next. `further`: reads of this step so far, or kFurtherReads.
static int follow_rows(Lane **lanes, int count, int rows, int further, Pc *block_now)
{
    const Trace &t = *lanes[0]->trace;
    int begin = 0;
    Pc block = *block_now;
    for (int r = 0; r < rows; r += t.row[r].width) {
        const Row &row = t.row[r];
        block = count_path(block, t.way + begin, row.end - begin - 1);
        const bool straight = row.end == begin + 1 && row.flags == kRead && further < kFurtherReads;
        further = straight ? further + 1 : row.flags == kRead ? 0 : kFurtherReads;
        launch_now.step += !straight;
        begin = row.end;
        if (row.flags == 0)
            continue;
        check_request(lanes, t.address[r], count, row.bytes, row.flags, row.pc, false);
        if (launch_now.killed)
            return further;
        if (row.flags & kWrite)
            after_writes(lanes, count, r);
    }
    *block_now = block;
    return further;
}

static int follow_together(Lane **lanes, int count, int further)
{
    const Trace &t = *lanes[0]->trace;
    int rows = kRows;
    for (int i = 0; i < count; i++)
        rows = std::min<int>(rows, lanes[i]->rows);
    if (rows == 0)
        return further;
    Pc block = lanes[0]->block_now;
    further = follow_rows(lanes, count, rows, further, &block);
    if (launch_now.killed)
        return further;
    for (int i = 0; i < count; i++) {
        lanes[i]->row = (u16)rows;
        lanes[i]->block_now = block;
    }
    if (!all_end(lanes, count, rows))
        note_last_reads(lanes, count, t, rows);
    return further;
}

// All lanes of a warp have run from their kernel's begin to its end on one way, as most do: nothing
// is left to be known of each.
static void follow_to_end(Warp &warp, Lane **lanes, int count)
{
    Trace &t = *lanes[0]->trace;
    Pc block = nullptr;
    follow_rows(lanes, count, t.rows, kFurtherReads, &block);
    if (launch_now.killed)
        return;
    const int begin = t.rows ? t.row[t.rows - 1].end : 0;
    count_path(block, t.way + begin, t.length - begin);
    for (int i = 0; i < count; i++) {
        lanes[i]->state = kDone;
        lanes[i]->trace = nullptr;
        if (warp.block->cluster)
            end_thread_in_cluster(lanes[i]);
        forget_copies(lanes[i]);
        if (lanes[i]->stack_top)
            free_stack(lanes[i]->stack_top);
    }
    free_trace(&t);
    count_ends(warp, count);
}

// Each of the group makes the access that it stands before, and comes to its next stop. Returns
// true when all of the warp have ended, and that has been noted.
static bool move_on(Warp &warp, Lane **lanes, int count)
{
    Lane *run[kWarp];
    int n = 0, further = lanes[0]->flags == kRead ? 0 : kFurtherReads;
    for (int i = 0; i < count; i++)
        if (!lanes[i]->trace)
            run[n++] = lanes[i];
        else if (lanes[i]->flags & kWrite)
            after_writes(lanes + i, 1, lanes[i]->row - (lanes[i]->bytes <= 8 ? 2 : 3));
    const bool begin = n == warp.count && run[0]->state == kNew;
    if (n)
        run_lanes(run, n);
    if (launch_now.killed)
        return false;
    if (begin && !launch_now.careful && run[0]->trace->ended == n) {
        follow_to_end(warp, run, n);
        return true;
    }
    if (n == warp.running)
        further = follow_together(lanes, count, further);
    if (launch_now.killed)
        return false;
    for (int i = 0; i < count; i++)
        advance(lanes[i]);
    check_further_reads(lanes, count, further);
    return false;
}

// The others wait while these go round a loop, perhaps waiting for an action of the others.
static inline void count_wait(Warp &warp, u8 strong, bool round)
{
    warp.strong_in_round |= strong != 0;
    if (!round || !warp.strong_in_round)
        return;
    warp.waits += launch_now.progress == warp.progress;
    warp.progress = launch_now.progress;
    warp.strong_in_round = false;
}

static inline bool crosses(u64 before, u64 after, int bits)
{
    return before >> bits != after >> bits;
}

// In the random order, another block may make its accesses between one block's atomic or volatile
// ones.
static inline bool others_go_first()
{
    return settings.order == Settings::random && random_below(4) == 0;
}

// A GPU does not say in which order the lanes of a warp make their atomic accesses.
static inline bool last_lane_first(const Lane *lane)
{
    return settings.order != Settings::early && lane->flags & kAtomic &&
           (settings.order == Settings::late || random_below(2));
}

bool run_warp(Warp &warp)
{
    if (settings.fast)
        return run_warp_fast(warp);
    const u32 spins_before = warp.spins;
    const u64 first_step = launch_now.step;
    Lane *ran[kWarp];
    int count = 0;
    warp.together = false;
    for (;;) {
        if (warp.fresh) {
            warp.fresh = false;
            warp.running = count = warp.count;
            for (int i = 0; i < count; i++)
                ran[i] = &warp.lanes[i];
        } else if (!warp.together && (count = form_group(warp, ran)) == 0) {
            if (warp.live && release_warp(warp))
                continue;
            return true;
        }
        const u64 step_before = launch_now.step++;
        if (ran[0]->flags) {
            u64 addresses[kWarp];
            for (int i = 0; i < count; i++)
                addresses[i] = ran[i]->address;
            check_request(ran, addresses, count, ran[0]->bytes, ran[0]->flags, ran[0]->pc);
            if (launch_now.killed)
                return true;
        }
        const bool backwards = last_lane_first(ran[0]);
        if (backwards)
            std::reverse(ran, ran + count);
        const bool all_ended = move_on(warp, ran, count);
        if (backwards)
            std::reverse(ran, ran + count);
        if (launch_now.killed)
            return true;
        Step step = {0, false};
        bool round = false; // of a loop
        if (!all_ended) {
            const bool same_way = one_way(ran, count);
            round = (!same_way || count != warp.running) && note_iterations(ran, count);
            count_paths(ran, count, same_way);
            step = look_back(warp, ran, count);
        }
        const bool parted = warp.together && !step.together;
        warp.together = step.together;
        if (parted)
            for (int i = 0; i < warp.count; i++) {
                warp.lanes[i].last_step = launch_now.step;
                warp.lanes[i].last_wait = warp.waits;
            }
        launch_now.polls += weight_of(step.strong);
        count_wait(warp, step.strong, round);
        if (step.strong && (++warp.spins - spins_before > 64 || others_go_first()))
            return false;
        if (__builtin_expect(watches_loop, 0) && !all_ended && is_back(warp, ran[0]))
            return true;
        if (crosses(step_before, launch_now.step, 10)) {
            if (crosses(step_before, launch_now.step, 12))
                watch_memory();
            if (out_of_patience(ran[0]->pc, ran[0]))
                return true;
        }
        // not its own number, which depends on the blocks before
        const u64 steps = launch_now.step - first_step;
        // others of the block may be waited for
        if (steps > kLongTurn && crosses(step_before - first_step, steps, 10))
            return false;
    }
}

} // namespace emulated

// ---- what device code calls ---------------------------------------------------------------------
using namespace emulated;

// The lane that calls, or the end: these mean nothing in host code.
static Lane *caller(const char *what)
{
    if (!current) {
        fprintf(stderr, "%s is called from host code: it can only be used in a kernel\n", what);
        exit(2);
    }
    return current;
}

static inline void wait(Lane *lane, State state, Pc pc)
{
    lane->wait_pc = pc;
    pause(lane, pc, EMULATED_FRAME, state);
}

u32 emulated::meet_warp(const char *call, u64 value, Pc pc)
{
    Lane *lane = caller(call);
    lane->mask = ~0u;
    lane->value = value;
    lane->operation = kMeet;
    wait(lane, kAtWarpBarrier, pc);
    return (u32)lane->result;
}

extern "C" {

void emulated_block_barrier(int line)
{
    Lane *lane = caller("__syncthreads()");
    lane->wait_line = line;
    lane->value = 0;
    wait(lane, kAtBlockBarrier, __builtin_return_address(0));
}

int emulated_block_vote(int predicate, int line, int *threads)
{
    Lane *lane = caller("__syncthreads_count()");
    lane->wait_line = line;
    lane->value = predicate != 0;
    wait(lane, kAtBlockBarrier, __builtin_return_address(0));
    *threads = (int)(lane->result >> 32);
    return (int)lane->result;
}

// bar.sync and bar.arrive: `threads` of the block, 0: all
void emulated_named_barrier(int number, unsigned threads, int waits)
{
    Lane *lane = caller("bar.sync");
    Block &block = *lane->warp->block;
    const Pc pc = __builtin_return_address(0);
    pause(lane, pc, EMULATED_FRAME);
    NamedBarrier *n = &named_barrier(block, number);
    if (!threads)
        threads = (u32)block.lanes.size();
    if (threads % kWarp || (n->arrived && n->threads != threads)) {
        report({"barrier-divergence", pc, lane, "bar.sync",
                "comes to barrier " + std::to_string(number) + " of " + std::to_string(threads) +
                    " threads, " +
                    (threads % kWarp ? "which must be a multiple of 32"
                                     : "where others wait for " + std::to_string(n->threads)),
                1});
        kill_kernel(cudaErrorLaunchFailure);
    }
    n->threads = threads;
    const u32 turn = n->turn;
    const bool last = ++n->arrived >= threads;
    if (!settings.fast)
        order_at_arrival(lane, *n, last);
    if (last) {
        n->arrived = 0;
        n->turn++;
        launch_now.progress++;
    }
    if (!waits)
        return;
    lane->argument = number;
    lane->value = turn;
    lane->wait_pc = pc;
    while (named_barrier(block, number).turn == turn)
        pause(lane, pc, EMULATED_FRAME, kAtNamedBarrier);
    if (!settings.fast)
        order_after_named_barrier(lane, named_barrier(block, number));
}

void emulated_grid_barrier(int line)
{
    Lane *lane = caller("grid synchronisation");
    if (!launch_now.cooperative) {
        report({"invalid-launch", (Pc)__builtin_return_address(0), lane, launch_now.kernel,
                "waits for the whole grid, but was not launched with cudaLaunchCooperativeKernel()",
                0});
        kill_kernel(cudaErrorLaunchFailure);
        return;
    }
    lane->wait_line = line;
    wait(lane, kAtGridBarrier, __builtin_return_address(0));
}

void emulated_fence(int block_only)
{
    Lane *lane = current;
    if (!lane)
        return;
    settle(__builtin_return_address(0), EMULATED_FRAME);
    fence(lane, block_only != 0);
}

unsigned long long emulated_warp(unsigned mask, unsigned long long value, int operation,
                                 int argument, int width)
{
    Lane *lane = caller("a warp operation");
    Pc pc = __builtin_return_address(0);
    if (!(mask >> lane->index & 1))
        report({"shuffle-inactive", pc, lane, "lane " + std::to_string(lane->index),
                "calls a warp operation whose mask does not name its own lane " +
                    std::to_string(lane->index),
                1});
    if (width < 1 || width > kWarp || (width & (width - 1)))
        report({"shuffle-inactive", pc, lane, "width",
                "shuffles with a width of " + std::to_string(width) +
                    ", which must be 1, 2, 4, 8, 16 or 32: the values are undefined",
                4});
    lane->mask = mask;
    lane->value = value;
    lane->operation = (WarpOperation)operation;
    lane->argument = argument;
    lane->width = width;
    wait(lane, kAtWarpBarrier, pc);
    return lane->result;
}

unsigned emulated_active_mask(void)
{
    Lane *lane = caller("__activemask()");
    if (settings.fast)
        return 1u << lane->index; // each on its own
    pause(lane, __builtin_return_address(0), EMULATED_FRAME);
    unsigned mask = 0;
    for (int i = 0; i < group_size; i++)
        mask |= 1u << group[i]->index;
    return mask;
}

unsigned emulated_lane(void) { return caller("the lane number")->index; }
long long emulated_clock(void)
{
    if (settings.fast) // or no step would be made while a lane runs on
        pause(caller("clock()"), __builtin_return_address(0), EMULATED_FRAME);
    settle(__builtin_return_address(0), EMULATED_FRAME);
    needs_one_core();
    launch_now.polls++; // it may wait for a time
    return (long long)(launch_now.step + launch_now.leapt);
}
unsigned emulated_dynamic_shared_size(void) { return (unsigned)launch_now.dynamic_shared; }

void emulated_nap(void)
{
    Lane *lane = caller("__nanosleep()");
    lane->strong = kSpin | kPoll;
    pause(lane, __builtin_return_address(0), EMULATED_FRAME);
}

// The kernel has returned: its arguments are bytes, whose destructors no thread runs (launch.h).
void emulated_thread_ends(void)
{
    end_lane();
    lane_main();
}

void emulated_trap(void)
{
    Lane *lane = caller("__trap()");
    settle(__builtin_return_address(0), EMULATED_FRAME);
    report({"trap", (Pc)__builtin_return_address(0), lane, launch_now.kernel,
            "ends the kernel by __trap()", 0});
    kill_kernel(cudaErrorLaunchFailure);
}

} // extern "C"
