/* TASK     c[i] = a[i] + b[i], n floats, walked through in order and with a stride: one core, all
 *          cores.
 * TRAFFIC  12 n bytes: a and b read, c written.
 * LIMIT    memory bandwidth; with a stride the cache lines that are moved for one element each. */
#include "measure.h"
#include "uncoalesced.h"

/* The offsets belong to the device arrays: here they would change nothing that can be measured. */
static void inOrder(const float *a, const float *b, float *c, size_t n, const struct access *access)
{
    (void)access;
    MEASURE (run) {
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] + b[i];
    }
}

static void strided(const float *a, const float *b, float *c, size_t n, const struct access *access)
{
    MEASURE (run) {
        for (size_t first = 0; first < access->stride; first++)
            for (size_t i = first; i < n; i += access->stride)
                c[i] = a[i] + b[i];
    }
}

static void allCores(const float *a, const float *b, float *c, size_t n,
                     const struct access *access)
{
    (void)access;
    MEASURE (run) {
#pragma omp parallel for
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] + b[i];
    }
}

const struct variant cpuVariants[] = {
    {"one core", inOrder},
    {"one core, stride", strided},
    {"all cores", allCores},
    {NULL, NULL},
};
