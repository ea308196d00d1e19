/* The coarser systems of the multigrid preconditioner in device memory. */
#ifndef HIERARCHY_H
#define HIERARCHY_H

#include "aggregation.h"
#include "arrays.h"

/* inverse: 1 / (sum of the absolute values in the row). A Jacobi step with it converges for every
 * positive definite matrix (Baker et al., "Multigrid smoothers for ultraparallel computing",
 * 2011). */
template <typename real> struct device_level {
    int rows;
    int *rowStart, *column, *aggregate, *memberStart, *member;
    real *value, *inverse;
    real *r, *y, *z; /* right-hand side; solution before and after the last smoothing step */
};

template <typename real> struct hierarchy {
    int count;
    struct device_level<real> level[LEVELS];
};

/* Level 0 borrows d's arrays. In set_up.cu. */
template <typename real>
struct hierarchy<real> buildHierarchy(const struct csr_matrix *matrix, struct arrays<real> d);
template <typename real> void freeHierarchy(struct hierarchy<real> *h);

#endif
