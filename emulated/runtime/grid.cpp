// grid.cpp: a kernel launch. Blocks run one after another. Only if a block does nothing but wait,
// the next one begins beside it, up to the number that the device would hold.
#include "emulator.h"
#include "times.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

extern "C" {
extern uint3 threadIdx, blockIdx, blockDim, gridDim;
}

namespace emulated
{

Launch launch_now EMULATED_EARLY;

std::vector<u64> words_of(const void *arguments, size_t bytes)
{
    std::vector<u64> words(bytes / 8);
    if (!words.empty())
        memcpy(words.data(), arguments, 8 * words.size());
    return words;
}
u64 launch_count;
static std::vector<Block *> spare_blocks EMULATED_EARLY;

static void set_up_lanes(Block &b)
{
    const uint3 &d = launch_now.block;
    u32 threads = d.x * d.y * d.z;
    b.lanes.clear();
    b.lanes.resize(threads);
    b.warps.clear();
    b.warps.resize((threads + kWarp - 1) / kWarp);
    for (u32 t = 0; t < threads; t++) {
        Lane &lane = b.lanes[t];
        lane.thread = t;
        lane.index = (u8)(t % kWarp);
        lane.id = {t % d.x, t / d.x % d.y, t / d.x / d.y};
        lane.warp = &b.warps[t / kWarp];
    }
    for (u32 w = 0; w < b.warps.size(); w++) {
        Warp &warp = b.warps[w];
        warp.lanes = &b.lanes[w * kWarp];
        warp.count = (int)std::min<u32>(kWarp, threads - w * kWarp);
        warp.index = w;
        warp.block = &b;
    }
    b.shape = d;
}

// The block, or cluster, that begins as number i: in order, from the end, or all over the grid.
static u32 number_of(u64 i, u64 blocks)
{
    if (settings.order == Settings::late)
        return (u32)(blocks - 1 - i);
    return (u32)(settings.order == Settings::random
                     ? (i * launch_now.stride + launch_now.offset) % blocks
                     : i);
}

static u64 common_divisor(u64 a, u64 b) { return b ? common_divisor(b, a % b) : a; }

static Block *new_block(u32 linear)
{
    Block *b;
    if (spare_blocks.empty())
        b = new Block();
    else {
        b = spare_blocks.back();
        spare_blocks.pop_back();
    }
    const uint3 &d = launch_now.block, &g = launch_now.grid;
    if (b->lanes.empty() || b->shape.x != d.x || b->shape.y != d.y || b->shape.z != d.z)
        set_up_lanes(*b);
    b->linear = linear;
    b->id = {linear % g.x, linear / g.x % g.y, linear / g.x / g.y};
    b->epoch = 0;
    b->born = b->since = next_interval_id();
    b->cluster = nullptr;
    b->rank = b->together = 0;
    b->named.clear();
    b->live = (int)b->lanes.size();
    b->steps = 0;
    b->started = false;
    b->saved_shared.clear();
    for (Lane &lane : b->lanes) { // the rest is set when it begins
        (Stop &)lane = {nullptr, 0, 0, 0, 0, kNew, false};
        lane.trace = nullptr;
    }
    for (Warp &w : b->warps) {
        w.live = w.count;
        w.epoch = w.interval = w.spins = w.waits = 0;
        w.progress = 0;
        w.strong_in_round = false;
        w.fresh = true;
        w.wait = {};
    }
    if (counting_work)
        work_begin_block();
    return b;
}

// The blocks that begin together: one, or a cluster
static std::vector<Block *> new_blocks(u64 i, u64 blocks)
{
    const u64 size = launch_now.cluster_blocks;
    const u32 number = number_of(i / size, blocks / size);
    if (size == 1)
        return {new_block(number)};
    const uint3 &c = launch_now.cluster, &g = launch_now.grid,
                clusters = {g.x / c.x, g.y / c.y, g.z / c.z};
    const u32 x = number % clusters.x * c.x, y = number / clusters.x % clusters.y * c.y,
              z = number / clusters.x / clusters.y * c.z;
    std::vector<Block *> all;
    for (u32 r = 0; r < size; r++)
        all.push_back(
            new_block(x + r % c.x + g.x * (y + r / c.x % c.y + g.y * (z + r / c.x / c.y))));
    begin_cluster(all);
    if (settings.order == Settings::late)
        std::reverse(all.begin(), all.end());
    return all;
}

static bool any_in(const Block &b, State state)
{
    for (const Lane &lane : b.lanes)
        if (lane.state == state)
            return true;
    return false;
}

// Nobody can ever go on: some wait at a warp operation for lanes that wait elsewhere.
static void report_deadlock(Block &b)
{
    Lane *waiting = nullptr, *elsewhere = nullptr;
    for (Lane &lane : b.lanes)
        if (lane.state == kAtWarpBarrier && !waiting)
            waiting = &lane;
    for (Lane &lane : b.lanes)
        if (waiting && lane.state == kAtBlockBarrier && lane.warp == waiting->warp)
            elsewhere = &lane;
    for (Lane &lane : b.lanes)
        if (waiting && !elsewhere &&
            (lane.state == kAtBlockBarrier ||
             (lane.warp == waiting->warp && lane.mask != waiting->mask &&
              lane.state == kAtWarpBarrier)))
            elsewhere = &lane;
    if (waiting && elsewhere)
        report({elsewhere->state == kAtBlockBarrier ? "barrier-divergence" : "shuffle-inactive",
                waiting->wait_pc, waiting, "",
                "waits at a warp operation for other lanes, while " + thread_name(elsewhere) +
                    " waits at " + place_name(elsewhere->wait_pc) + ": neither can go on",
                2});
    else if (Lane *lane = waiting)
        report({"shuffle-inactive", lane->wait_pc, lane, "",
                "waits at a warp operation for lanes that never come", 2});
    for (Lane &lane : b.lanes)
        if (!waiting && lane.state == kAtNamedBarrier) {
            waiting = &lane;
            for (const NamedBarrier &n : b.named)
                if (n.number == lane.argument)
                    report({"barrier-divergence", lane.wait_pc, &lane, "bar.sync",
                            "waits at barrier " + std::to_string(n.number) + " for " +
                                std::to_string(n.threads) + " threads, of which " +
                                std::to_string(n.arrived) + " have come: no other can",
                            2});
        }
    launch_now.killed = true;
    launch_now.error = cudaErrorLaunchFailure;
}

// kWaits: it seems to wait for other blocks; kLong: it has run for long without a change that they
// could certainly see, which may be waiting, too.
enum Outcome { kFinished, kWaits, kLong, kWaitsForGrid };

const u64 kPolls = 4096;      // looks at global memory while nothing changes there
const u64 kLongRun = 200000;  // steps of a block
const int kShortRuns = 12;    // or a power of 2 of them, below this one, in the random order
const size_t kLongBlocks = 4; // in turn, since each that begins looks like an achievement

// Has the block only looked at global memory since `polls` and `visible` were noted? What it polls
// with (a barrier, a vote, shared memory beside it) does not matter.
struct Quiet {
    u64 visible, polls;
    Quiet() : visible(launch_now.visible), polls(launch_now.polls) {}
};

static Outcome run_block(Block &b)
{
    blockIdx = b.id;
    enter_block_of_cluster(b);
    const u64 first_step = launch_now.step, first_visible = launch_now.visible;
    const u64 long_run =
        settings.order == Settings::random ? 1ull << random_below(kShortRuns) : kLongRun;
    size_t round = 0;
    for (Quiet quiet;;) {
        u64 before = launch_now.progress;
        // of a warp that could go on, even if all its lanes have just arrived at an operation
        bool turn_ended = false;
        const size_t warps = b.warps.size();
        const size_t first = settings.order == Settings::random ? (b.linear + round++) % warps : 0;
        for (size_t i = 0; i < warps; i++) {
            Warp &warp =
                b.warps[settings.order == Settings::late ? warps - 1 - i : (first + i) % warps];
            if (warp.live)
                turn_ended |= !run_warp(warp);
            if (launch_now.killed)
                return kFinished;
        }
        if (b.live == 0)
            return kFinished;
        const bool released = release_block(b) | (!b.named.empty() && release_named(b)) |
                              (b.cluster && release_from_cluster(b));
        if (launch_now.step - first_step > long_run)
            return long_run == kLongRun || launch_now.visible != first_visible ? kLong : kWaits;
        if (launch_now.visible != quiet.visible)
            quiet = Quiet();
        else if (launch_now.polls - quiet.polls > kPolls)
            return kWaits;
        if (released)
            continue;
        if (!turn_ended && !any_in(b, kRunning) && !any_in(b, kNew) &&
            !any_in(b, kAtClusterBarrier)) {
            if (any_in(b, kAtGridBarrier) && !any_in(b, kAtBlockBarrier) &&
                !any_in(b, kAtWarpBarrier))
                return kWaitsForGrid;
            report_deadlock(b);
            return kFinished;
        }
        if (launch_now.progress == before)
            return kWaits;
    }
}

// Of each block thread 0 tells the others that it has come: without it they wait for ever. False if
// that is so.
static bool all_blocks_come(const std::vector<Block *> &resident, u64 blocks)
{
    const Lane *waiting = nullptr;
    u64 missing = blocks - resident.size(), ended = missing * resident[0]->lanes.size();
    for (const Block *b : resident) {
        missing += b->lanes[0].state == kDone;
        for (const Lane &lane : b->lanes) {
            ended += lane.state == kDone;
            if (lane.state == kAtGridBarrier && !waiting)
                waiting = &lane;
        }
    }
    if (ended == 0)
        return true;
    if (missing) {
        show_late_findings(); // which may have led to that
        launch_now.killed = true;
        launch_now.error = cudaErrorLaunchTimeout;
    }
    report({missing ? "endless-kernel" : "barrier-divergence", waiting->wait_pc, waiting,
            "grid barrier",
            "waits for the whole grid, of which " + std::to_string(ended) +
                " threads have ended without coming here" +
                (missing ? ", the first of a block among them: on a GPU it waits for ever" : ""),
            2, !missing});
    return !missing;
}

static void release_grid(std::vector<Block *> &resident)
{
    order_at_grid_barrier();
    for (Block *b : resident) {
        if (counting_work)
            work_grid_barrier(*b);
        b->epoch++;
        b->since = next_interval_id();
        for (Warp &w : b->warps)
            w.epoch = w.interval = 0;
        for (Lane &lane : b->lanes)
            if (lane.state == kAtGridBarrier)
                lane.state = kRunning;
    }
    launch_now.progress++;
}

static std::vector<Block *> resident EMULATED_EARLY;
static u64 not_started;

static Lane *waiting_for_cluster()
{
    Lane *lane = nullptr;
    for (size_t i = 0; i < resident.size() && !lane; i++)
        lane = waits_for_cluster(*resident[i]);
    return lane;
}

Lane *waiting_at_mbarrier(std::string *why)
{
    Lane *first = nullptr;
    bool by_bytes = false;
    for (Block *b : resident)
        for (size_t i = 0; i < b->lanes.size() && !by_bytes; i++) {
            Lane *lane = &b->lanes[i];
            const std::string text =
                lane->state == kRunning ? mbarrier_that_never_completes(lane, &by_bytes) : "";
            if (!text.empty() && (!first || by_bytes)) {
                first = lane;
                *why = text;
            }
        }
    return first;
}

static void report_stuck()
{
    Lane *spinner = nullptr;
    for (Lane &lane : resident[0]->lanes)
        if (lane.state == kRunning)
            spinner = &lane;
    Pc pc = spinner ? spinner->pc : launch_now.place;
    std::string here = std::to_string(resident.size());
    std::string why;
    Lane *at_mbarrier = waiting_at_mbarrier(&why);
    if (at_mbarrier)
        report({"endless-kernel", at_mbarrier->pc, at_mbarrier, launch_now.kernel, why, 1});
    else if (Lane *lane = waiting_for_cluster())
        report({"barrier-divergence", lane->wait_pc, lane, "cluster barrier",
                "waits at the cluster's barrier for threads that never come: each thread of its "
                "blocks must arrive, or have ended",
                2});
    else if (not_started)
        report({"blocks-not-resident", pc, spinner, launch_now.kernel,
                "waits for other blocks, but " + std::to_string(not_started) +
                    " blocks have not begun: the device holds " + here +
                    " of this kernel's blocks at a time, and none of them ends. Launch at most " +
                    here + ", or let a block wait only for those that have begun before it",
                0});
    else
        report({"endless-kernel", pc, spinner, launch_now.kernel,
                "waits for something that no thread will ever do (" + here +
                    " blocks run, all only wait)",
                0});
    launch_now.killed = true;
    launch_now.error = cudaErrorLaunchTimeout;
}

// The launch's patience is used up: do blocks wait for others for which the device has no room?
bool report_full_device()
{
    if (!not_started || resident.size() + launch_now.cluster_blocks <= launch_now.resident_limit)
        return false;
    report_stuck();
    return true;
}

// All blocks in progress have had their turns without progress: if one waits for clock() to reach a
// value, the clock advances to help it, each time by a quarter more. What such a wait measures is
// then at most about a quarter too long.
static void let_time_pass(u64 idle_turns)
{
    static u64 leap;
    if (idle_turns <= resident.size())
        leap = kLongRun;
    else
        launch_now.leapt += leap = std::min(leap + leap / 4, (u64)1 << 40);
}

// ---- launches that are checked by sample --------------------------------------------------------

const u64 kEnds = 8; // blocks that are checked in any case, at either end

static void decide_on_sample(u64 blocks)
{
    const u64 estimate = launch_now.step / kEnds * blocks;
    if (!settings.sample || launch_now.cooperative || launch_now.cluster_blocks > 1 ||
        estimate <= settings.sample)
        return;
    launch_now.every = 4 * estimate / settings.sample + 1;
    stamps_will_be_dense(false);
    static std::set<std::string> said;
    if (said.insert(launch_now.kernel).second)
        say("kernel " + launch_now.kernel + ": of " + std::to_string(blocks) +
            " blocks only the first, the last and one in " + std::to_string(launch_now.every) +
            " are checked and counted, or it would take too long (CUDA_EMULATED_SAMPLE=off checks "
            "all)");
}

// Called before a block begins while no other is in progress: is it checked?
static void choose_mode(u64 number, u64 blocks)
{
    if (number == kEnds)
        decide_on_sample(blocks);
    settings.fast = launch_now.every > 1 && number >= kEnds && number + kEnds < blocks &&
                    number % launch_now.every != 0;
}

static void end_block(Block *b)
{
    if (!launch_now.killed)
        end_bulk_of_block(*b);
    if (launch_now.cluster_blocks > 1 && !launch_now.killed)
        save_shared(*b); // which the others may still look at
    if (b->cluster) {
        const std::vector<Block *> all = b->cluster->blocks; // are needed until the last has ended
        if (end_in_cluster(*b))
            spare_blocks.insert(spare_blocks.end(), all.begin(), all.end());
    } else
        spare_blocks.push_back(b);
}

static void run_blocks()
{
    const bool fast = settings.fast;
    const uint3 &g = launch_now.grid;
    const u64 blocks = (u64)g.x * g.y * g.z;
    Part mine = {0, blocks};
    size_t turn = 0, waiting_for_grid = 0;
    Block *loaded = nullptr; // whose shared memory is in place
    u64 idle_turns = 0;
    const u64 idle_limit = settings.order == Settings::random ? 50000 : 100; // its turns are short
    Outcome outcome = kFinished;
    not_started = blocks;
    if (settings.order == Settings::random) {
        const u64 all = blocks / launch_now.cluster_blocks;
        launch_now.offset = random_below(all);
        do
            launch_now.stride = 1 + random_below(all);
        while (common_divisor(launch_now.stride, all) != 1);
    }
    while ((mine.next < mine.end || !resident.empty()) && !launch_now.killed) {
        if (resident.empty()) {
            share_out(mine, blocks);
            if (mine.next == mine.end) { // there is nothing to do here
                bring_together(mine, blocks);
                continue;
            }
        }
        const size_t room = outcome == kLong
                                ? std::min<size_t>(kLongBlocks, launch_now.resident_limit)
                                : launch_now.resident_limit;
        if (resident.empty() || (turn >= resident.size() && mine.next < mine.end &&
                                 resident.size() + launch_now.cluster_blocks <= room)) {
            if (resident.empty() && !fast)
                choose_mode(mine.next, blocks);
            const std::vector<Block *> more = new_blocks(mine.next, blocks);
            turn = resident.size();
            resident.insert(resident.end(), more.begin(), more.end());
            launch_now.checked += settings.fast ? 0 : more.size();
            mine.next += more.size();
            not_started = blocks - mine.next;
        } else if (turn >= resident.size())
            turn = 0;
        Block *b = resident[turn];
        if (loaded != b) {
            if (loaded)
                save_shared(*loaded);
            if (b->started || launch_now.cluster_blocks > 1)
                restore_shared(*b);
            else
                clear_shared();
            loaded = b;
            b->started = true;
        }
        const u64 before = launch_now.progress, steps_before = launch_now.step,
                  polls_before = launch_now.polls;
        outcome = run_block(*b);
        b->steps += launch_now.step - steps_before;
        if (launch_now.killed)
            break;
        if (outcome == kFinished) {
            counters_end_block(b->steps);
            if (counting_work)
                work_end_block(*b);
            resident.erase(resident.begin() + (long)turn);
            end_block(b);
            loaded = nullptr;
            idle_turns = 0;
            if (resident.empty()) {
                end_if_too_long(mine.next, blocks, processes_now());
                bring_together(mine, blocks);
            }
            continue;
        }
        needs_one_core(); // from here on blocks take turns
        take_back(mine, blocks);
        launch_now.in_turns |= outcome != kLong;
        waiting_for_grid = 0;
        if (outcome == kWaitsForGrid && mine.next == blocks) {
            for (Block *r : resident)
                waiting_for_grid +=
                    any_in(*r, kAtGridBarrier) && !any_in(*r, kRunning) && !any_in(*r, kNew);
            if (waiting_for_grid == resident.size() && all_blocks_come(resident, blocks))
                release_grid(resident);
        }
        turn++;
        idle_turns = launch_now.progress == before ? idle_turns + 1 : 0;
        // The last thread may add up an array for long: for whom should it wait?
        std::string why;
        if (idle_turns && resident.size() == 1 && mine.next == blocks && b->live == 1 &&
            launch_now.polls == polls_before && !waiting_at_mbarrier(&why))
            idle_turns = 0;
        let_time_pass(idle_turns);
        if (idle_turns > idle_limit * (resident.size() + 1) &&
            (mine.next == blocks ||
             resident.size() + launch_now.cluster_blocks > launch_now.resident_limit))
            report_stuck();
    }
    take_back(mine, blocks);
    settings.fast = fast;
    if (launch_now.killed) {
        for (Block *b : resident)
            for (Lane &lane : b->lanes)
                order_forget(lane);
        for (Block *b : resident)
            end_block(b);
        forget_stacks();
        forget_traces();
        resident.clear();
    }
}

void run_kernel(Launch &launch)
{
    launch_count++;
    launch_now = launch;
    heap_is_full = false;
    begin_patience();
    forget_bulk();
    launch_now.killed = launch_now.careful = launch_now.again = launch_now.spread = false;
    launch_now.one_core = launch.cooperative || launch.cluster_blocks > 1 || settings.trace_file ||
                          settings.cores == 1 || settings.order == Settings::random;
    launch_now.every = 1;
    launch_now.checked = 0;
    launch_now.error = cudaSuccess;
    launch_now.shared_low = ~0ull;
    launch_now.shared_high = 0;
    launch_now.entry = nullptr;
    gridDim = launch.grid;
    blockDim = launch.block;
    shared_memory_here();
    order_begin_launch();
    read_only_begin_launch();
    if (counting_work)
        work_begin_launch();
    const uint3 &g = launch.grid, &b = launch.block;
    const u64 blocks = (u64)g.x * g.y * g.z, threads = blocks * b.x * b.y * b.z;
    if (!settings.fast)
        stamps_will_be_dense(threads >= 1 << 20);
    begin_noting(blocks);
    run_blocks();
    end_noting();
    current = nullptr;
    clear_shared(); // the next launch does not know its contents there
    finish_races();
    order_end_launch();
    keep_arguments();
    if (!launch_now.again)
        counters_end_launch(blocks, threads);
    launch.error = launch_now.error;
    launch_now.kernel.clear();
    end_patience();
}

} // namespace emulated
