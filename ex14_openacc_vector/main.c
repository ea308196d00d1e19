/* TASK     c[i] = a[i] * b, n floats, by OpenACC: the problem, its reference, and how many copies
 *          each variant may make.
 * TRAFFIC  8 n bytes: a read, c written; up to 16 n more between host and device.
 * LIMIT    the link between host and device, unless the arrays stay on the device. */
#include "measure.h"
#include "vector_scale.h"
#include "harness.h"
#ifndef COURSE_CPU_ONLY
#include "openacc/acc_copies.h"
#endif

static double deviceBytes(size_t size)
{
    return 2.0 * sizeof(float) * (double)size;
}

static double hostBytes(size_t size)
{
    return 3.0 * sizeof(float) * (double)size;
}

static const struct exercise exercise = {
    .name = "ex14_openacc_vector",
    .title = "c[i] = a[i] * b, by OpenACC",
    .unit = "elements",
#ifdef COURSE_EMULATED
    .size = (size_t)1 << 22, /* on the host */
#else
    .size = (size_t)1 << 28,
#endif
    .emulatedSize = (size_t)1 << 22,
    .quickSize = (size_t)1 << 20,
    .minSize = 1,
    .special = ZEROS | TINY | INFINITIES | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
};

#ifndef COURSE_CPU_ONLY
/* The needs of each variant: copies there and back and loops, once for the call and for every run;
 * parts of an array; queues and arrays for a CUDA kernel. */
static const struct acc_expected expected[] = {
    [COPIES_BOTH_WAYS / EXERCISE_TRAIT] = {0, 0, 2, 2, 0, 1, 1, 0, 0, 0},
    [COPIES_ONE_WAY / EXERCISE_TRAIT] = {0, 0, 1, 1, 0, 1, 1, 0, 0, 0},
    [COPIES_ONCE / EXERCISE_TRAIT] = {1, 1, 0, 0, 0, 1, 1, 0, 0, 0},
    [COPIES_IN_PARTS / EXERCISE_TRAIT] = {0, 0, 4, 4, 0, 4, 4, 2, 0, 0},
    [COPIES_FOR_CUDA / EXERCISE_TRAIT] = {1, 1, 0, 0, 0, 0, 1, 0, 0, 2},
};

/* Arrays under 1 KiB are not counted, so there is nothing to say about short vectors. */
enum { LEAST_COUNTED = 4 * 256 };

static void checkCopies(unsigned traits, const float *a, const float *c, size_t n)
{
    const struct acc_arrays arrays = {a, c, (double)n * sizeof(float)};

    if (traits >= EXERCISE_TRAIT && n >= LEAST_COUNTED && rowVerdict() != EXIT_UNFILLED)
        accVerify(&expected[traits / EXERCISE_TRAIT], measureRuns(), "runs", &arrays);
}

static void reportDevice(void)
{
    int onGpu;
    const char *name = accDevice(&onGpu);

    harnessNote("OpenACC ran on %s.", name);
}
#endif

int main(int argc, char **argv)
{
    /* One float multiplication rounds the same everywhere: the results must agree exactly. */
    const struct tolerance exact = {0.0, 0.0};
    const float b = 1.7f;
    float *a, *c, *reference;
    size_t n;

    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    a = newArray(n, sizeof *a);
    c = newArray(n, sizeof *c);
    reference = newArray(n, sizeof *reference);
    randomFloats(a, n, 1);
    for (size_t i = 0; i < n; i++)
        reference[i] = a[i] * b;

    harnessWork(deviceBytes(n), (double)n, n);
    RUN_VARIANTS (v) {
#ifndef COURSE_CPU_ONLY
        accCopiesReset();
#endif
        poison(c, n * sizeof *c);
        v->run(a, b, c, n);
        verifyFloats("c", c, reference, n, exact);
#ifndef COURSE_CPU_ONLY
        checkCopies(v->traits, a, c, n);
#endif
    }
#ifndef COURSE_CPU_ONLY
    reportDevice();
#endif
    return harnessFinish();
}
