// flow.h: which of two lanes is behind the other, by the control flow of their function.
#ifndef EMULATED_FLOW_H
#define EMULATED_FLOW_H
#include "emulator.h"

namespace emulated {

// Two lanes of a warp in one function, at the same depth of calls. Below 0: `a` is behind, or in an earlier iteration of
// a loop that holds both, and must come up before `b` goes on; 0: at one place; kApart: that cannot be told.
const int kApart = 2;
int behind(const Lane *a, const Lane *b);
bool same_rounds(const Lane *a, const Lane *b);
inline bool same_iteration(const Lane *a, const Lane *b) // of two lanes before the same instruction
{
    return !(a->loops_known | b->loops_known) || same_rounds(a, b); // usually they have not divided
}

// While the lanes of a warp are not together: what iterations they have come to on their ways to where they are now. Has
// one begun another iteration, or can that not be told?
bool note_iterations(Lane **lanes, int count);

} // namespace emulated
#endif
