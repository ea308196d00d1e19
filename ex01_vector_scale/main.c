/* TASK     c[i] = a[i] * b, n floats: the problem, its inputs and its reference.
 * TRAFFIC  8 n bytes: a read, c written.
 * LIMIT    memory bandwidth: one multiplication per 8 bytes. */
#include "measure.h"
#include "vector_scale.h"
#include "harness.h"

/* One thread takes a second for so many elements that all threads take a millisecond. */
enum { ONE_THREAD_MOST = 1 << 20 };

static double deviceBytes(size_t size)
{
    return 2.0 * sizeof(float) * (double)size;
}

static double hostBytes(size_t size)
{
    return 3.0 * sizeof(float) * (double)size;
}

static const struct exercise exercise = {
    .name = "ex01_vector_scale",
    .title = "c[i] = a[i] * b",
    .unit = "elements",
    .size = (size_t)1 << 28,
    .emulatedSize = 100003,
    .quickSize = (size_t)1 << 24,
    .leastSize = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
};

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

    RUN_VARIANTS (v) {
        const int isSlow = (v->traits & PART_OF_SIZE) && n > ONE_THREAD_MOST;
        const size_t m = isSlow ? ONE_THREAD_MOST : n;

        harnessWork(deviceBytes(m), (double)m, m);
        if (isSlow)
            harnessRemark("(the first %zu elements only)", m);
        poison(c, m * sizeof *c);
        v->run(a, b, c, m);
        verifyFloats("c", c, reference, m, exact);
    }
    return harnessFinish();
}
