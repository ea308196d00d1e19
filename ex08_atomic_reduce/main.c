/* TASK     the scalar product of two vectors by atomic additions: the problem, its inputs, its
 *          reference, and the sweep over the number of threads that contend.
 * TRAFFIC  16 n bytes: x and y read.
 * LIMIT    memory bandwidth: two floating-point operations per 16 bytes. */
#include "measure.h"
#include "atomic_reduce.h"
#include "harness.h"
#include <float.h>
#include <limits.h>
#include <math.h>

/* Where atomic additions are compare-and-swap, every term of a long vector would take minutes. */
enum { EVERY_TERM_MOST = 1 << 20 };

static int sweep;
static size_t n;
static double *x, *y, reference, firstReference; /* firstReference: of EVERY_TERM_MOST terms */

static double inputBytes(size_t size) { return 2.0 * sizeof(double) * (double)size; }

static const struct course_option options[] = {
    {"sweep", OPTION_FLAG | OPTION_ASIDE, &sweep, 0, 0, NULL, "from 32 to 65536 threads"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static const struct exercise exercise = {
    .name = "ex08_atomic_reduce",
    .title = "sum of x[i] * y[i] with atomic additions",
    .unit = "elements",
    .size = (size_t)1 << 26,
    .emulatedSize = 20011,
    .quickSize = (size_t)1 << 20,
    .checkSize = (size_t)1 << 24,
    .minSize = 0,
    .maxSize = INT_MAX, /* cuBLAS counts in int */
    .special = NANS,
    .deviceBytes = inputBytes,
    .hostBytes = inputBytes,
    .options = options,
};

/* All terms may go into one sum, in any order. A sum of k terms of either sign is about sqrt(k) /
 * 3, and each addition is off by up to half a unit in the last place of it, up or down. */
static struct tolerance toleranceFor(size_t count)
{
    const double m = (double)count;
    const struct tolerance tolerance = {DBL_EPSILON * (8.0 * sqrt(m) + m / 3.0), 4.0 * DBL_EPSILON};

    return tolerance;
}

static void runAll(void)
{
    RUN_VARIANTS (v) {
        const int isShort = (v->traits & PART_OF_SIZE) && n > EVERY_TERM_MOST;
        const size_t m = isShort ? EVERY_TERM_MOST : n;
        double sum;

        harnessWork(inputBytes(m), 2.0 * (double)m, m);
        if (isShort)
            harnessRemark("(the first %zu elements only)", m);
        poison(&sum, sizeof sum);
        v->run(x, y, &sum, m);
        verifyDoubles("sum", &sum, isShort ? &firstReference : &reference, 1, toleranceFor(m));
        if (v->traits & BY_SWAPPING)
            verifyThat(!rowHasAtomicsButNoSwap(),
                       "no atomicCAS() has run: this row is to add by add<method>(), which then "
                       "calls addBySwapping()");
    }
}

static void runSweep(void)
{
    const int most = harnessEmulated() ? 1024 : 65536;

    harnessOnly(ON_DEVICE);
    for (int threads = 32; threads <= most; threads *= 2) {
        const int block = threads < 256 ? threads : 256;

        harnessLaunch(block, (size_t)(threads / block));
        harnessParameters("threads=%d", threads);
        runAll();
    }
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    x = newArray(n, sizeof *x);
    y = newArray(n, sizeof *y);
    randomDoubles(x, n, 1);
    randomDoubles(y, n, 2);
    reference = dotOfDoubles(x, y, n);
    firstReference = dotOfDoubles(x, y, n < EVERY_TERM_MOST ? n : EVERY_TERM_MOST);

    if (sweep)
        runSweep();
    else
        runAll();
    return harnessFinish();
}
