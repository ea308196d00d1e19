/* TASK     the scalar product of x and y, n elements: the CPU baseline, one core and all cores.
 * TRAFFIC  2 n sizeof(float or double) bytes: x and y read.
 * LIMIT    one core: the additions wait for each other, all cores: memory bandwidth. */
#include "measure.h"
#include "scalar_product.h"

/* The plain loop, on purpose: one sum to which all n terms are added, so that its rounding errors
 * grow. The blocks of a GPU do better. */
static void oneCore(const float *x, const float *y, float *sum, size_t n)
{
    MEASURE (run) {
        float s = 0.0f;

        for (size_t i = 0; i < n; i++)
            s += x[i] * y[i];
        *sum = s;
    }
}

static void allCores(const float *x, const float *y, float *sum, size_t n)
{
    MEASURE (run) {
        float s = 0.0f;

#pragma omp parallel for reduction(+ : s)
        for (size_t i = 0; i < n; i++)
            s += x[i] * y[i];
        *sum = s;
    }
}

static void oneCoreDouble(const double *x, const double *y, double *sum, size_t n)
{
    MEASURE (run) {
        double s = 0.0;

        for (size_t i = 0; i < n; i++)
            s += x[i] * y[i];
        *sum = s;
    }
}

static void allCoresDouble(const double *x, const double *y, double *sum, size_t n)
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
    {"one core", oneCore, oneCoreDouble, ONE_CHAIN},
    {"all cores", allCores, allCoresDouble, ONE_CHAIN},
    {NULL, NULL, NULL},
};
