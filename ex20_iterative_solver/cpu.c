/* TASK     x += alpha (A x - f), A dense: the CPU baseline, one core and all cores.
 * TRAFFIC  4 n^2 bytes a step: A read.
 * LIMIT    one core: the latency of n dependent additions; all cores: memory bandwidth. */
#include "measure.h"
#include "iterative_solver.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* r = A x - f by the plain loops; returns || r ||. */
static double residualPlainly(const struct system *s, const float *x, float *r)
{
    double sum = 0.0;

    for (int row = 0; row < s->n; row++) {
        float product = 0.0f;

        for (int k = 0; k < s->n; k++)
            product += s->a[(size_t)row * (size_t)s->n + (size_t)k] * x[k];
        r[row] = product - s->f[row];
        sum += (double)r[row] * r[row];
    }
    return sqrt(sum);
}

/* The rows divided among the cores, and a row's sum among the lanes of vector instructions. */
static double residualByAllCores(const struct system *s, const float *x, float *r)
{
    double sum = 0.0;

#pragma omp parallel for reduction(+ : sum)
    for (int row = 0; row < s->n; row++) {
        const float *a = s->a + (size_t)row * (size_t)s->n;
        float product = 0.0f;

#pragma omp simd reduction(+ : product)
        for (int k = 0; k < s->n; k++)
            product += a[k] * x[k];
        r[row] = product - s->f[row];
        sum += (double)r[row] * r[row];
    }
    return sqrt(sum);
}

static void solve(const struct system *s, struct solution *result,
                  double residual(const struct system *, const float *, float *))
{
    float *r = mustAllocate((size_t)s->n * sizeof *r, "the residual");

    MEASURE (run) {
        int k = 0;

        memset(result->x, 0, (size_t)s->n * sizeof *result->x);
        while ((result->residual[k] = residual(s, result->x, r)) > s->limit && k < s->maxSteps) {
            for (int i = 0; i < s->n; i++)
                result->x[i] += s->alpha * r[i];
            k++;
        }
        result->steps = k;
    }
    free(r);
}

static void oneCore(const struct system *s, struct solution *result)
{
    solve(s, result, residualPlainly);
}

static void allCores(const struct system *s, struct solution *result)
{
    solve(s, result, residualByAllCores);
}

const struct variant cpuVariants[] = {
    {"one core, plain loops", oneCore},
    {"all cores, vector instructions", allCores},
    {NULL, NULL},
};
