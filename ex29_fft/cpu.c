/* TASK     X[k] = sum over j of x[j] w^(j k), n complex points in each transform: the CPU baseline,
 *          one core and all cores.
 * TRAFFIC  16 bytes for each point: x read, X written.
 * LIMIT    arithmetic: 5 n log2(n) operations for each transform. */
#include "fft.h"
#include "measure.h"
#include <math.h>
#include <stdlib.h>

/* w[k] = exp(-2 pi i k / n), k < n / 2. */
static struct point *makeTwiddles(size_t n)
{
    struct point *w = mustAllocate((n / 2 + 1) * sizeof *w, "twiddles");

    for (size_t k = 0; k < n / 2; k++)
        w[k] = (struct point){(float)cos(2.0 * M_PI * (double)k / (double)n),
                              (float)-sin(2.0 * M_PI * (double)k / (double)n)};
    return w;
}

/* One transform, in place, by Cooley and Tukey: the points in the order of their bit-reversed
 * numbers, then butterflies of neighbours, of pairs, of fours, ... */
static void transform(const struct point *x, struct point *y, const struct point *w, size_t n)
{
    for (size_t i = 0, reversed = 0; i < n; i++) {
        size_t bit = n / 2;

        y[reversed] = x[i];
        while (bit > 0 && (reversed & bit) != 0) {
            reversed ^= bit;
            bit /= 2;
        }
        reversed |= bit;
    }
    for (size_t size = 1; size < n; size *= 2)
        for (size_t first = 0; first < n; first += 2 * size)
            for (size_t k = 0; k < size; k++) {
                struct point *a = &y[first + k], *b = a + size;
                const struct point turn = w[k * (n / 2 / size)];
                const float re = b->re * turn.re - b->im * turn.im;
                const float im = b->re * turn.im + b->im * turn.re;

                *b = (struct point){a->re - re, a->im - im};
                *a = (struct point){a->re + re, a->im + im};
            }
}

static void oneCore(const struct point *x, struct point *y, size_t n, size_t batch)
{
    struct point *w = makeTwiddles(n);

    MEASURE (run) {
        for (size_t i = 0; i < batch; i++)
            transform(x + i * n, y + i * n, w, n);
    }
    free(w);
}

static void allCores(const struct point *x, struct point *y, size_t n, size_t batch)
{
    struct point *w = makeTwiddles(n);

    MEASURE (run) {
#pragma omp parallel for
        for (size_t i = 0; i < batch; i++)
            transform(x + i * n, y + i * n, w, n);
    }
    free(w);
}

const struct variant cpuVariants[] = {
    {"one core", oneCore},
    {"all cores", allCores},
    {NULL, NULL},
};
