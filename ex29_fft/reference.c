/* TASK     X[k] = sum over j of x[j] w^(j k) in double: the reference.
 * TRAFFIC  32 bytes for each point and pass.
 * LIMIT    memory bandwidth. */
#include "reference.h"
#include "measure.h"
#include <math.h>
#include <stdlib.h>

static int isOddPowerOf2(size_t n)
{
    while (n >= 4)
        n /= 4;
    return n == 2;
}

/* Stockham's passes of radix 2, over all transforms at once. Each reads one array and writes the
 * other; the last one must write y. */
void transformInDouble(const struct point *x, struct exact *y, struct exact *work, size_t n,
                       size_t batch)
{
    struct exact *w = mustAllocate((n / 2 + 1) * sizeof *w, "twiddles in double"), *from = y,
                 *to = work;
    size_t size = 1;

    if (isOddPowerOf2(n)) {
        from = work;
        to = y;
    }
#pragma omp parallel for
    for (size_t k = 0; k < n / 2; k++)
        w[k] = (struct exact){cos(2.0 * M_PI * (double)k / (double)n),
                              -sin(2.0 * M_PI * (double)k / (double)n)};
#pragma omp parallel for
    for (size_t i = 0; i < n * batch; i++)
        from[i] = (struct exact){x[i].re, x[i].im};
    for (; size < n; size *= 2) {
        struct exact *const other = from;

#pragma omp parallel for
        for (size_t i = 0; i < n / 2 * batch; i++) {
            const size_t j = i % (n / 2), k = j % size, first = i / (n / 2) * n;
            const struct exact a = from[first + j], b = from[first + j + n / 2];
            const struct exact turn = w[k * (n / 2 / size)];
            const double re = b.re * turn.re - b.im * turn.im;
            const double im = b.re * turn.im + b.im * turn.re;

            to[first + 2 * (j - k) + k] = (struct exact){a.re + re, a.im + im};
            to[first + 2 * (j - k) + k + size] = (struct exact){a.re - re, a.im - im};
        }
        from = to;
        to = other;
    }
    free(w);
}

/* The factors of RUN points in a row are powers of one. That one is off by 2^-62 at most, so they
 * are off by 2^-54: nothing beside the 1e-12 that checkReference() allows. */
struct exact byDefinitionInLongDouble(const struct point *x, size_t n, size_t k)
{
    enum { RUN = 256 };
    const long double turn = -2.0L * 3.14159265358979323846L / n;
    const long double stepRe = cosl(turn * k), stepIm = sinl(turn * k);
    long double re = 0.0L, im = 0.0L;

#pragma omp parallel for reduction(+ : re, im)
    for (size_t first = 0; first < n; first += RUN) {
        long double c = cosl(turn * (first * k % n)), s = sinl(turn * (first * k % n));

        for (size_t j = first; j < n && j < first + RUN; j++) {
            const long double next = c * stepRe - s * stepIm;

            re += x[j].re * c - x[j].im * s;
            im += x[j].re * s + x[j].im * c;
            s = c * stepIm + s * stepRe;
            c = next;
        }
    }
    return (struct exact){(double)re, (double)im};
}
