/* TASK     A x = b by conjugate gradient, A in CSR: the CPU baseline, one core and all cores, and
 *          the reference.
 * TRAFFIC  an iteration: the matrix (12 bytes an entry in double, 8 in float, 4 a row), 14 vectors.
 * LIMIT    memory bandwidth: 2 operations per entry. */
#include "measure.h"
#include "cg.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *newWork(size_t bytes)
{
    void *work = calloc(bytes, 1);

    if (work == NULL) {
        fprintf(stderr, "not enough memory for the vectors of the CPU baseline\n");
        exit(2);
    }
    return work;
}

#define real double
#define FORM(name) name##Double
#include "cpu_solver.h"
#undef real
#undef FORM

#define real float
#define FORM(name) name##Float
#include "cpu_solver.h"

void csrMultiply(const struct csr_matrix *matrix, const double *x, double *y)
{
    multiplyDouble(matrix, matrix->value, x, y, 1);
}

void cgReference(const struct cg_problem *problem, struct cg_solution *solution,
                 enum preconditioner preconditioner, int most)
{
    double *work[5];

    solution->preconditioner = preconditioner;
    workDouble(problem, work);
    iterateDouble(problem, solution, work, most, 1);
    for (int i = 0; i < 5; i++)
        free(work[i]);
}

static void oneCoreFloat(const struct cg_problem *problem, struct cg_solution *solution)
{
    solveFloat(problem, solution, 0);
}

static void oneCoreDouble(const struct cg_problem *problem, struct cg_solution *solution)
{
    solveDouble(problem, solution, 0);
}

static void allCoresFloat(const struct cg_problem *problem, struct cg_solution *solution)
{
    solveFloat(problem, solution, 1);
}

static void allCoresDouble(const struct cg_problem *problem, struct cg_solution *solution)
{
    solveDouble(problem, solution, 1);
}

const struct variant cpuVariants[] = {
    {"CG: one core", oneCoreFloat, oneCoreDouble},
    {"CG: all cores", allCoresFloat, allCoresDouble},
    {NULL, NULL, NULL},
};
