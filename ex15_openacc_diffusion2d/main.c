/* TASK     f' = f + alpha (left + right + up + down - 4 f), fixed borders, by OpenACC: the problem,
 *          its reference, and how many copies each variant may make.
 * TRAFFIC  8 (nx - 2)(ny - 2) bytes a step: f read, f' written; none between host and device.
 * LIMIT    memory bandwidth, and the link where arrays are copied. */
#include "measure.h"
#include "diffusion2d.h"
#include "harness.h"
#ifndef COURSE_CPU_ONLY
#include "openacc/acc_copies.h"
#endif
#include <math.h>
#include <string.h>

static long steps = 10, rows; /* rows 0: as many as columns */
static double alpha = 0.2;

static size_t rowsOf(size_t size)
{
    return rows > 0 ? (size_t)rows : size;
}

static double deviceBytes(size_t size)
{
    return 3.0 * sizeof(float) * (double)size * (double)rowsOf(size);
}

static double hostBytes(size_t size)
{
    return 5.0 * sizeof(float) * (double)size * (double)rowsOf(size);
}

static const struct course_option options[] = {
    {"steps", OPTION_INTEGER, &steps, 1, 1e6, NULL, "time steps (10)"},
    {"rows", OPTION_INTEGER, &rows, 3, 100000, NULL, "rows of the field (as --size: it is square)"},
    {"alpha", OPTION_NUMBER, &alpha, 0.0, 0.25, NULL, "diffusion number, stable up to 0.25 (0.2)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static const struct exercise exercise = {
    .name = "ex15_openacc_diffusion2d",
    .title = "heat equation in 2D, by OpenACC",
    .unit = "points a side",
#ifdef COURSE_EMULATED
    .size = 1024, /* on the host */
#else
    .size = 16384,
#endif
    .emulatedSize = 512,
    .quickSize = 512,
    .minSize = 3,
    .maxSize = 100000,
    .special = ZEROS | TINY | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* The reference: the definition, step by step. The step before the last is left in `other`. */
static void reference(const float *start, float *f, float *other, size_t nx, size_t ny)
{
    const float *from = start;
    const float a = (float)alpha;

    memcpy(f, start, nx * ny * sizeof *f);
    memcpy(other, start, nx * ny * sizeof *other);
    for (long s = steps; s > 0; s--) {
        float *to = s % 2 == 1 ? f : other;

#pragma omp parallel for
        for (size_t y = 1; y < ny - 1; y++)
            for (size_t x = 1; x < nx - 1; x++) {
                const size_t i = y * nx + x;

                to[i] = from[i] + a * (from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx] -
                                       4.0f * from[i]);
            }
        from = to;
    }
}

float largestChange;

/* Where f is right, so that only the reduction can be wrong. */
static void verifyChange(const float *f, const float *before, size_t points, double allowed)
{
    float change = 0.0f;

    for (size_t i = 0; i < points; i++)
        change = fmaxf(change, fabsf(f[i] - before[i]));
    verifyThat(fabsf(change - largestChange) <= allowed,
               "the reduction has %g as the largest change, it is %g", (double)largestChange,
               (double)change);
    harnessRemark("the last step changes f by %.3g at most", (double)change);
}

#ifndef COURSE_CPU_ONLY
/* The needs of each variant: copies there and back and loops, once for the call and for every step.
 * A step with the largest change takes nx, ny and alpha from outside. */
static const struct acc_expected expected[] = {
    [COPIES_EVERY_STEP / EXERCISE_TRAIT] = {0, 0, 2, 1, 0, 1, 1, 0, 0, 0},
    [COPIES_ALL_ONCE / EXERCISE_TRAIT] = {3, 3, 0, 0, 0, 1, 1, 0, 0, 0},
    [COPIES_FEWEST / EXERCISE_TRAIT] = {1, 1, 0, 0, 1, 1, 1, 0, 0, 0},
    [COPIES_AND_CHANGE / EXERCISE_TRAIT] = {1, 1, 0, 0, 1, 1, 1, 0, 3, 0},
};

/* Arrays under 1 KiB are not counted, so there is nothing to say about small fields. */
enum { LEAST_COUNTED = 256 };

static void checkCopies(unsigned traits, const float *start, const float *f, size_t points)
{
    const struct acc_arrays arrays = {start, f, (double)points * sizeof(float)};

    if (traits >= EXERCISE_TRAIT && points >= LEAST_COUNTED && rowVerdict() != EXIT_UNFILLED)
        accVerify(&expected[traits / EXERCISE_TRAIT], measureRuns() * steps, "steps", &arrays);
}
#endif

int main(int argc, char **argv)
{
    /* Compilers may fuse multiplications and additions: a few roundings a step. */
    const struct tolerance tolerance = {1e-5, 1e-5};
    float *start, *f, *want, *other;
    size_t nx, ny, points;
    double inner;

    harnessStart(&exercise, argc, argv);
    nx = harnessSize();
    ny = rowsOf(nx);
    points = nx * ny;
    inner = (double)(nx - 2) * (double)(ny - 2);
    start = newArray(points, sizeof *start);
    f = newArray(points, sizeof *f);
    want = newArray(points, sizeof *want);
    other = newArray(points, sizeof *other);
    randomFloats(start, points, 1);
    reference(start, want, other, nx, ny);

    if (rows > 0)
        harnessParameters("rows=%ld steps=%ld", rows, steps);
    else
        harnessParameters("steps=%ld", steps);
    harnessWork(2.0 * sizeof(float) * inner * (double)steps, 7.0 * inner * (double)steps, nx);
    RUN_VARIANTS (v) {
#ifndef COURSE_CPU_ONLY
        accCopiesReset();
#endif
        poison(f, points * sizeof *f);
        v->run(start, f, nx, ny, (float)alpha, (int)steps);
        verifyFloats2D("f", f, want, nx, ny, tolerance);
        if ((v->traits & COPIES_AND_CHANGE) && rowVerdict() == EXIT_PASS)
            verifyChange(want, other, points, tolerance.absolute);
#ifndef COURSE_CPU_ONLY
        checkCopies(v->traits, start, f, points);
#endif
    }
#ifndef COURSE_CPU_ONLY
    {
        int onGpu;
        const char *name = accDevice(&onGpu);

        harnessNote("OpenACC ran on %s.", name);
    }
#endif
    return harnessFinish();
}
