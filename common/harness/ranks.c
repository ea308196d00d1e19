/* The ranks of an MPI program. The exercise passes functions that call MPI, so that the harness
 * needs no MPI. */
#include "harness.h"
#include "ranks.h"

static const struct harness_ranks *all; /* NULL: this process is alone */

void harnessRanks(const struct harness_ranks *ranks) { all = ranks; }

int rankCount(void) { return all != NULL ? all->ranks : 1; }

int rankNumber(void) { return all != NULL ? all->rank : 0; }

int rankOnNode(void) { return all != NULL ? all->onNode : 0; }

double rankMax(double x) { return all != NULL ? all->largest(x) : x; }

double rankMin(double x) { return -rankMax(-x); }

void rankBarrier(void) { rankMax(0.0); }

void rankWorst(int *verdict, char *message, size_t size)
{
    if (all != NULL)
        all->worst(verdict, message, size);
}

void rankFinish(void)
{
    if (all != NULL)
        all->finish();
}
