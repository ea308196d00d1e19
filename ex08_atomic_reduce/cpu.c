/* TASK     the scalar product of x and y, n doubles: the CPU baseline, one core and all cores.
 * TRAFFIC  16 n bytes: x and y read.
 * LIMIT    one core: the additions wait for each other, all cores: memory bandwidth. */
#include "measure.h"
#include "atomic_reduce.h"

static void oneCore(const double *x, const double *y, double *sum, size_t n)
{
    MEASURE (run) {
        double s = 0.0;

        for (size_t i = 0; i < n; i++)
            s += x[i] * y[i];
        *sum = s;
    }
}

static void allCores(const double *x, const double *y, double *sum, size_t n)
{
    MEASURE (run) {
        double s = 0.0;

#pragma omp parallel for reduction(+ : s)
        for (size_t i = 0; i < n; i++)
            s += x[i] * y[i];
        *sum = s;
    }
}

const struct variant cpuVariants[] = {
    {"one core", oneCore},
    {"all cores", allCores},
    {NULL, NULL},
};
