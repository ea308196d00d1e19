/* TASK     The heat equation in 2D on all GPUs of a machine, and the links between them: inputs,
 *          reference, efficiency, and the tables over numbers of devices and over pairs of them.
 * TRAFFIC  8 bytes per point and step: read once, written once. Copies: 4 bytes for each float,
 *          over the link once.
 * LIMIT    memory bandwidth of all GPUs together; of a copy, the link. */
#include "measure.h"
#include "many_gpus.h"
#include "harness.h"
#include "steps.h"
#include <float.h>
#include <string.h>

enum { LINK_FLOATS = 1 << 26, MOST_ROWS = 32 }; /* floats of a copy; rows of a table */

static long partsWanted, rowsWanted, steps;
static const char *sweep;

static const struct course_option options[] = {
    {"parts", OPTION_INTEGER, &partsWanted, 1, MOST_PARTS, NULL,
     "parts of the field, by turns on the devices (one on each)"},
    {"rows", OPTION_INTEGER, &rowsWanted, 3, 1e9, NULL, "rows of the field (as many as columns)"},
    {"steps", OPTION_INTEGER, &steps, 1, 1e6, NULL, "time steps (16; emulated 9)"},
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "devices,links",
     "a table over 1, 2, 4, ... devices, or over all pairs of them"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double rowsOf(size_t size) { return rowsWanted > 0 ? (double)rowsWanted : (double)size; }

static double fieldBytes(size_t size) { return sizeof(float) * (double)size * rowsOf(size); }

/* The whole field is on one device at times: start and two fields. */
static double deviceBytes(size_t size)
{
    return 3.0 * sizeof(float) * ((double)size + 32.0) * (rowsOf(size) + 16.0);
}

/* start, end, and two fields for the reference. */
static double hostBytes(size_t size) { return 4.0 * fieldBytes(size); }

static const struct exercise exercise = {
    .name = "ex25_many_gpus",
    .title = "f' = f + 1/8 (left + right + up + down - 4 f), on all GPUs",
    .unit = "columns",
    .size = 16384,
    .emulatedSize = 67,
    .quickSize = 1024,
    .checkSize = 4096,
    .minSize = 3,
    .maxSize = 1 << 20,
    .emulatedDevices = 4,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static float *start, *end, *reference[2];
static double alone;    /* seconds of the row that takes all steps on one device */
static double linkRate; /* bytes/s of the latest row that copies from one device to another */

/* The devices from the opened one on, and parts on them by turns. */
static struct field divide(int parts)
{
    struct field f = {
        .nx = (int)harnessSize(), .ny = (int)rowsOf(harnessSize()), .steps = (int)steps};
    const int devices = harnessDevices();

    f.parts = parts > 0 ? parts : devices < f.ny - 2 ? devices : f.ny - 2;
    if (f.parts > f.ny - 2)
        courseFail(EXIT_USAGE, "%d parts, but only %d rows inside the border", f.parts, f.ny - 2);
    f.devices = f.parts < devices ? f.parts : devices;
    for (int p = 0; p < f.parts; p++)
        f.device[p] = harnessDeviceNumber(p % devices);
    f.from = f.device[0];
    f.to = f.device[f.devices - 1];
    f.floats = (size_t)f.nx * (size_t)f.ny;
    if (f.floats > LINK_FLOATS)
        f.floats = LINK_FLOATS;
    return f;
}

/* Both fields, of which the last step's is returned, begin with start's border. */
static const float *makeReference(const struct field *f)
{
    const size_t bytes = (size_t)f->nx * (size_t)f->ny * sizeof(float);

    memcpy(reference[0], start, bytes);
    memcpy(reference[1], start, bytes);
    for (int s = 0; s < f->steps; s++)
        stepOnCpu(reference[s % 2], reference[(s + 1) % 2], f->nx, f->ny, 1);
    return reference[f->steps % 2];
}

/* The milliseconds of a step, and how much of the devices' work counts: against `seconds` on one
 * device. */
static void stateStep(const struct field *f, double seconds)
{
    const double step = rowSeconds() / f->steps * 1e3;

    if (rowVerdict() != EXIT_PASS || rowSeconds() <= 0.0 || harnessEmulated())
        return;
    if (f->devices > 1 && seconds > 0.0)
        harnessRemark("%.4f ms a step, efficiency %.3f", step, seconds / f->devices / rowSeconds());
    else
        harnessRemark("%.4f ms a step", step);
}

static void runLink(const struct field *f, const struct variant *v)
{
    const struct tolerance exact = {0.0, 0.0};
    const double bytes = sizeof(float) * (double)f->floats;

    harnessWork(bytes, 0.0, f->floats);
    harnessLimit(0.0);
    poison(end, f->floats * sizeof *end);
    v->run(f, start, end);
    verifyFloats("end", end, start, f->floats, exact);
    if (rowVerdict() == EXIT_PASS && rowSeconds() > 0.0 && v->traits & NO_KERNEL)
        linkRate = bytes / rowSeconds();
}

/* In a step a device computes its first rows, then its last ones; the inner ones at the same time.
 * On the emulated device that is two steps of its clock. A kernel for all rows of each part is one,
 * if no device waits for another, and parts of the same device one after another. */
static void verifyOverlap(const struct field *f, const struct variant *v)
{
    const int overlaps = (v->traits & OVERLAPS) != 0;
    const int enough = overlaps ? 2 : (f->parts + f->devices - 1) / f->devices;

    if (!harnessEmulated() || !(v->traits & (OVERLAPS | TOGETHER)) || rowVerdict() != EXIT_PASS)
        return;
    verifyThat(rowSteps() <= (double)enough * f->steps,
               "%d time steps take the time of %.0f kernels, one after another: %d for each %s",
               f->steps, rowSteps(), enough,
               overlaps ? "are enough if the inner rows are computed beside the outer ones"
                        : "would do if all devices computed at the same time");
}

static void runSteps(const struct field *f, const struct variant *v, const float *want, double *own)
{
    const struct tolerance exact = {FLT_MIN, 0.0}; /* see ALPHA */
    const double work = (double)f->nx * f->ny * f->steps;
    const int devices = v->traits & ALONE ? 1 : f->devices;

    harnessWork(2.0 * sizeof(float) * work, 7.0 * work, (size_t)f->nx);
    harnessLimit(harnessCopyRate() * devices);
    poison(end, (size_t)f->nx * (size_t)f->ny * sizeof *end);
    v->run(f, start, end);
    verifyFloats2D("f", end, want, (size_t)f->nx, (size_t)f->ny, exact);
    verifyOverlap(f, v);
    if (v->traits & ALONE && rowVerdict() == EXIT_PASS)
        alone = rowSeconds();
    if (own != NULL && f->devices == 1 && rowVerdict() == EXIT_PASS)
        *own = rowSeconds();
    stateStep(f, v->traits & (ALONE)         ? 0.0
                 : own != NULL               ? *own
                 : v->traits & SAVES_TRAFFIC ? 0.0
                                             : alone);
}

/* All rows. own: each row's time on one device, noted or compared with; NULL: compared with the row
 * on one device. */
static void runAll(const struct field *f, double *own)
{
    const float *want = makeReference(f);
    int row = 0;

    harnessUseDevices(f->devices);
    harnessParameters("devices=%d parts=%d ny=%d steps=%d", f->devices, f->parts, f->ny, f->steps);
    RUN_VARIANTS (v) {
        if (v->traits & LINK)
            runLink(f, v);
        else
            runSteps(f, v, want, own != NULL ? &own[row++ % MOST_ROWS] : NULL);
    }
}

static void sweepDevices(void)
{
    const int most = harnessDevices();
    double own[2 * MOST_ROWS] = {0.0};

    harnessTraits(0, LINK | ALONE);
    for (int devices = 1;; devices = 2 * devices < most ? 2 * devices : most) {
        struct field f = divide(devices);

        for (int part = 0; part < 2; part++) {
            harnessOnly(part == 0 ? ON_DEVICE : ON_LIBRARY);
            runAll(&f, &own[part * MOST_ROWS]);
        }
        if (devices == most)
            break;
    }
}

/* The rate of every link, in each direction. */
static void sweepLinks(void)
{
    struct field f = divide(0);

    harnessUseDevices(f.devices);
    harnessTraits(LINK, 0);
    for (int from = 0; from < f.devices; from++)
        for (int to = 0; to < f.devices; to++) {
            f.from = f.device[from];
            f.to = f.device[to];
            harnessParameters("from=%d to=%d", f.from, f.to);
            if (from != to)
                RUN_VARIANTS (v)
                    runLink(&f, v);
        }
    harnessTraits(0, 0);
}

int main(int argc, char **argv)
{
    size_t points;

    harnessStart(&exercise, argc, argv);
    if (steps == 0)
        steps = harnessEmulated() ? 9 : 16;
    points = harnessSize() * (size_t)rowsOf(harnessSize());
    start = newArray(points, sizeof *start);
    end = newArray(points, sizeof *end);
    randomFloats(start, points, 1);
    if (sweep != NULL && strcmp(sweep, "links") == 0) {
        sweepLinks();
        return harnessFinish();
    }
    for (int k = 0; k < 2; k++)
        reference[k] = newArray(points, sizeof *reference[k]);
    if (sweep != NULL) {
        sweepDevices();
    } else {
        struct field f = divide((int)partsWanted);

        runAll(&f, NULL);
        if (!harnessEmulated() && linkRate > 0.0 && alone > 0.0 && f.devices > 1)
            harnessNote("A boundary row has %.1f KB: %.2f us at the %.0f GB/s of a peer copy, and "
                        "its latency. "
                        "A part's rows take %.1f us.",
                        4e-3 * f.nx, 4e6 * f.nx / linkRate, 1e-9 * linkRate,
                        1e6 * alone / f.steps / f.devices);
    }
    return harnessFinish();
}
