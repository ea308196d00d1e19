// lockstep.h: from one lane to the next. Inline, for every access of every thread passes here.
#ifndef EMULATED_LOCKSTEP_H
#define EMULATED_LOCKSTEP_H
#include "emulator.h"

extern "C" uint3 threadIdx;

namespace emulated {

extern void *scheduler; // stack pointer of run_warp while lanes run
extern Lane *group[kWarp];
extern int group_size, group_next;

inline void resume(Lane *lane, void **save)
{
    current = lane;
    threadIdx = lane->id;
    emulated_switch(save, lane->stack_pointer);
}

// The lane waits while the others of its group go on, and then until the group's turn comes again.
inline void next_lane(Lane *lane)
{
    if (++group_next < group_size)
        resume(group[group_next], &lane->stack_pointer);
    else
        emulated_switch(&lane->stack_pointer, scheduler);
}

inline void stop(Lane *lane, Pc pc, u64 frame)
{
    if (__builtin_expect(lane->watching, 0))
        end_watch(lane);
    lane->pc = pc;
    lane->frame = frame;
    next_lane(lane);
    if (__builtin_expect(lane->watching, 0))
        begin_watch(lane);
}

} // namespace emulated
#endif
