// cluster.cpp: clusters of blocks: their barrier, and the shared memory of other blocks.
//
// Shared memory lies at the same addresses for all blocks, which take turns there. What the others
// of a cluster see of a block's is its window, which holds it while another block runs. All that is
// known of its words (memory.cpp) moves with them.
#include "lockstep.h"

#include <algorithm>
#include <map>

#include "cuda_emulated.h"

// What the threads of the block that runs see of their place
extern "C" {
uint3 emulated_cluster_dim = {1, 1, 1}, emulated_cluster_index, emulated_block_in_cluster;
unsigned emulated_block_rank, emulated_cluster_size = 1;
}

namespace emulated
{

// ---- windows ------------------------------------------------------------------------------------

struct RemoteAccess { // the last access by a warp of another block
    Stamp stamp;
    Lane *lane;
    Pc pc;
    u64 address;
    u8 flags;
};
struct Window {
    Block *owner;
    bool over; // its block has ended
    std::map<u64, RemoteAccess> visits;
};
static const u32 kMostWindows = 1024;
static std::vector<Window> windows EMULATED_EARLY;

static u64 static_bytes() { return (regions[kStaticShared].size + 1023) & ~1023ull; }
u64 window_bytes() { return static_bytes() + regions[kDynamicShared].size; }

void reserve_windows()
{
    if (regions[kWindows].begin)
        return;
    const u64 bytes = kMostWindows * window_bytes();
    make_region(kWindows, (char *)reserve(bytes, "clusters"), bytes, kShared, "shared");
    windows.resize(kMostWindows);
}

u64 in_window(const Block &block, u64 address)
{
    const u64 begin = (u64)regions[kWindows].begin + block.window * window_bytes(),
              in_static = address - (u64)regions[kStaticShared].begin;
    return begin + (in_static < regions[kStaticShared].size
                        ? in_static
                        : static_bytes() + address - (u64)regions[kDynamicShared].begin);
}

u64 from_window(u64 address, Block **owner)
{
    const u64 offset = address - (u64)regions[kWindows].begin, in = offset % window_bytes();
    *owner = windows[offset / window_bytes()].owner;
    return in < static_bytes() ? (u64)regions[kStaticShared].begin + in
                               : (u64)regions[kDynamicShared].begin + in - static_bytes();
}

static void report_visit(Lane *lane, Pc pc, u64 address, u8 flags, const std::string &why)
{
    report(
        {"cluster-lifetime", pc, lane, object_name(address),
         std::string(flags & kWrite ? "writes " : "reads ") + describe(address) + ", which " + why,
         0});
}

static bool in_static(u64 address)
{
    return address - (u64)regions[kStaticShared].begin < regions[kStaticShared].size;
}

// False where it has been reported
static bool check_visit(Lane *lane, u64 address, u32 bytes, u8 flags, Pc pc)
{
    if (in_static(address))
        use_static_shared(address, address + bytes);
    if (!is_window(address))
        return true;
    Block *owner;
    const u64 own = from_window(address, &owner);
    if (in_static(own))
        use_static_shared(own, own + bytes);
    if (!owner || owner->cluster != lane->warp->block->cluster)
        return true; // of no block: the bounds are checked elsewhere
    Window &window = windows[owner->window];
    if (owner == lane->warp->block)
        report({"cluster-lifetime", pc, lane, object_name(address),
                "uses its own shared memory by an address that another block has mapped, which the "
                "emulated device cannot: map_shared_rank() in this block gives the right one",
                1});
    else if (window.over)
        report_visit(lane, pc, address, flags,
                     "has ended: a cluster.sync() at the end of the kernel keeps it alive");
    else if (lane->cluster_phase == 0)
        report_visit(lane, pc, address, flags,
                     "may not have begun yet: a cluster.sync() must come first");
    else {
        Warp &warp = *lane->warp;
        if (!settings.fast)
            window.visits[(u64)warp.block->linear << 32 | warp.index] = {
                {current_interval(warp), 0, lane->index, 0}, lane, pc, address, flags};
        return true;
    }
    return false;
}

bool check_windows(Lane **lanes, const u64 *addresses, int count, u32 bytes, u8 flags, Pc pc)
{
    bool good = true;
    for (int i = 0; i < count; i++)
        good &= check_visit(lanes[i], addresses[i], bytes, flags, pc);
    return good;
}

// ---- a cluster's life ---------------------------------------------------------------------------

void begin_cluster(const std::vector<Block *> &blocks)
{
    Cluster *c = new Cluster;
    c->blocks = blocks;
    c->threads = 0;
    for (u32 rank = 0; rank < blocks.size(); rank++) {
        Block &b = *blocks[rank];
        b.cluster = c;
        b.rank = rank;
        for (Lane &lane : b.lanes) {
            c->threads += lane.state != kDone;
            lane.cluster_phase = lane.fenced = 0;
            lane.arrived = false;
        }
        if (launch_now.cluster_blocks == 1)
            continue;
        reserve_windows();
        b.window = 0;
        while (windows[b.window].owner)
            b.window++;
        windows[b.window] = {&b, false, {}};
        clear_window(b);
    }
    for (auto &barrier : c->barriers)
        barrier.after.assign(blocks.size() * blocks[0]->lanes.size(), 0);
}

bool end_in_cluster(Block &block)
{
    Cluster *c = block.cluster;
    if (launch_now.cluster_blocks > 1) {
        Window &window = windows[block.window];
        for (const auto &entry : window.visits) {
            const RemoteAccess &v = entry.second;
            if (launch_now.killed)
                break;
            report_visit(v.lane, v.pc, v.address, v.flags,
                         "may have ended by then: nothing makes it wait for this access, as a "
                         "cluster.sync() at the end of the kernel would");
        }
        window.visits.clear();
        window.over = true;
    }
    if (++c->ended < c->blocks.size())
        return false;
    for (Block *b : c->blocks) {
        if (launch_now.cluster_blocks > 1)
            windows[b->window].owner = nullptr;
        b->cluster = nullptr;
    }
    delete c;
    return true;
}

void enter_block_of_cluster(const Block &block)
{
    const uint3 &d = launch_now.cluster, &b = block.id;
    emulated_cluster_dim = d;
    emulated_cluster_index = {b.x / d.x, b.y / d.y, b.z / d.z};
    emulated_block_in_cluster = {b.x % d.x, b.y % d.y, b.z % d.z};
    emulated_block_rank = block.cluster ? block.rank : 0;
    emulated_cluster_size = launch_now.cluster_blocks;
}

// ---- the barrier --------------------------------------------------------------------------------

static u32 &after_arrival(Cluster &c, u32 phase, const Lane *lane)
{
    const Block &block = *lane->warp->block;
    return c.barriers[phase % 3].after[block.rank * block.lanes.size() + lane->thread];
}

static void complete_if_all_are_there(Cluster &c)
{
    if (c.arrived < c.threads || c.threads == 0)
        return;
    for (u32 &after : c.barriers[c.phase % 3].after)
        if (!after) // this thread has ended
            after = next_interval_id();
    c.barriers[c.phase % 3].complete = next_interval_id();
    c.arrived = 0;
    c.phase++;
    Cluster::Barrier &next = c.barriers[c.phase % 3];
    std::fill(next.after.begin(), next.after.end(), 0u);
    next.observed = next.seen = nullptr;
    launch_now.progress++;
    launch_now.visible++;
}

void end_thread_in_cluster(Lane *lane)
{
    Block &block = *lane->warp->block;
    Cluster &c = *block.cluster;
    c.threads--;
    c.arrived -= lane->arrived && lane->cluster_phase == c.phase;
    complete_if_all_are_there(c);
    if (launch_now.cluster_blocks == 1 || settings.fast)
        return;
    auto &visits = windows[block.window].visits;
    for (auto it = visits.begin(); it != visits.end();) // the block has lasted as long as that
        it = ordered(it->second.stamp, lane, true) ? visits.erase(it) : std::next(it);
}

bool release_from_cluster(Block &block)
{
    bool any = false;
    for (Lane &lane : block.lanes)
        if (lane.state == kAtClusterBarrier && block.cluster->phase != lane.cluster_phase) {
            lane.state = kRunning;
            lane.loops_known = 0;
            any = true;
        }
    return any;
}

Lane *waits_for_cluster(const Block &block)
{
    for (const Lane &lane : block.lanes)
        if (lane.state == kAtClusterBarrier)
            return const_cast<Lane *>(&lane);
    return nullptr;
}

bool ordered_by_cluster(const Stamp &earlier, u32 block, const Lane *now)
{
    const Cluster *c = now->warp->block->cluster;
    if (!c || now->cluster_phase == 0)
        return false;
    const Interval &i = interval(earlier.interval);
    const size_t lanes = now->warp->block->lanes.size(),
                 thread = i.warp * kWarp + (earlier.who & kLaneBits);
    const auto &after = c->barriers[(now->cluster_phase - 1) % 3].after;
    for (size_t rank = 0; rank < c->blocks.size(); rank++)
        if (c->blocks[rank]->linear == block)
            return thread < lanes && earlier.interval < after[rank * lanes + thread];
    return false;
}

} // namespace emulated

using namespace emulated;

static Lane *thread_of_cluster(const char *call)
{
    if (!current) {
        fprintf(stderr, "%s is called from host code: it can only be used in a kernel\n", call);
        exit(2);
    }
    Block &block = *current->warp->block;
    if (!block.cluster)
        begin_cluster({&block});
    return current;
}

extern "C" {

void emulated_cluster_arrive(int relaxed)
{
    Lane *lane = thread_of_cluster("cluster.barrier_arrive()");
    Cluster &c = *lane->warp->block->cluster;
    const Pc pc = __builtin_return_address(0);
    pause(lane, pc, EMULATED_FRAME);
    if (lane->arrived) {
        report({"barrier-divergence", pc, lane, "cluster barrier",
                "arrives at the cluster's barrier again without having waited for it in between",
                0});
        return;
    }
    const u32 before = lane->cluster_phase ? after_arrival(c, lane->cluster_phase - 1, lane) : 1;
    if (c.arrived == 0)
        c.barriers[c.phase % 3].first = next_interval_id();
    if (!relaxed)
        order_at_cluster_arrival(lane);
    after_arrival(c, c.phase, lane) = relaxed ? std::max(before, lane->fenced) : next_interval_id();
    lane->arrived = true;
    c.arrived++;
    complete_if_all_are_there(c);
}

void emulated_cluster_wait(int line)
{
    Lane *lane = thread_of_cluster("cluster.barrier_wait()");
    Block &block = *lane->warp->block;
    const Pc pc = __builtin_return_address(0);
    if (!lane->arrived) {
        report({"barrier-divergence", pc, lane, "cluster barrier",
                "waits for the cluster's barrier without having arrived at it", 1});
        return;
    }
    lane->wait_line = line;
    lane->wait_pc = pc;
    while (block.cluster->phase == lane->cluster_phase)
        pause(lane, pc, EMULATED_FRAME, kAtClusterBarrier);
    lane->cluster_phase++;
    lane->arrived = false;
    const Cluster::Barrier &b = block.cluster->barriers[(lane->cluster_phase - 1) % 3];
    if (launch_now.cluster_blocks > 1)
        block.since = std::max(block.since, b.first);
    block.together = b.complete;
    order_at_cluster_barrier(lane);
}

// Where block `rank` of the cluster has what lies there in its own shared memory
void *emulated_map_shared(const void *p, unsigned rank)
{
    Lane *lane = thread_of_cluster("map_shared_rank()");
    const Block &block = *lane->warp->block;
    const Pc pc = __builtin_return_address(0);
    u64 address = (u64)p;
    Block *owner;
    if (is_window(address))
        address = from_window(address, &owner);
    if (!is_shared(address)) {
        report({"invalid-address", pc, lane, object_name(address),
                "maps " + describe(address) + ", which is not in shared memory", 2});
        kill_kernel(cudaErrorIllegalAddress);
    }
    if (rank >= launch_now.cluster_blocks) {
        report({"invalid-address", pc, lane, object_name(address),
                "asks for the shared memory of block " + std::to_string(rank) +
                    " of a cluster of " + std::to_string(launch_now.cluster_blocks),
                3});
        kill_kernel(cudaErrorIllegalAddress);
    }
    return rank == block.rank || launch_now.cluster_blocks == 1
               ? (void *)address
               : (void *)in_window(*block.cluster->blocks[rank], address);
}

unsigned emulated_shared_rank(const void *p)
{
    const Block &block = *thread_of_cluster("query_shared_rank()")->warp->block;
    Block *owner = nullptr;
    if (is_window((u64)p))
        from_window((u64)p, &owner);
    return owner ? owner->rank : block.rank;
}

// space: as in emulator.h, and 3 for a thread's own memory, a parameter too, which constant memory
// holds on a GPU
int emulated_is_in(int space, const void *p)
{
    const u64 address = (u64)p;
    const Region *r = region_of(address);
    const int is = r ? (int)r->space : on_fiber(address) ? 3 : (int)kGlobal;
    return is == space;
}
int emulated_is_shared(const void *p) { return is_shared((u64)p); }

// Shared memory as PTX addresses it, in 32 bits: dynamic memory from 1024 on, as on a GPU, so that
// 18 bits of an address are enough for a matrix descriptor; static variables behind it. The blocks
// of a cluster follow each other, the own one first.
static const u64 kStaticFrom = (1u << 18) + (232u << 10), kDynamicFrom = 1024, kPerBlock = 1u << 26;
unsigned long long emulated_shared_offset(const void *p)
{
    u64 address = (u64)p, before = 0;
    if (is_window(address)) {
        Block *owner;
        address = from_window(address, &owner);
        before = kPerBlock * (1 + owner->rank);
    }
    const u64 in_static = address - (u64)regions[kStaticShared].begin,
              in_dynamic = address - (u64)regions[kDynamicShared].begin;
    return in_static < regions[kStaticShared].size     ? before + kStaticFrom + in_static
           : in_dynamic < regions[kDynamicShared].size ? before + kDynamicFrom + in_dynamic
                                                       : address;
}
void *emulated_shared_pointer(unsigned offset)
{
    const u64 in = offset % kPerBlock,
              address = in < kStaticFrom ? (u64)regions[kDynamicShared].begin + in - kDynamicFrom
                                         : (u64)regions[kStaticShared].begin + in - kStaticFrom;
    return offset < kPerBlock ? (void *)address
                              : emulated_map_shared((void *)address, offset / kPerBlock - 1);
}

} // extern "C"
