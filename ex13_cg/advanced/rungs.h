/* The rungs of ex13 that are compiled by themselves, in float and in double. */
#ifndef RUNGS_H
#define RUNGS_H

#include "cg.h"

template <typename real>
void multiplyBySlices(const struct cg_problem *problem, struct cg_solution *s);
template <typename real> void solveSliced(const struct cg_problem *problem, struct cg_solution *s);
template <typename real>
void solvePersistent(const struct cg_problem *problem, struct cg_solution *s);

#endif
