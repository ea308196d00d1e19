/* TASK     x += alpha (A x - f), A dense: the matrices, the reference in double, and the judgement by the
 *          residuals of all steps and by the true residual of x.
 * TRAFFIC  4 n^2 + 12 n bytes a step: A, x and f read, x written.
 * LIMIT    memory bandwidth: 2 operations for 4 bytes; for small n the latency of a step. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include "iterative_solver.h"
#include "harness.h"
#include "matrix_market.h"
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ROWS = 2, MAX_ROWS = 100000 };

static const char *matrix = "random", *historyFile;
static double alpha, tolerance = 1e-4;
static long maxSteps = 100;

static const struct course_option options[] = {
    {"matrix", OPTION_WORD, &matrix, 0, 0, NULL,
     "random: eigenvalues around -1; poisson: 2 on the diagonal, -1 beside it; or a Matrix Market "
     "file"},
    {"alpha", OPTION_NUMBER, &alpha, -1e3, 1e3, NULL,
     "length of a step (random: 0.8, poisson: -0.25, file: 1 / the largest row sum, with the sign "
     "that A asks for)"},
    {"tolerance", OPTION_NUMBER, &tolerance, 0, 1, NULL,
     "converged at || A x - f || <= this * || f || (1e-4)"},
    {"max-steps", OPTION_INTEGER, &maxSteps, 0, 1e6, NULL, "stop after this many (100)"},
    {"history", OPTION_WORD, &historyFile, 0, 0, NULL,
     "writes the reference's residuals and the predicted ones as CSV"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static size_t n;
static float *a, *f, *image;

static int isPoisson(void)
{
    return strcmp(matrix, "poisson") == 0;
}

static int isFile(void)
{
    return !isPoisson() && strcmp(matrix, "random") != 0;
}

/* The number of rows of the file, which is read when this is first asked for; SIZE_MAX if there is none. */
static size_t rowsOfFile(void)
{
    static int rows;
    char message[400];

    if (!isFile())
        return SIZE_MAX;
    if (a == NULL && mmReadDense(&a, &rows, MAX_ROWS, matrix, message, sizeof message) != 0)
        courseFail(EXIT_USAGE, "--matrix %s", message);
    if (rows < MIN_ROWS)
        courseFail(EXIT_USAGE, "--matrix %s: a row is too little, %d are needed", matrix, MIN_ROWS);
    return (size_t)rows;
}

/* A, perhaps transposed beside it, and a few vectors. */
static double deviceBytes(size_t size)
{
    return sizeof(float) * (2.0 * (double)size * (double)size + 40.0 * (double)size);
}

static double hostBytes(size_t size)
{
    return sizeof(float) * ((double)size * (double)size + 80.0 * (double)size);
}

static const struct exercise exercise = {
    .name = "ex20_iterative_solver",
    .title = "x += alpha (A x - f), A dense",
    .unit = "rows and columns",
    .size = 16384,
    .emulatedSize = 36,
    .quickSize = 1024,
    .checkSize = 8192,
    .minSize = MIN_ROWS,
    .maxSize = MAX_ROWS,
    .sizeByOptions = rowsOfFile,
    .gridsFold = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static double *x, *r; /* of the reference, SIDES numbers for each row */
static struct {
    double *residual;
    int steps;
} reference[2]; /* [0]: of the first right-hand side, [1]: of all */

/* Radius of the disc around -1 that holds the eigenvalues of the random matrix (Girko's circular law:
 * sqrt(n) times the standard deviation of its elements). */
static const double radius = 0.5;

static void makeProblem(void)
{
    const float scale =
        (float)(radius * sqrt(3.0 / (double)n)); /* uniform in [-1, 1): variance 1/3 */

    randomFloats(f, n * SIDES, 1);
    if (isFile())
        return;
    if (!isPoisson())
        randomFloats(a, n * n, 2);
#pragma omp parallel for if (n > 500)
    for (size_t row = 0; row < n; row++) {
        float *elements = a + row * n;

        for (size_t k = 0; !isPoisson() && k < n; k++)
            elements[k] = scale * elements[k] - (k == row ? 1.0f : 0.0f);
        if (!isPoisson())
            continue;
        elements[row] = 2.0f;
        if (row > 0)
            elements[row - 1] = -1.0f;
        if (row + 1 < n)
            elements[row + 1] = -1.0f;
    }
}

/* A step that does not diverge for symmetric A: the eigenvalues are no larger than the largest sum of a row, and have the
 * sign of their sum if all have the same. */
static double alphaOfFile(void)
{
    double largest = 0.0, trace = 0.0;

    for (size_t row = 0; row < n; row++) {
        double sum = 0.0;

        for (size_t k = 0; k < n; k++)
            sum += fabs((double)a[row * n + k]);
        largest = fmax(largest, sum);
        trace += a[row * n + row];
    }
    if (largest == 0.0)
        courseFail(EXIT_USAGE, "--matrix %s: all elements are 0", matrix);
    return (trace > 0.0 ? -1.0 : 1.0) / largest;
}

/* The largest |1 + alpha lambda| of any matrix by power iteration: how fast the powers of 1 + alpha A grow. The mean
 * of the second half of the steps, since complex eigenvalues make the growth go up and down. */
static double growthOfPowers(void)
{
    const int steps = n < 1000 ? 1000 : 50;
    double *from = newArray(n, sizeof *from), *to = newArray(n, sizeof *to), sumOfLogs = 0.0;

    for (size_t i = 0; i < n; i++)
        from[i] = f[i];
    for (int k = 0; k < steps; k++) {
        double before = 0.0, after = 0.0;

#pragma omp parallel for reduction(+ : before, after) if (n > 500)
        for (size_t row = 0; row < n; row++) {
            double sum = 0.0;

            for (size_t column = 0; column < n; column++)
                sum += a[row * n + column] * from[column];
            to[row] = from[row] + alpha * sum;
            before += from[row] * from[row];
            after += to[row] * to[row];
        }
        if (after == 0.0)
            return 0.0; /* 1 + alpha A has made everything 0 */
        if (k >= steps / 2)
            sumOfLogs += 0.5 * log(after / before);
        for (size_t i = 0; i < n; i++)
            from[i] = to[i] / sqrt(after);
    }
    return exp(sumOfLogs / (steps - steps / 2));
}

/* By how much a step multiplies the residual in the long run: the largest |1 + alpha lambda|. */
static double predictedFactor(void)
{
    static double ofFile = -1.0;
    const double pi = 3.14159265358979323846, s = sin(0.5 * pi / (double)(n + 1));
    const double smallest = 4.0 * s * s, largest = 4.0 - smallest;

    if (isFile() && ofFile < 0.0)
        ofFile = growthOfPowers();
    if (isFile())
        return ofFile;
    if (isPoisson())
        return fmax(fabs(1.0 + alpha * smallest), fabs(1.0 + alpha * largest));
    return fabs(1.0 - alpha) + radius * fabs(alpha);
}

/* r = A x - f for all right-hand sides; the norms of the first one's residual and of all of them. */
static void referenceResidual(double *first, double *all)
{
    double sumOfFirst = 0.0, sum = 0.0;

#pragma omp parallel for reduction(+ : sumOfFirst, sum) if (n > 500)
    for (size_t row = 0; row < n; row++) {
        double product[SIDES] = {0.0};

        for (size_t k = 0; k < n; k++)
            for (int side = 0; side < SIDES; side++)
                product[side] += a[row * n + k] * x[k * SIDES + (size_t)side];
        for (int side = 0; side < SIDES; side++) {
            const double rest = product[side] - f[(size_t)side * n + row];

            r[row * SIDES + (size_t)side] = rest;
            sum += rest * rest;
            sumOfFirst += side == 0 ? rest * rest : 0.0;
        }
    }
    *first = sqrt(sumOfFirst);
    *all = sqrt(sum);
}

/* 1 if these residuals are small enough; ends the program if they grow. */
static int hasConverged(const double *residual, int k)
{
    if (!(residual[k] <= 1e6 * residual[0]))
        courseFail(EXIT_USAGE,
                   "--alpha %g diverges: in %d steps || A x - f || has grown from %.3g to %.3g; "
                   "max |1 + alpha lambda| over the eigenvalues of A is %.3g",
                   alpha, k, residual[0], residual[k], predictedFactor());
    return residual[k] <= tolerance * residual[0];
}

static void computeReference(void)
{
    const float step = (float)alpha;
    int done[2] = {0, 0};

    for (int k = 0; !(done[0] && done[1]); k++) {
        referenceResidual(&reference[0].residual[k], &reference[1].residual[k]);
        for (int i = 0; i < 2; i++)
            if (!done[i]) {
                reference[i].steps = k;
                done[i] = hasConverged(reference[i].residual, k) || k == maxSteps;
            }
        for (size_t i = 0; i < n * SIDES; i++)
            x[i] += step * r[i];
    }
}

/* The residuals of every step are those of the reference, up to rounding: of the sums, whose errors grow with
 * the root of their length, and of x. */
static void judgeHistory(const struct solution *s, const double *want, int steps)
{
    const double rounding = 20.0 * FLT_EPSILON * want[0];

    for (int k = 0; k <= steps && k <= s->steps; k++)
        verifyThat(fabs(s->residual[k] - want[k]) <= 1e-3 * want[k] + rounding,
                   "after %d steps || A x - f || is %.6g, it should be %.6g", k, s->residual[k],
                   want[k]);
    verifyThat(abs(s->steps - steps) <= 1, "stopped after %d steps, the reference after %d",
               s->steps, steps);
}

/* A x for one right-hand side must be f but for the residual that the variant claims. Returns the square
 * of the true one. */
static double judgeResult(const struct solution *s, int side)
{
    const float *result = s->x + (size_t)side * n, *b = f + (size_t)side * n;
    const double claimed = s->residual[s->steps];
    struct tolerance allowed = {1.01 * claimed + 1e-5, 0.0};
    double sum = 0.0;

#pragma omp parallel for reduction(+ : sum) if (n > 500)
    for (size_t row = 0; row < n; row++) {
        double product = 0.0;

#pragma omp simd reduction(+ : product)
        for (size_t k = 0; k < n; k++)
            product += (double)a[row * n + k] * result[k];
        image[row] = (float)product;
        sum += (product - b[row]) * (product - b[row]);
    }
    verifyFloats("A x", image, b, n, allowed);
    return sum;
}

static void judge(const struct solution *s, const struct system *problem, int all)
{
    double end, sum = 0.0;

    if (s->steps < 0 || s->steps > maxSteps) {
        verifyThat(0, "says that it took %d steps, of at most %ld", s->steps, maxSteps);
        return;
    }
    end = s->residual[s->steps];
    judgeHistory(s, reference[all].residual, reference[all].steps);
    verifyThat(end <= problem->limit || s->steps == maxSteps,
               "stopped after %d steps at || A x - f || = %.3g, the limit is %.3g", s->steps, end,
               problem->limit);
    for (int side = 0; side < (all ? SIDES : 1); side++)
        sum += judgeResult(s, side);
    verifyThat(fabs(sqrt(sum) - end) <= 0.01 * end + 1e-5 * s->residual[0],
               "|| A x - f || is %.6g, not %.6g: that is another step's x", sqrt(sum), end);
    if (rowVerdict() != EXIT_PASS)
        return;
    if (harnessEmulated())
        harnessRemark("%d steps, || A x - f || = %.3g", s->steps, end);
    else
        harnessRemark("%d steps of %.4g us, || A x - f || = %.3g", s->steps,
                      rowSeconds() * 1e6 / (s->steps + 1), end);
}

/* Step, residual, and what the largest |1 + alpha lambda| predicts of it, from the last step back. */
static void writeHistory(void)
{
    const int steps = reference[0].steps;
    const double *residual = reference[0].residual, factor = predictedFactor();
    char temporary[4096];
    FILE *file;

    if (historyFile == NULL)
        return;
    snprintf(temporary, sizeof temporary, "%s.part", historyFile);
    if ((file = fopen(temporary, "w")) == NULL)
        courseFail(EXIT_USAGE, "%s: %s", temporary, strerror(errno));
    fprintf(file, "step,residual,predicted\n");
    for (int k = 0; k <= steps; k++)
        fprintf(file, "%d,%.9g,%.9g\n", k, residual[k], residual[steps] * pow(factor, k - steps));
    if (ferror(file) | fclose(file) || rename(temporary, historyFile) != 0) {
        remove(temporary);
        courseFail(EXIT_USAGE, "%s: %s", historyFile, strerror(errno));
    }
}

static void runAll(struct solution *s)
{
    const double elements = (double)n * (double)n;
    struct system problem = {a, f, (int)n, (float)alpha, 0.0, (int)maxSteps};

    RUN_VARIANTS (v) {
        const int all = (v->traits & ALL_SIDES) != 0;
        const double sides = all ? SIDES : 1,
                     steps = reference[all].steps + 1; /* and the last residual */

        poison(s->x, n * SIDES * sizeof *s->x);
        poison(s->residual, ((size_t)maxSteps + 1) * sizeof *s->residual);
        s->steps = -1;
        problem.limit = tolerance * reference[all].residual[0];
        v->run(&problem, s);
        harnessWork(steps * sizeof(float) * (elements + 3.0 * (double)n * sides),
                    steps * 2.0 * elements * sides, n);
        if (rowVerdict() != EXIT_UNFILLED && rowVerdict() != EXIT_SKIPPED)
            judge(s, &problem, all);
    }
}

int main(int argc, char **argv)
{
    struct solution s = {NULL, NULL, 0};

    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    if (alpha == 0.0)
        alpha = isFile() ? alphaOfFile() : isPoisson() ? -0.25 : 0.8;
    if (!isFile())
        a = newArray(n * n, sizeof *a);
    f = newArray(n * SIDES, sizeof *f);
    image = newArray(n, sizeof *image);
    x = newArray(n * SIDES, sizeof *x);
    r = newArray(n * SIDES, sizeof *r);
    s.x = newArray(n * SIDES, sizeof *s.x);
    s.residual = newArray((size_t)maxSteps + 1, sizeof *s.residual);
    for (int i = 0; i < 2; i++)
        reference[i].residual = newArray((size_t)maxSteps + 1, sizeof(double));

    makeProblem();
    computeReference();
    writeHistory();
    harnessParameters("matrix=%s alpha=%g steps=%d", matrix, alpha, reference[0].steps);
    runAll(&s);
    harnessNote(
        "max |1 + alpha lambda| = %.4g: that is what a step multiplies the residual by, in the "
        "long run",
        predictedFactor());
    return harnessFinish();
}
