/* A x = b for a sparse, symmetric positive definite A: what every variant gets and gives. Host
 * arrays in, host arrays out. */
#ifndef CG_H
#define CG_H

#include "csr.h"

/* The precision of a solve is that of value, b and x: float if single is set, otherwise double. */
struct cg_problem {
    const struct csr_matrix *matrix;
    const void *value; /* the matrix's entries in that precision: matrix->nonzeros */
    const void *b;     /* the right-hand side: matrix->rows */
    int single;
    double tolerance; /* converged when ||r|| <= tolerance ||b||, r = b - A x */
    int maxIterations;
};

enum preconditioner { UNPRECONDITIONED, JACOBI, MULTIGRID, PRECONDITIONERS };

/* The variant fills in all of it. One with the trait IS_PRODUCT computes x = A b instead, no
 * residuals. */
struct cg_solution {
    void *x;          /* matrix->rows */
    double *residual; /* ||r|| as the recurrence has it, before the first and after every iteration:
                         maxIterations + 1 */
    int iterations;
    double limit;     /* r.r at which it converges; for the variant itself */
    double curvature; /* p'Ap of the last iteration; not positive: broken down, A is not definite */
    enum preconditioner preconditioner;
};

typedef void variant_fn(const struct cg_problem *problem, struct cg_solution *solution);
typedef variant_fn variant_double_fn; /* run solves in float, runDouble in double */
#define VARIANTS_IN_DOUBLE
#include "variants.h"

enum { IS_PRODUCT = EXERCISE_TRAIT }; /* computes x = A b and solves nothing */

#ifdef __cplusplus
extern "C" {
#endif

/* cpu.c: the reference in double, on all cores, no more than `most` iterations. problem and
 * solution hold doubles. */
void cgReference(const struct cg_problem *problem, struct cg_solution *solution,
                 enum preconditioner preconditioner, int most);
/* main.c: shows the progress of a long solve on the terminal. Cheap to call. */
void cgProgress(int iteration, double residual, double limit);
/* cpu.c: y = A x in double, on all cores. */
void csrMultiply(const struct csr_matrix *matrix, const double *x, double *y);

#ifdef __cplusplus
}
#endif

#endif
