/* TASK     the integral of f from a to b by Simpson's rule with n intervals: the CPU baseline, one
 *          core and all cores.
 * TRAFFIC  none.
 * LIMIT    arithmetic: two values of f for each interval. */
#include "measure.h"
#include "simpson.h"

#define CASE(name, f, inFloat, fast, antiderivative, bound)                                        \
    case name: return f;

static double valueOf(enum function function, double x)
{
    switch (function) {
        FUNCTIONS(CASE)
    default: return 0.0;
    }
}

/* Each end of an interval but a and b belongs to two intervals: it counts twice, and is computed
 * once. */
static double endsOf(enum function f, double a, double b) { return valueOf(f, b) - valueOf(f, a); }

static void oneCore(enum function f, double a, double b, size_t n, double *integral)
{
    const double h = (b - a) / (double)n;

    MEASURE (run) {
        double sum = endsOf(f, a, b);

        for (size_t i = 0; i < n; i++) {
            const double x = a + (double)i * h;

            sum += 2.0 * valueOf(f, x) + 4.0 * valueOf(f, x + 0.5 * h);
        }
        *integral = h / 6.0 * sum;
    }
}

static void allCores(enum function f, double a, double b, size_t n, double *integral)
{
    const double h = (b - a) / (double)n;

    MEASURE (run) {
        double sum = endsOf(f, a, b);

#pragma omp parallel for reduction(+ : sum) if (n > 20000)
        for (size_t i = 0; i < n; i++) {
            const double x = a + (double)i * h;

            sum += 2.0 * valueOf(f, x) + 4.0 * valueOf(f, x + 0.5 * h);
        }
        *integral = h / 6.0 * sum;
    }
}

const struct variant cpuVariants[] = {
    {"one core", oneCore, PART_OF_SIZE},
    {"all cores", allCores},
    {NULL, NULL},
};
