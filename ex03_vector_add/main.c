/* TASK     c[i] = a[i] + b[i], n floats: the problem, its inputs, its reference, and the sweep over
 *          execution configurations.
 * TRAFFIC  12 n bytes: a and b read, c written.
 * LIMIT    memory bandwidth: one addition per 12 bytes. */
#include "cuda_utils.h"
#include "measure.h"
#include "vector_add.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

static const double shortestLaunch = 1e-6; /* s: no device launches a kernel in less */
static const double shortTime = 100e-6;    /* s: what else the variant may do meanwhile */
static const double longKernel = 200e-6;   /* s: far longer than any launch */

static size_t n;
static float *a, *b, *c, *reference;
static struct {
    double launched, finished; /* s; finished < 0: the variant has not timed by hand */
    int left;                  /* what was launched by hand had not been waited for */
    long steps;                /* kernels and copies since timeByHand() */
    Timer timer;
    double around, processor; /* s since then, and of the processor */
} byHand;

static double deviceBytes(size_t size) { return 3.0 * sizeof(float) * (double)size; }

static double hostBytes(size_t size) { return 7.0 * sizeof(float) * (double)size; }

static int sweep;

static const struct course_option options[] = {
    {"sweep", OPTION_FLAG | OPTION_ASIDE, &sweep, 0, 0, NULL,
     "every block size with many grid sizes"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static const struct exercise exercise = {
    .name = "ex03_vector_add",
    .title = "c[i] = a[i] + b[i]",
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

/* The arrays that a variant gets: those of main(), or copies of them in page-locked memory. */
struct host_arrays {
    float *a, *b, *c;
};

#ifndef COURSE_CPU_ONLY
static struct host_arrays lockArrays(void)
{
    const struct host_arrays locked = {newPageLocked(n), newPageLocked(n), newPageLocked(n)};

    memcpy(locked.a, a, n * sizeof *a);
    memcpy(locked.b, b, n * sizeof *b);
    return locked;
}

static void freeLocked(struct host_arrays locked)
{
    freePageLocked(locked.a);
    freePageLocked(locked.b);
    freePageLocked(locked.c);
}
#endif

static double processorSeconds(void)
{
    struct timespec t = {0, 0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void timeByHand(void)
{
    byHand.steps = harnessSteps();
    byHand.processor = processorSeconds();
    initTimer(&byHand.timer);
}

void timedByHand(double launched, double finished)
{
    byHand.launched = launched;
    byHand.finished = finished;
    byHand.around = getTimer(&byHand.timer);
    byHand.processor = processorSeconds() - byHand.processor;
    byHand.steps = harnessSteps() - byHand.steps;
    byHand.left = harnessWorkIsLeft();
}

/* The two times of a variant that has timed a launch by hand, against each other and against
 * MEASURE's. */
static void judgeByHand(void)
{
    const double seconds = rowSeconds();

    if (byHand.finished < 0.0 || rowVerdict() != EXIT_PASS)
        return;
    verifyThat(
        byHand.launched >= shortestLaunch,
        "by hand: %.3g us from initTimer() to the first reading: too short for a launch. The "
        "launch stands between them, and the reading is what getTimer() gives, in seconds",
        byHand.launched * 1e6);
    verifyThat(byHand.finished >= byHand.launched,
               "by hand: the kernel cannot have finished before its launch returned");
    verifyThat(!byHand.left,
               "by hand: when the second reading is done, nothing has waited for the kernel yet: "
               "it may still run (cudaDeviceSynchronize)");
    verifyThat(!harnessEmulated() || byHand.steps == 1,
               "by hand: %ld kernels and copies are timed, not just the kernel", byHand.steps);
    /* The processor's time does not go on while another program has the core. */
    verifyThat(byHand.finished <= byHand.around &&
                   byHand.finished >= 0.5 * byHand.processor - shortTime,
               "by hand: %.1f us until the kernel had finished, but by the harness's clock it was "
               "%.1f us: not both readings are the timer's",
               byHand.finished * 1e6, byHand.around * 1e6);
    /* The emulated device runs a kernel within its launch, so the other mistakes do not show
     * there. */
    verifyThat(
        harnessEmulated() || byHand.finished >= 0.5 * seconds,
        "by hand: the kernel finished after %.1f us, but MEASURE finds that it takes %.1f us",
        byHand.finished * 1e6, seconds * 1e6);
    verifyThat(harnessEmulated() || seconds < longKernel || byHand.launched < 0.5 * seconds ||
                   getenv("CUDA_LAUNCH_BLOCKING") != NULL,
               "by hand: the launch returned after %.1f us, which is when the kernel had finished: "
               "read the clock before cudaDeviceSynchronize() too",
               byHand.launched * 1e6);
    harnessRemark("by hand: the launch returned after %.1f us, the kernel finished after %.1f us",
                  byHand.launched * 1e6, byHand.finished * 1e6);
}

static void runVariant(const struct variant *v, struct host_arrays h)
{
    /* One float addition rounds the same everywhere: the results must agree exactly. */
    const struct tolerance exact = {0.0, 0.0};

    byHand.finished = -1.0;
    poison(h.c, n * sizeof *h.c);
    v->run(h.a, h.b, h.c, n);
    verifyFloats("c", h.c, reference, n, exact);
    judgeByHand();
}

static void runAll(void)
{
    const struct host_arrays pageable = {a, b, c};

    RUN_VARIANTS (v) {
#ifndef COURSE_CPU_ONLY
        if (v->traits & PAGE_LOCKED) {
            const struct host_arrays locked = lockArrays();

            runVariant(v, locked);
            freeLocked(locked);
            continue;
        }
#endif
        runVariant(v, pageable);
    }
}

/* Every block size from 32 to 1024; for the grid-stride loop, which may have any grid, with grids
 * of 1, #multiprocessors, 2 #multiprocessors, ... blocks up to one element per thread: all of these
 * for the usual block, every other one for the rest. */
static void runSweep(void)
{
    const int usual = 256;

    harnessOnly(ON_DEVICE);
    for (int block = 32; block <= 1024; block *= 2) {
        const size_t all = (n + (size_t)block - 1) / (size_t)block;
        const size_t factor = block == usual ? 2 : 4;
        size_t grid = 1;

        harnessVariant("grid-stride loop");
        for (;;) {
            harnessLaunch(block, grid);
            harnessParameters("block=%d grid=%zu", block, grid);
            runAll();
            if (grid == all)
                break;
            grid = grid == 1 ? (size_t)multiprocessors() : factor * grid;
            grid = grid < all ? grid : all;
        }
        harnessLaunch(block, 0);
        harnessParameters("block=%d", block);
        harnessVariant("one element per thread");
        runAll();
        harnessVariant("two in flight");
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
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        reference[i] = a[i] + b[i];

    harnessWork(deviceBytes(n), (double)n, n);
    if (sweep)
        runSweep();
    else
        runAll();
    return harnessFinish();
}
