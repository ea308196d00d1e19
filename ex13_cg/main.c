/* TASK     A x = b by conjugate gradient, A sparse, symmetric, positive definite: the problem, its
 *          inputs, the reference, and the judgement by the true residual b - A x in double.
 * TRAFFIC  an iteration: the matrix once and 9 vectors (workOfIteration() below).
 * LIMIT    memory bandwidth; launches and barriers for small systems. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include "cg.h"
#include "harness.h"
#include "cuda_utils.h"
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *matrixFile, *rhsFile, *historyFile, *precision = "double";
static long dimensions = 2, maxIterations = 50;
static double tolerance = -1.0; /* -1: not given */

static const struct course_option options[] = {
    {"matrix", OPTION_WORD, &matrixFile, 0, 0, NULL,
     "Matrix Market file, also gzip (default: Poisson)"},
    {"rhs", OPTION_WORD, &rhsFile, 0, 0, NULL,
     "right-hand side, Matrix Market (default: A times random)"},
    {"dimensions", OPTION_INTEGER, &dimensions, 2, 3, NULL, "of the Poisson problem: 2 or 3"},
    {"precision", OPTION_WORD, &precision, 0, 0, "double,float", "of the solve: double or float"},
    {"tolerance", OPTION_NUMBER, &tolerance, 0, 1, NULL,
     "converged at ||r|| <= this * ||b|| (1e-8; emulated 1e-3)"},
    {"max-iterations", OPTION_INTEGER, &maxIterations, 1, 10000000, NULL, "stop after this many"},
    {"history", OPTION_WORD | OPTION_ASIDE, &historyFile, 0, 0, NULL,
     "writes the residuals of every row as CSV"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static struct csr_matrix matrix;
static double *b, *x, *image; /* in double: right-hand side, a result, A times it */
static int isSingle;

/* Rows and non-zeros of the problem of this size; the file is read at the first call. */
static void shape(size_t size, double *rows, double *nonzeros)
{
    char message[512];

    if (matrixFile != NULL && matrix.rows == 0 &&
        csrRead(&matrix, matrixFile, message, sizeof message) != 0)
        courseFail(EXIT_USAGE, "%s", message);
    *rows = matrixFile != NULL ? matrix.rows : pow((double)size, (double)dimensions);
    *nonzeros = matrixFile != NULL ? matrix.nonzeros : (2.0 * (double)dimensions + 1.0) * *rows;
}

static double realBytes(void)
{
    return strcmp(precision, "float") == 0 ? sizeof(float) : sizeof(double);
}

static double matrixBytes(double rows, double nonzeros)
{
    return nonzeros * (realBytes() + sizeof(int)) + (rows + 1.0) * sizeof(int);
}

/* The matrix in CSR and once more in slices, or in coarser and coarser systems, and vectors. */
static double deviceBytes(size_t size)
{
    double rows, nonzeros;

    shape(size, &rows, &nonzeros);
    return 2.0 * matrixBytes(rows, nonzeros) + 12.0 * realBytes() * rows;
}

/* The matrix with its values in either precision, the coarser systems, and vectors. */
static double hostBytes(size_t size)
{
    double rows, nonzeros;

    shape(size, &rows, &nonzeros);
    return nonzeros * (4.0 * sizeof(double) + 3.0 * sizeof(int)) + 20.0 * sizeof(double) * rows;
}

static const struct exercise exercise = {
    .name = "ex13_cg",
    .title = "A x = b by conjugate gradient, A sparse",
    .unit = "grid points a side",
    .size = 2048,
    .emulatedSize = 12,
    .quickSize = 256,
    .checkSize = 1024,
    .minSize = 1,
    .maxSize = 20000,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* The bytes and operations of an iteration: q = A p with p = r + beta p formed on the way reads r
 * and p, writes p and q; x += alpha p reads and writes x; r -= alpha q reads q and r, writes r. */
static void workOfIteration(double *bytes, double *flops)
{
    *bytes = matrixBytes(matrix.rows, matrix.nonzeros) + 9.0 * realBytes() * matrix.rows;
    *flops = 2.0 * matrix.nonzeros + 10.0 * matrix.rows;
}

static void workOfProduct(double *bytes, double *flops)
{
    *bytes = matrixBytes(matrix.rows, matrix.nonzeros) + 2.0 * realBytes() * matrix.rows;
    *flops = 2.0 * matrix.nonzeros;
}

void cgProgress(int iteration, double residual, double limit)
{
    static Timer timer;
    static double shown;
    static int started;
    double now;

    if (!started || iteration <= 1) {
        initTimer(&timer);
        shown = 2.0; /* short solves stay silent */
        started = 1;
    }
    if ((now = getTimer(&timer)) < shown || !isatty(STDERR_FILENO))
        return;
    shown = now + 1.0;
    fprintf(stderr, "\riteration %d, residual %.2e of %.2e \r", iteration, residual, limit);
}

/* The problem in double; in float its entries are rounded first, so that both solve the same
 * system. */
static void makeProblem(void)
{
    const int side = (int)harnessSize();
    char message[512];

    if (matrixFile == NULL &&
        csrPoisson(&matrix, side, side, dimensions == 3 ? side : 1, message, sizeof message) != 0)
        courseFail(EXIT_USAGE, "%s", message);
    b = newArray((size_t)matrix.rows, sizeof *b);
    x = newArray((size_t)matrix.rows, sizeof *x);
    image = newArray((size_t)matrix.rows, sizeof *image);
    for (int k = 0; isSingle && k < matrix.nonzeros; k++)
        matrix.value[k] = (float)matrix.value[k];
    if (rhsFile != NULL) {
        double *read = NULL;

        if (csrReadVector(&read, matrix.rows, rhsFile, message, sizeof message) != 0)
            courseFail(EXIT_USAGE, "%s", message);
        memcpy(b, read, (size_t)matrix.rows * sizeof *b);
        free(read);
    } else {
        randomDoubles(x, (size_t)matrix.rows, 1);
        csrMultiply(&matrix, x, b);
    }
    for (int i = 0; isSingle && i < matrix.rows; i++)
        b[i] = (float)b[i];
}

static void introduceMatrix(void)
{
    harnessReady();
    if (matrixFile != NULL)
        printf("Matrix: %s, %d rows, %d non-zeros\n", matrixFile, matrix.rows, matrix.nonzeros);
    else
        printf("Matrix: Poisson in %ldD, %d rows, %d non-zeros\n", dimensions, matrix.rows,
               matrix.nonzeros);
}

static const float *roundedToFloat(const double *from, size_t n)
{
    float *to = newArray(n, sizeof *to);

    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i];
    return to;
}

static double norm(const double *v)
{
    double sum = 0.0;

#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < matrix.rows; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* || |A| |v| + |b| ||, by which rounding errors scale, and its largest element. */
static double magnitude(const double *v, double *largest)
{
    double sum = 0.0, most = 0.0;

#pragma omp parallel for reduction(+ : sum) reduction(max : most)
    for (int i = 0; i < matrix.rows; i++) {
        double row = fabs(b[i]);

        for (int k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++)
            row += fabs(matrix.value[k] * v[matrix.column[k]]);
        sum += row * row;
        most = fmax(most, row);
    }
    *largest = most;
    return sqrt(sum);
}

static const double *asDoubles(const void *values)
{
#pragma omp parallel for
    for (int i = 0; i < matrix.rows; i++)
        x[i] = isSingle ? ((const float *)values)[i] : ((const double *)values)[i];
    return x;
}

static double epsilon(void) { return isSingle ? FLT_EPSILON : DBL_EPSILON; }

static void judgeProduct(const struct cg_solution *s)
{
    struct tolerance sum = {0.0, 0.0};

    csrMultiply(&matrix, b, image);
    magnitude(b, &sum.absolute);
    sum.absolute *= 16.0 * epsilon(); /* sums of a row in another order */
    verifyDoubles("A b", asDoubles(s->x), image, (size_t)matrix.rows, sum);
}

/* The residuals begin like the reference's; later, rounding may lead them apart, and so the numbers
 * of iterations, by a few in a hundred. */
static void judgeHistory(const struct cg_solution *s, const struct cg_solution *reference)
{
    const double relative = isSingle ? 1e-3 : 1e-9;
    const int same = isSingle ? 5 : 10;

    for (int k = 0; k <= same && k <= s->iterations && k <= reference->iterations; k++) {
        const double want = reference->residual[k], got = s->residual[k];

        verifyThat(fabs(got - want) <= relative * reference->residual[0],
                   "after %d iterations ||r|| is %.9g, it should be %.9g", k, got, want);
    }
    if (reference->residual[reference->iterations] <= tolerance * reference->residual[0])
        verifyThat(abs(s->iterations - reference->iterations) <= 2 + reference->iterations / 5,
                   "stopped after %d iterations, the reference converges after %d", s->iterations,
                   reference->iterations);
}

static void judge(const struct cg_solution *s, const struct cg_problem *problem,
                  const struct cg_solution *reference)
{
    const double target = problem->tolerance * norm(b), claimed = s->residual[s->iterations];
    struct tolerance allowed = {0.0, 0.0};
    double truly, largest;

    if (!(s->curvature > 0.0)) {
        verifyThat(0, "broke down: p'Ap is %g in iteration %d", s->curvature, s->iterations + 1);
        return;
    }
    asDoubles(s->x);
    csrMultiply(&matrix, x, image);
    /* Each iteration adds a rounding error to x and to r, and these differ (Greenbaum 1997). */
    allowed.absolute =
        1.001 * claimed + epsilon() * (10.0 + s->iterations) * magnitude(x, &largest);
    verifyDoubles("A x", image, b, (size_t)matrix.rows, allowed);
#pragma omp parallel for
    for (int i = 0; i < matrix.rows; i++)
        image[i] -= b[i];
    truly = norm(image);
    if (s->preconditioner != MULTIGRID)
        judgeHistory(s, &reference[s->preconditioner]);
    verifyThat(truly <= allowed.absolute, "the true residual is %.3g, the solver has %.3g", truly,
               claimed);
    verifyThat(claimed <= 1.000001 * target || s->iterations == problem->maxIterations,
               "stopped after %d iterations at ||r|| = %.3g, the target is %.3g", s->iterations,
               claimed, target);
    verifyError(truly / norm(b));
    if (rowVerdict() != EXIT_PASS || s->iterations == 0)
        return;
    if (harnessEmulated())
        harnessRemark("%s after %d iterations, true residual %.2e",
                      claimed <= 1.000001 * target ? "converged" : "not converged", s->iterations,
                      truly / norm(b));
    else
        harnessRemark("%s after %d iterations of %.4g us, true residual %.2e",
                      claimed <= 1.000001 * target ? "converged" : "not converged", s->iterations,
                      rowSeconds() * 1e6 / s->iterations, truly / norm(b));
}

static void writeHistory(FILE *history, const char *name, const struct cg_solution *s)
{
    for (int k = 0; history != NULL && k <= s->iterations; k++)
        fprintf(history, "\"%s\",%d,%.9g\n", name, k, s->residual[k]);
}

static FILE *openHistory(char *temporary, size_t size)
{
    FILE *history;

    if (historyFile == NULL)
        return NULL;
    snprintf(temporary, size, "%s.part", historyFile);
    if ((history = fopen(temporary, "w")) == NULL)
        courseFail(EXIT_USAGE, "%s: %s", temporary, strerror(errno));
    fprintf(history, "variant,iteration,residual\n");
    return history;
}

static void closeHistory(FILE *history, const char *temporary)
{
    if (history == NULL)
        return;
    if (ferror(history) || fclose(history) != 0 || rename(temporary, historyFile) != 0) {
        remove(temporary);
        courseFail(EXIT_USAGE, "%s: %s", historyFile, strerror(errno));
    }
}

/* The residuals of the reference, long enough to judge by. A matrix that is not definite shows
 * here. */
static void refer(const struct cg_problem *problem, struct cg_solution *reference)
{
    const double affordable = 3e8 / matrix.nonzeros + 10.0;
    const int most = affordable < problem->maxIterations ? (int)affordable : problem->maxIterations;
    struct cg_problem doubles = *problem;

    doubles.value = matrix.value;
    doubles.b = b;
    for (int i = UNPRECONDITIONED; i <= JACOBI; i++) {
        reference[i].x = newArray((size_t)matrix.rows, sizeof(double));
        reference[i].residual = newArray((size_t)most + 1, sizeof(double));
        cgReference(&doubles, &reference[i], (enum preconditioner)i, most);
        if (!(reference[i].curvature > 0.0))
            courseFail(EXIT_USAGE, "%s: not positive definite: p'Ap is %g in iteration %d",
                       matrixFile != NULL ? matrixFile : "Poisson", reference[i].curvature,
                       reference[i].iterations + 1);
        if (!(reference[i].residual[reference[i].iterations] <= 1e6 * reference[i].residual[0]))
            courseFail(EXIT_USAGE,
                       "%s: singular, or not positive definite: ||r|| grew from %.3g to %.3g",
                       matrixFile != NULL ? matrixFile : "Poisson", reference[i].residual[0],
                       reference[i].residual[reference[i].iterations]);
    }
}

int main(int argc, char **argv)
{
    struct cg_solution reference[PRECONDITIONERS] = {{NULL, NULL, 0, 0.0, 0.0, UNPRECONDITIONED}};
    struct cg_solution s = {NULL, NULL, 0, 0.0, 0.0, UNPRECONDITIONED};
    struct cg_problem problem = {&matrix, NULL, NULL, 0, 0.0, 0};
    char temporary[4096];
    double bytes, flops;
    size_t n, resultBytes;
    FILE *history;

    harnessStart(&exercise, argc, argv);
    isSingle = strcmp(precision, "float") == 0;
    if (tolerance < 0.0)
        tolerance = harnessEmulated() ? 1e-3 : 1e-8;
    makeProblem();
    n = (size_t)matrix.rows;
    resultBytes = n * (isSingle ? sizeof(float) : sizeof(double));
    problem.single = isSingle;
    problem.value = isSingle ? (const void *)roundedToFloat(matrix.value, (size_t)matrix.nonzeros)
                             : matrix.value;
    problem.b = isSingle ? (const void *)roundedToFloat(b, n) : b;
    problem.tolerance = tolerance;
    problem.maxIterations = (int)maxIterations;
    s.x = newArray(resultBytes, 1);
    s.residual = newArray((size_t)maxIterations + 1, sizeof *s.residual);
    refer(&problem, reference);
    introduceMatrix();
    history = openHistory(temporary, sizeof temporary);

    RUN_VARIANTS (v) {
        const int product = (v->traits & IS_PRODUCT) != 0;

        poison(s.x, resultBytes);
        poison(s.residual, ((size_t)maxIterations + 1) * sizeof *s.residual);
        s.iterations = 0;
        s.curvature = 1.0;
        s.preconditioner = UNPRECONDITIONED;
        (isSingle ? v->run : v->runDouble)(&problem, &s);
        harnessRan();
        (product ? workOfProduct : workOfIteration)(&bytes, &flops);
        harnessWork(bytes * (product ? 1 : s.iterations), flops * (product ? 1 : s.iterations), n);
        if (rowVerdict() == EXIT_UNFILLED)
            continue;
        if (product) {
            judgeProduct(&s);
        } else {
            judge(&s, &problem, reference);
            verifyThat(rowBytesSent() < (double)resultBytes,
                       "%.0f bytes are copied from the host to the device in a solve: its vectors "
                       "are to stay there",
                       rowBytesSent());
            writeHistory(history, v->name, &s);
        }
    }
    closeHistory(history, temporary);
    csrFree(&matrix);
    return harnessFinish();
}
