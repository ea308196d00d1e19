/* TASK     Poisson's equation, random points and particles in cells, with libraries: the problems,
 *          their inputs, and what is right.
 * TRAFFIC  Poisson: 16 n n bytes. Points: none. Cells: 8 n n bytes and 8 for each cell.
 * LIMIT    memory bandwidth; points: arithmetic. */
#include "measure.h"
#include "libraries.h"
#include "philox.h"
#include "harness.h"
#include <math.h>
#include <string.h>

/* Conjugate gradient on the CPU takes seconds for more. */
enum { PART = 512 };

static const char *sweep;
static double *f, *u, *image;
static int *cell, *weight, *first, *total, *wantedFirst, *wantedTotal;

static const struct course_option options[] = {
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "sizes",
     "sides of 16, 32, ... to --size, on the device; with --variant Poisson: the crossover"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static size_t cellsOf(size_t n) { return n * n / 4 + 1; }

/* Conjugate gradient: 5 vectors. Cells: 6 arrays of n * n ints, and a sort's workspace. */
static double deviceBytes(size_t size)
{
    return 6.0 * sizeof(double) * (double)size * (double)size;
}

static double hostBytes(size_t size)
{
    return (6.0 * sizeof(double) + 3.0 * sizeof(int)) * (double)size * (double)size;
}

static const struct exercise exercise = {
    .name = "ex24_libraries",
    .title = "Poisson's equation, random points, particles in cells",
    .unit = "grid points a side",
    .size = 4096,
    .emulatedSize = 21,
    .quickSize = 96,
    .checkSize = 1024,
    .minSize = 2,
    .maxSize = 30000,
    .gridsFold = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* to = A from */
static void apply(const double *from, double *to, size_t n)
{
#pragma omp parallel for
    for (size_t row = 0; row < n; row++)
        for (size_t i = 0; i < n; i++)
            to[row * n + i] = 4.0 * from[row * n + i] - from[row * n + (i + n - 1) % n] -
                              from[row * n + (i + 1) % n] - from[(row + n - 1) % n * n + i] -
                              from[(row + 1) % n * n + i];
}

static double meanOf(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* The arrays of each problem are made, for the largest size, when its first variant asks for them,
 * and filled anew for another size. For Poisson f is the image of something, for only then is there
 * a solution. */
static void makePoisson(size_t n)
{
    static size_t madeFor;
    const size_t most = harnessSize() * harnessSize();

    if (f == NULL) {
        f = newArray(most, sizeof *f);
        u = newArray(most, sizeof *u);
        image = newArray(most, sizeof *image);
    }
    if (n == madeFor)
        return;
    randomDoubles(image, n * n, 1);
    apply(image, f, n);
    madeFor = n;
}

static void makeCells(size_t n)
{
    static size_t madeFor;
    const size_t most = harnessSize() * harnessSize(), cells = cellsOf(harnessSize());

    if (cell == NULL) {
        cell = newArray(most, sizeof *cell);
        weight = newArray(most, sizeof *weight);
        first = newArray(cells + 1, sizeof *first);
        total = newArray(cells, sizeof *total);
        wantedFirst = newArray(cells + 1, sizeof *wantedFirst);
        wantedTotal = newArray(cells, sizeof *wantedTotal);
    }
    if (n == madeFor)
        return;
#pragma omp parallel for
    for (size_t i = 0; i < n * n; i++) {
        cell[i] = (int)(randomBits(2, i) % cellsOf(n));
        weight[i] = (int)(randomBits(3, i) % 100) + 1;
    }
    memset(wantedFirst, 0, (cellsOf(n) + 1) * sizeof *wantedFirst);
    memset(wantedTotal, 0, cellsOf(n) * sizeof *wantedTotal);
    for (size_t i = 0; i < n * n; i++) {
        wantedFirst[cell[i] + 1]++;
        wantedTotal[cell[i]] += weight[i];
    }
    for (size_t c = 0; c < cellsOf(n); c++)
        wantedFirst[c + 1] += wantedFirst[c];
    madeFor = n;
}

/* Conjugate gradient stops at a residual of RESIDUAL |f|, in all; transforms are as good as
 * doubles. */
static void judgePoisson(const struct result *result, size_t n)
{
    const struct tolerance allowed = {10.0 * RESIDUAL * sqrt((double)(n * n)), 0.0};
    const double mean = meanOf(u, n * n);

    apply(u, image, n);
    verifyDoubles("A u", image, f, n * n, allowed);
    verifyThat(fabs(mean) <= 1e-7, "the mean of u is %g, it should be 0", mean);
    if (result->iterations > 0 && rowVerdict() == EXIT_PASS)
        harnessRemark("%d iterations", result->iterations);
}

/* Hits are exact, and the sum of floats nearly so. */
static void judgePoints(const struct result *result, const struct result *wanted, size_t n)
{
    const double count = (double)n * (double)n;

    verifyThat(result->hits == wanted->hits, "%llu hits, there should be %llu", result->hits,
               wanted->hits);
    verifyThat(fabs(result->sum - wanted->sum) <= 1e-6 * wanted->sum,
               "the sum of 4 / (1 + x^2) is %.9g, it should be %.9g", result->sum, wanted->sum);
    if (rowVerdict() == EXIT_PASS)
        harnessRemark("pi = %.6f by hits, %.6f by the integral", 4.0 * (double)result->hits / count,
                      result->sum / count);
}

/* The points that are right: the host's Philox, number by number. */
static struct result referencePoints(const struct problem *problem)
{
    const size_t n = problem->n * problem->n;
    unsigned long long hits = 0;
    double sum = 0.0;

#pragma omp parallel for reduction(+ : hits, sum)
    for (size_t i = 0; i < n; i++) {
        uint32_t word[4];
        float x, y;

        philoxOnHost(problem->seed, i / 2, word);
        x = (float)word[i % 2 * 2] * 0x1p-32f + 0x1p-33f;
        y = (float)word[i % 2 * 2 + 1] * 0x1p-32f + 0x1p-33f;
        hits += (double)x * x + (double)y * y <= 1.0;
        sum += 4.0 / (1.0 + (double)x * x);
    }
    return (struct result){.hits = hits, .sum = sum};
}

/* Points have no arrays; what is right is computed once for each size. */
static const struct result *wantedPoints(const struct problem *problem)
{
    static struct result wanted;
    static size_t madeFor;

    if (problem->n != madeFor)
        wanted = referencePoints(problem);
    madeFor = problem->n;
    return &wanted;
}

/* The inputs of the variant's problem, what is right, and poison where its results are to be. */
static struct problem prepare(const struct variant *v, size_t n, struct result *result)
{
    const size_t cells = cellsOf(n);
    struct problem problem = {.n = n, .seed = randomBits(0, 0), .cells = cells};

    if (v->traits & POISSON) {
        makePoisson(n);
        problem.f = f;
        result->u = u;
        poison(u, n * n * sizeof *u);
    } else if (v->traits & CELLS) {
        makeCells(n);
        problem.cell = cell;
        problem.weight = weight;
        result->first = first;
        result->total = total;
        poison(first, (cells + 1) * sizeof *first);
        poison(total, cells * sizeof *total);
    } else {
        wantedPoints(&problem); /* now, since the time from here on is the variant's */
    }
    poison(&result->sum, sizeof result->sum);
    return problem;
}

static void runAll(size_t size)
{
    RUN_VARIANTS (v) {
        const size_t n = (v->traits & PART_OF_SIZE) && size > PART ? PART : size,
                     cells = cellsOf(n);
        struct result result = {0};
        const struct problem problem = prepare(v, n, &result);

        if (n < size)
            harnessRemark("(%zu x %zu points only)", n, n);
        v->run(&problem, &result);
        harnessRan();
        if (v->traits & POISSON) {
            harnessWork(2.0 * sizeof(double) * (double)(n * n), 0.0, n);
            judgePoisson(&result, n);
        } else if (v->traits & POINTS) {
            harnessWork(0.0, 0.0, n);
            judgePoints(&result, wantedPoints(&problem), n);
        } else {
            harnessWork(2.0 * sizeof(int) * (double)(n * n + cells), 0.0, n);
            verifyInts("first", first, wantedFirst, cells + 1);
            verifyInts("total", total, wantedTotal, cells);
        }
    }
}

int main(int argc, char **argv)
{
    size_t n;

    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    if (sweep != NULL)
        harnessOnly(ON_DEVICE);
    for (size_t side = sweep != NULL ? 16 : n; side < n; side *= 2)
        runAll(side);
    runAll(n);
    return harnessFinish();
}
