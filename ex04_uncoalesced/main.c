/* TASK     c[i] = a[i] + b[i], n floats, with offsets, strides and regions: the problem, its
 *          inputs, its reference, and the sweeps.
 * TRAFFIC  12 n bytes: a and b read, c written.
 * LIMIT    memory bandwidth: one addition per 12 bytes. */
#include "measure.h"
#include "uncoalesced.h"
#include "harness.h"
#include "plot.h"
#include <stdio.h>
#include <string.h>

static size_t n;
static float *a, *b, *c, *reference;
static struct access access;

static long offset = 1, stride = 2, region = 32;
static const char *offsetOn = "a,b", *sweep, *plotFile;

static const struct course_option options[] = {
    {"offset", OPTION_INTEGER, &offset, 0, 1 << 30, NULL, "elements before the first one (1)"},
    {"offset-on", OPTION_WORD, &offsetOn, 0, 0, NULL, "the arrays that have the offset (a,b)"},
    {"stride", OPTION_INTEGER, &stride, 1, 65535, NULL, "elements from thread to thread (2)"},
    {"region", OPTION_INTEGER, &region, 1, 1 << 24, NULL, "consecutive elements per thread (32)"},
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "offset,stride,region",
     "varies one of them"},
    {"plot", OPTION_WORD | OPTION_ASIDE, &plotFile, 0, 0, NULL,
     "draws the sweep into this .svg or .png file"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* The bytes that must move. An offset, a stride or a region does not change them. */
static double workBytes(size_t size) { return 3.0 * sizeof(float) * (double)size; }

static double deviceBytes(size_t size)
{
    return 3.0 * (double)allocationBytes((size_t)offset, size);
}

static double hostBytes(size_t size) { return 4.0 * sizeof(float) * (double)size; }

static const struct exercise exercise = {
    .name = "ex04_uncoalesced",
    .title = "c[i] = a[i] + b[i] with offsets, strides and regions",
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

/* The offset for the arrays in a list such as "a,c"; ends the program if there is something
 * else. */
static void setOffset(size_t elements, const char *arrays)
{
    const size_t length = strlen(arrays);

    access.offsetA = access.offsetB = access.offsetC = 0;
    for (size_t i = 0; i <= length; i += 2) {
        if (i < length && arrays[i] == 'a')
            access.offsetA = elements;
        else if (i < length && arrays[i] == 'b')
            access.offsetB = elements;
        else if (i < length && arrays[i] == 'c')
            access.offsetC = elements;
        else
            courseFail(EXIT_USAGE, "--offset-on %s: expected a list such as a,b or c", arrays);
        if (i + 1 < length && arrays[i + 1] != ',')
            courseFail(EXIT_USAGE, "--offset-on %s: expected commas between a, b and c", arrays);
    }
}

/* The used part of the moved bytes shows where the lanes of a warp are; the bytes at the edges do
 * not count among many elements. */
static void verifyPattern(const struct variant *v)
{
    enum { MANY = 64 };
    const double used = rowBytesUsed();

    if (!harnessEmulated() || rowVerdict() != EXIT_PASS)
        return;
    if (v->traits & STRIDE_APART && access.stride > 1 && n >= MANY * access.stride)
        verifyThat(used < 0.9,
                   "uses %.0f %% of the bytes that it moves: in this row a thread's element is %zu "
                   "elements further on than that of the thread before",
                   100.0 * used, access.stride);
    if (v->traits & REGION_APART && access.region >= 8 && n >= MANY * access.region)
        verifyThat(
            used < 0.5,
            "uses %.0f %% of the bytes that it moves: in this row each thread has %zu elements "
            "that stand side by side",
            100.0 * used, access.region);
}

/* Runs the variants; each adds a point of the sweep at x to the curve with its name and this
 * detail. */
static void runAll(double x, const char *detail)
{
    /* One float addition rounds the same everywhere: the results must agree exactly. */
    const struct tolerance exact = {0.0, 0.0};

    RUN_VARIANTS (v) {
        poison(c, n * sizeof *c);
        v->run(a, b, c, n, &access);
        verifyFloats("c", c, reference, n, exact);
        verifyPattern(v);
        if (plotFile != NULL && rowVerdict() == EXIT_PASS) {
            char curve[100];

            snprintf(curve, sizeof curve, "%s%s", v->name, detail);
            plotPoint(curve, x, workBytes(n) / rowSeconds() * 1e-9);
        }
    }
}

static void sweepOffset(void)
{
    static const char *const arrays[] = {"a,b", "c"};
    static const char *const names[] = {"inputs", "output"};

    harnessVariant("offset");
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k <= 64; k += k < 8 ? 1 : k < 32 ? 4 : 8) {
            char detail[32];

            setOffset(k, arrays[i]);
            snprintf(detail, sizeof detail, ", %s", names[i]);
            harnessParameters("offset=%zu on=%s", k, names[i]);
            runAll((double)k, detail);
        }
    plotDraw(plotFile, "set xlabel 'offset (elements)'; set ylabel 'GB/s'; set yrange [0:*]");
}

static void sweepStride(void)
{
    harnessVariant("stride");
    for (size_t k = 1; k <= 64; k += k < 8 ? 1 : k < 16 ? 2 : k < 32 ? 4 : 8) {
        access.stride = k;
        harnessParameters("stride=%zu", k);
        runAll((double)k, "");
    }
    plotDraw(plotFile, "set xlabel 'stride (elements)'; set ylabel 'GB/s'; set logscale xy 2");
}

static void sweepRegion(void)
{
    harnessVariant("region");
    for (size_t k = 1; k <= 4096; k *= 2) {
        access.region = k;
        harnessParameters("region=%zu", k);
        runAll((double)k, "");
    }
    plotDraw(
        plotFile,
        "set xlabel 'elements per thread'; set ylabel 'GB/s'; set logscale x 2; set yrange [0:*]");
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    access.stride = (size_t)stride;
    access.region = (size_t)region;
    setOffset((size_t)offset, offsetOn);
    if (plotFile != NULL && (sweep == NULL || harnessEmulated() || harnessCpuOnly()))
        courseFail(EXIT_USAGE, "--plot draws the times of a sweep: it needs --sweep and a GPU");
    plotCheck(plotFile);

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

    harnessWork(workBytes(n), (double)n, n);
    if (sweep != NULL)
        harnessOnly(ON_DEVICE);
    if (sweep == NULL) {
        harnessNote("offset %ld on %s; stride %ld; regions of %ld elements", offset, offsetOn,
                    stride, region);
        runAll(0.0, "");
    } else if (strcmp(sweep, "offset") == 0) {
        sweepOffset();
    } else if (strcmp(sweep, "stride") == 0) {
        sweepStride();
    } else {
        sweepRegion();
    }
    return harnessFinish();
}
