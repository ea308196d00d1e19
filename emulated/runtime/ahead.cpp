// ahead.cpp: the traces of lanes that run ahead (lockstep.h), and whether their work is valid.
#include "lockstep.h"

#include <algorithm>
#include <cstring>

namespace emulated
{

const Pc nowhere[1] = {nullptr};
__thread Ahead ahead = {nowhere, nullptr, nullptr, false, false};
__thread Quick quick;
static std::vector<Trace *> traces EMULATED_EARLY, spare_traces EMULATED_EARLY;

Trace *new_trace(int lanes)
{
    if (spare_traces.empty()) {
        traces.push_back(new Trace);
        spare_traces.push_back(traces.back());
    }
    Trace *t = spare_traces.back();
    spare_traces.pop_back();
    t->rows = t->length = t->further = t->ended = 0;
    t->lanes = lanes;
    t->way[0] = nullptr;
    return t;
}

void free_trace(Trace *trace) { spare_traces.push_back(trace); }
void forget_traces() { spare_traces = traces; }

// ---- the leader ---------------------------------------------------------------------------------

static void append(Trace &t, Pc pc)
{
    t.way[t.length++] = pc;
    t.way[t.length] = nullptr;
}

static int blocks_since_row(const Trace &t)
{
    return t.length - (t.rows ? t.row[t.rows - 1].end : 0);
}

// Room for a row, for the further reads of its step, and for a whole way to the next.
static bool full(const Trace &t, int width)
{
    return t.rows + width + kFurtherReads > kRows ||
           t.length + kFurtherReads + kPathLength + 3 > kWay;
}

bool lead(Pc pc, u64 address, u32 bytes, u8 flags, u64 depth)
{
    Trace &t = *ahead.trace;
    const int width = !(flags & kWrite) ? 1 : bytes <= 8 ? 2 : 3;
    t.further =
        flags == kRead && t.rows && blocks_since_row(t) == 0 && t.row[t.rows - 1].flags == kRead
            ? t.further % (kFurtherReads + 1) + 1
            : 0;
    if (t.further % (kFurtherReads + 1) == 0 && full(t, width))
        return false;
    append(t, pc);
    for (int i = 0; i < width; i++)
        t.row[t.rows++] = {pc, (u32)depth, bytes, flags, (u8)(width - i), (u16)t.length};
    note_ahead(address, bytes, flags);
    return true;
}

bool lead_through(Pc block, u64 depth)
{
    Trace &t = *ahead.trace;
    append(t, block);
    if (blocks_since_row(t) < kPathLength)
        return true;
    if (full(t, 1))
        return false;
    append(t, kPause);
    t.row[t.rows++] = {block, (u32)depth, 0, 0, 1, (u16)t.length};
    ahead.address += kWarp;
    return true;
}

// ---- ways ---------------------------------------------------------------------------------------

static const Pc *way_since_row(const Lane *lane)
{
    const int rows = rows_noted(lane);
    return lane->trace->way + (rows ? lane->trace->row[rows - 1].end : 0);
}

void leave_way(Lane *lane)
{
    if (ahead.way == nowhere)
        return;
    const Pc *begin = way_since_row(lane);
    lane->own_length = (int)(ahead.way - begin);
    std::copy(begin, ahead.way, lane->own_path);
    ahead.way = nowhere;
}

// Are all of these reads that belong to the step in which the lane was resumed?
static bool only_further_reads(const Lane *lane, int rows)
{
    const Trace &t = *lane->trace;
    bool further = (lane->flags == kRead || lane->straight) && rows <= kFurtherReads;
    for (int i = 0; i < rows && further; i++)
        further = t.row[i].flags == kRead && t.row[i].end == i + 1;
    return further;
}

void settle(Pc pc, u64 frame, bool prints)
{
    Lane *lane = current;
    if (!lane || !lane->trace || !on_stack_of(lane, frame))
        return;
    const int rows = rows_noted(lane);
    if (!ahead.writes && (rows == 0 || (prints && only_further_reads(lane, rows))))
        return;
    const Row *last = rows ? &lane->trace->row[rows - 1] : nullptr;
    const Pc *way = ahead.leads ? lane->trace->way + lane->trace->length : ahead.way;
    const bool straight =
        last && last->flags == kRead && !lane->own_length && way == lane->trace->way + last->end;
    pause(lane, pc, frame);
    lane->straight = straight;
}

// ---- what may stand -----------------------------------------------------------------------------

// When the lanes have run one after another from the kernel's begin, all is as if they had gone in
// step, unless one has used what another wrote. Then they begin anew and go in step.

struct Span { // the bytes of a row
    u64 low, high;
    bool rising; // and apart from each other
};

static Span span_of(const u64 *addresses, int count, u32 bytes)
{
    if (pattern_of(addresses, count, bytes) == kNeighbours)
        return {addresses[0], addresses[count - 1] + bytes, true};
    Span s = {addresses[0], addresses[0], true};
    for (int i = 0; i < count; i++) {
        s.low = std::min(s.low, addresses[i]);
        s.high = std::max(s.high, addresses[i]);
    }
    for (int i = 1; i < count; i++)
        s.rising &= addresses[i - 1] + bytes <= addresses[i];
    s.high += bytes;
    return s;
}

// Nobody else has used these words in this launch: no race is possible.
static bool unused(const Lane *lane, const u64 *addresses, int count, u32 bytes)
{
    const bool row_at_once =
        count == (int)kRow && bytes == 4 && pattern_of(addresses, count, bytes) == kNeighbours;
    const Region *r = region_of(addresses[0]);
    if (!r)
        return false;
    const u32 launch = launch_now.first_interval,
              first = is_shared(addresses[0]) && launch_now.cluster_blocks == 1
                          ? lane->warp->block->born
                          : launch;
    for (int i = 0; i < count; i++) {
        const u64 offset = addresses[i] - (u64)r->begin;
        if (offset >= r->size)
            return false;
        for (u64 word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
            if (r->rows && r->rows[word / kRow].opened != launch) {
                const Row32 &row = r->rows[word / kRow];
                if (row.write.interval >= launch || row.read.interval >= launch)
                    return false;
                if (i == 0 && row_at_once && may_be_row(*r, word))
                    return true;
                continue;
            }
            const Cell &c = r->cells[word];
            const u32 write =
                c.write.interval == kSplit && c.read.interval < launch ? 0 : c.write.interval;
            if (write >= first || c.read.interval >= first)
                return false;
        }
    }
    return true;
}

// For each word who has used its bytes: for the traces that are not simple.
struct Use {
    u64 word;
    u32 search;
    u8 who[4], used, several, written; // masks of bytes
};
static const u32 kUses = 1 << 14;
static Use uses[kUses];
static u32 search;

static Use *use_of(u64 word)
{
    u32 i = (u32)(word * 0x9e3779b97f4a7c15ull >> 50), tries = 0;
    while (uses[i].search == search && uses[i].word != word) {
        if (++tries > 64)
            return nullptr;
        i = (i + 1) % kUses;
    }
    if (uses[i].search != search)
        uses[i] = {word, search, {}, 0, 0, 0};
    return &uses[i];
}

static bool use(int who, u64 address, u32 bytes, bool writes)
{
    for (u64 a = address; a < address + bytes; a++) {
        Use *u = use_of(a / 4);
        if (!u)
            return false;
        const u8 bit = (u8)(1 << a % 4);
        if (!(u->used & bit))
            u->who[a % 4] = (u8)who;
        else if (u->who[a % 4] != who)
            u->several |= bit;
        u->used |= bit;
        if (writes)
            u->written |= bit;
        if (u->several & u->written & bit)
            return false;
    }
    return true;
}

static bool apart(const Trace &t, Lane **lanes, int count)
{
    if (++search == 0) {
        memset(uses, 0, sizeof uses);
        search = 1;
    }
    for (int r = 0; r < t.rows; r += t.row[r].width)
        for (int i = 0; i < count && t.row[r].flags; i++)
            if (r < lanes[i]->rows &&
                !use(i, t.address[r][i], t.row[r].bytes, t.row[r].flags & kWrite))
                return false;
    return true;
}

// The usual case, quickly: each write to a place of its own, in a row of neighbours.
static bool plainly_apart(const Trace &t, int count)
{
    Span spans[kRows];
    for (int r = 0; r < t.rows; r += t.row[r].width)
        if (t.row[r].flags)
            spans[r] = span_of(t.address[r], count, t.row[r].bytes);
    for (int w = 0; w < t.rows; w += t.row[w].width) {
        if (!(t.row[w].flags & kWrite))
            continue;
        if (!spans[w].rising)
            return false;
        for (int r = 0; r < t.rows; r += t.row[r].width)
            if (r != w && t.row[r].flags && spans[r].low < spans[w].high &&
                spans[w].low < spans[r].high &&
                (t.row[r].bytes != t.row[w].bytes ||
                 memcmp(t.address[r], t.address[w], (size_t)count * sizeof(u64)) != 0))
                return false;
    }
    return true;
}

bool harmless(const Trace &t, Lane **lanes, int count)
{
    bool writes = false, together = true;
    for (int r = 0; r < t.rows; r += t.row[r].width)
        writes |= t.row[r].flags & kWrite;
    if (!writes)
        return true;
    for (int i = 0; i < count && t.ended < count; i++)
        together &= lanes[i]->rows == t.rows;
    if (!(together && plainly_apart(t, count)) && !apart(t, lanes, count))
        return false;
    for (int r = 0; r < t.rows; r += t.row[r].width) {
        int n = 0;
        u64 addresses[kWarp];
        for (int i = 0; i < count; i++)
            if (r < lanes[i]->rows)
                addresses[n++] = t.address[r][i];
        if ((t.row[r].flags & kWrite) && n && !unused(lanes[0], addresses, n, t.row[r].bytes))
            return false;
    }
    return true;
}

void undo(const Trace &t, Lane **lanes, int count)
{
    for (int i = count; i-- > 0;)
        for (int r = lanes[i]->rows; r-- > 0;) {
            const Row &row = t.row[r];
            const bool first = r == 0 || t.row[r - 1].width == 1; // behind it stand its values
            if (!(row.flags & kWrite) || !first)
                continue;
            const u64 before[2] = {t.address[r + 1][i], row.width > 2 ? t.address[r + 2][i] : 0};
            memcpy((void *)t.address[r][i], before, row.bytes);
        }
}

} // namespace emulated
