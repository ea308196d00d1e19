/* TASK     c[i] = a[i] * b, n floats: the CPU baseline, one core and all cores.
 * TRAFFIC  8 n bytes: a read, c written.
 * LIMIT    memory bandwidth: one multiplication per 8 bytes. */
#include "measure.h"
#include "vector_scale.h"

static void vectorScaleOneCore(const float *a, float b, float *c, size_t n)
{
    MEASURE (run) {
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] * b;
    }
}

static void vectorScaleAllCores(const float *a, float b, float *c, size_t n)
{
    MEASURE (run) {
#pragma omp parallel for
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] * b;
    }
}

#ifdef COURSE_EMULATED
void scaleOnDevice(const float *a, float b, float *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] * b;
}
#endif

const struct variant cpuVariants[] = {
    {"one core", vectorScaleOneCore},
    {"all cores", vectorScaleAllCores},
    {NULL, NULL},
};
