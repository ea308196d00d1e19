/* Which particles lie in which cell of a grid: particle i at (x[i], y[i]) belongs to the unit cell
 * of that place, floor(y) * nx + floor(x), if it lies in [0, nx) x [0, ny). Host arrays in and
 * out. */
#ifndef PARTICLE_SORT_H
#define PARTICLE_SORT_H

#include <stddef.h>

struct grid {
    int nx, ny;   /* cells */
    int capacity; /* particles that a cell's list can hold */
};

/* length[cell] is the number of particles in the cell, also of those that find no room in its list.
 * The k-th entry of a cell's list is list[k * nx * ny + cell], for k < min(length, capacity); the
 * order within a cell is free, and what stands in unused entries too. A variant with compact lists
 * sets start[cell] as well: the k-th entry is then list[start[cell] + k], for k < length, and no
 * cell can be full. list has room for either layout. n < 2^31. */
typedef void variant_fn(const float *x, const float *y, size_t n, struct grid grid, int *length,
                        int *list, int *start);
#include "variants.h"

/* A variant with this trait is wrong on purpose: without atomics it loses particles. */
enum { LOSES_PARTICLES = EXERCISE_TRAIT };

#if defined __CUDACC__ || defined __CUDA_EMULATED__
__host__ __device__
#endif
    /* The cell of a place, -1 outside the grid. Every comparison with a NaN is false. */
    static inline int
    cellOf(float x, float y, struct grid grid)
{
    if (x >= 0 && x < (float)grid.nx && y >= 0 && y < (float)grid.ny)
        return (int)y * grid.nx + (int)x;
    return -1;
}

#endif
