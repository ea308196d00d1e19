// flow.cpp: the order of basic blocks that emulated-cc has found (cc/flow.c), and how often each
// lane has gone round which loop since its warp divided.
#include "flow.h"

#include <algorithm>
#include <cstring>

namespace emulated
{

struct Record {
    int begin, rank, end; // `begin` from here; rank -1: the end of the function
    int work[kWorks];
};
} // namespace emulated
extern "C" __attribute__((weak)) const emulated::Record __start_emulated_flow[],
    __stop_emulated_flow[];

namespace emulated
{

struct FlowBlock {
    u64 begin;
    int function, rank;
    int end;   // of the loop of which this is the head, else 0
    int loop;  // its head, this block perhaps; -1: none
    int outer; // of a head: the loop around it
    const int *work;
};

// By address; the loops are numbers in this list.
static const std::vector<FlowBlock> &flow()
{
    static const std::vector<FlowBlock> &list = *[] {
        std::vector<FlowBlock> all;
        std::vector<int> heads;
        int function = -1;
        for (const Record *r = __start_emulated_flow; r < __stop_emulated_flow; r++) {
            const u64 begin = (u64)&r->begin + (u64)(long long)r->begin;
            if (r->rank <= 0) {
                function += r->rank == 0;
                heads.clear();
            }
            while (!heads.empty() && r->rank >= all[(size_t)heads.back()].end)
                heads.pop_back();
            const int outer = heads.empty() ? -1 : heads.back(), here = (int)all.size();
            if (r->end)
                heads.push_back(here);
            all.push_back({begin, r->rank < 0 ? -1 : function, r->rank, r->end,
                           r->end ? here : outer, outer, r->work});
        }
        std::vector<int> by_address(all.size()), place(all.size());
        for (size_t i = 0; i < all.size(); i++)
            by_address[i] = (int)i;
        std::stable_sort(by_address.begin(), by_address.end(), [&](int a, int b) {
            const FlowBlock &x = all[(size_t)a], &y = all[(size_t)b];
            return x.begin != y.begin ? x.begin < y.begin : (x.rank < 0) > (y.rank < 0);
        });
        for (size_t i = 0; i < all.size(); i++)
            place[(size_t)by_address[i]] = (int)i;
        auto *sorted = new std::vector<FlowBlock>; // lives until the very end
        for (int i : by_address) {
            sorted->push_back(all[(size_t)i]);
            FlowBlock &b = sorted->back();
            b.loop = b.loop < 0 ? -1 : place[(size_t)b.loop];
            b.outer = b.outer < 0 ? -1 : place[(size_t)b.outer];
        }
        return sorted;
    }();
    return list;
}

// The block of an instruction behind a call; NULL when there is no table.
static const FlowBlock *block_of(Pc pc)
{
    static struct {
        Pc pc;
        const FlowBlock *block;
    } cache[1024];
    auto &entry = cache[((u64)pc ^ (u64)pc >> 10) & 1023];
    if (__builtin_expect(entry.pc == pc, 1))
        return entry.block;
    const auto &all = flow();
    const auto next =
        std::upper_bound(all.begin(), all.end(), (u64)pc - 1,
                         [](u64 address, const FlowBlock &b) { return address < b.begin; });
    const bool found = pc && next != all.begin() && (next - 1)->function >= 0;
    entry = {pc, found ? &*(next - 1) : nullptr};
    return entry.block;
}

const int *work_of(Pc pc)
{
    const FlowBlock *b = block_of(pc);
    return b ? b->work : nullptr;
}

int loop_of(Pc pc)
{
    const FlowBlock *b = block_of(pc);
    return b ? b->loop : -1;
}

static const FlowBlock &block(int i)
{
    static const FlowBlock *const first = flow().data();
    return first[i];
}

// Is this block, of the same function, in the loop?
static bool holds(int loop, const FlowBlock &b)
{
    return b.rank >= block(loop).rank && b.rank < block(loop).end;
}

static u32 iteration(const Lane *lane, int loop)
{
    for (int i = 0; i < lane->loops_known; i++)
        if (lane->loops[i].loop == loop)
            return lane->loops[i].times;
    return 0;
}

static void forget(Lane *lane, int loop)
{
    for (int i = 0; i < lane->loops_known; i++)
        if (lane->loops[i].loop == loop) {
            std::copy(lane->loops + i + 1, lane->loops + lane->loops_known, lane->loops + i);
            lane->loops_known--;
            return;
        }
}

static void go_round(Lane *lane, int loop)
{
    for (int i = 0; i < lane->loops_known; i++)
        if (lane->loops[i].loop == loop) {
            lane->loops[i].times++;
            return;
        }
    if (lane->loops_known == kLoops)
        forget(lane, lane->loops[0].loop);
    lane->loops[lane->loops_known++] = {loop, 1};
}

// From one block to another of the same function. Backwards is round the smallest loop that holds
// both; whatever loops lie within that are entered anew.
static bool pass(Lane *lane, const FlowBlock &from, Pc from_pc, const FlowBlock &to, Pc to_pc)
{
    int loop = to.loop;
    for (; loop >= 0 && !holds(loop, from); loop = block(loop).outer)
        forget(lane, loop);
    // Two blocks of the instrumentation may be one to the assembler.
    const bool round =
        loop >= 0 && (to.rank < from.rank || (to.rank == from.rank && to_pc <= from_pc));
    if (round)
        go_round(lane, loop);
    return round;
}

// The blocks of a way, from the one before it on; lanes mostly have it in common.
struct Way {
    Pc begin = nullptr;
    const Pc *path = nullptr;
    int length = -1;
    const FlowBlock *blocks[kPathLength + 2];

    void look_up(const Lane *lane)
    {
        if (lane->path == path && lane->path_length == length && lane->block_now == begin)
            return;
        begin = lane->block_now;
        path = lane->path;
        length = lane->path_length;
        blocks[0] = block_of(begin);
        for (int i = 0; i < length; i++)
            blocks[i + 1] = block_of(path[i]);
    }
    Pc pc(int i) const { return i ? path[i - 1] : begin; }
    // The last one before this in the same function, since calls may lie between; -1: not known.
    int before(int i) const
    {
        for (int k = i - 1; k >= 0; k--)
            if (blocks[k] && blocks[k]->function == blocks[i]->function)
                return k;
        return -1;
    }
};

static bool note_way(Lane *lane, const Way &way)
{
    bool round = false;
    for (int i = 1; i <= way.length; i++) {
        const int from = way.blocks[i] ? way.before(i) : -1;
        round |= !way.blocks[i] || (from >= 0 && pass(lane, *way.blocks[from], way.pc(from),
                                                      *way.blocks[i], way.pc(i)));
    }
    return round;
}

bool note_iterations(Lane **lanes, int count)
{
    bool round = false;
    Way way;
    for (int i = 0; i < count; i++) {
        way.look_up(lanes[i]);
        round |= note_way(lanes[i], way);
    }
    return round;
}

static int compare_iterations(const Lane *a, const Lane *b, int loop)
{
    if (loop < 0)
        return 0;
    const int outer = compare_iterations(a, b, block(loop).outer);
    const u32 x = iteration(a, loop), y = iteration(b, loop);
    return outer ? outer : x < y ? -1 : x > y;
}

bool same_rounds(const Lane *a, const Lane *b)
{
    if (a->loops_known == b->loops_known &&
        memcmp(a->loops, b->loops, a->loops_known * sizeof *a->loops) == 0)
        return true;
    const FlowBlock *here = block_of(a->pc);
    return !here || !compare_iterations(a, b, here->loop);
}

int behind(const Lane *a, const Lane *b)
{
    if (a->pc == b->pc && a->depth == b->depth && !a->flags == !b->flags && a->pc &&
        same_iteration(a, b))
        return 0;
    const FlowBlock *x = block_of(a->pc), *y = block_of(b->pc);
    if (!x || !y || x->function != y->function || a->depth >> 6 != b->depth >> 6)
        return kApart;
    int loop = x->loop;
    while (loop >= 0 && !holds(loop, *y))
        loop = block(loop).outer;
    const int iterations = compare_iterations(a, b, loop);
    if (iterations)
        return iterations;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    return (a->flags != 0) - (b->flags != 0);
}

} // namespace emulated
