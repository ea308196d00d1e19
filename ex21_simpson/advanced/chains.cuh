/* Several chains of additions in a thread, and the same for a given number of registers: launches
 * for each function. */
#ifndef CHAINS_CUH
#define CHAINS_CUH

#include "advanced/work.cuh"

template <int f> void launchTwoChains(const struct work *w);
template <int f> void launchFourChains(const struct work *w);
template <int f> void launchEightChains(const struct work *w);

#endif
