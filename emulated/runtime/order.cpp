// order.cpp: which of two accesses came first for certain.
//
// Time within a launch is cut into intervals: what one warp does between two synchronisations. A word's stamp holds
// the interval and lane of its last write and read, so most questions are answered by comparing two intervals: block
// barriers order a block's threads, warp barriers a warp's. Between other threads only release and acquire help:
//
//     fence; atomic or volatile write of x     releases what came before the fence
//     atomic or volatile read of x; fence      acquires what has been released at x
//
// A barrier between the read and the fence, or the write and the fence, does no harm: what one thread of the block has
// observed or fenced by then counts for all.
//
// What a thread has acquired is its `seen` clock: a list of threads, and for each the point up to which it is known.
#include "emulator.h"

#include <algorithm>
#include <unordered_map>

namespace emulated {

// "Everything that this thread knew by then": all of its block before the last block barrier, all of its warp before
// the last warp barrier, and its own accesses up to `interval`.
struct Known {
    u32 block, warp, lane, epoch, warp_epoch, interval;
    bool block_only; // released by __threadfence_block(): means nothing to other blocks
    bool all;        // true of every thread of the block, up to and including `epoch`
};
typedef std::vector<Known> Clock;
typedef std::shared_ptr<const Clock> ClockPointer;

struct Order {
    ClockPointer observed; // what was released at places that this thread has looked at since its last fence
    ClockPointer seen;     // acquired: observed, and then a fence
    ClockPointer fenced;   // may be released by the next strong write
};

std::vector<Interval> intervals EMULATED_EARLY;
u32 base_interval;
static u32 next_interval = 1;
static std::unordered_map<u64, ClockPointer> released EMULATED_EARLY; // by address (and block, for shared memory)

void order_begin_launch()
{
    if (next_interval > 1u << 31) { // once in many hours: forget all stamps rather than confuse them
        forget_stamps();
        next_interval = 1;
    }
    launch_now.first_interval = next_interval;
    intervals.clear();
}

void order_end_launch()
{
    released.clear();
    if (intervals.capacity() > 1 << 20)
        std::vector<Interval>().swap(intervals);
}

u32 current_interval(Warp &warp)
{
    if (!warp.interval) {
        if (intervals.empty())
            base_interval = next_interval;
        intervals.push_back({warp.block->linear, warp.block->epoch, warp.index, warp.epoch});
        warp.interval = next_interval++;
    }
    return warp.interval;
}

u32 next_interval_id() { return next_interval; }

static bool covers(const Known &k, const Interval &i, const Stamp &s, const Block &mine)
{
    if (k.block != i.block || (k.block_only && k.block != mine.linear))
        return false;
    if (i.epoch != k.epoch)
        return i.epoch < k.epoch;
    if (k.all)
        return true;
    if (i.warp != k.warp)
        return false;
    return i.warp_epoch < k.warp_epoch || ((s.who & kLaneBits) == k.lane && s.interval <= k.interval);
}

static bool knows(const ClockPointer &clock, const Interval &i, const Stamp &s, const Block &mine)
{
    for (size_t k = 0; clock && k < clock->size(); k++)
        if (covers((*clock)[k], i, s, mine))
            return true;
    return false;
}

bool ordered(const Stamp &earlier, Lane *now, bool shared)
{
    if (earlier.interval < launch_now.first_interval)
        return true;
    const Interval &i = interval(earlier.interval);
    Warp &warp = *now->warp;
    Block &block = *warp.block;
    if (i.block == block.linear) {
        if (i.epoch != block.epoch)
            return true;
        if (i.warp == warp.index && ((earlier.who & kLaneBits) == now->index || i.warp_epoch != warp.epoch))
            return true;
    } else if (shared)
        return true; // another block's shared memory at the same address
    return now->order && knows(now->order->seen, i, earlier, block);
}

bool only_acquire_is_missing(const Stamp &earlier, Lane *now)
{
    return earlier.interval >= launch_now.first_interval && now->order
           && knows(now->order->observed, interval(earlier.interval), earlier, *now->warp->block);
}

static u64 key_of(const Known &k) { return ((u64)k.block << 16 | k.warp << 5 | k.lane) * 4 + k.block_only * 2 + k.all; }

// a knows at least as much about this thread as b.
static bool covers(const Known &a, const Known &b)
{
    return a.epoch > b.epoch || (a.epoch == b.epoch && a.interval >= b.interval);
}

// What both know together; both are sorted by key. Returns a itself when b has no news, so that spinning costs nothing.
static ClockPointer merge(const ClockPointer &a, const ClockPointer &b)
{
    if (!b || a == b)
        return a;
    if (!a)
        return b;
    bool news = false;
    size_t i = 0;
    for (const Known &k : *b) {
        while (i < a->size() && key_of((*a)[i]) < key_of(k))
            i++;
        if (i == a->size() || key_of((*a)[i]) != key_of(k) || !covers((*a)[i], k)) {
            news = true;
            break;
        }
    }
    if (!news)
        return a;
    auto sum = std::make_shared<Clock>();
    sum->reserve(a->size() + b->size());
    size_t j = 0;
    for (i = 0; i < a->size() || j < b->size();) {
        const u64 x = i < a->size() ? key_of((*a)[i]) : ~0ull, y = j < b->size() ? key_of((*b)[j]) : ~0ull;
        if (x == y) {
            sum->push_back(covers((*a)[i], (*b)[j]) ? (*a)[i] : (*b)[j]);
            i++, j++;
        } else
            sum->push_back(x < y ? (*a)[i++] : (*b)[j++]);
    }
    return sum;
}

static Order &order_of(Lane *lane)
{
    if (!lane->order)
        lane->order = new Order;
    return *lane->order;
}

void order_forget(Lane &lane)
{
    delete lane.order;
    lane.order = nullptr;
}

void fence(Lane *lane, bool block_only)
{
    if (settings.fast)
        return;
    Warp &warp = *lane->warp;
    Block &block = *warp.block;
    auto now = std::make_shared<Clock>();
    now->push_back(
        {block.linear, warp.index, lane->index, block.epoch, warp.epoch, current_interval(warp), block_only, false});
    Order &order = order_of(lane);
    order.seen = merge(order.seen, order.observed);
    order.observed = nullptr;
    order.fenced = merge(merge(order.seen, order.fenced), now);
    warp.interval = 0; // what comes after the fence is not covered by it
}

void synchronise(Lane *lane, u64 address, bool writes, bool shared)
{
    bool releases = writes && lane->order && lane->order->fenced;
    if (!releases && released.empty())
        return;
    u64 key = shared ? address ^ (u64)(lane->warp->block->linear + 1) << 48 : address;
    auto found = released.find(key);
    if (found != released.end()) {
        Order &order = order_of(lane);
        order.observed = merge(order.observed, found->second);
    }
    if (releases) {
        ClockPointer &clock = released[key];
        clock = merge(clock, lane->order->fenced);
    }
}

void order_at_warp_barrier(Warp &warp, u32 lanes)
{
    ClockPointer observed, seen, fenced;
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1 && warp.lanes[i].order) {
            observed = merge(observed, warp.lanes[i].order->observed);
            seen = merge(seen, warp.lanes[i].order->seen);
            fenced = merge(fenced, warp.lanes[i].order->fenced);
        }
    warp.epoch++;
    warp.interval = 0;
    if (!observed && !seen && !fenced)
        return;
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1) {
            order_of(&warp.lanes[i]).observed = observed;
            order_of(&warp.lanes[i]).seen = seen;
            order_of(&warp.lanes[i]).fenced = fenced;
        }
}

// A barrier for some lanes of a warp only: each learns what the others of them have done so far, and nothing else.
void order_at_barrier_of_some(Warp &warp, u32 lanes)
{
    ClockPointer observed, seen, fenced;
    auto group = std::make_shared<Clock>();
    const u32 now = current_interval(warp);
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1) {
            const Lane &lane = warp.lanes[i];
            group->push_back(
                {warp.block->linear, warp.index, lane.index, warp.block->epoch, warp.epoch, now, false, false});
            if (lane.order) {
                observed = merge(observed, lane.order->observed);
                seen = merge(seen, lane.order->seen);
                fenced = merge(fenced, lane.order->fenced);
            }
        }
    seen = merge(group, seen);
    warp.interval = 0;
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1) {
            order_of(&warp.lanes[i]).observed = observed;
            order_of(&warp.lanes[i]).seen = seen;
            order_of(&warp.lanes[i]).fenced = fenced;
        }
}

// What a block barrier has ordered in any case need not be remembered.
static ClockPointer of_other_blocks(const ClockPointer &clock, const Block &mine)
{
    auto rest = std::make_shared<Clock>();
    for (size_t k = 0; clock && k < clock->size(); k++)
        if ((*clock)[k].block != mine.linear)
            rest->push_back((*clock)[k]);
    return rest->empty() ? nullptr : !clock || rest->size() == clock->size() ? clock : rest;
}

// A barrier spreads what one thread has acquired, and what it has fenced, to all. When every thread has fenced since
// the barrier before, one entry says so for the whole block.
void order_at_block_barrier(Block &block)
{
    ClockPointer observed, seen, fenced;
    int fences = 0, waiting = 0;
    for (Lane &lane : block.lanes) {
        if (lane.state == kDone)
            continue;
        waiting++;
        if (!lane.order)
            continue;
        observed = merge(observed, lane.order->observed);
        seen = merge(seen, lane.order->seen);
        for (size_t k = 0; lane.order->fenced && k < lane.order->fenced->size(); k++) {
            const Known &own = (*lane.order->fenced)[k];
            if (own.block == block.linear && own.epoch == block.epoch && !own.block_only && own.warp == lane.warp->index
                && own.lane == lane.index) {
                fences++;
                break;
            }
        }
    }
    if (fences == waiting && fences > 1) {
        auto whole = std::make_shared<Clock>();
        whole->push_back({block.linear, 0, 0, block.epoch, 0, ~0u, false, true});
        fenced = merge(seen, whole);
    } else if (fences || seen) {
        for (Lane &lane : block.lanes)
            if (lane.state != kDone && lane.order)
                fenced = merge(fenced, lane.order->fenced);
    }
    seen = of_other_blocks(seen, block);
    block.epoch++;
    block.since = next_interval;
    for (Warp &warp : block.warps) {
        warp.epoch = 0;
        warp.interval = 0;
    }
    for (Lane &lane : block.lanes)
        if (lane.state != kDone && (observed || seen || fenced || lane.order)) {
            order_of(&lane).observed = observed;
            order_of(&lane).seen = seen;
            order_of(&lane).fenced = fenced;
        }
}

// Nothing before a grid barrier can race with anything after it.
void order_at_grid_barrier() { launch_now.first_interval = next_interval; }

} // namespace emulated
