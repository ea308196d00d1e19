/* The heat equation on a field of nx x ny points, row by row, divided among MPI ranks:
 *     f' = f + ALPHA * (left + right + up + down - 4 f)
 * in every point but the outermost ones, which never change. */
#ifndef DIFFUSION2D_H
#define DIFFUSION2D_H

#include <stddef.h>
#include "mpi_utils.h"

/* A power of two, so that the product is exact: whether or not a compiler contracts it with the sum
 * into one multiply-add, every processor gets the same bits. Stable up to 1/4. */
#define ALPHA 0.125f

/* One rank's rows: first .. first + rows - 1 of the field, 1 <= first and first + rows <= ny -
 * 1. */
struct slab {
    MPI_Comm comm;
    int rank, ranks;
    int nx, ny;      /* points of the whole field: columns, rows */
    int first, rows; /* own rows */
    int above,
        below; /* ranks that own the rows before and after; MPI_PROC_NULL: the border is there */
    int fewestRows; /* of all ranks */
    int steps;      /* time steps to take, at least 1 */
    int patience;   /* seconds that a rank waits for another one before it gives up */
    int gpuAware;   /* 1: MPI takes device pointers, 0: it does not */
};

/* Takes all steps. start and end: rows + 2 rows of nx floats, the rows first - 1 .. first + rows of
 * the field: the first and the last are a neighbour's, or the border. end must hold them all. */
typedef void variant_fn(const struct slab *slab, const float *start, float *end);
#include "variants.h"

/* A variant with this trait exchanges rows by way of the host in every step, while inner rows are
 * computed. */
enum { HIDES_EXCHANGE = EXERCISE_TRAIT };

/* Divides the rows 1 .. ny - 2 evenly: no rank gets more than one row more than another. Reads
 * rank, ranks and ny; sets first, rows, above, below and fewestRows. */
#ifdef __cplusplus
extern "C"
#endif
    void
    divideRows(struct slab *slab);

/* Writes the whole field (rows as in variant_fn, values 0 to 1) as a PPM file of at most 512 x 512
 * pixels, each the value of one point: rank 0 gathers and writes. All ranks of the slab's
 * communicator call it. Ends the program, exit status 2, if the file cannot be written. */
void pictureWrite(const char *file, const struct slab *slab, const float *field);

/* mpiPatience() for an exchange with the neighbours. */
static inline void beginWait(const struct slab *s)
{
    if (s->above != MPI_PROC_NULL && s->below != MPI_PROC_NULL)
        mpiPatience(s->patience, "rank %d waits for the rows of ranks %d and %d", s->rank, s->above,
                    s->below);
    else
        mpiPatience(s->patience, "rank %d waits for the rows of rank %d", s->rank,
                    s->above != MPI_PROC_NULL ? s->above : s->below);
}

#endif
