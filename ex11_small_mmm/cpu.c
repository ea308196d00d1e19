/* TASK     c = a b for many pairs of n x n matrices: the CPU baseline, one core and all cores.
 * TRAFFIC  12 n^2 bytes a pair: a and b read once, c written once.
 * LIMIT    the plain loops: the latency of n dependent additions; the others: memory bandwidth. */
#include "measure.h"
#include "small_mmm.h"
#include <string.h>

static void plainLoops(const float *a, const float *b, float *c, int n, size_t count)
{
    const size_t nn = (size_t)n * (size_t)n;

    MEASURE (run) {
        for (size_t m = 0; m < count; m++) {
            const float *am = a + m * nn, *bm = b + m * nn;

            for (int u = 0; u < n; u++)
                for (int v = 0; v < n; v++) {
                    float sum = 0.0f;

                    for (int k = 0; k < n; k++)
                        sum += am[u * n + k] * bm[k * n + v];
                    c[m * nn + (size_t)(u * n + v)] = sum;
                }
        }
    }
}

/* One row of c at a time: k outside and v inside makes every access contiguous, and the additions
 * of a row independent of one another, so that the compiler can use vector instructions. */
static inline void rowByRow(const float *a, const float *b, float *c, int n)
{
    for (int u = 0; u < n; u++) {
        float row[MAX_N] = {0.0f};

        for (int k = 0; k < n; k++) {
            const float a_uk = a[u * n + k];

#pragma omp simd
            for (int v = 0; v < n; v++)
                row[v] += a_uk * b[k * n + v];
        }
        memcpy(c + u * n, row, (size_t)n * sizeof *c);
    }
}

static void allCores(const float *a, const float *b, float *c, int n, size_t count)
{
    const size_t nn = (size_t)n * (size_t)n;

    MEASURE (run) {
#pragma omp parallel for
        for (size_t m = 0; m < count; m++)
            switch (n) { /* a constant n lets the compiler unroll */
            case 4: rowByRow(a + m * nn, b + m * nn, c + m * nn, 4); break;
            case 8: rowByRow(a + m * nn, b + m * nn, c + m * nn, 8); break;
            case 16: rowByRow(a + m * nn, b + m * nn, c + m * nn, 16); break;
            case 32: rowByRow(a + m * nn, b + m * nn, c + m * nn, 32); break;
            default: rowByRow(a + m * nn, b + m * nn, c + m * nn, n);
            }
    }
}

const struct variant cpuVariants[] = {
    {"one core, plain loops", plainLoops},
    {"all cores, row by row", allCores},
    {NULL, NULL},
};
