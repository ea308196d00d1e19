/* The solvers in double: what the residuals of a variant must be, and what theory says of them. */
#define _POSIX_C_SOURCE 200809L
#include "reference.h"
#include "harness.h"
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct system problem;
static struct spectrum known;
static double tolerance;
static size_t n;
static struct reference references[METHODS];
static int isComputed[METHODS];
static double rowLength;

/* The root mean square of the lengths of the rows of A. */
static double lengthOfRows(void)
{
    double squares = 0.0;

#pragma omp parallel for reduction(+ : squares) if (n > 500)
    for (size_t i = 0; i < n * n; i++)
        squares += (double)problem.a[i] * problem.a[i];
    return sqrt(squares / (double)n);
}

/* States the residual of step k, of x, and how far off it may be in float: by the rounding of sums,
 * whose errors grow with the root of their length, and of x. */
static void note(enum method method, int k, double residual, const double *x, size_t length)
{
    struct reference *ref = &references[method];
    double squares = 0.0;

    for (size_t i = 0; i < length; i++)
        squares += x[i] * x[i];
    ref->residual[k] = residual;
    ref->rounding[k] = FLT_EPSILON * (20.0 * ref->residual[0] + 4.0 * rowLength * sqrt(squares));
}

void referenceStart(const struct system *system, struct spectrum spectrum, double asked)
{
    problem = *system;
    known = spectrum;
    tolerance = asked;
    n = (size_t)system->n;
    for (int m = 0; m < METHODS; m++) {
        references[m].residual = newArray((size_t)problem.maxSteps + 1, sizeof(double));
        references[m].rounding = newArray((size_t)problem.maxSteps + 1, sizeof(double));
    }
    rowLength = lengthOfRows();
}

static double onDiagonal(size_t row) { return problem.a[row * n + row]; }

/* The largest |1 + step lambda| of any matrix by power iteration: how fast the powers of 1 + step A
 * grow, where Jacobi's step differs from row to row. The mean of the second half of the steps,
 * since complex eigenvalues make the growth go up and down. */
static double growthOfPowers(int byJacobi)
{
    const int steps = n < 1000 ? 1000 : 50;
    double *from = newArray(n, sizeof *from), *to = newArray(n, sizeof *to), sumOfLogs = 0.0;

    for (size_t i = 0; i < n; i++)
        from[i] = problem.f[i];
    for (int k = 0; k < steps; k++) {
        double before = 0.0, after = 0.0;

#pragma omp parallel for reduction(+ : before, after) if (n > 500)
        for (size_t row = 0; row < n; row++) {
            const double step = byJacobi ? -1.0 / onDiagonal(row) : problem.alpha;
            double sum = 0.0;

            for (size_t column = 0; column < n; column++)
                sum += problem.a[row * n + column] * from[column];
            to[row] = from[row] + step * sum;
            before += from[row] * from[row];
            after += to[row] * to[row];
        }
        if (after == 0.0)
            return 0.0; /* 1 + step A has made everything 0 */
        if (k >= steps / 2)
            sumOfLogs += 0.5 * log(after / before);
        for (size_t i = 0; i < n; i++)
            from[i] = to[i] / sqrt(after);
    }
    return exp(sumOfLogs / (steps - steps / 2));
}

/* Chebyshev's steps make the residual as small as any can for all eigenvalues in [least, most]:
 * e^-eta a step, where cosh eta is the distance of 0 from the middle, in halves of the interval. */
static double ratioOfChebyshev(void)
{
    const double sigma = fabs(known.most + known.least) / (known.most - known.least);

    return sigma - sqrt(sigma * sigma - 1.0);
}

double predictedFactor(enum method method)
{
    static double ofPowers[METHODS];
    const double middle = 0.5 * (known.least + known.most), half = 0.5 * (known.most - known.least);
    const double step = method == JACOBI ? -1.0 / known.diagonal : problem.alpha;

    if (method == CHEBYSHEV) /* in the disc, the top and the bottom are the worst places */
        return ratioOfChebyshev() * (known.isDisc ? 1.0 + sqrt(2.0) : 1.0);
    if (known.isKnown)
        return fabs(1.0 + step * middle) + fabs(step) * half;
    if (ofPowers[method] == 0.0)
        ofPowers[method] = growthOfPowers(method == JACOBI);
    return ofPowers[method];
}

/* What step k multiplies the residual and the step before it with. */
struct factors {
    double residual, before;
};

/* Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, algorithm 12.1. Its rho has a
 * closed form, cosh(k eta) / cosh((k + 1) eta), written so that nothing overflows. */
static double rho(int k, double eta)
{
    return exp(-eta) * (1.0 + exp(-2.0 * k * eta)) / (1.0 + exp(-2.0 * (k + 1) * eta));
}

static struct factors factorsOf(enum method method, int k)
{
    struct factors next = {method == JACOBI ? -1.0 : problem.alpha, 0.0};

    if (method == CHEBYSHEV) {
        const double middle = 0.5 * (known.least + known.most);
        const double half = copysign(0.5 * (known.most - known.least), middle);
        const double eta = acosh(middle / half);

        next.residual = k == 0 ? -1.0 / middle : -2.0 * rho(k, eta) / half;
        next.before = k == 0 ? 0.0 : rho(k, eta) * rho(k - 1, eta);
    }
    return next;
}

/* Why this method cannot be tried; NULL if it can. */
static const char *obstacleOf(enum method method)
{
    if (method == CHEBYSHEV && !known.isKnown)
        return "Chebyshev's steps need bounds of the eigenvalues, and those of a file's matrix are "
               "not known";
    for (size_t row = 0; method == JACOBI && row < n; row++)
        if (problem.a[row * n + row] == 0.0f)
            return "Jacobi's method divides by the elements on the diagonal, and one of them is 0";
    return NULL;
}

/* 1 if these residuals are small enough, or grow: for plain steps that ends the program. */
static int isAtEnd(enum method method, int k)
{
    struct reference *ref = &references[method];
    const double *residual = ref->residual;

    ref->steps = k;
    if (residual[k] <= 1e6 * residual[0])
        return residual[k] <= tolerance * residual[0] || k == problem.maxSteps;
    if (method == PLAIN || method == PLAIN_ALL_SIDES)
        courseFail(EXIT_USAGE,
                   "--alpha %g diverges: in %d steps || A x - f || has grown from %.3g to %.3g; "
                   "max |1 + alpha lambda| over the eigenvalues of A is %.3g",
                   problem.alpha, k, residual[0], residual[k], predictedFactor(PLAIN));
    snprintf(ref->failure, sizeof ref->failure,
             "diverges: in %d steps || A x - f || has grown from %.3g to %.3g", k, residual[0],
             residual[k]);
    return 1;
}

/* r = A x - f for all right-hand sides, SIDES numbers for each row; the norms of the first one's
 * residual and of all. */
static void residualOfAll(const double *x, double *r, double *first, double *all)
{
    double sumOfFirst = 0.0, sum = 0.0;

#pragma omp parallel for reduction(+ : sumOfFirst, sum) if (n > 500)
    for (size_t row = 0; row < n; row++) {
        double product[SIDES] = {0.0};

        for (size_t k = 0; k < n; k++)
            for (int side = 0; side < SIDES; side++)
                product[side] += problem.a[row * n + k] * x[k * SIDES + (size_t)side];
        for (int side = 0; side < SIDES; side++) {
            const double rest = product[side] - problem.f[(size_t)side * n + row];

            r[row * SIDES + (size_t)side] = rest;
            sum += rest * rest;
            sumOfFirst += side == 0 ? rest * rest : 0.0;
        }
    }
    *first = sqrt(sumOfFirst);
    *all = sqrt(sum);
}

/* Plain steps for all right-hand sides, and those of the first one with them. */
static void computeAllSides(void)
{
    double *x = newArray(n * SIDES, sizeof *x), *r = newArray(n * SIDES, sizeof *r);
    double residual, residualOfSides;
    int first = 0, all = 0;

    for (int k = 0; !(first && all); k++) {
        residualOfAll(x, r, &residual, &residualOfSides);
        note(PLAIN, k, residual, x, n * SIDES);
        note(PLAIN_ALL_SIDES, k, residualOfSides, x, n * SIDES);
        first = first || isAtEnd(PLAIN, k);
        all = all || isAtEnd(PLAIN_ALL_SIDES, k);
        for (size_t i = 0; i < n * SIDES; i++)
            x[i] += problem.alpha * r[i];
    }
    isComputed[PLAIN] = isComputed[PLAIN_ALL_SIDES] = 1;
}

/* r = A x - f for the first right-hand side; its norm. */
static double residualOf(const double *x, double *r)
{
    double squares = 0.0;

#pragma omp parallel for reduction(+ : squares) if (n > 500)
    for (size_t row = 0; row < n; row++) {
        double sum = 0.0;

#pragma omp simd reduction(+ : sum)
        for (size_t k = 0; k < n; k++)
            sum += problem.a[row * n + k] * x[k];
        r[row] = sum - problem.f[row];
        squares += r[row] * r[row];
    }
    return sqrt(squares);
}

static void compute(enum method method)
{
    double *x = newArray(n, sizeof *x), *before = newArray(n, sizeof *before);
    double *r = newArray(n, sizeof *r);

    for (int k = 0;; k++) {
        const struct factors next = factorsOf(method, k);

        note(method, k, residualOf(x, r), x, n);
        if (isAtEnd(method, k))
            break;
        for (size_t i = 0; i < n; i++) {
            const double change = next.residual * r[i] / (method == JACOBI ? onDiagonal(i) : 1.0) +
                                  next.before * (x[i] - before[i]);

            before[i] = x[i];
            x[i] += change;
        }
    }
    isComputed[method] = 1;
}

const struct reference *referenceOf(enum method method)
{
    struct reference *ref = &references[method];
    const char *obstacle = obstacleOf(method);

    if (obstacle != NULL)
        snprintf(ref->failure, sizeof ref->failure, "%s", obstacle);
    else if (!isComputed[method] && (method == PLAIN || method == PLAIN_ALL_SIDES))
        computeAllSides();
    else if (!isComputed[method])
        compute(method);
    return ref;
}

int isUsed(enum method method)
{
    return isComputed[method] && references[method].failure[0] == '\0';
}

void writeHistory(const char *name)
{
    static const enum method methods[] = {PLAIN, JACOBI, CHEBYSHEV};
    char temporary[4096];
    FILE *file;
    int most = 0;

    snprintf(temporary, sizeof temporary, "%s.part", name);
    if ((file = fopen(temporary, "w")) == NULL)
        courseFail(EXIT_USAGE, "%s: %s", temporary, strerror(errno));
    fprintf(file,
            "step,residual,predicted,jacobi,jacobi_predicted,chebyshev,chebyshev_predicted\n");
    for (int m = 0; m < 3; m++)
        most = referenceOf(methods[m])->steps > most ? referenceOf(methods[m])->steps : most;
    for (int k = 0; k <= most; k++) {
        fprintf(file, "%d", k);
        for (int m = 0; m < 3; m++) {
            const struct reference *ref = referenceOf(methods[m]);

            if (ref->failure[0] != '\0' || k > ref->steps)
                fprintf(file, ",,");
            else
                fprintf(file, ",%.9g,%.9g", ref->residual[k],
                        ref->residual[ref->steps] *
                            pow(predictedFactor(methods[m]), k - ref->steps));
        }
        fprintf(file, "\n");
    }
    if (ferror(file) | fclose(file) || rename(temporary, name) != 0) {
        remove(temporary);
        courseFail(EXIT_USAGE, "%s: %s", name, strerror(errno));
    }
}
