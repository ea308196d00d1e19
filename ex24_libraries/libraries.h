/* Three problems for which there are libraries: Poisson's equation, random points, and particles in
 * cells. What every variant gets and gives: host arrays in, host arrays out. A variant solves the
 * problem that its trait names. */
#ifndef LIBRARIES_H
#define LIBRARIES_H

#include <stddef.h>

struct problem {
    size_t n; /* side of a square of n * n grid points, random points or particles */

    /* Poisson: A u = f on a periodic grid of n * n points, point (row, column) at row * n + column,
     * and (A u)(p) = 4 u(p) - the sum of u at the four neighbours of p. The sum of f is 0, and that
     * of u must be. */
    const double *f;

    /* Points: the uniform numbers of Philox 4x32-10 as cuRAND deals them out with this seed
     * (philox.h); point i has x and y from numbers 2 i and 2 i + 1. */
    unsigned long long seed;

    /* Cells: particle i is in cell[i], from 0 to cells - 1, and weighs weight[i]. */
    const int *cell, *weight;
    size_t cells;
};

struct result {
    double *u;               /* Poisson: n * n */
    int iterations;          /* Poisson: 0 unless the variant iterates */
    unsigned long long hits; /* Points: how many have x^2 + y^2 <= 1 */
    double sum;              /* Points: the sum of 4 / (1 + x^2) */
    int *first; /* Cells: the number of particles in cells before this one; cells + 1 */
    int *total; /* Cells: the weight of all particles of a cell; cells */
};

typedef void variant_fn(const struct problem *problem, struct result *result);
#include "variants.h"

enum { POISSON = EXERCISE_TRAIT, POINTS = EXERCISE_TRAIT << 1, CELLS = EXERCISE_TRAIT << 2 };

/* Conjugate gradient ends when the residual is this fraction of f, or after ITERATIONS(n). */
#define RESIDUAL 1e-9
#define ITERATIONS(n) (20 * (int)(n) + 100)

#endif
