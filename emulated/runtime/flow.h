// flow.h: which of two lanes is behind the other in the control flow of their function.
#ifndef EMULATED_FLOW_H
#define EMULATED_FLOW_H
#include "emulator.h"

namespace emulated
{

// Compares two lanes of a warp in one function, at the same call depth. Below 0: `a` is behind, or
// in an earlier iteration of a loop that contains both, and must catch up before `b` continues. 0:
// at one place. kApart: cannot be decided.
const int kApart = 2;
int behind(const Lane *a, const Lane *b);
bool same_rounds(const Lane *a, const Lane *b);
inline bool same_iteration(const Lane *a, const Lane *b) // of two lanes at the same instruction
{
    // usually they have not diverged
    return !(a->loops_known | b->loops_known) || same_rounds(a, b);
}

// While a warp is diverged: records the loop iterations that its lanes have reached. True if a lane
// has begun another iteration, or if that cannot be decided.
bool note_iterations(Lane **lanes, int count);

// The arithmetic of the block around an instruction, once for each lane, as emulated-cc has found
// it in the compiler's text. NULL: not known.
enum { kFloats, kDoubles, kSpecials, kIntegers, kAddresses, kElements, kWorks };
const int *work_of(Pc pc);
int loop_of(Pc pc); // the innermost loop around it; -1: none

} // namespace emulated
#endif
