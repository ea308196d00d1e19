/* TASK     the exclusive scan of n elements, and a selection by one: the problem, its inputs, its
 *          references.
 * TRAFFIC  a scan or a partition: 2 n sizeof(unsigned int or double) bytes, x read, y written; a
 *          selection: x read, what is kept written.
 * LIMIT    memory bandwidth: one addition for each element. */
#include "scan.h"
#include "harness.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

int inPlace;
static const char *type = "uint";

static int isDouble(void) { return strcmp(type, "double") == 0; }

static size_t elementSize(void) { return isDouble() ? sizeof(double) : sizeof(unsigned int); }

static const struct course_option options[] = {
    {"type", OPTION_WORD, &type, 0, 0, "uint,double", "the elements' type"},
    {"in-place", OPTION_FLAG, &inPlace, 0, 0, NULL, "scans write over what they read"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* x read, y written. */
static double scanBytes(size_t size) { return 2.0 * (double)elementSize() * (double)size; }

/* With an array of zeros, and the sums of the smallest tiles. */
static double deviceBytes(size_t size) { return 1.6 * scanBytes(size); }

static double hostBytes(size_t size) { return 2.0 * scanBytes(size); }

static const struct exercise exercise = {
    .name = "ex26_scan",
    .title = "y[i] = x[0] + ... + x[i - 1]",
    .unit = "elements",
    .size = (size_t)1 << 28,
    .emulatedSize = 17011,
    .quickSize = (size_t)1 << 20,
    .checkSize = (size_t)1 << 25,
    .minSize = 0,
    .maxSize = INT_MAX, /* CUB counts in int */
    .gridsFold = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* The number of odd elements, which go to partition[], the others behind them in reverse. */
static size_t scanIntegers(const unsigned int *x, unsigned int *reference, unsigned int *partition,
                           size_t n)
{
    unsigned int sum = 0;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        reference[i] = sum;
        sum += x[i];
        if (isKept(x[i]))
            partition[kept++] = x[i];
        else
            partition[n - 1 - (i - kept)] = x[i];
    }
    return kept;
}

/* Each addition's rounding error is added up beside the sum, and enters at the end. */
static void scanDoubles(const double *x, double *reference, size_t n)
{
    double sum = 0.0, lost = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double more = sum + x[i];

        reference[i] = sum + lost;
        lost += fabs(sum) > fabs(x[i]) ? (sum - more) + x[i] : (x[i] - more) + sum;
        sum = more;
    }
}

/* The law of the last digits, for any order of the additions. An addition is off by half a unit in
 * the last place of the sum so far, up or down as if by chance. The sums of n elements in [-1, 1)
 * are about sqrt(n / 3), and the errors of n additions, one after another, come to sqrt(n) times
 * one of them: n / 3 is three times that, and a tree stays far below. */
static struct tolerance lawOfSums(size_t n)
{
    const struct tolerance tolerance = {DBL_EPSILON * (8.0 * sqrt((double)n) + (double)n / 3.0),
                                        4.0 * DBL_EPSILON};

    return tolerance;
}

static void runDoubles(const double *x, double *y, const double *reference, size_t n)
{
    harnessWork(scanBytes(n), 0.0, n);
    RUN_VARIANTS (v) {
        unsigned int kept;

        poison(y, n * sizeof *y);
        v->runDouble(x, y, n, &kept);
        verifyDoubles("y", y, reference, n, lawOfSums(n));
    }
}

static void runIntegers(const unsigned int *x, unsigned int *y, const unsigned int *reference,
                        const unsigned int *partition, size_t n, size_t keptOf)
{
    RUN_VARIANTS (v) {
        unsigned int kept = UINT_MAX;

        harnessWork(v->traits & SELECTS ? (double)(n + keptOf) * sizeof *x : scanBytes(n), 0.0, n);
        poison(y, n * sizeof *y);
        v->run(x, y, n, &kept);
        if (v->traits & (SELECTS | PARTITIONS)) {
            verifyUnsigned("y", y, partition, v->traits & SELECTS ? keptOf : n);
            verifyThat(kept == keptOf, "*kept is %u, but %zu elements are odd", kept, keptOf);
        } else {
            verifyUnsigned("y", y, reference, n);
        }
    }
}

int main(int argc, char **argv)
{
    void *x, *y, *reference;
    size_t n;

    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    x = newArray(n, elementSize());
    y = newArray(n, elementSize());
    reference = newArray(n, elementSize());
    if (isDouble() || inPlace) /* a selection would write what other blocks have yet to read */
        harnessTraits(0, SELECTS | PARTITIONS);
    if (isDouble()) {
        randomDoubles(x, n, 1);
        scanDoubles(x, reference, n);
        runDoubles(x, y, reference, n);
    } else {
        unsigned int *bits = x, *partition = newArray(n, sizeof *partition);

#pragma omp parallel for
        for (size_t i = 0; i < n; i++)
            bits[i] = (unsigned int)(randomBits(1, i) >> 32);
        runIntegers(x, y, reference, partition, n, scanIntegers(x, reference, partition, n));
    }
    return harnessFinish();
}
