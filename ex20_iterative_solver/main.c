/* TASK     x += alpha (A x - f), A dense: the matrices, and the judgement by the residuals of all
 *          steps and by the true residual of x.
 * TRAFFIC  4 n^2 + 12 n bytes a step: A, x and f read, x written.
 * LIMIT    memory bandwidth: 2 operations for 4 bytes; for small n the latency of a step. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include "reference.h"
#include "harness.h"
#include "matrix_market.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ROWS = 2, MAX_ROWS = 100000 };

static const char *matrix = "random", *historyFile;
static double alpha, tolerance = -1.0; /* -1: not given */
static long maxSteps = -1;

static const struct course_option options[] = {
    {"matrix", OPTION_WORD, &matrix, 0, 0, NULL,
     "random: eigenvalues around -1; poisson: 2 on the diagonal, -1 beside it; or a Matrix Market "
     "file"},
    {"alpha", OPTION_NUMBER, &alpha, -1e3, 1e3, NULL,
     "length of a step (random: 0.8, poisson: -0.25, file: 1 / the largest row sum, with the sign "
     "that A asks for)"},
    {"tolerance", OPTION_NUMBER, &tolerance, 0, 1, NULL,
     "converged at || A x - f || <= this * || f || (1e-4; emulated 1e-2)"},
    {"max-steps", OPTION_INTEGER, &maxSteps, 0, 1e6, NULL,
     "stop after this many (100; random, emulated 30)"},
    {"history", OPTION_WORD | OPTION_ASIDE, &historyFile, 0, 0, NULL,
     "writes the residuals of the reference, of Jacobi and of Chebyshev, and the predicted ones, "
     "as CSV"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static size_t n;
static float *a, *f, *image;

static int isPoisson(void) { return strcmp(matrix, "poisson") == 0; }

static int isFile(void) { return !isPoisson() && strcmp(matrix, "random") != 0; }

/* The number of rows of the file, which is read when this is first asked for; SIZE_MAX if there is
 * none. */
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
    .checkSize = 6144, /* 151 MB: no L2 cache holds A */
    .minSize = MIN_ROWS,
    .maxSize = MAX_ROWS,
    .sizeByOptions = rowsOfFile,
    .gridsFold = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* Radius of the disc around -1 that holds the eigenvalues of the random matrix (Girko's circular
 * law: sqrt(n) times the standard deviation of its elements). */
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

/* A step that does not diverge for symmetric A: the eigenvalues are no larger than the largest sum
 * of a row, and have the sign of their sum if all have the same. */
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

/* The eigenvalues of the random matrix fill a disc around -1; those of the Poisson matrix are 4
 * sin^2 (i pi / (2 n + 2)), i = 1 ... n. */
static struct spectrum spectrumOfMatrix(void)
{
    const double pi = 3.14159265358979323846, s = sin(0.5 * pi / (double)(n + 1));
    struct spectrum spectrum = {!isFile(), 0, 0.0, 0.0, 2.0};

    if (isPoisson()) {
        spectrum.least = 4.0 * s * s;
        spectrum.most = 4.0 - spectrum.least;
    } else if (!isFile()) {
        spectrum.isDisc = 1;
        spectrum.least = -1.0 - radius;
        spectrum.most = -1.0 + radius;
        spectrum.diagonal = -1.0;
    }
    return spectrum;
}

/* How far from the reference a residual may be. */
static double allowance(const struct reference *want, int k)
{
    return 1e-3 * want->residual[k] + want->rounding[k];
}

/* The residuals of every step are those of the reference, up to rounding. The nearer the last ones
 * are to each other, the more the step may differ in which they fall below the limit. */
static void judgeHistory(const struct solution *s, const struct reference *want)
{
    const double limit = tolerance * want->residual[0];
    int slack = 0;

    for (int k = 0; k <= want->steps && k <= s->steps; k++)
        verifyThat(fabs(s->residual[k] - want->residual[k]) <= allowance(want, k),
                   "after %d steps the program says || A x - f || = %.6g, it should be %.6g", k,
                   s->residual[k], want->residual[k]);
    while (slack <= want->steps && want->residual[want->steps - slack] <=
                                       limit + 2.0 * allowance(want, want->steps - slack))
        slack++;
    verifyThat(abs(s->steps - want->steps) <= (slack > 1 ? slack : 1),
               "stopped after %d steps, the reference after %d", s->steps, want->steps);
}

/* A x for one right-hand side must be f but for the residual that the variant claims. Returns the
 * square of the true one. */
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

static void judge(const struct solution *s, const struct system *problem, enum method method)
{
    const struct reference *reference = referenceOf(method);
    double end, sum = 0.0;

    if (s->steps < 0 || s->steps > maxSteps) {
        verifyThat(0, "says that it took %d steps, of at most %ld", s->steps, maxSteps);
        return;
    }
    end = s->residual[s->steps];
    judgeHistory(s, reference);
    verifyThat(end <= problem->limit || s->steps == maxSteps,
               "stopped after %d steps at || A x - f || = %.3g, the limit is %.3g", s->steps, end,
               problem->limit);
    for (int side = 0; side < (method == PLAIN_ALL_SIDES ? SIDES : 1); side++)
        sum += judgeResult(s, side);
    verifyThat(fabs(sqrt(sum) - end) <=
                   0.01 * end + 1e-5 * s->residual[0] + reference->rounding[reference->steps],
               "|| A x - f || of this x is %.6g, the program says %.6g", sqrt(sum), end);
    if (rowVerdict() != EXIT_PASS)
        return;
    if (harnessEmulated())
        harnessRemark("%d steps, || A x - f || = %.3g", s->steps, end);
    else
        harnessRemark("%d steps of %.4g us, || A x - f || = %.3g", s->steps,
                      rowSeconds() * 1e6 / (s->steps + 1), end);
}

static enum method methodOf(const struct variant *v)
{
    return v->traits & ALL_SIDES      ? PLAIN_ALL_SIDES
           : v->traits & BY_JACOBI    ? JACOBI
           : v->traits & BY_CHEBYSHEV ? CHEBYSHEV
                                      : PLAIN;
}

static void runAll(struct system *problem, struct solution *s)
{
    const double elements = (double)n * (double)n;

    RUN_VARIANTS (v) {
        const enum method method = methodOf(v);
        const struct reference *reference = referenceOf(method);
        const double sides = method == PLAIN_ALL_SIDES ? SIDES : 1,
                     vectors = method == CHEBYSHEV ? 4.0 : 3.0, /* the x before is read, too */
            steps = reference->steps + 1;                       /* and the last residual */
        /* All warps of a block may load the vectors, which in a small system are mostly padding. */
        const size_t length = method == PLAIN_ALL_SIDES ? (n + 127) / 128 * 128 : n;

        if (reference->failure[0] != '\0') {
            rowSkip("%s", reference->failure);
            continue;
        }
        poison(s->x, n * SIDES * sizeof *s->x);
        poison(s->residual, ((size_t)maxSteps + 1) * sizeof *s->residual);
        s->steps = -1;
        problem->limit = tolerance * reference->residual[0];
        v->run(problem, s);
        harnessRan();
        harnessWork(steps * sizeof(float) * (elements + vectors * (double)length * sides),
                    steps * 2.0 * elements * sides, n);
        if (rowVerdict() != EXIT_UNFILLED && rowVerdict() != EXIT_SKIPPED)
            judge(s, problem, method);
    }
}

/* What a step multiplies the residual by, in the long run, for each method that was used. */
static void notePredictions(void)
{
    harnessNote("In the long run a step multiplies the residual by max |1 + alpha lambda| = %.6g",
                predictedFactor(PLAIN));
    if (isUsed(JACOBI))
        harnessNote("Jacobi's by %.6g", predictedFactor(JACOBI));
    if (isUsed(CHEBYSHEV))
        harnessNote("Chebyshev's by %.6g", predictedFactor(CHEBYSHEV));
}

int main(int argc, char **argv)
{
    struct solution s = {NULL, NULL, 0};
    struct spectrum spectrum;
    struct system problem;

    harnessStart(&exercise, argc, argv);
    if (tolerance < 0.0)
        tolerance = harnessEmulated() ? 1e-2 : 1e-4;
    if (maxSteps < 0) /* 9 are enough for the random matrix there; what is wrong takes them all */
        maxSteps = harnessEmulated() && !isPoisson() && !isFile() ? 30 : 100;
    n = harnessSize();
    if (alpha == 0.0)
        alpha = isFile() ? alphaOfFile() : isPoisson() ? -0.25 : 0.8;
    if (!isFile())
        a = newArray(n * n, sizeof *a);
    f = newArray(n * SIDES, sizeof *f);
    image = newArray(n, sizeof *image);
    s.x = newArray(n * SIDES, sizeof *s.x);
    s.residual = newArray((size_t)maxSteps + 1, sizeof *s.residual);

    makeProblem();
    spectrum = spectrumOfMatrix();
    problem = (struct system){
        a, f, (int)n, (float)alpha, 0.0, (int)maxSteps, spectrum.least, spectrum.most};
    referenceStart(&problem, spectrum, tolerance);
    if (historyFile != NULL)
        writeHistory(historyFile);
    harnessParameters("matrix=%s alpha=%g steps=%d", matrix, alpha, referenceOf(PLAIN)->steps);
    runAll(&problem, &s);
    notePredictions();
    return harnessFinish();
}
