/* TASK     the integral of f from a to b by Simpson's rule with n intervals: the functions, their
 *          exact integrals, and how far off a result may be.
 * TRAFFIC  none.
 * LIMIT    arithmetic: two values of f for each interval. */
#include "measure.h"
#include "simpson.h"
#include "harness.h"
#include "plot.h"
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One thread takes a second for what all threads do in a millisecond, and areas in memory take
 * room. */
enum { PART = 1 << 24, FEW = 100 };

/* Few enough for more than eight intervals a thread, so that every chain of every rung has work. */
enum { EMULATED_GRID = 9 };

static double a, b = 1.0;
static const char *functionName = "circle", *sweep, *plotFile, *resident = "1";
static enum function function;
int showsUse, residentWanted = 1;

static const struct course_option options[] = {
    {"function", OPTION_WORD, &functionName, 0, 0, "circle,sine,exponential,root",
     "f(x); circle: 4 / (1 + x^2)"},
    {"from", OPTION_NUMBER, &a, -100.0, 100.0, NULL, "where the integral begins (0)"},
    {"to", OPTION_NUMBER, &b, -100.0, 100.0, NULL, "where it ends (1)"},
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "h,block,bounds",
     "the number of intervals, threads per block, or --resident"},
    {"resident", OPTION_WORD, &resident, 0, 0, "1,2,3,4,5,6,8",
     "blocks of 256 threads that launch bounds demand room for, in the row of that name"},
    {"ptxas", OPTION_FLAG | OPTION_ASIDE, &showsUse, 0, 0, NULL,
     "says what each kernel takes: registers, local and shared memory, the best block size"},
    {"plot", OPTION_WORD | OPTION_ASIDE, &plotFile, 0, 0, NULL,
     "draws --sweep h: errors over h, .svg or .png"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double areasBytes(size_t size)
{
    return sizeof(double) * (double)(size < PART ? size : PART);
}

static double noBytes(size_t size)
{
    (void)size;
    return 0.0;
}

static const struct exercise exercise = {
    .name = "ex21_simpson",
    .title = "the integral of f(x) by Simpson's rule",
    .unit = "intervals",
    .size = (size_t)1 << 30,
    .emulatedSize = 20011,
    .quickSize = (size_t)1 << 24,
    .checkSize = (size_t)1 << 28,
    .minSize = 1,
    .gridsFold = 1,
    .deviceBytes = areasBytes,
    .hostBytes = noBytes,
    .options = options,
};

/* clang-format takes the macro behind a case for a part of it. */
/* clang-format off */
#define ANTIDERIVATIVE(name, f, inFloat, fast, integral, bound) case name: return integral;
#define BOUND(name, f, inFloat, fast, antiderivative, bound) case name: return bound;
#define VALUE(name, f, inFloat, fast, antiderivative, bound) case name: return f;
/* clang-format on */

static double antiderivative(double x)
{
    switch (function) {
        FUNCTIONS(ANTIDERIVATIVE)
    default: return 0.0;
    }
}

/* No fourth derivative between a and b is larger. */
static double largestDerivative(void)
{
    switch (function) {
        FUNCTIONS(BOUND)
    default: return 0.0;
    }
}

static double valueOf(double x)
{
    switch (function) {
        FUNCTIONS(VALUE)
    default: return 0.0;
    }
}

/* The largest |f(x)|, nearly. */
static double largestValue(void)
{
    double largest = 0.0;

    for (int i = 0; i <= 1000; i++)
        largest = fmax(largest, fabs(valueOf(a + (b - a) * i / 1000.0)));
    return largest;
}

/* How far off the rule for n intervals may be: at most (b - a) h^4 / 2880 times the largest fourth
 * derivative. */
static double errorOfRule(size_t n)
{
    return (b - a) / 2880.0 * pow((b - a) / (double)n, 4.0) * largestDerivative();
}

/* And rounding: that of x and of f(x), a few units in the last place; and that of long sums, which
 * grows as the square root of the number of terms if it goes up as often as down. */
static double rounding(const struct variant *v, size_t n)
{
    const double x = fmax(fabs(a), fabs(b));
    const double unit = v->traits & IN_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    const double sums = v->traits & IN_FLOAT && !(v->traits & LONG_SUMS) ? 0.0 : sqrt((double)n);
    const double units = (v->traits & INTRINSICS ? 16.0 : 4.0) * (1.0 + x) + sums;

    return units * unit * (b - a) * largestValue();
}

/* What the rule gives. */
static double simpson(size_t n)
{
    const double h = (b - a) / (double)n;
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += valueOf(a + (double)i * h) + 4.0 * valueOf(a + ((double)i + 0.5) * h) +
               valueOf(a + (double)(i + 1) * h);
    return h / 6.0 * sum;
}

/* Another rule of the same order is as near to the integral. Few intervals tell them apart. */
static void verifyRule(const struct variant *v, size_t n, double integral)
{
    if (n <= FEW && rowVerdict() == EXIT_PASS)
        verifyThat(fabs(integral - simpson(n)) <= rounding(v, n),
                   "is as near to the integral as Simpson's rule, but that gives another number: "
                   "%.16g instead of %.16g",
                   simpson(n), integral);
}

/* Operations for a value of f, as functions.h writes it, and 4 for x and for the sum. */
static double operations(void)
{
    static const int own[FUNCTION_COUNT] = {3, 1, 1, 4};

    return own[function] + 4.0;
}

/* What the device can do, measured when first asked for; 0 without one. */
static struct rates ratesOfDevice(void)
{
    static struct rates rates;
#ifndef COURSE_CPU_ONLY
    static int isMeasured;

    if (!isMeasured && !harnessListing())
        rates = measureRates();
    isMeasured = 1;
#endif
    return rates;
}

/* What the rates of the rows can be compared with. */
static void noteRates(void)
{
    const struct rates r = ratesOfDevice();

    if (r.specials > 0.0)
        harnessNote("instructions a second, measured: %.3g multiply-adds, %.3g in double, %.3g "
                    "special functions",
                    r.multiplyAdds, r.doubleMultiplyAdds, r.specials);
}

/* Error and rate of the present row. One special function for each value of f is the limit of a row
 * with intrinsics. */
static void remark(const struct variant *v, double error, double values)
{
    const double pace = rowSeconds() > 0.0 ? values / rowSeconds() : 0.0;

    if (pace == 0.0 || (harnessEmulated() && !harnessCpuOnly()))
        harnessRemark("error %.1e", error);
    else if (v->traits & INTRINSICS && ratesOfDevice().specials > 0.0)
        harnessRemark("error %.1e; %.4g values of f a second, %.2f of the special function unit's",
                      error, pace, pace / ratesOfDevice().specials);
    else
        harnessRemark("error %.1e; %.4g values of f a second", error, pace);
}

/* Runs all variants with n intervals. */
static void runAll(size_t n)
{
    const double exact = antiderivative(b) - antiderivative(a);

    RUN_VARIANTS (v) {
        const size_t m = (v->traits & PART_OF_SIZE) && n > PART ? PART : n;
        const struct tolerance allowed = {errorOfRule(m) + rounding(v, m), 0.0};
        double integral;

        harnessWork(0.0, operations() * 2.0 * (double)m, m);
        if (m < n)
            harnessRemark("(%zu intervals only)", m);
        poison(&integral, sizeof integral);
        v->run(function, a, b, m, &integral);
        verifyDoubles("integral", &integral, &exact, 1, allowed);
        verifyRule(v, m, integral);
        if (rowVerdict() == EXIT_PASS)
            remark(v, fabs(integral - exact), 2.0 * (double)m);
        if (plotFile != NULL && rowVerdict() == EXIT_PASS && integral != exact)
            plotPoint(v->name, (b - a) / (double)m, fabs(integral - exact));
    }
}

static void sweepH(void)
{
    for (size_t n = 1; n <= harnessSize(); n *= 2) {
        harnessParameters("function=%s n=%zu", functionName, n);
        runAll(n);
    }
}

static void sweepBlock(void)
{
    harnessOnly(ON_DEVICE);
    for (int block = 32; block <= 1024; block *= 2) {
        harnessLaunch(block, 0);
        harnessParameters("function=%s block=%d", functionName, block);
        runAll(harnessSize());
    }
    harnessBest();
}

/* Fewer and fewer registers for the same kernel. */
static void sweepBounds(void)
{
    static const int steps[] = {1, 2, 3, 4, 5, 6, 8};

    harnessOnly(ON_DEVICE);
    harnessVariant("launch bounds");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int registers = 0, local = 0;

        residentWanted = steps[i];
#ifndef COURSE_CPU_ONLY
        registers = harnessListing() ? 0 : registersOfBounded(function, residentWanted, &local);
#endif
        if (registers > 0)
            harnessParameters("function=%s resident=%d registers=%d local=%d", functionName,
                              residentWanted, registers, local);
        else
            harnessParameters("function=%s resident=%d", functionName, residentWanted);
        runAll(harnessSize());
    }
    harnessBest();
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    if (!(a < b))
        courseFail(EXIT_USAGE, "--from %g --to %g: the integral must go upwards", a, b);
    function = strcmp(functionName, "sine") == 0          ? sine
               : strcmp(functionName, "exponential") == 0 ? exponential
               : strcmp(functionName, "root") == 0        ? root
                                                          : circle;
    residentWanted = atoi(resident);
    if (harnessEmulated())
        harnessLaunch(0, gridSize(EMULATED_GRID));
    plotCheck(plotFile);
    if (sweep != NULL && strcmp(sweep, "h") == 0)
        sweepH();
    else if (sweep != NULL && strcmp(sweep, "bounds") == 0)
        sweepBounds();
    else if (sweep != NULL)
        sweepBlock();
    else
        runAll(harnessSize());
    noteRates();
    if (showsUse && harnessEmulated())
        harnessNote(
            "--ptxas: the emulated device has no registers, and nothing limits how many blocks are "
            "resident: this takes a GPU");
    plotDraw(plotFile, "set xlabel 'h'; set ylabel 'error'; set logscale xy");
    return harnessFinish();
}
