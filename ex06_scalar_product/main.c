/* TASK     the scalar product of two vectors: the problem, its inputs, its reference.
 * TRAFFIC  2 n sizeof(float or double) bytes: x and y read.
 * LIMIT    memory bandwidth: two floating-point operations per two elements. */
#include "measure.h"
#include "scalar_product.h"
#include "harness.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const char *type = "float";
static int positive, sweep;
static size_t n;
static void *x, *y;
static double reference;

static int isDouble(void) { return strcmp(type, "double") == 0; }

static size_t elementSize(void) { return isDouble() ? sizeof(double) : sizeof(float); }

static double inputBytes(size_t size) { return 2.0 * (double)elementSize() * (double)size; }

static const struct course_option options[] = {
    {"type", OPTION_WORD, &type, 0, 0, "float,double", "the elements' type"},
    {"positive", OPTION_FLAG, &positive, 0, 0, NULL, "elements in [0, 1) instead of [-1, 1)"},
    {"sweep", OPTION_FLAG | OPTION_ASIDE, &sweep, 0, 0, NULL,
     "lengths 2^10, 2^12, ... up to --size"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static const struct exercise exercise = {
    .name = "ex06_scalar_product",
    .title = "sum of x[i] * y[i]",
    .unit = "elements",
    .size = (size_t)1 << 28,
    .emulatedSize = 20011,
    .quickSize = (size_t)1 << 20,
    .checkSize = (size_t)1 << 25,
    .minSize = 0,
    .maxSize = INT_MAX, /* cuBLAS counts in int */
    .special = NANS,
    .deviceBytes = inputBytes,
    .hostBytes = inputBytes,
    .options = options,
};

static double referenceOf(size_t count)
{
    return isDouble() ? dotOfDoubles(x, y, count) : dotOfFloats(x, y, count);
}

static void fill(void *array, int stream)
{
    float *f = array;
    double *d = array;

    if (isDouble())
        randomDoubles(d, n, stream);
    else
        randomFloats(f, n, stream);
#pragma omp parallel for if (positive)
    for (size_t i = 0; i < (positive ? n : 0); i++)
        if (isDouble())
            d[i] = fabs(d[i]);
        else
            f[i] = fabsf(f[i]);
}

/* The possible rounding error of a sum of n terms that `chains` sums share. Each addition is off by
 * up to half a unit in the last place of the sum so far, up or down as if by chance, so that the
 * errors of k additions grow like sqrt(k) (Higham and Mary, SIAM J. Sci. Comput. 41, 2019, A2815).
 * A sum of k terms of either sign is about sqrt(k) / 3, of positive ones k / 4; the sqrt(n) is for
 * the tree above. */
static struct tolerance toleranceFor(size_t count, double chains)
{
    const double epsilon = isDouble() ? DBL_EPSILON : FLT_EPSILON, m = (double)count;
    const double chained = positive ? m / 4.0 * sqrt(m / chains) : m / (3.0 * sqrt(chains));
    const struct tolerance tolerance = {epsilon * (8.0 * sqrt(m) + chained), 4.0 * epsilon};

    return tolerance;
}

static void runAll(size_t count)
{
    harnessWork(inputBytes(count), 2.0 * (double)count, count);
    harnessParameters("%s%s%s", isDouble() ? "type=double" : "", isDouble() && positive ? " " : "",
                      positive ? "positive=1" : "");
    RUN_VARIANTS (v) {
        const int isChain = (v->traits & ONE_CHAIN) != 0;
        const struct tolerance tolerance = toleranceFor(count, isChain ? 1.0 : blockSize(256));
        float sum, wanted = (float)reference;
        double doubleSum;

        poison(&sum, sizeof sum);
        poison(&doubleSum, sizeof doubleSum);
        if (isDouble()) {
            v->runDouble(x, y, &doubleSum, count);
            verifyDoubles("sum", &doubleSum, &reference, 1, tolerance);
        } else {
            v->run(x, y, &sum, count);
            verifyFloats("sum", &sum, &wanted, 1, tolerance);
            doubleSum = sum;
        }
        verifyError(fabs(doubleSum - reference));
        if (isChain && positive && !isDouble() && rowVerdict() == EXIT_WRONG)
            rowIsDemonstration(); /* a sum of 2^24 no longer grows */
        if (rowVerdict() != EXIT_UNFILLED)
            harnessRemark("%.9g, error %.1e", doubleSum, fabs(doubleSum - reference));
    }
}

/* Every other power of two up to n, at which the kernels and the library compete. */
static void runSweep(void)
{
    if (n < 1024)
        courseFail(EXIT_USAGE, "--sweep begins at 1024 elements, so --size must be at least that");
    for (size_t count = 1024; count <= n; count *= 4) {
        reference = referenceOf(count);
        harnessOnly(ON_DEVICE);
        runAll(count);
        harnessOnly(ON_LIBRARY);
        runAll(count);
    }
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    x = newArray(n, elementSize());
    y = newArray(n, elementSize());
    fill(x, 1);
    fill(y, 2);
    if (sweep) {
        runSweep();
    } else {
        reference = referenceOf(n);
        runAll(n);
    }
    return harnessFinish();
}
