/* Reference sums. */
#include "fail.h"
#include "harness.h"
#include "measure.h"
#include <math.h>
#include <stdlib.h>

enum { CHUNK = 1 << 16 }; /* terms; the same for any number of threads, so that the sum is, too */

struct compensated {
    double sum, lost;
};

/* Neumaier's compensated summation (Z. angew. Math. Mech. 54, 1974, 39-51): the rounding errors of
 * the sum are added up separately. */
static void add(struct compensated *s, double term)
{
    const double grown = s->sum + term;

    s->lost += fabs(s->sum) >= fabs(term) ? (s->sum - grown) + term : (term - grown) + s->sum;
    s->sum = grown;
}

enum type { FLOAT, DOUBLE };

static double element(const void *array, enum type type, size_t i)
{
    return type == FLOAT ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static double dot(const void *x, const void *y, enum type type, size_t n)
{
    const size_t chunks = (n + CHUNK - 1) / CHUNK;
    struct compensated *part = mustAllocate(chunks * sizeof *part, "the reference");
    struct compensated all = {0.0, 0.0};

#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < chunks; k++) {
        const size_t end = (k + 1) * CHUNK < n ? (k + 1) * CHUNK : n;
        struct compensated s = {0.0, 0.0};

        for (size_t i = k * CHUNK; i < end; i++)
            add(&s, element(x, type, i) * element(y, type, i));
        part[k] = s;
    }
    for (size_t k = 0; k < chunks; k++) {
        add(&all, part[k].sum);
        add(&all, part[k].lost);
    }
    free(part);
    return all.sum + all.lost;
}

double dotOfFloats(const float *x, const float *y, size_t n) { return dot(x, y, FLOAT, n); }

double dotOfDoubles(const double *x, const double *y, size_t n) { return dot(x, y, DOUBLE, n); }
