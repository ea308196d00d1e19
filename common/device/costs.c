/* TASK     the costs of a device before any exercise: launches over the number of blocks, copies
 *          between host and device and on the device over their size, atomic additions over the
 *          number of addresses.
 * TRAFFIC  the bytes of a transfer; twice the bytes of a copy on the device.
 * LIMIT    the host for launches, the bus for transfers, memory or L2 for copies, one address for
 *          atomics. */
#define ANY_ROWS /* nothing is expected of its table */
#include "costs.h"
#include "linear_fit.h"
#include "harness.h"
#include "measure.h"

enum { POINTS = 64 };

size_t additions;

static double deviceBytes(size_t size)
{
    /* two arrays of the largest copy, four times the largest transfer */
    return 8.0 * (double)size + 1e6;
}

static double hostBytes(size_t size) { return 2.0 * (double)size; }

static const struct exercise exercise = {
    .name = "device",
    .title = "launches, transfers, copies and atomics",
    .unit = "bytes in the largest transfer",
    .size = (size_t)1 << 28,
    .emulatedSize = 1 << 12,
    .quickSize = (size_t)1 << 24,
    .minSize = 1 << 12,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
};

/* The seconds of the rows of one variant, over their sizes. */
struct curve {
    double x[POINTS], seconds[POINTS];
    size_t count;
};

/* Runs the variants with `name` in their names at one size, and adds the last one's time to the
 * curve. */
static void runAt(const char *name, size_t size, struct curve *curve)
{
    double seconds = 0.0;

    harnessVariant(name);
    RUN_VARIANTS (v) {
        v->run(size);
        seconds = rowSeconds();
    }
    if (seconds > 0.0 && curve->count < POINTS) {
        curve->x[curve->count] = (double)size;
        curve->seconds[curve->count++] = seconds;
    }
}

/* An almost empty kernel, with 1, 4, 16, ... blocks. */
static void runLaunches(const char *name, const char *what)
{
    const size_t most = harnessEmulated() ? 64 : maxGrid() < 65536 ? maxGrid() : 65536;
    struct curve curve = {0};

    harnessLimit(0.0);
    for (size_t blocks = 1; blocks <= most; blocks *= 4) {
        harnessParameters("blocks=%zu", blocks);
        harnessWork(0.0, 0.0, blocks);
        runAt(name, blocks, &curve);
    }
    if (curve.count >= 3 && !harnessEmulated()) {
        const struct line line = lineThrough(curve.x, curve.seconds, curve.count);

        harnessNote("%s: %.2f us + %.3g ns per block, within %.0f %% (root mean square)", what,
                    line.a * 1e6, line.b * 1e9, 100.0 * line.residual);
    }
}

/* Copies between host and device of 1 KiB, 4 KiB, ... */
static void runTransfers(void)
{
    struct curve curve = {0};

    harnessLimit(0.0);
    for (size_t bytes = 1024; bytes <= harnessSize(); bytes *= 4) {
        harnessParameters("bytes=%zu", bytes);
        harnessWork((double)bytes, 0.0, bytes);
        runAt("the device,", bytes, &curve);
    }
}

/* Copies on the device, small enough for L2 first. */
static void runCopies(void)
{
    const double limit = harnessCopyRate();
    struct curve curve = {0};
    double inCache = 0.0;

    harnessLimit(limit);
    for (size_t bytes = harnessEmulated() ? 4096 : 65536; bytes <= 4 * harnessSize(); bytes *= 2) {
        harnessParameters("bytes=%zu", bytes);
        harnessWork(2.0 * (double)bytes, 0.0, bytes);
        runAt("copy", bytes, &curve);
    }
    for (size_t i = 0; i < curve.count; i++)
        if (2.0 * curve.x[i] / curve.seconds[i] > 1.1 * limit)
            inCache = 2.0 * curve.x[i];
    if (inCache > 0.0 && !harnessEmulated())
        harnessNote("copy: faster than the limit up to %.0f MB read and written: they stay in L2",
                    inCache * 1e-6);
}

/* Additions that all hit one address, then 32, ..., then each its own. */
static void runAtomics(void)
{
    const size_t last = harnessEmulated() ? 1024 : harnessSize() < (1 << 26) ? 1 << 20 : 1 << 24;
    struct curve curve = {0};

    additions = last;
    harnessLimit(0.0);
    harnessWork(0.0, 0.0, additions);
    for (size_t addresses = 1; addresses <= last; addresses *= 32) {
        harnessParameters("addresses=%zu", addresses);
        runAt("atomic", addresses, &curve);
        if (32 * addresses > last && addresses < last)
            addresses = last / 32; /* and the last one */
    }
    if (curve.count > 1 && !harnessEmulated())
        harnessNote("atomics: %.3g additions per second to one address, %.3g to one each",
                    (double)additions / curve.seconds[0],
                    (double)additions / curve.seconds[curve.count - 1]);
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    runLaunches("launch: back", "launches back to back");
    runLaunches("launch: wait", "launches that the host waits for");
    runTransfers();
    runCopies();
    runAtomics();
    return harnessFinish();
}
