/* TASK     c = a b for many pairs of n x n matrices, n <= 32: the problem, its inputs, its
 *          reference, and the sweep over n.
 * TRAFFIC  12 n^2 bytes a pair: a and b read once, c written once.
 * LIMIT    memory bandwidth, if shared memory keeps up: 2 n^3 operations a pair, n / 6 per byte. */
#include "measure.h"
#include "small_mmm.h"
#include "harness.h"
#include <float.h>
#include <stdint.h>

static long n = 16, count = -1; /* count -1: as many matrices as --size elements fill */
static int sweep;
static float *a, *b, *c, *reference;

/* --size counts the elements of each of a, b and c, and is rounded up to whole matrices. */
static size_t matrices(size_t size)
{
    const size_t nn = (size_t)(n * n);

    return count >= 0 ? (size_t)count : (size + nn - 1) / nn;
}

/* Elements that each array needs room for: the sweep's largest matrices need most. */
static size_t room(size_t size)
{
    const size_t nn = (size_t)(sweep ? MAX_N * MAX_N : n * n);

    return count >= 0 ? (size_t)count * nn : size + nn - 1;
}

static size_t sizeOfCount(void) { return count >= 0 ? room(0) : SIZE_MAX; }

static double deviceBytes(size_t size) { return 3.0 * sizeof(float) * (double)room(size); }

static double hostBytes(size_t size) { return 4.0 * sizeof(float) * (double)room(size); }

static const struct course_option options[] = {
    {"n", OPTION_INTEGER, &n, 1, MAX_N, NULL, "rows and columns of each matrix (16)"},
    {"count", OPTION_INTEGER, &count, 0, 1e15, NULL, "pairs of matrices, instead of --size"},
    {"sweep", OPTION_FLAG | OPTION_ASIDE, &sweep, 0, 0, NULL, "every n from 1 to 32"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static const struct exercise exercise = {
    .name = "ex11_small_mmm",
    .title = "c = a b for many n x n matrices",
    .unit = "elements a side",
    .size = (size_t)1 << 28,
    .emulatedSize = 10000,
    .quickSize = (size_t)1 << 22,
    .checkSize = (size_t)1 << 24,
    .minSize = 0,
    .sizeByOptions = sizeOfCount,
    .gridsFold = 1,
    .special = ZEROS | TINY | INFINITIES | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static void multiplyInDouble(size_t m)
{
    const float *am = a + m * (size_t)(n * n), *bm = b + m * (size_t)(n * n);

    for (long u = 0; u < n; u++)
        for (long v = 0; v < n; v++) {
            double sum = 0.0;

            for (long k = 0; k < n; k++)
                sum += (double)am[u * n + k] * (double)bm[k * n + v];
            reference[((long)m * n + u) * n + v] = (float)sum;
        }
}

/* A sum of n products in any order is off by at most n u times the sum of their magnitudes (Higham,
 * Accuracy and Stability of Numerical Algorithms, section 3.1), u = FLT_EPSILON / 2, which for
 * inputs in [-1, 1) is n u n; the reference is rounded once more. */
static struct tolerance roundingError(void)
{
    const struct tolerance t = {0.5 * FLT_EPSILON * (double)(n * n), 0.5 * FLT_EPSILON};

    return t;
}

static void runAll(void)
{
    const size_t all = matrices(harnessSize());
    const size_t total = all * (size_t)(n * n);

#pragma omp parallel for
    for (size_t m = 0; m < all; m++)
        multiplyInDouble(m);
    harnessWork(3.0 * sizeof(float) * (double)total, 2.0 * (double)n * (double)total, total);
    harnessParameters("n=%ld", n);
    RUN_VARIANTS (v) {
        poison(c, total * sizeof *c);
        v->run(a, b, c, (int)n, all);
        verifyFloats2D("c", c, reference, (size_t)n, all * (size_t)n, roundingError());
        if ((v->traits & WITHOUT_CONFLICTS) && n >= 8 && (n & (n - 1)) == 0)
            verifyNoBankConflicts();
    }
}

int main(int argc, char **argv)
{
    size_t all;

    harnessStart(&exercise, argc, argv);
    all = room(harnessSize());
    a = newArray(all, sizeof *a);
    b = newArray(all, sizeof *b);
    c = newArray(all, sizeof *c);
    reference = newArray(all, sizeof *reference);
    randomFloats(a, all, 1);
    randomFloats(b, all, 2);

    if (sweep)
        for (n = 1; n <= MAX_N; n++)
            runAll();
    else
        runAll();
    return harnessFinish();
}
