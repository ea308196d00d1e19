/* Chains of operations, which are compiled by themselves: 75 kernels that no change of the template makes anew. */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H

#include "overhead.h"

template <int chains>
void oneThread(const struct work *w);
template <int operation>
void instructions(const struct work *w);

/* Variant and traits of a row. */
#define ALL_THREADS(operation)                                                                     \
    instructions<operation>, OTHER_WORK | INSTRUCTIONS | NUMBER(operation)

#endif
