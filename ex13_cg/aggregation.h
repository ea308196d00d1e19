/* Algebraic multigrid by aggregation, the part that runs once and on the host: which rows make one
 * unknown of the next coarser system, and that system's matrix. */
#ifndef AGGREGATION_H
#define AGGREGATION_H

#include "csr.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LEVELS = 40 };

/* One system of the hierarchy. aggregate[i] is the coarse unknown that row i belongs to, and the
 * rows of unknown j are member[memberStart[j]] ... member[memberStart[j + 1] - 1]. On the last
 * level there is no coarser one and these are NULL. */
struct level {
    struct csr_matrix matrix;
    int coarseRows;
    int *aggregate, *memberStart, *member;
};

/* Builds at most LEVELS levels; level 0 borrows the arrays of `matrix`. Returns their number, or -1
 * without memory. levelsFree() frees the rest. */
int levelsBuild(struct level *level, const struct csr_matrix *matrix);
void levelsFree(struct level *level, int count);

#ifdef __cplusplus
}
#endif

#endif
