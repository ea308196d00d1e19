/* Chains of operations, which are compiled by themselves: 75 kernels that no change of the template
 * makes anew. */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H

#include "overhead.h"

template <int chains> void oneThread(const struct work *w);
template <int operation> void instructions(const struct work *w);

#endif
