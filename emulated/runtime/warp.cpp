// warp.cpp: the lanes of a warp in lockstep.
//
// A lane stops before each access. Those that stopped at the same place form a group and go on together, each making
// that access and running to its next stop. When lanes are at different places, the group with the deepest call goes
// first and then the one at the lowest address, so that those who are ahead wait where the others will join them.
#include "lockstep.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

extern "C" {
uint3 threadIdx, blockIdx, blockDim, gridDim;
}

namespace emulated {

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
    if (!launch_now.killed)
        launch_now.error = error;
    launch_now.killed = true;
    if (current)
        leave_forever(current);
}

// A lane has ended: the books are kept here in fast mode, else by run_warp.
static void count_end(Lane *lane)
{
    forget_copies(lane);
    lane->warp->live--;
    lane->warp->block->live--;
    launch_now.progress++;
    launch_now.visible++;
    launch_now.ended++;
}

// A thread has returned from its kernel. In fast mode the next lane of its warp that has not begun goes on, on the same
// stack; else this lane's fiber ends here.
static void end_lane()
{
    Lane *lane = current;
    if (lane->watching)
        end_watch(lane);
    lane->state = kDone;
    lane->pc = nullptr;
    if (settings.fast) {
        Lane *next = lane + 1, *end = lane->warp->lanes + lane->warp->count;
        count_end(lane);
        if (next < end && next->state == kNew) {
            next->stack_top = lane->stack_top;
            next->state = kRunning;
            next->strong = 0;
            next->blocks_entered = 0;
            current = next;
            threadIdx = next->id;
            return;
        }
        free_stack(lane->stack_top);
    }
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

static void start_lane(Lane *lane)
{
    lane->stack_top = new_stack();
    forget_copies(lane); // of a killed kernel
    prepare_fiber(*lane, lane_main);
    lane->pc = nullptr;
    lane->frame = (u64)lane->stack_top;
    lane->state = kRunning;
    lane->flags = 0;
    lane->watching = lane->straight = lane->on_its_way = false;
    lane->strong = 0;
    lane->further_count = 0;
    lane->path_length = 0;
    lane->path[0] = lane->block_now = nullptr;
    lane->blocks_entered = 0;
    lane->last_step = launch_now.step;
    lane->last_spin = 0;
    lane->last_read = 0;
    for (auto &read : lane->reads)
        read.address = 0;
    lane->polled = 0;
}

// ---- warp operations ------------------------------------------------------------------------------------

// As the instruction does it: five bits of the argument count, and who would leave its part of the warp keeps its own.
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

static void finish_operation(Warp &warp, u32 lanes, WarpOperation operation)
{
    u32 votes = 0;
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
                if (lanes >> k & 1 && warp.lanes[k].operation == kMeet && warp.lanes[k].wait_pc == lane.wait_pc)
                    lane.result |= 1ull << k;
        } else if (lane.operation == kMatch) {
            lane.result = 0;
            for (int k = 0; k < warp.count; k++)
                if (lanes >> k & 1 && warp.lanes[k].value == lane.value)
                    lane.result |= 1ull << k;
        } else {
            int from = shuffle_source(lane);
            if (from >= warp.count || !(lanes >> from & 1)) {
                report({"shuffle-inactive", lane.wait_pc, &lane, "lane " + std::to_string(from),
                        "shuffles from lane " + std::to_string(from)
                            + ", which does not take part: the value is undefined",
                        0});
                lane.result = lane.value;
            } else
                lane.result = warp.lanes[from].value;
        }
    }
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1)
            warp.lanes[i].state = kRunning;
    if (operation != kMeet)
        order_at_warp_barrier(warp, lanes);
    launch_now.progress++;
}

// Lets go the warp operations whose lanes have all arrived.
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

// ---- block barrier --------------------------------------------------------------------------------------

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
                        "waits at this __syncthreads() while " + thread_name(&lane) + " waits at another one, at "
                            + place_name(lane.wait_pc),
                        0});
            return false;
        }
    }
    if (ended && !known("barrier-divergence", first->wait_pc, 0))
        report({"barrier-divergence", first->wait_pc, first, "__syncthreads",
                "waits at this __syncthreads(), which " + std::to_string(ended) + " threads of the block, such as "
                    + thread_name(an_ended) + ", have left without",
                0});
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
    for (Lane &lane : block.lanes)
        if (lane.state == kAtBlockBarrier) {
            lane.state = kRunning;
            lane.result = votes | (u64)waiting << 32;
        }
    launch_now.progress++;
    return true;
}

// ---- the scheduler --------------------------------------------------------------------------------------

// A lane that stopped for the length of its path is on its way to where others may wait for it already, at a lower address
// perhaps: it goes before any that is at an access. A lane that holds a lock may be the one with the higher address:
// whoever has waited long goes first.
static Lane *choose(Warp &warp, Lane **running, int count)
{
    Lane *oldest = nullptr, *pick = running[0];
    for (int i = 0; i < count; i++) {
        Lane *lane = running[i];
        bool starved = warp.spins - lane->last_spin > 16 || launch_now.step - lane->last_step > 20000;
        if (starved && (!oldest || lane->last_step < oldest->last_step))
            oldest = lane;
        if (lane->on_its_way != pick->on_its_way) {
            pick = lane->on_its_way ? lane : pick;
            continue;
        }
        u64 depth = ((u64)lane->stack_top - lane->frame) & ~63ull, best = ((u64)pick->stack_top - pick->frame) & ~63ull;
        if (depth > best || (depth == best && lane->pc < pick->pc))
            pick = lane;
    }
    return oldest ? oldest : pick;
}

// Fills `group`; false when no lane can go on.
static bool form_group(Warp &warp)
{
    Lane *running[kWarp];
    int count = 0;
    bool together = true;
    for (int i = 0; i < warp.count; i++) {
        Lane *lane = &warp.lanes[i];
        if (lane->state == kNew)
            start_lane(lane);
        if (lane->state != kRunning)
            continue;
        together &= !count || lane->pc == running[0]->pc;
        running[count++] = lane;
    }
    if (!count)
        return false;
    Pc pc = together ? running[0]->pc : choose(warp, running, count)->pc;
    group_size = 0;
    for (int i = 0; i < count; i++)
        if (running[i]->pc == pc) {
            group[group_size++] = running[i];
            running[i]->last_step = launch_now.step;
            running[i]->last_spin = warp.spins;
        }
    return true;
}

const u64 kLongTurn = 1 << 16; // steps of one warp
static inline u64 weight_of(u8 strong) { return strong & kPoll ? 64 : strong & kLook ? 1 : 0; }

// Each lane in turn runs as far as it can.
static bool run_warp_fast(Warp &warp)
{
    const u32 spins_before = warp.spins;
    const u64 first_step = launch_now.step;
    group_size = 0;
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
            resume(lane, &scheduler);
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
        if ((strong && ++warp.spins - spins_before > 64) || launch_now.step - first_step > kLongTurn)
            return false;
    }
}

// The lanes made the same reads one after another; only returning to different callers may have parted them.
static void check_further_reads(Lane **ran, int count)
{
    for (int k = 0; k < kFurtherReads; k++) {
        Lane *todo[kWarp], *same[kWarp];
        int left = 0;
        for (int i = 0; i < count; i++)
            if (ran[i]->further_count > k)
                todo[left++] = ran[i];
        while (left > 0) {
            const Read first = todo[0]->further[k];
            u64 addresses[kWarp];
            int n = 0, rest = 0;
            for (int i = 0; i < left; i++)
                if (todo[i]->further[k].pc == first.pc) {
                    addresses[n] = todo[i]->further[k].address;
                    same[n++] = todo[i];
                } else
                    todo[rest++] = todo[i];
            check_request(same, addresses, n, first.bytes, kRead, first.pc);
            left = rest;
        }
    }
    for (int i = 0; i < count; i++)
        ran[i]->further_count = 0;
}

// What the lanes did in their step. `together`: all lanes of the warp ran to the same place, so that the next group is
// this one.
struct Step {
    u8 strong;
    bool together;
};
static inline Step look_back(Warp &warp, Lane **ran, int count)
{
    Step step = {0, count == warp.count};
    const Pc pc = ran[0]->pc;
    for (int i = 0; i < count; i++) {
        Lane *lane = ran[i];
        step.strong |= lane->strong;
        lane->strong = 0;
        step.together &= lane->pc == pc && lane->state == kRunning;
        if (__builtin_expect(lane->state == kDone, 0)) {
            free_stack(lane->stack_top);
            order_forget(*lane);
            count_end(lane);
        }
    }
    return step;
}

bool run_warp(Warp &warp)
{
    if (settings.fast)
        return run_warp_fast(warp);
    const u32 spins_before = warp.spins;
    const u64 first_step = launch_now.step;
    warp.together = false;
    for (;;) {
        if (!warp.together && !form_group(warp)) {
            if (warp.live && release_warp(warp))
                continue;
            return true;
        }
        Lane *ran[kWarp];
        const int count = group_size;
        memcpy(ran, group, (size_t)count * sizeof *ran);
        launch_now.step++;
        if (group[0]->flags) {
            u64 addresses[kWarp];
            for (int i = 0; i < count; i++)
                addresses[i] = ran[i]->address;
            check_request(ran, addresses, count, ran[0]->bytes, ran[0]->flags, ran[0]->pc);
            if (launch_now.killed)
                return true;
        }
        group_next = 0;
        resume(group[0], &scheduler);
        current = nullptr;
        if (launch_now.killed)
            return true;
        if (ran[0]->further_count)
            check_further_reads(ran, count);
        count_paths(ran, count);
        const Step step = look_back(warp, ran, count);
        const bool parted = warp.together && !step.together;
        warp.together = step.together;
        if (parted)
            for (int i = 0; i < warp.count; i++) {
                warp.lanes[i].last_step = launch_now.step;
                warp.lanes[i].last_spin = warp.spins;
            }
        launch_now.polls += weight_of(step.strong);
        if (step.strong && ++warp.spins - spins_before > 64)
            return false;
        if ((launch_now.step & 1023) == 0) {
            if ((launch_now.step & 0xfff) == 0)
                watch_memory();
            if (out_of_patience(ran[0]->pc, ran[0]))
                return true;
            if (launch_now.step - first_step > kLongTurn) // others of the block may be waited for
                return false;
        }
    }
}

} // namespace emulated

// ---- what device code calls -----------------------------------------------------------------------------
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
    lane->state = state;
    lane->flags = 0;
    lane->straight = false;
    stop(lane, pc, (u64)__builtin_frame_address(0));
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

void emulated_grid_barrier(int line)
{
    Lane *lane = caller("grid synchronisation");
    if (!launch_now.cooperative) {
        report({"invalid-launch", (Pc)__builtin_return_address(0), lane, launch_now.kernel,
                "waits for the whole grid, but was not launched with cudaLaunchCooperativeKernel()", 0});
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
    if (lane->further_count) { // they come before the fence
        lane->flags = 0;
        lane->straight = false;
        stop(lane, __builtin_return_address(0), (u64)__builtin_frame_address(0));
    }
    fence(lane, block_only != 0);
}

unsigned long long emulated_warp(unsigned mask, unsigned long long value, int operation, int argument, int width)
{
    Lane *lane = caller("a warp operation");
    Pc pc = __builtin_return_address(0);
    if (!(mask >> lane->index & 1))
        report({"shuffle-inactive", pc, lane, "lane " + std::to_string(lane->index),
                "calls a warp operation whose mask does not name its own lane " + std::to_string(lane->index), 1});
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
    lane->flags = 0;
    stop(lane, __builtin_return_address(0), (u64)__builtin_frame_address(0));
    unsigned mask = 0;
    for (int i = 0; i < group_size; i++)
        mask |= 1u << group[i]->index;
    return mask;
}

unsigned emulated_lane(void) { return caller("the lane number")->index; }
long long emulated_clock(void) { return (long long)launch_now.step; }
unsigned emulated_dynamic_shared_size(void) { return (unsigned)launch_now.dynamic_shared; }

void emulated_nap(void)
{
    Lane *lane = caller("__nanosleep()");
    lane->flags = 0;
    lane->strong = kSpin | kPoll;
    stop(lane, __builtin_return_address(0), (u64)__builtin_frame_address(0));
}

// The kernel has returned: its arguments are bytes, whose destructors no thread runs (launch.h).
void emulated_thread_ends(void)
{
    end_lane();
    lane_main();
}

void emulated_trap(void)
{
    caller("__trap()");
    kill_kernel(cudaErrorLaunchFailure);
}

} // extern "C"
