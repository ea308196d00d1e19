/* TASK     c[i] = a[i] * b, n floats, by OpenACC: the problem, its reference, and how many copies each
 *          variant may make.
 * TRAFFIC  8 n bytes: a read, c written; up to 16 n more between host and device.
 * LIMIT    the link between host and device, unless the arrays stay on the device. */
#include "measure.h"
#include "vector_scale.h"
#include "harness.h"
#ifndef COURSE_CPU_ONLY
#include "acc_copies.h"
#endif
#include <string.h>

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
    .leastSize = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
};

#ifndef COURSE_CPU_ONLY
/* The copies of arrays that each variant makes, there and back: once for the whole call, and again for
 * every run of the loop. */
static const struct {
    const char *variant;
    long toDeviceOnce, toHostOnce, toDevice, toHost;
} expected[] = {
    {"parallel loop, copy", 0, 0, 2, 2},  {"copyin and copyout", 0, 0, 1, 1},
    {"inside a data region", 1, 1, 0, 0}, {"data region, workers chosen", 1, 1, 0, 0},
    {"async, four parts", 0, 0, 4, 4},
};

/* Arrays under 1 KiB are not counted, so there is nothing to say about short vectors. */
enum { LEAST_COUNTED = 4 * 256 };

static void checkCopies(const char *variant, size_t n)
{
    const struct acc_copies made = accCopies(), reported = accCopiesReported();
    const long runs = measureRuns();

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const long up = expected[i].toDeviceOnce + runs * expected[i].toDevice;
        const long down = expected[i].toHostOnce + runs * expected[i].toHost;

        if (strcmp(variant, expected[i].variant) != 0 || n < LEAST_COUNTED ||
            rowVerdict() == EXIT_UNFILLED)
            continue;
        harnessRemark("%ld + %ld copies a run, %ld + %ld a call", expected[i].toDevice,
                      expected[i].toHost, expected[i].toDeviceOnce, expected[i].toHostOnce);
        if (made.toDevice >= 0)
            verifyThat(made.toDevice == up && made.toHost == down,
                       "%ld copies to the device and %ld back in %ld runs, where %ld and %ld do",
                       made.toDevice, made.toHost, runs, up, down);
        if (reported.toDevice > 0)
            harnessRemark("the runtime reports %ld copies there, %ld back in %ld runs",
                          reported.toDevice, reported.toHost, runs);
    }
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
        checkCopies(v->name, n);
#endif
    }
#ifndef COURSE_CPU_ONLY
    reportDevice();
#endif
    return harnessFinish();
}
