/* What the CPU computes by the tree. */
#ifndef CPU_H
#define CPU_H

#include "nbody.h"

/* The accelerations of all bodies by g->tree, on all cores. Returns how many interactions they
 * take: of a body with a body, or with a node that is taken for one. */
double accelerateByTree(const struct galaxy *g, float *a);

#endif
