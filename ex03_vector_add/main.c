/* TASK     c[i] = a[i] + b[i], n floats: the problem, its inputs, its reference, and the sweep over
 *          execution configurations.
 * TRAFFIC  12 n bytes: a and b read, c written.
 * LIMIT    memory bandwidth: one addition per 12 bytes. */
#include "measure.h"
#include "vector_add.h"
#include "harness.h"

static size_t n;
static float *a, *b, *c, *reference;

static double deviceBytes(size_t size)
{
    return 3.0 * sizeof(float) * (double)size;
}

static double hostBytes(size_t size)
{
    return 4.0 * sizeof(float) * (double)size;
}

static int sweep;

static const struct course_option options[] = {
    {"sweep", OPTION_FLAG, &sweep, 0, 0, NULL, "every block size with every grid size"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static const struct exercise exercise = {
    .name = "ex03_vector_add",
    .title = "c[i] = a[i] + b[i]",
    .unit = "elements",
    .size = (size_t)1 << 28,
    .emulatedSize = 100003,
    .quickSize = (size_t)1 << 24,
    .leastSize = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static void runAll(void)
{
    /* One float addition rounds the same everywhere: the results must agree exactly. */
    const struct tolerance exact = {0.0, 0.0};

    RUN_VARIANTS (v) {
        poison(c, n * sizeof *c);
        v->run(a, b, c, n);
        verifyFloats("c", c, reference, n, exact);
    }
}

/* Every block size from 32 to 1024; for the grid-stride loop, whose grid is free, with grids of 1,
 * #multiprocessors, 2 #multiprocessors, ... blocks up to one element per thread. */
static void runSweep(void)
{
    harnessOnly(ON_DEVICE);
    for (int block = 32; block <= 1024; block *= 2) {
        const size_t all = (n + (size_t)block - 1) / (size_t)block;
        size_t grid = 1;

        harnessVariant("grid-stride loop");
        for (;;) {
            harnessLaunch(block, grid);
            harnessParameters("block=%d grid=%zu", block, grid);
            runAll();
            if (grid == all)
                break;
            grid = grid == 1 ? (size_t)multiprocessors() : 2 * grid;
            grid = grid < all ? grid : all;
        }
        harnessLaunch(block, 0);
        harnessParameters("block=%d", block);
        harnessVariant("one element per thread");
        runAll();
        harnessVariant("float4, two in flight");
        runAll();
    }
    harnessBest();
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    a = newArray(n, sizeof *a);
    b = newArray(n, sizeof *b);
    c = newArray(n, sizeof *c);
    reference = newArray(n, sizeof *reference);
    randomFloats(a, n, 1);
    randomFloats(b, n, 2);
    for (size_t i = 0; i < n; i++)
        reference[i] = a[i] + b[i];

    harnessWork(deviceBytes(n), (double)n, n);
    if (sweep)
        runSweep();
    else
        runAll();
    return harnessFinish();
}
