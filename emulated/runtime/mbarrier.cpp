// mbarrier.cpp: see mbarrier.h.
//
// A load arrives as late as it may: when a thread waits for the phase that counts it. Until then
// its place holds nothing. A store reads its source when it is issued, and looks when it
// is waited for whether that is still the same; only then it writes.
#include "mbarrier.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "lockstep.h"
#include "times.h"

extern "C" {
void *emulated_map_shared(const void *p, unsigned rank);
void emulated_async_wait(int prior);
}

namespace emulated
{

void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame); // hooks.cpp

// ---- the 8 bytes --------------------------------------------------------------------------------

struct Phase {
    u32 pending, expected; // threads of this phase that are still to come; of each phase
    int bytes;             // that are still to come
    bool parity, valid;
    explicit Phase(u64 word)
        : pending(word & 0xfffff), expected(word >> 20 & 0xfffff),
          bytes((int)(word >> 40 << 10) >> 10), parity(word >> 62 & 1), valid(word >> 63)
    {
    }
    u64 word() const
    {
        return pending | (u64)expected << 20 | ((u64)(u32)bytes & 0x3fffff) << 40 |
               (u64)parity << 62 | (u64)valid << 63;
    }
};
const u32 kMostThreads = (1 << 20) - 1;

static u64 &word_at(u64 address) { return *(u64 *)address; }

Lane *calling_lane(const char *call, Pc pc, u64 frame)
{
    if (!current) {
        fprintf(stderr, "%s is called from host code: it can only be used in a kernel\n", call);
        exit(2);
    }
    pause(current, pc, frame);
    return current;
}

void must_be_aligned(Lane *lane, u64 address, u32 bytes, const char *what, Pc pc)
{
    if (address % bytes == 0)
        return;
    report({"misaligned", pc, lane, object_name(address),
            std::string(what) + " at " + describe(address) + ": the address is no multiple of " +
                std::to_string(bytes),
            4});
    kill_kernel(cudaErrorMisalignedAddress);
}

// Who has made it an mbarrier, by shared_key(), and what has come since then
struct Init {
    Stamp stamp;
    Lane *lane;
    Pc pc;
    u32 arrivals, phases;
    std::map<const Lane *, u32> phase_of; // in which a thread arrived last
};
static std::map<u64, Init> inits EMULATED_EARLY;

static void note_arrival(const Lane *lane, u64 key, u32 count)
{
    const auto found = inits.find(key);
    if (found == inits.end())
        return;
    found->second.phase_of[lane] = found->second.phases;
    found->second.arrivals += count;
}

// The next phase begins if nothing more is to come in this one.
static void step(u64 key, Phase &phase)
{
    if (phase.pending || phase.bytes)
        return;
    phase.parity = !phase.parity;
    phase.pending = phase.expected;
    const auto found = inits.find(key);
    if (found != inits.end())
        found->second.phases++;
}

// A thread waits for a phase by its parity. It waits in vain when the next phase has ended, too,
// before it looked: more threads arrive than the mbarrier counts.
static std::string too_many_arrivals(const Lane *lane, u64 key, const Phase &phase)
{
    const auto found = inits.find(key);
    if (found == inits.end())
        return "";
    const Init &init = found->second;
    const auto arrived = init.phase_of.find(lane);
    if (arrived == init.phase_of.end() || init.phases < arrived->second + 2)
        return "";
    return ", which " + place_name(init.pc) + " has initialised for " +
           std::to_string(phase.expected) + " arrivals: " + std::to_string(init.arrivals) +
           " came, and ended the thread's phase and the next before it looked";
}

static void must_be_seen(Lane *lane, u64 address, Pc pc)
{
    const auto found = inits.find(shared_key(*lane->warp->block, address));
    if (settings.fast || found == inits.end() || found->second.lane == lane ||
        ordered(found->second.stamp, lane, true))
        return;
    report({"race", pc, lane, object_name(address),
            "uses the mbarrier " + describe(address) + ", which " +
                thread_name(found->second.lane) + " has initialised at " +
                place_name(found->second.pc) + ": no " +
                (lane->warp->block == found->second.lane->warp->block ? "__syncthreads()"
                                                                      : "cluster.sync()") +
                " between them",
            9});
}

static void must_be_valid(Lane *lane, u64 address, Pc pc)
{
    if (Phase(word_at(address)).valid)
        return;
    report({"bad-mbarrier", pc, lane, object_name(address),
            "uses " + describe(address) + " as an mbarrier, which no mbarrier.init has made one",
            0});
    kill_kernel(cudaErrorLaunchFailure);
}

// ---- loads --------------------------------------------------------------------------------------

struct Load {
    u64 barrier; // as shared_key() has it
    std::vector<u64> to;
    std::vector<u8> data;
    Pc pc;
    Who who;
};
static std::vector<Load> loads EMULATED_EARLY; // on their way

struct Waiting {
    u64 barrier;
    bool parity;
};
static std::map<const Lane *, Waiting> waiting EMULATED_EARLY; // whose last look was in vain

void use_pieces(Lane *lane, const std::vector<u64> &pieces, u32 bytes, u8 flags, Pc pc)
{
    Lane *lanes[kWarp];
    std::fill_n(lanes, kWarp, lane);
    site(site_of(pc)).by_device = true;
    for (size_t i = 0; i < pieces.size() && !launch_now.killed; i += kWarp) {
        const int n = (int)std::min<size_t>(kWarp, pieces.size() - i);
        if (!settings.fast)
            check_request(lanes, &pieces[i], n, bytes, flags, pc, false);
        for (int k = 0; k < n && settings.fast && !launch_now.killed; k++) {
            check_bounds(lane, pieces[i + (size_t)k], bytes, flags, pc);
            if (noting_use)
                note_use(pieces[i + (size_t)k], bytes, flags);
        }
    }
    if (launch_now.killed && current)
        leave_forever(lane);
}

static void set_known(u64 address, u32 bytes, bool known)
{
    if (Region *r = region_of(address))
        mark(*r, address - (u64)r->begin, bytes, known ? kInitialised : 0,
             known ? 0 : kInitialised);
}

const Pc *load_on_its_way(const Lane *lane, u64 address)
{
    if (loads.empty())
        return nullptr;
    const Block &block = *lane->warp->block;
    const u64 key = shared_key(block, address);
    for (const Load &load : loads)
        for (u64 to : load.to)
            if (key - shared_key(block, to) < 16)
                return &load.pc;
    return nullptr;
}

// The place is the copy's from now on.
static void empty(Lane *lane, const std::vector<u64> &to, Pc pc)
{
    const u32 interval = settings.fast ? 0 : interval_of_device(*lane->warp->block);
    for (size_t i = 0; i < to.size(); i += kWarp) {
        const std::vector<u64> part(to.begin() + (long)i,
                                    to.begin() + (long)std::min(to.size(), i + kWarp));
        use_pieces(lane, part, 16, kWrite, pc);
        if (lane->watching)
            begin_watch(lane);
        for (u64 address : part) {
            memset((void *)address, 0xff, 16);
            set_known(address, 16, settings.fast);
            if (interval)
                stamp_by_device(address, 16, interval, pc);
        }
        if (lane->watching)
            end_watch(lane);
    }
}

void begin_load(Lane *lane, const Bulk &bulk, u64 barrier, u32 blocks, Pc pc)
{
    const Block &block = *lane->warp->block;
    if (!blocks) {
        must_be_valid(lane, barrier, pc);
        empty(lane, bulk.shared, pc);
        loads.push_back({shared_key(block, barrier), bulk.shared, bulk.data, pc, lane});
        return;
    }
    for (u32 rank = 0; blocks; rank++, blocks >>= 1) {
        if (!(blocks & 1))
            continue;
        Bulk one = bulk;
        for (u64 &address : one.shared)
            address = (u64)emulated_map_shared((void *)address, rank);
        begin_load(lane, one, (u64)emulated_map_shared((void *)barrier, rank), 0, pc);
    }
}

// What the barrier's phase counts arrives; its block waits for it.
static void deliver(Block &block, u64 key, Phase &phase)
{
    u32 interval = 0;
    for (size_t i = 0; i < loads.size();) {
        if (loads[i].barrier != key) {
            i++;
            continue;
        }
        const Load load = loads[i];
        loads.erase(loads.begin() + (long)i);
        if (!interval && !settings.fast)
            interval = interval_of_device(block);
        for (size_t k = 0; k < load.to.size(); k++) {
            Block *owner;
            const u64 there = load.to[k];
            const u64 address = is_window(there) ? from_window(there, &owner) : there;
            memcpy((void *)address, &load.data[16 * k], 16);
            set_known(address, 16, true);
            if (!settings.fast)
                stamp_by_device(address, 16, interval, load.pc);
            changed(address);
        }
        phase.bytes -= (int)load.data.size();
    }
    step(key, phase);
    if (interval)
        release_by_device(block, key, interval);
}

// `by_bytes`: all threads have arrived, and the bytes alone are too few or too many. That is the
// mistake where others wait for those who wait here.
std::string mbarrier_that_never_completes(const Lane *lane, bool *by_bytes)
{
    auto found = waiting.find(lane);
    *by_bytes = false;
    if (found == waiting.end() || found->second.barrier == 0)
        return "";
    const u64 address = found->second.barrier;
    const Block &block = *lane->warp->block;
    u64 word = word_at(address);
    if (launch_now.cluster_blocks > 1 && is_shared(address)) // its block may not be in place
        word = std::max(word, word_at(in_window(block, address)));
    const Phase p(word);
    *by_bytes = p.pending == 0 && p.bytes != 0;
    const std::string many = too_many_arrivals(lane, shared_key(block, address), p);
    std::string text = "waits for an mbarrier, " + describe(address);
    if (!many.empty())
        return text + many;
    text += ", whose phase of parity " + std::to_string(found->second.parity) + " never ends";
    if (p.pending)
        text += ": of " + std::to_string(p.expected) + " arrivals " + std::to_string(p.pending) +
                " are missing";
    if (p.bytes)
        text += (p.pending ? ", and " : ": ") +
                (p.bytes > 0
                     ? std::to_string(p.bytes) + " bytes that were expected have not come"
                     : std::to_string(-p.bytes) + " bytes came that no expect_tx had announced");
    return text;
}

// ---- stores -------------------------------------------------------------------------------------

struct Store {
    Bulk bulk;
    std::vector<Target> targets;
    u32 group;
    bool read; // its source may be used again
    Pc pc;
};
struct Stores {
    u32 group = 0; // of the next one
    std::vector<Store> list;
};
static std::map<const Lane *, Stores> stores EMULATED_EARLY;
int lanes_with_stores;

// Ordinary stores are seen by the device only after a fence.proxy.async: of the thread that stored,
// or, once it knows of the stores, of the one that asks for the copy.
void must_be_fenced(Lane *lane, u64 address, u32 bytes, Pc pc, const char *reader)
{
    const Region *r = region_of(address);
    if (settings.fast || !r || r->space != kShared)
        return;
    for (u64 word = (address - (u64)r->begin) / 4, end = word + bytes / 4; word < end; word++) {
        const bool split = r->cells[word].write.interval == kSplit;
        const Stamp &s = (split ? r->byte_cells[4 * word] : r->cells[word]).write;
        const Block &block = *lane->warp->block;
        if (s.interval < launch_now.first_interval || s.interval < lane->proxied ||
            interval(s.interval).block != block.linear ||
            interval(s.interval).warp >= block.warps.size())
            continue;
        const Lane &writer = block.lanes[interval(s.interval).warp * kWarp + (s.who & kLaneBits)];
        if (s.interval < writer.proxied)
            continue;
        report({"race", pc, lane, object_name(address),
                std::string(reader) + " reads " + describe(address) + ", which was written at " +
                    place_name(site(s.site).pc) +
                    ": no fence.proxy.async between them, after which the device sees what threads "
                    "have stored",
                5});
        return;
    }
}

void begin_store(Lane *lane, const Bulk &bulk, const std::vector<Target> &targets, Pc pc)
{
    use_pieces(lane, bulk.shared, 16, kRead, pc);
    for (u64 address : bulk.shared)
        must_be_fenced(lane, address, 16, pc, "the bulk copy");
    Stores &mine = stores[lane];
    lanes_with_stores = (int)stores.size();
    mine.list.push_back({bulk, targets, mine.group, false, pc});
    for (size_t i = 0; i < bulk.shared.size(); i++)
        memcpy(&mine.list.back().bulk.data[16 * i], (void *)bulk.shared[i], 16);
}

static void end_reading(Lane *lane, Store &s)
{
    bool same = true;
    for (size_t i = 0; i < s.bulk.shared.size() && !s.read; i++)
        same &= memcmp(&s.bulk.data[16 * i], (void *)s.bulk.shared[i], 16) == 0;
    s.read = true;
    if (!same)
        report({"race", s.pc, lane, object_name(s.bulk.shared[0]),
                "the bulk copy reads " + describe(s.bulk.shared[0]) +
                    ", which has been changed before cp.async.bulk.wait_group.read said that it "
                    "has been read",
                6});
}

static void write_out(Lane *lane, Store &s)
{
    end_reading(lane, s);
    for (const Target &t : s.targets) {
        use_pieces(lane, {t.to}, t.bytes, kWrite, s.pc);
        if (lane->watching)
            begin_watch(lane);
        memcpy((void *)t.to, &s.bulk.data[t.from], t.bytes);
        changed(t.to);
        if (lane->watching)
            end_watch(lane);
    }
}

void end_stores(Lane *lane)
{
    auto found = stores.find(lane);
    if (found == stores.end())
        return;
    for (Store &s : found->second.list)
        if (lane->state == kDone) {
            if (!s.read)
                report({"race", s.pc, lane, object_name(s.bulk.shared[0]),
                        "its thread ends while the bulk copy may still be reading " +
                            describe(s.bulk.shared[0]) +
                            ": cp.async.bulk.wait_group.read must come first",
                        7});
            write_out(lane, s);
        }
    stores.erase(found);
    lanes_with_stores = (int)stores.size();
}

// ---- the ends of blocks and launches ------------------------------------------------------------

// Does it bring something to this block's shared memory?
static bool is_for(const Load &load, const Block &block)
{
    Block *owner;
    if (launch_now.cluster_blocks == 1)
        return load.barrier >> 48 == (u64)block.linear + 1;
    from_window(load.barrier, &owner);
    return owner == &block;
}

// Is more on its way to it?
static bool brings_more(const Block &block)
{
    return std::any_of(loads.begin(), loads.end(),
                       [&block](const Load &load) { return is_for(load, block); });
}

void end_bulk_of_block(const Block &block)
{
    for (size_t i = 0; i < loads.size();) {
        if (!is_for(loads[i], block)) {
            i++;
            continue;
        }
        report({"race", loads[i].pc, nullptr, object_name(loads[i].to[0]),
                "the block ends while a bulk copy to " + describe(loads[i].to[0]) +
                    " may be on its way: nothing has waited for its mbarrier",
                8});
        loads.erase(loads.begin() + (long)i);
    }
    for (const Lane &lane : block.lanes)
        waiting.erase(&lane);
    for (auto it = inits.begin(); it != inits.end();)
        it = launch_now.cluster_blocks == 1 && it->second.lane->warp->block == &block
                 ? inits.erase(it)
                 : std::next(it);
}

void forget_bulk()
{
    forget_products();
    loads.clear();
    inits.clear();
    stores.clear();
    waiting.clear();
    lanes_with_stores = 0;
}

} // namespace emulated

using namespace emulated;
#define CALLER(call)                                                                               \
    const Pc pc = __builtin_return_address(0);                                                     \
    const u64 frame = EMULATED_FRAME;                                                              \
    Lane *lane = calling_lane(call, pc, frame)

static void access_barrier(Lane *lane, u64 address, u8 flags, Pc pc, u64 frame)
{
    must_be_aligned(lane, address, 8, "an mbarrier", pc);
    if (flags != kWrite)
        must_be_seen(lane, address, pc);
    atomic_access(address, 8, flags, pc, frame);
    if (flags != kWrite)
        must_be_valid(lane, address, pc);
}

extern "C" {

void emulated_mbarrier_init(void *barrier, unsigned count)
{
    CALLER("mbarrier.init");
    access_barrier(lane, (u64)barrier, kWrite, pc, frame);
    if (count == 0 || count > kMostThreads)
        report({"bad-mbarrier", pc, lane, object_name((u64)barrier),
                "an mbarrier for " + std::to_string(count) +
                    " arrivals: from 1 to 1048575 are possible",
                1});
    Phase p(0);
    p.pending = p.expected = count;
    p.valid = true;
    word_at((u64)barrier) = p.word();
    if (!settings.fast)
        inits[shared_key(*lane->warp->block, (u64)barrier)] = {
            {current_interval(*lane->warp), 0, lane->index, 0}, lane, pc, 0, 0, {}};
    changed((u64)barrier);
}

void emulated_mbarrier_inval(void *barrier)
{
    CALLER("mbarrier.inval");
    access_barrier(lane, (u64)barrier, kWrite, pc, frame);
    word_at((u64)barrier) = 0;
    changed((u64)barrier);
}

void emulated_mbarrier_expect(void *barrier, unsigned bytes)
{
    CALLER("mbarrier.expect_tx");
    access_barrier(lane, (u64)barrier, kRead | kWrite | kAtomic, pc, frame);
    Phase p(word_at((u64)barrier));
    p.bytes += (int)bytes;
    word_at((u64)barrier) = p.word();
    changed((u64)barrier);
}

unsigned long long emulated_mbarrier_arrive(void *barrier, unsigned count, int drop, unsigned bytes)
{
    CALLER("mbarrier.arrive");
    const u64 address = (u64)barrier;
    order_by_fence(lane, false);
    access_barrier(lane, address, kRead | kWrite | kAtomic, pc, frame);
    Phase p(word_at(address));
    const u64 state = p.word();
    if (bytes > kMostThreads || count > p.pending) {
        report({"bad-mbarrier", pc, lane, object_name(address),
                bytes > kMostThreads
                    ? "expects " + std::to_string(bytes) +
                          " bytes: at most 1048575 can be counted in a phase"
                    : "arrives " + std::to_string(count) + " times at " + describe(address) +
                          ", whose phase waits for " + std::to_string(p.pending) + " more",
                2});
        kill_kernel(cudaErrorLaunchFailure);
    }
    const u64 key = shared_key(*lane->warp->block, address);
    note_arrival(lane, key, count);
    p.bytes += (int)bytes;
    p.pending -= count;
    p.expected -= drop ? count : 0;
    step(key, p);
    word_at(address) = p.word();
    changed(address);
    return state;
}

// The copies of 4 to 16 bytes that the thread has started count as arrived when they have.
void emulated_mbarrier_arrive_copies(void *barrier, int adds)
{
    CALLER("cp.async.mbarrier.arrive");
    emulated_async_wait(-1);
    order_by_fence(lane, false);
    access_barrier(lane, (u64)barrier, kRead | kWrite | kAtomic, pc, frame);
    Phase p(word_at((u64)barrier));
    p.pending -= adds || !p.pending ? 0 : 1;
    step(shared_key(*lane->warp->block, (u64)barrier), p);
    word_at((u64)barrier) = p.word();
    changed((u64)barrier);
}

int emulated_mbarrier_test(const void *barrier, unsigned long long state, int is_parity)
{
    CALLER("mbarrier.try_wait");
    const u64 address = (u64)barrier;
    const bool parity = is_parity ? state & 1 : Phase(state).parity;
    Phase p(word_at(address));
    if (is_shared(address) && p.valid && p.parity == parity) {
        deliver(*lane->warp->block, shared_key(*lane->warp->block, address), p);
        word_at(address) = p.word();
    }
    access_barrier(lane, address, kRead | kVolatile, pc, frame);
    const bool over = Phase(word_at(address)).parity != parity;
    waiting[lane] = {over ? 0 : address, parity};
    if (over) {
        order_by_fence(lane, false);
        if (counting_work)
            work_arrival(*lane->warp, !brings_more(*lane->warp->block));
    }
    return over;
}

unsigned emulated_mbarrier_pending(unsigned long long state) { return Phase(state).pending; }

void emulated_fence_proxy(void)
{
    CALLER("fence.proxy.async");
    lane->warp->interval = 0;
    lane->proxied = next_interval_id();
}

static void must_be_whole(Lane *lane, u64 to, unsigned bytes, Pc pc)
{
    if (bytes % 16 == 0)
        return;
    report({"misaligned", pc, lane, object_name(to),
            "a bulk copy of " + std::to_string(bytes) + " bytes: the size must be a multiple of 16",
            5});
    kill_kernel(cudaErrorMisalignedAddress);
}

void emulated_bulk_load(void *to, const void *from, unsigned bytes, void *barrier, unsigned blocks)
{
    CALLER("cp.async.bulk");
    must_be_aligned(lane, (u64)to, 16, "a bulk copy to shared memory", pc);
    must_be_aligned(lane, (u64)from, 16, "a bulk copy", pc);
    must_be_aligned(lane, (u64)barrier, 8, "an mbarrier", pc);
    must_be_whole(lane, (u64)to, bytes, pc);
    Bulk bulk;
    for (u32 i = 0; i < bytes; i += 16) {
        bulk.shared.push_back((u64)to + i);
        bulk.global.push_back((u64)from + i);
    }
    use_pieces(lane, bulk.global, 16, kRead, pc);
    bulk.data.assign((const u8 *)from, (const u8 *)from + bytes);
    begin_load(lane, bulk, (u64)barrier, blocks, pc);
}

void emulated_bulk_store(void *to, const void *from, unsigned bytes)
{
    CALLER("cp.async.bulk");
    must_be_aligned(lane, (u64)to, 16, "a bulk copy to global memory", pc);
    must_be_aligned(lane, (u64)from, 16, "a bulk copy from shared memory", pc);
    must_be_whole(lane, (u64)to, bytes, pc);
    Bulk bulk;
    std::vector<Target> targets;
    for (u32 i = 0; i < bytes; i += 16) {
        bulk.shared.push_back((u64)from + i);
        targets.push_back({(u64)to + i, i, 16});
    }
    bulk.data.resize(bytes);
    begin_store(lane, bulk, targets, pc);
}

void emulated_bulk_commit(void)
{
    CALLER("cp.async.bulk.commit_group");
    auto found = stores.find(lane);
    if (found != stores.end())
        found->second.group++;
}

void emulated_bulk_wait(int prior, int reads_only)
{
    CALLER("cp.async.bulk.wait_group");
    auto found = stores.find(lane);
    if (found == stores.end())
        return;
    Stores &mine = found->second;
    for (size_t i = 0; i < mine.list.size();) {
        Store &s = mine.list[i];
        if ((long long)s.group >= (long long)mine.group - prior) {
            i++;
            continue;
        }
        if (reads_only) {
            end_reading(lane, s);
            i++;
            continue;
        }
        Store done = s;
        mine.list.erase(mine.list.begin() + (long)i);
        write_out(lane, done);
    }
}

} // extern "C"
