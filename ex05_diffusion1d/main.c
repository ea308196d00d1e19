/* TASK     `steps` steps of diffusion over n points between fixed ends: the problem, its inputs,
 *          its reference, the laws that a result must obey, and the sweep over block sizes.
 * TRAFFIC  8 (n + 2) bytes a step: f read, the new f written.
 * LIMIT    memory bandwidth: 5 flops per 8 bytes. */
#include "measure.h"
#include "diffusion1d.h"
#include "harness.h"
#include "plot.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static size_t n;
static float *f0, *f, *reference, *sum;
static double *now, *next; /* of the reference */

static long steps = 16, mode;
static double alpha = 0.25;
static const char *initial = "random", *sweep, *plotFile;

static const struct course_option options[] = {
    {"steps", OPTION_INTEGER, &steps, 1, 1e6, NULL, "time steps (16)"},
    {"alpha", OPTION_NUMBER, &alpha, -1e3, 1e3, NULL, "D dt / dx^2, stable up to 0.5 (0.25)"},
    {"initial", OPTION_WORD, &initial, 0, 0, "random,sine,bump", "the field at the start (random)"},
    {"mode", OPTION_INTEGER, &mode, 1, 1e15, NULL, "half waves of the sine ((size + 1) / 8)"},
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "block", "every block size"},
    {"plot", OPTION_WORD | OPTION_ASIDE, &plotFile, 0, 0, NULL,
     "draws the field over time into a .svg or .png file"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* The bytes that must move for one step. */
static double stepBytes(size_t size) { return 2.0 * sizeof(float) * (double)(size + 2); }

static double deviceBytes(size_t size) { return 3.0 * sizeof(float) * (double)(size + 2); }

static double hostBytes(size_t size)
{
    return (5.0 * sizeof(float) + 2.0 * sizeof(double)) * (double)(size + 2);
}

static const struct exercise exercise = {
    .name = "ex05_diffusion1d",
    .title = "f[i] += alpha (f[i-1] + f[i+1] - 2 f[i])",
    .unit = "points",
    .size = (size_t)1 << 27,
    .emulatedSize = 10007,
    .quickSize = (size_t)1 << 23,
    .checkSize = (size_t)1 << 25,
    .minSize = 1,
    .special = ZEROS | TINY | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static int is(const char *word) { return strcmp(initial, word) == 0; }

/* random: the ends too, so that a wrong end shows. sine: `mode` half waves from end to end. bump:
 * one hill in the middle half, nothing around it. */
static void setInitial(void)
{
    randomFloats(f0, n + 2, 1);
    for (size_t i = 0; !is("random") && i < n + 2; i++) {
        const double x = (double)i / (double)(n + 1);

        /* the whole periods are taken off in integers: a large argument costs digits */
        if (is("sine"))
            f0[i] = (float)sin(pi * (double)((size_t)mode * i % (2 * (n + 1))) / (double)(n + 1));
        else
            f0[i] = x > 0.25 && x < 0.75 ? (float)pow(cos(2.0 * pi * (x - 0.5)), 2.0) : 0.0f;
    }
}

/* By how much the wave that grows fastest, from point to point up and down, grows in a step. */
static double growth(void) { return fmax(1.0, fabs(1.0 - 4.0 * alpha)); }

/* Each step rounds a sum of a few terms of about growth^step, and later steps enlarge that error no
 * more than the wave that grows fastest. */
static struct tolerance tolerance(void)
{
    const struct tolerance t = {(1.0 + 6.0 * fabs(alpha)) * FLT_EPSILON * (double)steps *
                                    pow(growth(), (double)steps),
                                0.0};

    return t;
}

static void checkStability(void)
{
    const double digits = (double)steps * log10(growth());

    if (alpha >= 0.0 && alpha <= 0.5)
        return;
    if (digits > 30.0)
        courseFail(EXIT_USAGE,
                   "--alpha %g is outside its stable range, 0 to 0.5: in %ld steps the field "
                   "grows by 10^%.0f, more than a float holds; take fewer steps",
                   alpha, steps, digits);
    harnessReady();
    fprintf(
        stderr,
        "warning: --alpha %g is outside its stable range, 0 to 0.5: in each step the shortest wave "
        "is "
        "multiplied by 1 - 4 alpha = %g, so it grows without bound, and rounding errors with it\n",
        alpha, 1.0 - 4.0 * alpha);
}

/* At most 500 points of the field are drawn. */
static void drawField(const double *x, long step)
{
    const size_t every = n / 500 + 1;
    char curve[40];

    if (plotFile == NULL)
        return;
    snprintf(curve, sizeof curve, "step %ld", step);
    for (size_t i = 0; i < n + 2; i += every)
        plotPoint(curve, (double)i, x[i]);
}

/* In double precision, so that its own rounding does not count. */
static void oneStep(void)
{
    const double a = (double)(float)alpha, *x = now;
    double *y = next;

#pragma omp parallel for if (n > 20000)
    for (size_t i = 1; i <= n; i++)
        y[i] = x[i] + a * (x[i - 1] + x[i + 1] - 2.0 * x[i]);
    next = now;
    now = y;
}

static void beginAgain(void)
{
#pragma omp parallel for
    for (size_t i = 0; i < n + 2; i++)
        now[i] = next[i] = f0[i];
}

static void computeReference(void)
{
    beginAgain();
    drawField(now, 0);
    for (long step = 1; step <= steps; step++) {
        oneStep();
        if (step * 5 / steps != (step - 1) * 5 / steps)
            drawField(now, step);
    }
#pragma omp parallel for
    for (size_t i = 0; i < n + 2; i++)
        reference[i] = (float)now[i];
}

/* The sine stays a sine: a step multiplies it by 1 - 4 alpha sin^2(pi mode / 2 (n + 1)), its
 * eigenvalue. */
static void verifyDecay(void)
{
    const double s = sin(pi * (double)mode / (2.0 * (double)(n + 1)));
    const double rate = 1.0 - 4.0 * alpha * s * s;
    const double expected = pow(rate, (double)steps);
    double overlap = 0.0, norm = 0.0;

    for (size_t i = 1; i <= n; i++) {
        overlap += (double)f[i] * f0[i];
        norm += (double)f0[i] * f0[i];
    }
    verifyThat(fabs(overlap / norm - expected) <= 2.0 * tolerance().absolute,
               "the sine has decayed to %.9g in %ld steps, expected %.9g", overlap / norm, steps,
               expected);
    if (rowVerdict() == EXIT_PASS && expected > 1e-3)
        harnessRemark("decay of the sine: %.7f a step, 1 - 4 alpha sin^2(pi k / 2N) = %.7f",
                      pow(overlap / norm, 1.0 / (double)steps), rate);
}

/* A wrong field may be the right one of another step. */
static void nameStep(void)
{
    const long most = 4 * steps;
    long found = -1;

    if (rowVerdict() != EXIT_WRONG || (double)n * (double)most > 1e8)
        return;
    beginAgain();
    for (long step = 0; step <= most; step++) {
        size_t i = 0;

        while (i < n + 2 && fabs(f[i] - now[i]) <= 4.0 * tolerance().absolute)
            i++;
        if (i == n + 2 && step == steps)
            return; /* the field hardly changes, or is right */
        if (i == n + 2 && found < 0)
            found = step;
        oneStep();
    }
    if (found >= 0)
        harnessRemark("this is the field of step %ld, not of step %ld%s", found, steps,
                      found > steps
                          ? ": a pass was too long, or a run has not begun with the initial field"
                          : "");
}

/* As long as nothing has reached the ends, nothing is lost. */
static void verifyMass(void)
{
    double before = 0.0, after = 0.0;

    for (size_t i = 0; i < n + 2; i++) {
        before += f0[i];
        after += f[i];
    }
    verifyThat(fabs(after - before) <= tolerance().absolute * (double)n,
               "the mass has changed from %.9g to %.9g, although none has reached the ends", before,
               after);
    if (rowVerdict() == EXIT_PASS)
        harnessRemark("mass: %.9g, at the start %.9g", after, before);
}

static void runAll(void)
{
    RUN_VARIANTS (v) {
        poison(f, (n + 2) * sizeof *f);
        if (v->traits & VECTOR_ADDITION) {
            const struct tolerance exact = {0.0, 0.0};

            harnessWork(1.5 * stepBytes(n), (double)(n + 2), n);
            v->run(f0, f, n, (int)steps, (float)alpha);
            verifyFloats("f", f, sum, n + 2, exact);
            continue;
        }
        harnessWork(stepBytes(n) * (double)steps, 5.0 * (double)n * (double)steps, n);
        v->run(f0, f, n, (int)steps, (float)alpha);
        verifyFloats("f", f, reference, n + 2, tolerance());
        nameStep();
        if (rowVerdict() == EXIT_PASS && (v->traits & SAVES_TRAFFIC))
            harnessRemark("effective rate: as if every step had read and written all points");
        if (is("sine"))
            verifyDecay();
        if (is("bump") && (size_t)steps < n / 4)
            verifyMass();
    }
}

static void sweepBlock(void)
{
    harnessOnly(ON_DEVICE);
    for (int block = 32; block <= 1024; block *= 2) {
        harnessLaunch(block, 0);
        harnessParameters("block=%d", block);
        runAll();
    }
    harnessBest();
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    if (mode == 0)
        mode = n >= 15 ? (long)((n + 1) / 8) : 1;
    if ((size_t)mode > n)
        courseFail(EXIT_USAGE, "--mode %ld: %zu points carry at most %zu half waves", mode, n, n);
    checkStability();
    plotCheck(plotFile);

    f0 = newArray(n + 2, sizeof *f0);
    f = newArray(n + 2, sizeof *f);
    reference = newArray(n + 2, sizeof *reference);
    sum = newArray(n + 2, sizeof *sum);
    now = newArray(n + 2, sizeof *now);
    next = newArray(n + 2, sizeof *next);
    setInitial();
#pragma omp parallel for
    for (size_t i = 0; i < n + 2; i++)
        sum[i] = f0[i] + f0[i];
    computeReference();

    if (sweep != NULL)
        sweepBlock();
    else
        runAll();
    plotDraw(plotFile, "set xlabel 'point'; set ylabel 'f'");
    return harnessFinish();
}
