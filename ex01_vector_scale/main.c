/* TASK     c[i] = a[i] * b, n floats: the problem, its inputs and its reference.
 * TRAFFIC  8 n bytes: a read, c written.
 * LIMIT    memory bandwidth: one multiplication per 8 bytes. */
#include "measure.h"
#include "vector_scale.h"
#include "harness.h"
#include <string.h>

/* One thread needs a second for the work that all threads do in a millisecond, so it gets no more
 * than this. */
enum { ONE_THREAD_MOST = 1 << 20 };

static double factor = 1.7;

static const struct course_option options[] = {
    {"factor", OPTION_NUMBER, &factor, -1e6, 1e6, NULL, "what to multiply by (1.7)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double deviceBytes(size_t size) { return 2.0 * sizeof(float) * (double)size; }

static double hostBytes(size_t size) { return 5.0 * sizeof(float) * (double)size; }

static const struct exercise exercise = {
    .name = "ex01_vector_scale",
    .title = "c[i] = a[i] * b",
    .unit = "elements",
    .size = (size_t)1 << 28,
    .emulatedSize = 100003,
    .quickSize = (size_t)1 << 24,
    .checkSize = (size_t)1 << 25,
    .minSize = 1,
    .special = ZEROS | TINY | INFINITIES | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* Runs the variant with m elements of these arrays, and verifies what it has computed. */
static void runVariant(const struct variant *v, const float *a, float *c, const float *reference,
                       size_t m)
{
    /* One float multiplication rounds the same everywhere: the results must agree exactly. */
    const struct tolerance exact = {0.0, 0.0};

    poison(c, m * sizeof *c);
    v->run(a, (float)factor, c, m);
    verifyFloats("c", c, reference, m, exact);
    if (v->traits & ONE_THREAD)
        verifyThat(rowThreads() <= 1.0,
                   "%.0f threads are launched, and each of them does all of the work: this row is "
                   "about one block of one thread",
                   rowThreads());
}

#ifndef COURSE_CPU_ONLY
/* The same with arrays in page-locked memory; the copy into them is not part of the row's time. */
static void runPageLocked(const struct variant *v, const float *a, const float *reference, size_t m)
{
    float *lockedA = newPageLocked(m), *lockedC = newPageLocked(m);

    if (lockedA != NULL && lockedC != NULL && verifyPageLocked("newPageLocked()", lockedA)) {
        memcpy(lockedA, a, m * sizeof *a);
        runVariant(v, lockedA, lockedC, reference, m);
    }
    freePageLocked(lockedA);
    freePageLocked(lockedC);
}
#endif

int main(int argc, char **argv)
{
    float *a, *c, *reference;
    size_t n;

    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    a = newArray(n, sizeof *a);
    c = newArray(n, sizeof *c);
    reference = newArray(n, sizeof *reference);
    randomFloats(a, n, 1);
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        reference[i] = a[i] * (float)factor;

    RUN_VARIANTS (v) {
        const int isSlow = (v->traits & PART_OF_SIZE) && n > ONE_THREAD_MOST;
        const size_t m = isSlow ? ONE_THREAD_MOST : n;

        harnessWork(deviceBytes(m), (double)m, m);
        if (isSlow)
            harnessRemark("(the first %zu elements only)", m);
#ifndef COURSE_CPU_ONLY
        if (v->traits & PAGE_LOCKED) {
            runPageLocked(v, a, reference, m);
            continue;
        }
#endif
        runVariant(v, a, c, reference, m);
    }
    return harnessFinish();
}
