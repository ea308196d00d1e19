/* TASK     c = f(a), n floats that start and end on the host: inputs, reference, and what overlaps.
 * TRAFFIC  4 n bytes to the device and 4 n bytes back, over the link between host and device.
 * LIMIT    the link, both directions at once. */
#include "measure.h"
#include "streams.h"
#include "harness.h"
#include "chart.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNKS = 64,          /* of the default size */
    MOST_CHUNK = 1 << 21, /* floats: larger arrays have more chunks */
    EMULATED_CHUNKS = 10,
    PART = 16,         /* of large arrays a part is enough for one core */
    FEWEST_CHUNKS = 4, /* of the sweep */
    MOST_CHUNKS = 4096,
    EMULATED_MOST_CHUNKS = 64,
    SMALL_STEPS = 20000, /* of the small kernels: they take as long as many launches */
    EMULATED_SMALL_STEPS = 20,
    BACKGROUND = 64, /* blocks of the long kernel for each multiprocessor */
    EMULATED_BACKGROUND = 8
};

static double flopsPerByte;
static long chunks, slots = 4;
static int gantt, sweep;
static const char *svg;

static const struct course_option options[] = {
    {"flops-per-byte", OPTION_NUMBER, &flopsPerByte, 0.5, 1e5, NULL,
     "floating-point operations per byte of a and c (64; emulated 2)"},
    {"chunks", OPTION_INTEGER, &chunks, 1, 1e6, NULL, "chunks (of at most 8 MB; emulated 10)"},
    {"sweep", OPTION_FLAG | OPTION_ASIDE, &sweep, 0, 0, NULL,
     "with 4, 16, ... 4096 chunks (emulated: to 64)"},
    {"slots", OPTION_INTEGER, &slots, 2, 64, NULL, "chunks that are on the device at a time (4)"},
    {"gantt", OPTION_FLAG | OPTION_ASIDE, &gantt, 0, 0, NULL,
     "show what ran when in each stream: >in #kernel <out"},
    {"svg", OPTION_WORD | OPTION_ASIDE, &svg, 0, 0, NULL,
     "write these charts into a file, as a picture"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static size_t chunkOf(size_t n)
{
    const size_t wanted = chunks > 0          ? (size_t)chunks
                          : sweep             ? FEWEST_CHUNKS /* the largest */
                          : harnessEmulated() ? EMULATED_CHUNKS
                                              : CHUNKS;
    const size_t chunk = (n + wanted - 1) / wanted;

    return chunk > MOST_CHUNK && chunks == 0 && !sweep ? MOST_CHUNK : chunk;
}

/* The bytes of the ring; a variant that holds all of a and c on the device reports it if they do
 * not fit. */
static double deviceBytes(size_t size)
{
    return 2.0 * sizeof(float) * (double)slots * (double)chunkOf(size);
}

static double hostBytes(size_t size) { return 3.0 * sizeof(float) * (double)size; }

static const struct exercise exercise = {
    .name = "ex17_streams",
    .title = "c = f(a) over the link",
    .unit = "elements",
    .size = (size_t)1 << 28,
    .emulatedSize = 20011,
    .quickSize = (size_t)1 << 24,
    .checkSize = (size_t)1 << 25,
    .minSize = 1,
    .special = ZEROS | TINY | INFINITIES | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* The host's arrays, pageable or page-locked. Of either kind only one pair exists at a time: they
 * may be large. */
static struct {
    float *a, *c;
    int isLocked;
} host;

static float *newHostArray(size_t n, int isLocked)
{
#ifndef COURSE_CPU_ONLY
    if (isLocked)
        return newPageLocked(n);
#endif
    (void)isLocked;
    return mustAllocate(n * sizeof(float), "the arrays");
}

static void freeHostArray(float *array, int isLocked)
{
#ifndef COURSE_CPU_ONLY
    if (isLocked) {
        freePageLocked(array);
        return;
    }
#endif
    (void)isLocked;
    free(array);
}

static void freeArrays(void)
{
    freeHostArray(host.a, host.isLocked);
    freeHostArray(host.c, host.isLocked);
    host.a = host.c = NULL;
}

/* Returns 0 if there is no page-locked memory: the template lacks it. */
static int newArrays(size_t n, int isLocked)
{
    if (host.a != NULL && host.isLocked == isLocked)
        return 1;
    freeArrays();
    host.isLocked = isLocked;
    host.a = newHostArray(n, isLocked);
    host.c = newHostArray(n, isLocked);
    if (host.a == NULL || host.c == NULL) {
        freeArrays();
        return 0;
    }
    randomFloats(host.a, n, 1);
    return 1;
}

/* f by all cores, into `result`. */
static void reference(const struct work *w, float *result)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < w->n; i += 64) {
        float place[64], speed[64] = {0};
        const size_t m = w->n - i < 64 ? w->n - i : 64;

        for (size_t k = 0; k < 64; k++)
            place[k] = k < m ? w->a[i + k] : 0.0f;
        for (int s = 0; s < w->steps; s++)
            for (size_t k = 0; k < 64; k++)
                OSCILLATOR_STEP(place[k], speed[k]);
        memcpy(result + i, place, m * sizeof *place);
    }
}

/* On the emulated device it is known in how many steps the work can be done, each copy and each
 * kernel taking one: the chunks' copies one after another, while the kernels and the copies back
 * follow. Where all copies to the device come first, the copies back begin after the last kernel of
 * the first stream. 0: nothing is demanded. */
static size_t enoughSteps(const struct variant *v, const struct work *w)
{
    const size_t parts = chunksOf(w), slots = (size_t)w->slots;
    const size_t streams = (size_t)STREAMS_OF(v->traits);

    if ((v->traits & SMALL_KERNELS) && streams > 0)
        return (parts + streams - 1) / streams;
    if (v->traits & ALL_IN_FIRST)
        return 2 * parts + (parts + slots - 1) / slots;
    if ((v->traits & BOTH_WAYS) && (slots > 2 || (v->traits & TWO_SLOTS_DO)))
        return parts + 2;
    return 0;
}

/* Where all copies to the device come first, a stream's copies back wait for its last copy in,
 * which at most slots - 1 others follow. 0: other orders take as many. */
static size_t leastSteps(const struct variant *v, const struct work *w)
{
    const size_t parts = chunksOf(w), slots = (size_t)w->slots;

    return (v->traits & ALL_IN_FIRST) && parts > slots ? 2 * parts - slots + 2 : 0;
}

static void verifySteps(const struct variant *v, const struct work *w)
{
    const size_t enough = enoughSteps(v, w), least = leastSteps(v, w);

    if (harnessEmulated() && enough > 0 && rowVerdict() == EXIT_PASS)
        verifyThat(rowSteps() <= (double)enough,
                   "takes %.0f steps, each copy and each kernel taking one; %zu are enough if what "
                   "may overlap does",
                   rowSteps(), enough);
    if (harnessEmulated() && rowVerdict() == EXIT_PASS)
        verifyThat(rowSteps() >= (double)least,
                   "takes %.0f steps, each copy and each kernel taking one; chunk i in stream i %% "
                   "slots takes %zu at least if all copies to the device come first",
                   rowSteps(), least);
}

/* Each number is copied once. */
static void verifyCopies(const struct work *w)
{
    const size_t bytes = w->n * sizeof *w->c;

    if (harnessEmulated() && rowVerdict() == EXIT_PASS)
        verifyThat(rowBytesSent() <= (double)bytes && rowBytesRead() <= (double)bytes,
                   "the body of MEASURE copies %.0f bytes to the device and %.0f back; a and c "
                   "have %zu each",
                   rowBytesSent(), rowBytesRead(), bytes);
}

/* The result of the timeline, in a line. */
static void stateOverlap(const struct variant *v)
{
    const struct overlap o = chartOverlap();
    char span[64];

    if (chartCount() == 0 || rowVerdict() != EXIT_PASS)
        return;
    if (harnessEmulated())
        snprintf(span, sizeof span, "%.0f steps", o.span);
    else
        snprintf(span, sizeof span, "%.2f ms", 1e3 * o.span);
    if (v->traits & SMALL_KERNELS)
        harnessRemark("%s: up to %d kernel%s at once", span, o.kernels, o.kernels == 1 ? "" : "s");
    else
        harnessRemark("%s: copies in %.0f %%, kernels %.0f %%, copies out %.0f %% of them; both "
                      "directions at once %.0f %%",
                      span, 100.0 * o.busy[COPY_IN], 100.0 * o.busy[KERNEL],
                      100.0 * o.busy[COPY_OUT], 100.0 * o.bothWays);
    if (gantt)
        chartText();
    if (svg != NULL)
        chartAdd(v->name, harnessEmulated());
}

/* The variant's row: all of the work, or the small kernels, which move next to nothing. */
static void runVariant(const struct variant *v, struct work w, const float *want)
{
    const struct tolerance exact = {0.0, 0.0}; /* see OSCILLATOR_STEP */
    float *small = NULL;

    if (!newArrays(w.n, (v->traits & PAGE_LOCKED) != 0))
        return;
    w.a = host.a;
    w.c = host.c;
    if ((v->traits & PART_OF_SIZE) && w.n >= PART * (size_t)MOST_CHUNK) {
        w.n /= PART;
        harnessRemark("(the first %zu elements only)", w.n);
    }
    harnessWork(2.0 * sizeof(float) * (double)w.n, 4.0 * w.steps * (double)w.n, w.n);
    if (v->traits & SMALL_KERNELS) {
        size_t elements; /* of these kernels, or of the long one that they are behind */

        w.n = w.n < SMALL * SMALL_CHUNK ? w.n : SMALL * SMALL_CHUNK;
        w.chunk = SMALL_CHUNK;
        w.steps = harnessEmulated() ? EMULATED_SMALL_STEPS : SMALL_STEPS;
        w.background = harnessEmulated() ? EMULATED_BACKGROUND : BACKGROUND * multiprocessors();
        want = small = mustAllocate(w.n * sizeof *small, "the small kernels' reference");
        reference(&w, small);
        elements = STREAMS_OF(v->traits) > 0 ? w.n : (size_t)w.background * SMALL_CHUNK;
        harnessWork(0.0, 4.0 * w.steps * (double)elements, elements);
    }
    poison(w.c, w.n * sizeof *w.c);
    chartForget();
    v->run(&w);
    verifyFloats("c", w.c, want, w.n, exact);
    if (host.isLocked)
        verifyPageLocked("newPageLocked()", w.a);
    stateOverlap(v);
    verifySteps(v, &w);
    if (!(v->traits & SMALL_KERNELS))
        verifyCopies(&w);
    if (harnessEmulated() && (v->traits & PAGE_LOCKED) && rowVerdict() == EXIT_PASS)
        verifyThat(rowBytesSent() >= (double)w.n * sizeof *w.a,
                   "the body of MEASURE copies %.0f of the %zu bytes of a to the device",
                   rowBytesSent(), w.n * sizeof *w.a);
    if (harnessEmulated()) /* it finds what a row leaves */
        freeArrays();
    free(small);
}

static void runAll(struct work w, const float *want)
{
    w.chunk = chunkOf(w.n);
    harnessParameters("flops_per_byte=%g chunks=%zu slots=%d", 0.5 * w.steps, chunksOf(&w),
                      w.slots);
    RUN_VARIANTS (v)
        runVariant(v, w, want);
}

/* One reference does for all of them. */
static void runSweep(struct work w, const float *want)
{
    const long most = harnessEmulated() ? EMULATED_MOST_CHUNKS : MOST_CHUNKS;

    for (chunks = FEWEST_CHUNKS; chunks <= most && (size_t)chunks <= w.n; chunks *= 4)
        runAll(w, want);
}

int main(int argc, char **argv)
{
    struct work w = {0};
    float *want;
    double link;

    harnessStart(&exercise, argc, argv);
    w.n = harnessSize();
    w.slots = (int)slots;
    w.steps = (int)(2.0 * (flopsPerByte > 0.0  ? flopsPerByte
                           : harnessEmulated() ? 2.0
                                               : 64.0) +
                    0.5);
    want = newArray(w.n, sizeof *want);
    newArrays(w.n, 0);
    w.a = host.a;
    reference(&w, want);

    link = harnessLinkRate(BOTH_WAYS_AT_ONCE);
    harnessLimit(link);
    if (sweep)
        runSweep(w, want);
    else
        runAll(w, want);
    if (link > 0.0)
        harnessNote(
            "Limit: %.1f GB/s in each direction, both at once; alone %.1f to the device, %.1f back",
            0.5e-9 * link, 1e-9 * harnessLinkRate(TO_DEVICE), 1e-9 * harnessLinkRate(FROM_DEVICE));
    freeArrays();
    chartWrite(svg);
    return harnessFinish();
}
