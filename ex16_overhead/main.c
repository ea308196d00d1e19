/* TASK     What a launch, a copy between host and device, and an operation cost: what is measured,
 *          how often, and what proves it.
 * TRAFFIC  4 bytes per float over the link, where something is copied or read.
 * LIMIT    latency for small things; the link and the multiprocessors for large ones. */
#include "measure.h"
#include "overhead.h"
#include "harness.h"
#include "series.h"
#include "plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    COUNT = 1000, /* launches of a row */
    EMULATED_COUNT = 20,
    CHAIN_STEPS = 1000000,
    EMULATED_CHAIN_STEPS = 1000,
    STEPS = 8192, /* of the chains of instructions */
    EMULATED_STEPS = 16,
    /* threads of a block with a warp for each of a multiprocessor's schedulers */
    WARP_ON_EACH_SCHEDULER = 128,
};

static const char *sweep, *plotFile;

static const struct course_option options[] = {
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "grid,bytes,chains",
     "rows over blocks and threads, sizes of a copy, or independent operations"},
    {"plot", OPTION_WORD | OPTION_ASIDE, &plotFile, 0, 0, NULL,
     "draw the sweep into a file, .svg or .png"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double deviceBytes(size_t size) { return 2.0 * sizeof(float) * (double)size; }

static double hostBytes(size_t size) { return 6.0 * sizeof(float) * (double)size; }

static const struct exercise exercise = {
    .name = "ex16_overhead",
    .title = "what launches, copies and operations cost",
    .unit = "floats of a copy",
    .size = (size_t)1 << 26,
    .emulatedSize = 10007,
    .quickSize = (size_t)1 << 22,
    .checkSize = (size_t)1 << 24,
    .minSize = 4,
    .gridsFold = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* Host arrays of the present size, in pageable memory; and page-locked ones, once for all rows that
 * need them. */
static struct {
    float *x, *y, *z, *lockedX, *lockedY, *lockedZ, *want;
    size_t room;
} host;

static float *newHostArray(size_t n) { return newArray(n, sizeof(float)); }

/* Page-locked arrays for the rows that need them; 0 while the template cannot allocate any. */
static int lockArrays(void)
{
#ifndef COURSE_CPU_ONLY
    if (host.lockedX != NULL)
        return 1;
    host.lockedX = newPageLocked(host.room);
    host.lockedY = newPageLocked(host.room);
    host.lockedZ = newPageLocked(host.room);
#endif
    if (host.lockedX == NULL || host.lockedY == NULL || host.lockedZ == NULL)
        return 0;
#pragma omp parallel for
    for (size_t i = 0; i < host.room; i++)
        host.lockedX[i] = host.x[i];
    return 1;
}

static void freeLockedArrays(void)
{
#ifndef COURSE_CPU_ONLY
    freePageLocked(host.lockedX);
    freePageLocked(host.lockedY);
    freePageLocked(host.lockedZ);
#endif
    host.lockedX = host.lockedY = host.lockedZ = NULL;
}

/* As many threads as the device can hold at a time. */
static size_t allThreads(void)
{
    return harnessEmulated() ? 1000
                             : (size_t)multiprocessors() * (size_t)threadsPerMultiprocessor();
}

/* One operation of a chain, as the host does it. */
static double operate(enum operation operation, double x)
{
    switch (operation) {
    case ADD: return (float)x + 0.001f;
    case MULTIPLY_ADD: return fmaf((float)x, 0.999f, 0.001f);
    case DIVIDE: return 1.5f / (float)x;
    case SQUARE_ROOT: return sqrtf((float)x);
    case FAST_SINE:
    case SINE: return 1.0f - sinf((float)x);
    case DOUBLE_MULTIPLY_ADD: return fma(x, 0.999, 0.001);
    default: return (unsigned)x * (unsigned)x + 1u;
    }
}

/* The end of the chain that begins at each of the first STARTS elements of x. */
static void endsOfChains(const struct work *w, enum operation operation, float *ends)
{
#pragma omp parallel for
    for (int j = 0; j < STARTS; j++) {
        double x = operation == INTEGER_MULTIPLY_ADD ? (unsigned)(w->x[j] * 65536.0f) : w->x[j];

        for (int s = 0; s < w->steps; s++)
            x = operate(operation, x);
        ends[j] =
            operation == INTEGER_MULTIPLY_ADD ? (float)((unsigned)x >> 8) * 0x1p-24f : (float)x;
    }
}

/* The expected y. */
static void reference(const struct variant *v, const struct work *w, float *want)
{
    float ends[STARTS];

    if (v->traits & INSTRUCTIONS)
        endsOfChains(w, (enum operation)NUMBER_OF(v->traits), ends);
#pragma omp parallel for
    for (size_t i = 0; i < w->n; i++) {
        want[i] = v->traits & LAUNCHES ? (float)i : w->x[i];
        if (v->traits & READS_TWICE)
            want[i] += w->x[w->n - 1 - i];
        for (int s = 0; (v->traits & CHAINS) && s < w->steps; s++)
            want[i] = LOGISTIC_STEP(want[i]);
        if (v->traits & INSTRUCTIONS)
            want[i] = 0.0f;
        for (int k = 0; (v->traits & INSTRUCTIONS) && k < w->independent; k++)
            want[i] += ends[(i + (size_t)k) % STARTS];
    }
}

/* Two operations each. */
static int isMultiplyAdd(int number)
{
    return number == MULTIPLY_ADD || number == DOUBLE_MULTIPLY_ADD ||
           number == INTEGER_MULTIPLY_ADD;
}

/* The row's kind and its work: `n` floats for copies and reads. */
static struct work workOf(const struct variant *v, size_t n, int independent)
{
    const int number = NUMBER_OF(v->traits);
    struct work w = {.n = n, .independent = independent};
    double flops = 0.0, bytes = sizeof(float) * (double)n;

    if (v->traits & (LAUNCHES | CHAINS | INSTRUCTIONS))
        bytes = 0.0;
    if (v->traits & LAUNCHES)
        w.n = number > 0 ? (size_t)number : harnessEmulated() ? EMULATED_COUNT : COUNT;
    if (v->traits & CHAINS) {
        w.n = (size_t)number;
        w.steps = harnessEmulated() ? EMULATED_CHAIN_STEPS : CHAIN_STEPS;
        flops = 3.0 * w.steps * (double)w.n;
    }
    if (v->traits & INSTRUCTIONS) {
        w.n = independent > 0 ? (size_t)multiprocessors() * WARP_ON_EACH_SCHEDULER : allThreads();
        w.n = harnessEmulated() && w.n > 1000 ? 1000 : w.n;
        w.independent = independent > 0 ? independent : MOST_CHAINS;
        w.steps = harnessEmulated() ? EMULATED_STEPS : STEPS;
        flops = (isMultiplyAdd(number) ? 2.0 : 1.0) * w.steps * w.independent * (double)w.n;
    }
    harnessWork(v->traits & BOTH_WAYS ? 2.0 * bytes : bytes, flops, w.n);
    return w;
}

/* The rate of the link that the row is compared with; 0 if it copies nothing. */
static double linkOf(const struct variant *v)
{
    if (v->traits & BOTH_WAYS)
        return harnessLinkRate(BOTH_WAYS_AT_ONCE);
    if (v->traits & TIMED)
        return 0.0; /* a kernel alone */
    if (v->traits & (COPIES | READS | READS_TWICE))
        return harnessLinkRate(v->traits & FROM_THE_DEVICE ? FROM_DEVICE : TO_DEVICE);
    return 0.0;
}

/* A line on what one of them cost. */
static void stateCost(const struct variant *v, const struct work *w, int independent)
{
    const double seconds = rowSeconds(), clock = clockRate();

    if (rowVerdict() != EXIT_PASS || seconds <= 0.0 || harnessEmulated())
        return;
    if ((v->traits & LAUNCHES) && w->n > 1)
        harnessRemark("%.2f us each", 1e6 * seconds / (double)w->n);
    else if (v->traits & CHAINS)
        harnessRemark("%.2f ns a step of every chain", 1e9 * seconds / w->steps);
    else if ((v->traits & INSTRUCTIONS) && clock > 0.0 && independent > 0)
        harnessRemark("%.1f cycles each", seconds * clock / ((double)w->steps * w->independent));
    else if ((v->traits & INSTRUCTIONS) && clock > 0.0)
        harnessRemark("%.1f results a cycle and multiprocessor", (double)w->n * w->steps *
                                                                     w->independent / seconds /
                                                                     clock / multiprocessors());
}

static struct {
    double seconds;
    long steps;
} byEvents;

void secondsBetween(const void *begin, const void *end, double seconds)
{
    byEvents.seconds = seconds;
    byEvents.steps = harnessStepsBetween(begin, end);
}

/* The variant's own measurement must agree with MEASURE. The emulated device's clock is that of a
 * busy host, which only shows whether the kernel was between the two events. An event itself takes
 * a few microseconds, and a kernel that is launched alone is not hidden behind the one before it.
 * Somebody else at work on the same GPU can make one of the two half as long again; who forgets to
 * wait, or times the copies, too, is further off than three times. */
static void verifySeconds(void)
{
    const double seconds = byEvents.seconds;
    const double least = rowSeconds() / (harnessEmulated() ? 100.0 : 3.0);
    const double most = harnessEmulated() ? HUGE_VAL : 3.0 * rowSeconds() + 10e-6;

    verifyThat(seconds > least && seconds < most,
               "by events: %.2f us, but MEASURE finds that the kernel takes %.2f us", 1e6 * seconds,
               1e6 * rowSeconds());
    verifyThat(!harnessEmulated() || byEvents.steps == 1,
               "by events: %ld kernels and copies lie between the two, not just the kernel",
               byEvents.steps);
    if (!harnessEmulated())
        harnessRemark("by events: %.2f us", 1e6 * seconds);
}

/* The results say nothing of when the host has waited, and of what went on at the same time; the
 * emulated device does. */
static void verifyOrder(const struct variant *v, const struct work *w)
{
    if (v->traits & WAITS)
        verifyThat(rowWaits() >= (double)w->n,
                   "the host waits for %.0f of %zu launches before it goes on", rowWaits(), w->n);
    if ((v->traits & COPIES) && (v->traits & PAGE_LOCKED))
        verifyThat(rowWaits() >= 1.0, "the host does not wait for the copy: what is put into a "
                                      "stream must be waited for, in that stream");
    if (v->traits & BOTH_WAYS)
        verifyThat(rowBytesRead() >= sizeof(float) * (double)w->n,
                   "z is right, but was not copied from the device");
    if (v->traits & BOTH_WAYS)
        verifyThat(
            rowSteps() <= 1.0,
            "the two copies take %.0f steps, one after the other: each must be in a stream of "
            "its own, and none be waited for before both have begun",
            rowSteps());
}

static struct tolerance toleranceOf(const struct variant *v)
{
    const struct tolerance exact = {0.0, 0.0}, approximate = {1e-4, 0.0};
    const int number = NUMBER_OF(v->traits);

    /* The sines differ from the host's in the last bits, __sinf() in more; each step makes earlier
     * errors smaller. */
    return (v->traits & INSTRUCTIONS) && (number == FAST_SINE || number == SINE) ? approximate
                                                                                 : exact;
}

/* The row of a variant with n floats; in the sweep over chains `independent` of them in a thread,
 * otherwise 0. */
static void runVariant(const struct variant *v, size_t n, int independent)
{
    struct work w = workOf(v, n, independent);

    if ((v->traits & PAGE_LOCKED) &&
        (!lockArrays() || !verifyPageLocked("newPageLocked()", host.lockedX)))
        return;
    w.x = v->traits & PAGE_LOCKED ? host.lockedX : host.x;
    w.y = v->traits & PAGE_LOCKED ? host.lockedY : host.y;
    w.z = v->traits & PAGE_LOCKED ? host.lockedZ : host.z;
    byEvents.seconds = -1.0;
    reference(v, &w, host.want);
    poison(w.y, w.n * sizeof *w.y);
    poison(w.z, w.n * sizeof *w.z);
    v->run(&w);
    verifyFloats("y", w.y, host.want, w.n, toleranceOf(v));
    if (v->traits & BOTH_WAYS)
        verifyFloats("z", w.z, host.want, w.n, toleranceOf(v));
    if (harnessEmulated() && rowVerdict() == EXIT_PASS)
        verifyOrder(v, &w);
    if ((v->traits & TIMED) && rowVerdict() == EXIT_PASS)
        verifySeconds();
    stateCost(v, &w, independent);
    if (harnessEmulated()) /* it finds what a row leaves */
        freeLockedArrays();
}

/* Times over the number of blocks, and the line through them. */
static void sweepGrid(void)
{
    static const int threads[] = {32, 256, 1024};
    const size_t most = harnessEmulated() ? 64 : (size_t)1 << 20;
    char curve[32];

    harnessVariant("empty kernel");
    for (int k = 0; k < 3; k++) {
        struct fit fit = {0};

        for (size_t blocks = 1; blocks <= most; blocks *= 4) {
            harnessLaunch(threads[k], blocks);
            harnessParameters("threads=%d blocks=%zu", threads[k], blocks);
            RUN_VARIANTS (v) {
                runVariant(v, 1, 0);
                if (rowVerdict() != EXIT_PASS || harnessEmulated())
                    continue;
                fitPoint(&fit, (double)blocks, rowSeconds());
                snprintf(curve, sizeof curve, "%d threads", threads[k]);
                plotPoint(curve, (double)blocks, 1e6 * rowSeconds());
            }
        }
        if (fitLine(&fit))
            harnessNote("%d threads: %.2f us + %.2f ns per block, largest residual %.0f %%",
                        threads[k], 1e6 * fit.offset, 1e9 * fit.slope, 100.0 * fit.residual);
    }
    plotDraw(plotFile, "set logscale xy\nset xlabel 'blocks'\nset ylabel 'us'");
}

/* Copies of 16 bytes and more, and from how many bytes on half the rate is reached. */
static void sweepBytes(void)
{
    static const char *const names[] = {"to the device, pageable", "to the device, page-locked",
                                        "from the device, pageable",
                                        "from the device, page-locked"};

    for (int k = 0; k < 4; k++) {
        struct half half = {0};

        harnessVariant(names[k]);
        for (size_t n = 4; n <= harnessSize(); n *= 4) {
            harnessParameters("bytes=%zu", n * sizeof(float));
            RUN_VARIANTS (v) {
                const double bytes = sizeof(float) * (double)n;

                harnessLimit(linkOf(v));
                runVariant(v, n, 0);
                if (rowVerdict() != EXIT_PASS || harnessEmulated())
                    continue;
                halfPoint(&half, bytes, bytes / rowSeconds());
                plotPoint(names[k], bytes, 1e-9 * bytes / rowSeconds());
            }
        }
        if (half.count > 1)
            harnessNote("%s: half of %.1f GB/s is reached with %.3g kB", names[k],
                        1e-9 * halfRate(&half), 1e-3 * halfBytes(&half));
    }
    plotDraw(plotFile, "set logscale x\nset xlabel 'bytes'\nset ylabel 'GB/s'");
}

/* 1, 2 and 4 independent chains in a thread, with one warp for each scheduler: what latency is, and
 * how it is hidden. */
static void sweepChains(void)
{
    harnessVariant("all threads");
    for (int independent = 1; independent <= MOST_CHAINS; independent *= 2) {
        harnessLaunch(WARP_ON_EACH_SCHEDULER, 0);
        harnessParameters("chains=%d", independent);
        RUN_VARIANTS (v)
            runVariant(v, 1, independent);
    }
}

static void runAll(void)
{
    RUN_VARIANTS (v) {
        harnessLimit(linkOf(v));
        runVariant(v, harnessSize(), 0);
    }
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    plotCheck(plotFile);
    host.room = harnessSize() > COUNT + STARTS ? harnessSize() : COUNT + STARTS;
    if (host.room < allThreads())
        host.room = allThreads();
    host.x = newHostArray(host.room);
    host.y = newHostArray(host.room);
    host.z = newHostArray(host.room);
    host.want = newHostArray(host.room);
#pragma omp parallel for
    for (size_t i = 0; i < host.room; i++)
        host.x[i] = (float)randomUniform(1, i, 0.25, 0.75);
    if (sweep == NULL)
        runAll();
    else if (strcmp(sweep, "grid") == 0)
        sweepGrid();
    else if (strcmp(sweep, "bytes") == 0)
        sweepBytes();
    else
        sweepChains();
    freeLockedArrays();
    return harnessFinish();
}
