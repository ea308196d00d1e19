// grid.cpp: a kernel launch. Blocks run one after another; only when one does nothing but wait is the next one begun
// beside it, up to the number that the device would hold.
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <pthread.h>
#include <unistd.h>

extern "C" {
extern uint3 threadIdx, blockIdx, blockDim, gridDim;
}

namespace emulated {

Launch launch_now EMULATED_EARLY;
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
    b->live = (int)b->lanes.size();
    b->started = false;
    b->saved_shared.clear();
    for (Lane &lane : b->lanes)
        lane.state = kNew; // the rest is set when it begins
    for (Warp &w : b->warps) {
        w.live = w.count;
        w.epoch = w.interval = w.spins = 0;
    }
    return b;
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
        if (waiting && !elsewhere
            && (lane.state == kAtBlockBarrier
                || (lane.warp == waiting->warp && lane.mask != waiting->mask && lane.state == kAtWarpBarrier)))
            elsewhere = &lane;
    if (waiting && elsewhere)
        report({elsewhere->state == kAtBlockBarrier ? "barrier-divergence" : "shuffle-inactive", waiting->wait_pc,
                waiting, "",
                "waits at a warp operation for other lanes, while " + thread_name(elsewhere) + " waits at "
                    + place_name(elsewhere->wait_pc) + ": neither can go on",
                2});
    else if (Lane *lane = waiting)
        report({"shuffle-inactive", lane->wait_pc, lane, "", "waits at a warp operation for lanes that never come", 2});
    launch_now.killed = true;
    launch_now.error = cudaErrorLaunchFailure;
}

enum Outcome { kFinished, kSpins, kWaitsForGrid };

static Outcome run_block(Block &b)
{
    blockIdx = b.id;
    for (;;) {
        u64 before = launch_now.progress;
        for (Warp &warp : b.warps) {
            if (warp.live)
                run_warp(warp);
            if (launch_now.killed)
                return kFinished;
        }
        if (b.live == 0)
            return kFinished;
        if (release_block(b))
            continue;
        if (!any_in(b, kRunning) && !any_in(b, kNew)) {
            if (any_in(b, kAtGridBarrier) && !any_in(b, kAtBlockBarrier) && !any_in(b, kAtWarpBarrier))
                return kWaitsForGrid;
            report_deadlock(b);
            return kFinished;
        }
        if (launch_now.progress == before)
            return kSpins;
    }
}

static void release_grid(std::vector<Block *> &resident)
{
    order_at_grid_barrier();
    for (Block *b : resident) {
        b->epoch++;
        for (Warp &w : b->warps)
            w.epoch = w.interval = 0;
        for (Lane &lane : b->lanes)
            if (lane.state == kAtGridBarrier)
                lane.state = kRunning;
    }
    launch_now.progress++;
}

static void report_stuck(const std::vector<Block *> &resident, u64 not_started)
{
    Lane *spinner = nullptr;
    for (Lane &lane : resident[0]->lanes)
        if (lane.state == kRunning)
            spinner = &lane;
    Pc pc = spinner ? spinner->pc : launch_now.place;
    std::string here = std::to_string(resident.size());
    if (not_started)
        report({"blocks-not-resident", pc, spinner, launch_now.kernel,
                "waits for other blocks, but " + std::to_string(not_started)
                    + " blocks have not begun: the device holds " + here
                    + " of this kernel's blocks at a time, and none of them ends. Launch at most " + here,
                0});
    else
        report({"endless-kernel", pc, spinner, launch_now.kernel,
                "waits for something that no thread will ever do (" + here + " blocks run, all only wait)", 0});
    launch_now.killed = true;
    launch_now.error = cudaErrorLaunchTimeout;
}

static void run_blocks()
{
    const uint3 &g = launch_now.grid;
    const u64 blocks = (u64)g.x * g.y * g.z;
    u64 next = 0;
    std::vector<Block *> resident;
    size_t turn = 0, waiting_for_grid = 0;
    Block *loaded = nullptr; // whose shared memory is in place
    u64 idle_turns = 0;
    while ((next < blocks || !resident.empty()) && !launch_now.killed) {
        if (resident.empty()
            || (turn >= resident.size() && next < blocks && resident.size() < launch_now.resident_limit)) {
            resident.push_back(new_block((u32)next++));
            turn = resident.size() - 1;
        } else if (turn >= resident.size())
            turn = 0;
        Block *b = resident[turn];
        if (loaded != b) {
            if (loaded)
                save_shared(*loaded);
            if (b->started)
                restore_shared(*b);
            else
                clear_shared();
            loaded = b;
            b->started = true;
        }
        u64 before = launch_now.progress;
        Outcome outcome = run_block(*b);
        if (launch_now.killed)
            break;
        if (outcome == kFinished) {
            resident.erase(resident.begin() + (long)turn);
            spare_blocks.push_back(b);
            loaded = nullptr;
            idle_turns = 0;
            continue;
        }
        waiting_for_grid = 0;
        if (outcome == kWaitsForGrid && next == blocks) {
            for (Block *r : resident)
                waiting_for_grid += any_in(*r, kAtGridBarrier) && !any_in(*r, kRunning) && !any_in(*r, kNew);
            if (waiting_for_grid == resident.size())
                release_grid(resident);
        }
        turn++;
        idle_turns = launch_now.progress == before ? idle_turns + 1 : 0;
        if (idle_turns > 100 * (resident.size() + 1)
            && (next == blocks || resident.size() >= launch_now.resident_limit))
            report_stuck(resident, blocks - next);
    }
    if (launch_now.killed) {
        for (Block *b : resident) {
            for (Lane &lane : b->lanes)
                order_forget(lane);
            spare_blocks.push_back(b);
        }
        forget_stacks();
    }
}

// This thread looks at the clock, for the hooks too, which know the line. A loop that the compiler has left without
// any memory access calls no hook: then this thread names the kernel.
volatile bool launch_is_long;
static volatile time_t running_since; // 0: nothing runs
static char running[256], running_from[256];

static void *watch_launch(void *)
{
    for (;;) {
        const time_t since = running_since;
        sleep(1);
        if (since == 0 || since != running_since)
            continue;
        launch_is_long = time(nullptr) - since >= settings.patience;
        if (time(nullptr) - since <= settings.patience + 1 || launch_now.named_long)
            continue;
        launch_now.named_long = true;
        fprintf(stderr, "%s: kernel %s, launched here, has been running for %d s: an endless loop?\n", running_from,
                running, settings.patience);
    }
}

static void begin_watch_of_launch()
{
    static pthread_t watcher;
    snprintf(running, sizeof running, "%s", launch_now.kernel.c_str());
    snprintf(running_from, sizeof running_from, "%s", place_name(launch_now.place).c_str());
    launch_is_long = false;
    running_since = time(nullptr);
    if (!watcher && pthread_create(&watcher, nullptr, watch_launch, nullptr) == 0)
        pthread_detach(watcher);
}

void run_kernel(Launch &launch)
{
    launch_now = launch;
    begin_watch_of_launch();
    launch_now.killed = false;
    launch_now.error = cudaSuccess;
    launch_now.shared_low = ~0ull;
    launch_now.shared_high = 0;
    launch_now.entry = nullptr;
    gridDim = launch.grid;
    blockDim = launch.block;
    shared_memory_here();
    order_begin_launch();
    counters_begin_launch(launch_now.kernel);
    run_blocks();
    current = nullptr;
    finish_races();
    order_end_launch();
    const uint3 &g = launch.grid, &b = launch.block;
    counters_end_launch((u64)g.x * g.y * g.z * b.x * b.y * b.z);
    launch.error = launch_now.error;
    launch_now.kernel.clear();
    running_since = 0;
}

} // namespace emulated
