// lockstep.h: switching from one lane to the next, and how lanes run ahead. Inline, since every
// access passes here.
//
// In the model, a lane stops before each access until the other lanes of its warp are there. In
// fact it runs ahead as long as no thread can observe that: through plain reads and, from its first
// basic block, through plain writes. Its path and accesses go into a trace, which is then replayed
// row by row as if the lanes had stopped at each row (warp.cpp). The first lane of a group leads:
// it writes the path. The others compare theirs with it, and record only their addresses. A lane
// stops when it takes another path, or reaches an atomic, a barrier or anything else that others
// may observe.
#ifndef EMULATED_LOCKSTEP_H
#define EMULATED_LOCKSTEP_H
#include <cstring>

#include "emulator.h"

extern "C" uint3 threadIdx;

namespace emulated
{

const int kRows = 64, kWay = 768;

struct Row { // a stop that was skipped
    Pc pc;
    u32 depth, bytes;
    u8 flags; // 0: a long path without an access
    u8 width; // rows of addresses; those of a write are followed by the old values
    u16 end;  // of the path to it
};
struct Trace {
    int rows, length; // in use
    int further;      // reads that belong to the step of the previous read
    int lanes;        // lanes that still use it
    int ended;        // lanes that have reached the end of their kernel on this path
    Row row[kRows];
    Pc way[kWay + 1]; // basic blocks and accesses in order, ended by NULL
    u64 address[kRows][kWarp];
};
// A second read in straight-line code is made by the same lanes as the first, so it belongs to the
// same step.
const int kFurtherReads = 4;
const Pc kPause = (Pc)1; // in a path: a row without an access

struct Ahead { // of the lane that runs
    // the next entry of the leader's path while it follows that; otherwise points to a NULL
    const Pc *way;
    u64 *address; // where its next address belongs
    Trace *trace; // NULL in host code and in fast mode
    bool leads, writes;
};
extern __thread Ahead ahead; // of each host thread, since host code calls the hooks too

struct Quick { // the same lane, in fast mode
    // of its stack, to recognise its own frames; depth is 0 when the fast path is off
    u64 top, depth;
    u32 blocks; // basic blocks that it may enter before it stops
};
extern __thread Quick quick;
const u32 kLongWay = 1 << 16;
extern const Pc nowhere[1];

extern void *scheduler; // stack pointer of run_warp while lanes run
extern Lane *group[kWarp];
extern int group_size, group_next;

// True if a read there cannot fault, whatever the checks report.
inline bool may_read_ahead(u64 address) { return in_arena(address) || is_shared(address); }

// Records an access and, for a write, the old value, so that it can be undone.
inline void note_ahead(u64 address, u32 bytes, u8 flags)
{
    *ahead.address = address;
    ahead.address += kWarp;
    if (flags & kWrite) {
        memcpy(ahead.address, (const void *)address, bytes < 8 ? bytes : 8);
        ahead.address += kWarp;
        if (bytes > 8) {
            memcpy(ahead.address, (const char *)address + 8, 8);
            ahead.address += kWarp;
        }
    }
}

inline void pass_pause()
{
    ahead.way++;
    ahead.address += kWarp;
}

inline int rows_noted(const Lane *lane)
{
    return (int)((ahead.address - &lane->trace->address[0][lane->slot]) / kWarp);
}

// Saves how far the lane has come.
inline void keep_way(Lane *lane)
{
    if (__builtin_expect(*ahead.way == kPause, 0))
        pass_pause();
    lane->rows = (u16)rows_noted(lane);
    lane->way = ahead.leads ? ahead.trace->way + ahead.trace->length : ahead.way;
}

inline void begin_at_trace(Lane *lane)
{
    current = lane;
    threadIdx = lane->id;
    if (Trace *t = lane->trace) {
        ahead.address = &t->address[0][lane->slot];
        ahead.leads = lane->slot == 0;
        ahead.way = lane->slot == 0 || lane->depth != group[0]->depth ? nowhere : t->way;
    } else {
        const bool plain = launch_now.entry && !suspicious && !launch_now.elsewhere;
        quick.top = (u64)lane->stack_top;
        quick.depth = plain ? stack_size - 4096 : 0;
        quick.blocks = kLongWay;
    }
}

inline void resume(Lane *lane, void **save)
{
    begin_at_trace(lane);
    emulated_switch(save, lane->stack_pointer);
}

void start_lane(Lane *lane); // warp.cpp
// ahead.cpp: it takes a path of its own
void leave_way(Lane *lane);
// ahead.cpp: false when the trace is full
bool lead(Pc pc, u64 address, u32 bytes, u8 flags, u64 depth);
bool lead_through(Pc block, u64 depth); // likewise
// ahead.cpp: no lane used what another wrote
bool harmless(const Trace &trace, Lane **lanes, int count);
void undo(const Trace &trace, Lane **lanes, int count);
Trace *new_trace(int lanes);
void free_trace(Trace *trace);

// Prefetches the stack of a lane that runs soon: each stack is in a page of its own.
inline void expect_lane(const Lane *lane)
{
    __builtin_prefetch(lane->stack_pointer, 1);
    __builtin_prefetch((const char *)lane->stack_pointer + 64, 1);
}

// The lane waits while the others of its group go on, and then until the group's turn comes again.
inline void next_lane(Lane *lane)
{
    if (++group_next < group_size) {
        Lane *next = group[group_next];
        if (next->state == kNew)
            start_lane(next);
        if (group_next + 1 < group_size)
            expect_lane(group[group_next + 1]);
        resume(next, &lane->stack_pointer);
    } else
        emulated_switch(&lane->stack_pointer, scheduler);
}

inline void stop(Lane *lane, const Stop &here)
{
    if (__builtin_expect(lane->watching, 0))
        end_watch(lane);
    lane->stopped = here;
    lane->straight = false;
    if (lane->trace)
        keep_way(lane);
    else
        (Stop &)*lane = here; // fast mode
    next_lane(lane);
    if (__builtin_expect(lane->watching, 0))
        begin_watch(lane);
}

inline u64 depth_of(const Lane *lane, u64 frame) { return (u64)lane->stack_top - frame; }

// Stops without an access.
inline void pause(Lane *lane, Pc pc, u64 frame, State state = kRunning)
{
    stop(lane, {pc, 0, depth_of(lane, frame), 0, 0, state, false});
}

} // namespace emulated
#endif
