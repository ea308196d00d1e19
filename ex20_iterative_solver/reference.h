/* The solvers in double: what the residuals of a variant must be, and what theory says of them. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "iterative_solver.h"

enum method { PLAIN, PLAIN_ALL_SIDES, JACOBI, CHEBYSHEV, METHODS };

/* residual[k] = || A x - f || after k steps, k = 0 ... steps; rounding[k]: how far off it may be in
 * float. */
struct reference {
    double *residual, *rounding;
    int steps;
    char failure[200]; /* why this method cannot solve this system; empty if it can */
};

/* What is known of the eigenvalues of A. */
struct spectrum {
    int isKnown, isDisc; /* they lie in the disc over [least, most], not only on the line */
    double least, most;  /* of their real parts */
    double diagonal;     /* every element on the diagonal, but for a small part */
};

/* Call once, before all others. Stops when the residual is `tolerance` times the first one. */
void referenceStart(const struct system *system, struct spectrum spectrum, double tolerance);

/* Computed when it is first asked for. */
const struct reference *referenceOf(enum method method);

/* 1 if somebody has asked for this method, and it can solve this system. */
int isUsed(enum method method);

/* By how much a step multiplies the residual in the long run. */
double predictedFactor(enum method method);

/* Writes step, residual and what predictedFactor() says of it, from the last step back, for each
 * method as CSV. */
void writeHistory(const char *file);

#endif
