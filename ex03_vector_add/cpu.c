/* TASK     c[i] = a[i] + b[i], n floats: the CPU baseline, one core and all cores.
 * TRAFFIC  12 n bytes: a and b read, c written.
 * LIMIT    memory bandwidth: one addition per 12 bytes. */
#include "measure.h"
#include "vector_add.h"

static void vectorAddOneCore(const float *a, const float *b, float *c, size_t n)
{
    MEASURE (run) {
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] + b[i];
    }
}

static void vectorAddAllCores(const float *a, const float *b, float *c, size_t n)
{
    MEASURE (run) {
#pragma omp parallel for
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] + b[i];
    }
}

const struct variant cpuVariants[] = {
    {"one core", vectorAddOneCore},
    {"all cores", vectorAddAllCores},
    {NULL, NULL},
};
