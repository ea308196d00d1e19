// order.cpp: decides which of two accesses certainly came first.
//
// Time within a launch is cut into intervals: the actions of one warp between two synchronisations.
// A word's stamp holds the interval and lane of its last write and read, so most questions are
// answered by comparing two intervals: block barriers order a block's threads, warp barriers a
// warp's. Between other threads only release and acquire help:
//
//     fence; atomic or volatile write of x     releases what came before the fence
//     atomic or volatile read of x; fence      acquires what has been released at x
//
// A barrier between the read and the fence, or the write and the fence, does no harm: what one
// thread of the block has observed or fenced by then counts for all.
//
// What a thread has acquired is its `seen` clock: a list of threads, and for each the point up to
// which it is known.
#include "emulator.h"
#include "times.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace emulated
{

struct Order {
    // what was released at places that this thread has looked at since its last fence
    ClockPointer observed;
    ClockPointer seen;   // acquired: observed, and then a fence
    ClockPointer fenced; // may be released by the next strong write, with what follows
    // its last fence, where that is not in `fenced` yet: most are never released by their own
    // thread
    Known own;
    bool has_own = false;
    u32 fences_of = 0; // 1 + the epoch in which it has fenced last, not for its block only
};

std::vector<Interval> intervals EMULATED_EARLY;
u32 base_interval;
static u32 next_interval = 1;
// by address (and block, for shared memory)
static std::unordered_map<u64, ClockPointer> released EMULATED_EARLY;

// The last merges, by their clocks: the threads of a block mostly have the same ones to merge, one
// after another, and are to have the same sum again then.
const int kMerged = 256;
static struct {
    ClockPointer a, b, sum;
} merged[kMerged] EMULATED_EARLY;

void order_begin_launch()
{
    // once in many hours: forget all stamps rather than confuse them
    if (next_interval > 1u << 31) {
        forget_stamps();
        next_interval = 1;
    }
    launch_now.first_interval = next_interval;
    intervals.clear();
}

// Who has used an atomic of block scope there
static std::unordered_map<u64, u32> of_block EMULATED_EARLY;

void order_end_launch()
{
    released.clear();
    of_block.clear();
    for (auto &m : merged)
        m = {};
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
    return i.warp_epoch < k.warp_epoch ||
           ((s.who & kLaneBits) == k.lane && s.interval <= k.interval);
}

static bool knows(const ClockPointer &clock, const Interval &i, const Stamp &s, const Block &mine)
{
    for (size_t k = 0; clock && k < clock->size(); k++)
        if (covers((*clock)[k], i, s, mine))
            return true;
    return false;
}

// Are these two blocks of one cluster?
static bool is_with(u32 other, const Block &block)
{
    if (launch_now.cluster_blocks == 1)
        return false;
    const std::vector<Block *> &all = block.cluster->blocks;
    return std::any_of(all.begin(), all.end(),
                       [other](const Block *b) { return b->linear == other; });
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
        if (i.warp == warp.index &&
            ((earlier.who & kLaneBits) == now->index || i.warp_epoch != warp.epoch))
            return true;
    } else if (shared && !is_with(i.block, block))
        return true; // another block's shared memory at the same address
    if (ordered_by_cluster(earlier, i.block, now))
        return true;
    return now->order && knows(now->order->seen, i, earlier, block);
}

bool only_acquire_is_missing(const Stamp &earlier, Lane *now)
{
    return earlier.interval >= launch_now.first_interval && now->order &&
           knows(now->order->observed, interval(earlier.interval), earlier, *now->warp->block);
}

static u64 key_of(const Known &k)
{
    return ((u64)k.block << 16 | k.warp << 5 | k.lane) * 4 + k.block_only * 2 + k.all;
}

// a knows at least as much about this thread as b.
static bool covers(const Known &a, const Known &b)
{
    return a.epoch > b.epoch || (a.epoch == b.epoch && a.interval >= b.interval);
}

// Does b know anything that a does not? Both are sorted by key.
static bool has_news(const Clock &a, const Clock &b)
{
    size_t i = 0;
    for (const Known &k : b) {
        while (i < a.size() && key_of(a[i]) < key_of(k))
            i++;
        if (i == a.size() || key_of(a[i]) != key_of(k) || !covers(a[i], k))
            return true;
    }
    return false;
}

static ClockPointer sum_of(const Clock &a, const Clock &b)
{
    auto sum = std::make_shared<Clock>();
    sum->reserve(a.size() + b.size());
    for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        const u64 x = i < a.size() ? key_of(a[i]) : ~0ull, y = j < b.size() ? key_of(b[j]) : ~0ull;
        if (x == y) {
            sum->push_back(covers(a[i], b[j]) ? a[i] : b[j]);
            i++, j++;
        } else
            sum->push_back(x < y ? a[i++] : b[j++]);
    }
    return sum;
}

// The union of both. Returns a itself if b adds nothing, so that spinning costs nothing.
static const ClockPointer &merge(const ClockPointer &a, const ClockPointer &b)
{
    if (!b || a == b)
        return a;
    if (!a)
        return b;
    auto &m = merged[((u64)a.get() / 32 + (u64)b.get() / 32 * 31) % kMerged];
    if (m.a != a || m.b != b)
        m = {a, b, has_news(*a, *b) ? sum_of(*a, *b) : a};
    return m.sum;
}

static void assign(ClockPointer &to, const ClockPointer &from)
{
    if (to != from) // references are counted by atomic instructions
        to = from;
}

// To sum what more knows.
static void add(ClockPointer &sum, const ClockPointer &more)
{
    if (more && more != sum)
        assign(sum, merge(sum, more));
}

static ClockPointer clock_of(const Known &k) { return std::make_shared<const Clock>(1, k); }

static const ClockPointer &fenced_of(Order &order)
{
    if (order.has_own)
        add(order.fenced, clock_of(order.own));
    order.has_own = false;
    return order.fenced;
}

static Order &order_of(Lane *lane)
{
    if (!lane->order)
        lane->order = new Order;
    return *lane->order;
}

static void set_order(Lane *lane, const ClockPointer &observed, const ClockPointer &seen,
                      const ClockPointer &fenced)
{
    Order &order = order_of(lane);
    assign(order.observed, observed);
    assign(order.seen, seen);
    assign(order.fenced, fenced);
    order.has_own = false;
}

void order_forget(Lane &lane)
{
    delete lane.order;
    lane.order = nullptr;
}

void fence(Lane *lane, bool block_only)
{
    if (counting_work && !block_only)
        work_fence(*lane->warp);
    order_by_fence(lane, block_only);
}

void order_by_fence(Lane *lane, bool block_only)
{
    launch_now.polls++; // it may wait for what others write
    if (settings.fast)
        return;
    Warp &warp = *lane->warp;
    Block &block = *warp.block;
    Order &order = order_of(lane);
    if (order.has_own && order.own.block_only != block_only)
        fenced_of(order);
    add(order.seen, order.observed);
    order.observed = nullptr;
    if (order.seen != order.fenced && order.seen) {
        ClockPointer all = order.seen;
        add(all, order.fenced);
        order.fenced = all;
    }
    order.own = {block.linear,           warp.index, lane->index, block.epoch, warp.epoch,
                 current_interval(warp), block_only, false};
    order.has_own = true;
    lane->fenced = next_interval;
    if (!block_only)
        order.fences_of = block.epoch + 1;
    warp.interval = 0; // what comes after the fence is not covered by it
}

u64 shared_key(const Block &block, u64 address)
{
    if (launch_now.cluster_blocks == 1)
        return address ^ (u64)(block.linear + 1) << 48;
    return is_shared(address) ? in_window(block, address) : address;
}

static const u32 kDevice = 2047; // in place of a warp

u32 interval_of_device(Block &block)
{
    Warp device = {};
    device.block = &block;
    device.index = kDevice;
    return current_interval(device);
}

void release_by_device(const Block &block, u64 key, u32 interval)
{
    add(released[key],
        clock_of({block.linear, kDevice, 0, block.epoch, 0, interval, false, false}));
}

void synchronise(Lane *lane, u64 address, bool writes, bool shared)
{
    const bool releases = writes && lane->order && (lane->order->fenced || lane->order->has_own);
    if (!releases && released.empty())
        return;
    const u64 key = shared ? shared_key(*lane->warp->block, address) : address;
    auto found = released.find(key);
    if (found != released.end())
        add(order_of(lane).observed, found->second);
    if (releases)
        add(found != released.end() ? found->second : released[key], fenced_of(*lane->order));
}

void order_at_warp_barrier(Warp &warp, u32 lanes)
{
    ClockPointer observed, seen, fenced;
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1 && warp.lanes[i].order) {
            add(observed, warp.lanes[i].order->observed);
            add(seen, warp.lanes[i].order->seen);
            add(fenced, fenced_of(*warp.lanes[i].order));
        }
    warp.epoch++;
    warp.interval = 0;
    if (!observed && !seen && !fenced)
        return;
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1)
            set_order(&warp.lanes[i], observed, seen, fenced);
}

// A barrier for some lanes of a warp only: each learns the others' actions so far, and nothing
// else.
void order_at_barrier_of_some(Warp &warp, u32 lanes)
{
    ClockPointer observed, seen, fenced;
    auto group = std::make_shared<Clock>();
    const u32 now = current_interval(warp);
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1) {
            const Lane &lane = warp.lanes[i];
            group->push_back({warp.block->linear, warp.index, lane.index, warp.block->epoch,
                              warp.epoch, now, false, false});
            if (lane.order) {
                add(observed, lane.order->observed);
                add(seen, lane.order->seen);
                add(fenced, fenced_of(*lane.order));
            }
        }
    seen = merge(group, seen);
    warp.interval = 0;
    for (int i = 0; i < warp.count; i++)
        if (lanes >> i & 1)
            set_order(&warp.lanes[i], observed, seen, fenced);
}

// Orders that a block barrier gives anyway need not be remembered.
static ClockPointer of_other_blocks(const ClockPointer &clock, const Block &mine)
{
    const auto is_mine = [&mine](const Known &k) { return k.block == mine.linear; };
    if (!clock || std::none_of(clock->begin(), clock->end(), is_mine))
        return clock;
    auto rest = std::make_shared<Clock>();
    std::remove_copy_if(clock->begin(), clock->end(), std::back_inserter(*rest), is_mine);
    return rest->empty() ? nullptr : rest;
}

// A barrier spreads what one thread has acquired, and what it has fenced, to all. When every thread
// has fenced since the barrier before, one entry says so for the whole block.
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
        add(observed, lane.order->observed);
        add(seen, lane.order->seen);
        fences += lane.order->fences_of == block.epoch + 1;
    }
    const bool all = fences == waiting && fences > 1;
    if (all)
        fenced = merge(seen, clock_of({block.linear, 0, 0, block.epoch, 0, ~0u, false, true}));
    for (Lane &lane : block.lanes)
        if (!all && (fences || seen) && lane.state != kDone && lane.order)
            add(fenced, fenced_of(*lane.order));
    seen = of_other_blocks(seen, block);
    block.epoch++;
    if (launch_now.cluster_blocks == 1) // or others may use its shared memory
        block.since = next_interval;
    for (Warp &warp : block.warps) {
        warp.epoch = 0;
        warp.interval = 0;
    }
    for (Lane &lane : block.lanes)
        if (lane.state != kDone && (observed || seen || fenced || lane.order))
            set_order(&lane, observed, seen, fenced);
}

// A barrier with a number: who has waited knows what all have done who came.
void order_at_arrival(Lane *lane, NamedBarrier &barrier, bool last)
{
    Warp &warp = *lane->warp;
    barrier.came.push_back({warp.block->linear, warp.index, lane->index, warp.block->epoch,
                            warp.epoch, current_interval(warp), false, false});
    warp.interval = 0;
    if (lane->order) {
        add(barrier.observed, lane->order->observed);
        add(barrier.seen, lane->order->seen);
    }
    if (!last)
        return;
    auto all = std::make_shared<Clock>(barrier.came);
    std::sort(all->begin(), all->end(),
              [](const Known &a, const Known &b) { return key_of(a) < key_of(b); });
    barrier.came.clear();
    barrier.known = merge(all, barrier.seen);
    barrier.seen = nullptr;
}

void order_after_named_barrier(Lane *lane, const NamedBarrier &barrier)
{
    add(order_of(lane).observed, barrier.observed);
    add(order_of(lane).seen, barrier.known);
}

// A barrier of a cluster spreads what its threads have acquired.
void order_at_cluster_arrival(Lane *lane)
{
    Cluster &c = *lane->warp->block->cluster;
    lane->warp->interval = 0;
    if (!lane->order)
        return;
    Cluster::Barrier &barrier = c.barriers[c.phase % 3];
    add(barrier.observed, lane->order->observed);
    add(barrier.seen, lane->order->seen);
}

void order_at_cluster_barrier(Lane *lane)
{
    const Cluster::Barrier &barrier =
        lane->warp->block->cluster->barriers[(lane->cluster_phase - 1) % 3];
    if (!barrier.observed && !barrier.seen)
        return;
    add(order_of(lane).observed, barrier.observed);
    add(order_of(lane).seen, barrier.seen);
}

// Nothing before a grid barrier can race with anything after it.
void order_at_grid_barrier() { launch_now.first_interval = next_interval; }

} // namespace emulated

// Other blocks need not see what an atomic of block scope does.
extern "C" void emulated_block_scope(const void *p)
{
    using namespace emulated;
    const Region *r = current ? region_of((u64)p) : nullptr;
    if (!r || r->space != kGlobal)
        return;
    needs_one_core();
    const u32 block = current->warp->block->linear;
    if (of_block.emplace((u64)p, block).first->second != block)
        report({"race", __builtin_return_address(0), current, object_name((u64)p),
                "updates " + describe((u64)p) +
                    " by an atomic of block scope, as another block has: each may miss what the "
                    "other does (atomicAdd() without _block, cuda::thread_scope_device)",
                10});
}
