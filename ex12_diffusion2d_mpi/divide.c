/* The division of the field among the ranks. */
#include "diffusion2d.h"

void divideRows(struct slab *slab)
{
    const int inner = slab->ny - 2, each = inner / slab->ranks, more = inner % slab->ranks;

    /* The first `more` ranks have one row more. */
    slab->rows = each + (slab->rank < more);
    slab->first = 1 + slab->rank * each + (slab->rank < more ? slab->rank : more);
    slab->fewestRows = each;
    slab->above = slab->rank > 0 ? slab->rank - 1 : MPI_PROC_NULL;
    slab->below = slab->rank < slab->ranks - 1 ? slab->rank + 1 : MPI_PROC_NULL;
}
