/* x += alpha (A x - f) from x = 0 until || A x - f || <= limit: A of n rows of n elements, element
 * (row, column) at row * n + column; f of n elements, or of SIDES vectors of n one after another,
 * for the variants that solve for SIDES right-hand sides at once. Host arrays in, host arrays
 * out. */
#ifndef ITERATIVE_SOLVER_H
#define ITERATIVE_SOLVER_H

#include <stddef.h>

enum { SIDES = 8 };

struct system {
    const float *a, *f;
    int n;
    float alpha;
    double limit; /* of || A x - f ||, over all right-hand sides */
    int maxSteps;
    double least,
        most; /* the eigenvalues of A, or their real parts, lie between; equal: not known */
};

/* What a variant finds: x of n elements, or SIDES times as many; residual[k] = || A x - f || after
 * k steps, k = 0 ... steps (room for maxSteps + 1). */
struct solution {
    float *x;
    double *residual;
    int steps;
};

typedef void variant_fn(const struct system *system, struct solution *solution);
#include "variants.h"

/* A variant with none of these does the step above, for one right-hand side. */
enum {
    ALL_SIDES = EXERCISE_TRAIT,        /* solves for SIDES right-hand sides at once */
    BY_JACOBI = EXERCISE_TRAIT << 1,   /* each row's step is -1 / its element on the diagonal */
    BY_CHEBYSHEV = EXERCISE_TRAIT << 2 /* steps that depend on k, from bounds of the eigenvalues */
};

#endif
