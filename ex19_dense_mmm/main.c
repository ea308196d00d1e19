/* TASK     C = A B for dense matrices of any shape: the problem, its inputs, its reference, the
 *          bounds of its rounding errors, and the sweep over n in which the GPU overtakes the CPU.
 * TRAFFIC  4 (m k + k n + m n) bytes: A and B read once, C written once.
 * LIMIT    2 m n k operations: from n = 100 or so on it is arithmetic, not memory. */
#include "measure.h"
#include "dense_mmm.h"
#include "harness.h"
#include "plot.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows of A and columns of B repeat after so many, but for a factor of their own. The reference is
 * thus affordable for all elements of C, and no tile that lands in the wrong place finds the same
 * numbers there: both are primes. */
enum { ROWS = 509, COLUMNS = 503 };

static size_t m, n, k;
static float *a, *b, *c, *want;
static double *rowFactor, *columnFactor; /* 1, -1, 2 or -2: multiplying by them rounds nothing */
static double *products,
    *magnitudes; /* of the first ROWS rows and COLUMNS columns: A B and |A| |B| */

static long rowsOfC, columnsOfC, inner; /* --m, --n, --k; 0: as --size */
static long largest;                    /* of the sweep; 0: as the device can do it */
static const char *values = "random", *plotFile;
static int sweep;

static const struct course_option options[] = {
    {"m", OPTION_INTEGER, &rowsOfC, 1, 65536, NULL, "rows of A and C (--size)"},
    {"n", OPTION_INTEGER, &columnsOfC, 1, 65536, NULL, "columns of B and C (--size)"},
    {"k", OPTION_INTEGER, &inner, 1, 65536, NULL, "columns of A, rows of B (--size)"},
    {"values", OPTION_WORD, &values, 0, 0, "random,integers",
     "random, judged by a bound, or small integers, judged exactly (random)"},
    {"sweep", OPTION_FLAG | OPTION_ASIDE, &sweep, 0, 0, NULL,
     "n = 16, 24, 32 ...: where the GPU overtakes the CPU"},
    {"matrices", OPTION_INTEGER | OPTION_ASIDE, &largest, 16, 16384, NULL,
     "the sweep's largest matrices (4096; emulated 48)"},
    {"plot", OPTION_WORD | OPTION_ASIDE, &plotFile, 0, 0, NULL,
     "draws the sweep's times into a .svg or .png file"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static size_t orSize(long option, size_t size) { return option > 0 ? (size_t)option : size; }

static double elements(size_t size)
{
    const double rows = (double)orSize(rowsOfC, size), columns = (double)orSize(columnsOfC, size);
    const double between = (double)orSize(inner, size);

    return rows * between + between * columns + rows * columns;
}

static double deviceBytes(size_t size)
{
    return 3.0 * sizeof(float) * elements(size); /* the last rungs keep a second form of A and B */
}

static double hostBytes(size_t size)
{
    return 2.0 * sizeof(float) * elements(size) + 2.0 * ROWS * COLUMNS * sizeof(double);
}

static const struct exercise exercise = {
    .name = "ex19_dense_mmm",
    .title = "C = A B",
    .unit = "rows and columns",
    .size = 4096,
    .emulatedSize = 50,
    .quickSize = 256,
    .checkSize = 1024,
    .minSize = 1,
    .maxSize = 65536,
    .special = ZEROS | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static int isInteger(void) { return strcmp(values, "integers") == 0; }

/* Element i of a stream: in [-1, 1), or an integer from -4 to 4. Integers are compared exactly,
 * so only these may be special. */
static float value(int stream, size_t i)
{
    return isInteger()
               ? (float)specialOr((double)(randomBits(stream, i) % 9) - 4.0, stream, i, m * k)
               : (float)randomUniform(stream, i, -1.0, 1.0);
}

static void setFactors(double *factors, int stream, size_t count)
{
    static const double choice[4] = {1.0, -1.0, 2.0, -2.0};

    for (size_t i = 0; i < count; i++)
        factors[i] = choice[randomBits(stream, i) % 4];
}

static void setInputs(void)
{
    setFactors(rowFactor, 3, m);
    setFactors(columnFactor, 4, n);
#pragma omp parallel for
    for (size_t i = 0; i < m; i++)
        for (size_t p = 0; p < k; p++)
            a[i * k + p] = (float)rowFactor[i] * value(1, i % ROWS * k + p);
#pragma omp parallel for
    for (size_t p = 0; p < k; p++)
        for (size_t j = 0; j < n; j++)
            b[p * n + j] = (float)columnFactor[j] * value(2, p * COLUMNS + j % COLUMNS);
}

/* By what factor element (i, j) differs from the one that was computed for its row and column. */
static double scale(size_t i, size_t j)
{
    return rowFactor[i] / rowFactor[i % ROWS] * columnFactor[j] / columnFactor[j % COLUMNS];
}

/* In double precision, so that its own rounding does not count. */
static void computeReference(void)
{
    const size_t rows = m < ROWS ? m : ROWS, columns = n < COLUMNS ? n : COLUMNS;

    memset(products, 0, ROWS * COLUMNS * sizeof *products);
    memset(magnitudes, 0, ROWS * COLUMNS * sizeof *magnitudes);
#pragma omp parallel for
    for (size_t i = 0; i < rows; i++)
        for (size_t p = 0; p < k; p++) {
            const double left = a[i * k + p];

            for (size_t j = 0; j < columns; j++) {
                products[i * COLUMNS + j] += left * b[p * n + j];
                magnitudes[i * COLUMNS + j] += fabs(left * b[p * n + j]);
            }
        }
#pragma omp parallel for
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            want[i * n + j] = (float)(scale(i, j) * products[i % ROWS * COLUMNS + j % COLUMNS]);
}

/* The bound of |c - A B| / |A| |B|, element by element. A sum of k products in any order is off by
 * at most k u |A| |B| (Higham, Accuracy and Stability of Numerical Algorithms, section 3.5), u =
 * FLT_EPSILON / 2. Tensor cores add with up to twice that error. A factor that is cut off behind 11
 * bits loses up to 2^-10 of its value. Three products of two such parts lose up to 2^-20 with the
 * fourth one, and 3 x 2^-23 with the last two bits of each rest: less than 2^-20 for a factor. */
static double bound(unsigned traits)
{
    const double lost = traits & ROUNDS_TO_TF32 ? 0x1p-10 : traits & THREE_PRODUCTS ? 0x1p-20 : 0.0;
    const double additions = (lost > 0.0 ? 1.0 : 0.5) * FLT_EPSILON * (double)k;

    return 2.01 * lost + additions * (1.0 + 2.0 * lost) * 1.01; /* 1.01: terms of second order */
}

/* |c - A B| / |A| |B| of element (i, j), infinite for a NaN. */
static double errorAt(size_t i, size_t j)
{
    const size_t at = i % ROWS * COLUMNS + j % COLUMNS;
    const double error = fabs((double)c[i * n + j] - scale(i, j) * products[at]);
    const double magnitude = fabs(scale(i, j)) * magnitudes[at];

    return error == 0.0 ? 0.0 : isnan(error) || magnitude == 0.0 ? INFINITY : error / magnitude;
}

/* Every element of the first `rows` rows of c. */
static void verifyProduct(size_t rows, unsigned traits)
{
    const double most = bound(traits);
    struct tolerance tolerance = {0.0, 0.0};
    double error = 0.0;

    if (isInteger()) {
        verifyFloats2D("C", c, want, n, rows, tolerance);
        return;
    }
#pragma omp parallel for reduction(max : error)
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++)
            error = fmax(error, errorAt(i, j));
    for (size_t at = 0; error > most && at < (size_t)ROWS * COLUMNS; at++)
        tolerance.absolute = fmax(tolerance.absolute, 4.0 * most * magnitudes[at]);
    if (error > most) /* names the kind of mistake, if one is larger than all bounds */
        verifyFloats2D("C", c, want, n, rows, tolerance);
    verifyThat(error <= most,
               "an element of C is off by %.3g times |A| |B|, more than rounding explains: %.3g",
               error, most);
    verifyError(error);
}

/* Rounded factors are as often too large as too small. Cut off, each is 0.034 % too small on
 * average, and so is C. */
static void verifyRounding(size_t rows)
{
    enum { ENOUGH = 1000 }; /* elements, for an average */
    double off = 0.0, all = 0.0;

    if (isInteger() || rows * n < ENOUGH || rows * k < ENOUGH || k * n < ENOUGH)
        return;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++) {
            const double exact = scale(i, j) * products[i % ROWS * COLUMNS + j % COLUMNS];

            off += (c[i * n + j] - exact) * exact;
            all += exact * exact;
        }
    verifyThat(off > -1e-4 * all,
               "C is %.3f %% too small on average, as if factors are cut to TF32, not rounded "
               "(__float_to_tf32() or rounded() for every element of both fragments)",
               -100.0 * off / all);
}

/* Rows that a variant which is too slow for all of them computes. */
static size_t rowsOf(unsigned traits)
{
    const size_t some = ((size_t)1 << 26) / (n * k);

    if (!(traits & PART_OF_SIZE) || some >= m)
        return m;
    return some > 16 ? some : m < 16 ? m : 16;
}

static void runOne(const struct variant *v)
{
    const size_t rows = rowsOf(v->traits);

    poison(c, m * n * sizeof *c);
    harnessWork(0.0, 2.0 * (double)rows * (double)n * (double)k, n);
    v->run(a, b, c, (int)rows, (int)n, (int)k);
    harnessRan();
    if (v->traits & NO_PRODUCT)
        verifyThat(c[0] == 2.0f && c[m * n - 1] == 2.0f,
                   "the multiply-adds end at %g and %g, not at 2", (double)c[0],
                   (double)c[m * n - 1]);
    else
        verifyProduct(rows, v->traits);
    if ((v->traits & TO_NEAREST) && harnessEmulated() && rowVerdict() == EXIT_PASS)
        verifyRounding(rows);
}

static void newProblem(size_t rows, size_t columns, size_t between)
{
    m = rows;
    n = columns;
    k = between;
    setInputs();
    computeReference();
}

/* The seminar's figure: the time of a product against n, on the CPU and on the GPU. A time is 0
 * where the variant did not run. */
enum { POINTS = 32, CURVES = 12 };
struct curve {
    char name[80];
    enum place place;
    double times[POINTS];
};
static struct curve curves[CURVES];
static double sides[POINTS];
static int curveCount, pointCount; /* points before the present one */

static void keep(const char *name, enum place place, double seconds)
{
    int i = 0;

    while (i < curveCount && strcmp(curves[i].name, name) != 0)
        i++;
    if (i == CURVES || !(seconds > 0.0) || (place == ON_DEVICE && harnessEmulated()))
        return;
    if (i == curveCount) {
        curveCount++;
        snprintf(curves[i].name, sizeof curves[i].name, "%s", name);
        curves[i].place = place;
    }
    curves[i].times[pointCount] = seconds;
    plotPoint(name, sides[pointCount], seconds);
}

/* Runs the variants whose name holds `variant` (NULL: all of that place), in blocks of side x side
 * threads. */
static void sweepSome(enum place place, const char *variant, int side)
{
    char name[80], withCopies[sizeof name + 16];

    harnessOnly(place);
    harnessVariant(variant);
    harnessLaunch(side * side, 0);
    if (side > 0)
        harnessParameters("block=%dx%d", side, side);
    else
        harnessParameters("%s", "");
    RUN_VARIANTS (v) {
        runOne(v);
        snprintf(name, sizeof name, side > 0 ? "%.40s, %d x %d" : "%.40s", v->name, side, side);
        snprintf(withCopies, sizeof withCopies, "%s, with copies", name);
        /* of a part of the rows: what all of them take */
        keep(name, place, rowSeconds() * (double)m / (double)rowsOf(v->traits));
        if (place == ON_DEVICE)
            keep(withCopies, place, rowSecondsWithCopies());
    }
}

/* From which n on curve x stays below curve y, interpolated between two points; 0: at all, -1:
 * nowhere. */
static double crossing(const struct curve *x, const struct curve *y)
{
    int p = pointCount;

    while (p > 0 && x->times[p - 1] > 0.0 && x->times[p - 1] < y->times[p - 1])
        p--;
    if (p == 0 || p == pointCount || !(x->times[p - 1] > 0.0 && y->times[p - 1] > 0.0))
        return p == 0 ? 0.0 : -1.0;

    const double before = log(x->times[p - 1] / y->times[p - 1]);
    const double after = log(x->times[p] / y->times[p]);

    return exp(log(sides[p - 1]) + log(sides[p] / sides[p - 1]) * before / (before - after));
}

/* One line for each curve of the GPU: from which n on it stays below each of the CPU. */
static void noteCrossings(void)
{
    for (int x = 0; x < curveCount; x++) {
        char text[600] = "";

        for (int y = 0; curves[x].place == ON_DEVICE && y < curveCount; y++) {
            const size_t used = strlen(text);
            const double from = crossing(&curves[x], &curves[y]);

            if (curves[y].place != ON_CPU)
                continue;
            if (from < 0.0)
                snprintf(text + used, sizeof text - used, "; %.60s: never", curves[y].name);
            else
                snprintf(text + used, sizeof text - used, "; %.60s: n = %.0f", curves[y].name,
                         fmax(from, sides[0]));
        }
        if (text[0] != 0)
            harnessNote("%s, from which n on faster than%s", curves[x].name, text + 1);
    }
}

/* n = 16, 24, 32, 48, 64 ... */
static void sweepSizes(size_t most)
{
    for (size_t side = 16; side <= most && pointCount < POINTS; pointCount++) {
        sides[pointCount] = (double)side;
        newProblem(side, side, side);
        sweepSome(ON_CPU, NULL, 0);
        sweepSome(ON_DEVICE, "one element per thread", 8);
        sweepSome(ON_DEVICE, "one element per thread", 16);
        sweepSome(ON_DEVICE, "8 x 8 per thread", 0);
        side = side & (side - 1) ? side / 3 * 4 : side / 2 * 3;
    }
    noteCrossings();
}

int main(int argc, char **argv)
{
    size_t size, rows, columns, between;

    harnessStart(&exercise, argc, argv);
    plotCheck(plotFile);
    if (largest == 0)
        largest = harnessEmulated() ? 48 : 4096;
    size = sweep ? (size_t)largest : harnessSize();
    rows = sweep ? size : orSize(rowsOfC, size);
    columns = sweep ? size : orSize(columnsOfC, size);
    between = sweep ? size : orSize(inner, size);
    a = newArray(rows * between, sizeof *a);
    b = newArray(between * columns, sizeof *b);
    c = newArray(rows * columns, sizeof *c);
    want = newArray(rows * columns, sizeof *want);
    rowFactor = newArray(rows, sizeof *rowFactor);
    columnFactor = newArray(columns, sizeof *columnFactor);
    products = newArray((size_t)ROWS * COLUMNS, sizeof *products);
    magnitudes = newArray((size_t)ROWS * COLUMNS, sizeof *magnitudes);
    if (sweep) {
        sweepSizes(size);
    } else {
        newProblem(rows, columns, between);
        if (rowsOfC > 0 || columnsOfC > 0 || inner > 0)
            harnessParameters("m=%zu n=%zu k=%zu", m, n, k);
        RUN_VARIANTS (v)
            runOne(v);
    }
    plotDraw(plotFile, "set logscale xy; set xlabel 'n'; set ylabel 'seconds'; set key left top");
    return harnessFinish();
}
