/* TASK     Poisson's equation, random points and particles in cells: the CPU baseline, one core and
 *          all cores.
 * TRAFFIC  Poisson: 96 bytes for each point in each iteration. Points: none. Cells: 8 bytes for
 *          each particle.
 * LIMIT    memory bandwidth; points: arithmetic. */
#include "measure.h"
#include "libraries.h"
#include "philox.h"
#include <stdlib.h>
#include <string.h>

/* q = A p, and p.q */
static double applyStencil(const double *p, double *q, size_t n, int parallel)
{
    double product = 0.0;

#pragma omp parallel for reduction(+ : product) if (parallel)
    for (size_t row = 0; row < n; row++) {
        const double *const own = p + row * n;
        const double *const above = p + (row + n - 1) % n * n, *const below = p + (row + 1) % n * n;

        for (size_t i = 0; i < n; i++) {
            const double left = own[i > 0 ? i - 1 : n - 1], right = own[i + 1 < n ? i + 1 : 0];

            q[row * n + i] = 4.0 * own[i] - left - right - above[i] - below[i];
            product += own[i] * q[row * n + i];
        }
    }
    return product;
}

/* u += alpha p, r -= alpha q; the new r.r */
static double advance(double alpha, const double *p, const double *q, double *u, double *r,
                      size_t count, int parallel)
{
    double rr = 0.0;

#pragma omp parallel for reduction(+ : rr) if (parallel)
    for (size_t i = 0; i < count; i++) {
        u[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        rr += r[i] * r[i];
    }
    return rr;
}

/* Conjugate gradient (exercise 13). */
static void solve(const struct problem *problem, struct result *result, int parallel)
{
    const size_t n = problem->n, count = n * n, bytes = count * sizeof(double);
    double *work = mustAllocate(3 * bytes, "three vectors of conjugate gradient");
    double *r = work, *p = work + count, *q = work + 2 * count;

    MEASURE (run) {
        double rr = 0.0, limit;
        int k = 0;

        memset(result->u, 0, bytes);
        memcpy(r, problem->f, bytes);
        memcpy(p, problem->f, bytes);
        for (size_t i = 0; i < count; i++)
            rr += r[i] * r[i];
        limit = RESIDUAL * RESIDUAL * rr;
        for (; k < ITERATIONS(n) && rr > limit; k++) {
            const double alpha = rr / applyStencil(p, q, n, parallel), old = rr;

            rr = advance(alpha, p, q, result->u, r, count, parallel);
#pragma omp parallel for if (parallel)
            for (size_t i = 0; i < count; i++)
                p[i] = r[i] + rr / old * p[i];
        }
        result->iterations = k;
    }
    free(work);
}

static float uniform(uint32_t bits) { return (float)bits * 0x1p-32f + 0x1p-33f; }

static void count(const struct problem *problem, struct result *result, int parallel)
{
    const size_t n = problem->n * problem->n;

    MEASURE (run) {
        unsigned long long hits = 0;
        double sum = 0.0;

#pragma omp parallel for reduction(+ : hits, sum) if (parallel)
        for (size_t q = 0; q < (n + 1) / 2; q++) {
            uint32_t word[4];

            philoxOnHost(problem->seed, q, word);
            for (size_t k = 0; k < 2 && 2 * q + k < n; k++) {
                const float x = uniform(word[2 * k]), y = uniform(word[2 * k + 1]);

                hits += (double)x * x + (double)y * y <= 1.0;
                sum += 4.0f / (1.0f + x * x);
            }
        }
        result->hits = hits;
        result->sum = sum;
    }
}

/* The counts are added one place further up, so that the running sum is in place. */
static void fill(const struct problem *problem, struct result *result, int parallel)
{
    const size_t n = problem->n * problem->n;

    MEASURE (run) {
        memset(result->first, 0, (problem->cells + 1) * sizeof *result->first);
        memset(result->total, 0, problem->cells * sizeof *result->total);
#pragma omp parallel for if (parallel)
        for (size_t i = 0; i < n; i++) {
#pragma omp atomic
            result->first[problem->cell[i] + 1]++;
#pragma omp atomic
            result->total[problem->cell[i]] += problem->weight[i];
        }
        for (size_t c = 0; c < problem->cells; c++)
            result->first[c + 1] += result->first[c];
    }
}

static void solveOneCore(const struct problem *problem, struct result *result)
{
    solve(problem, result, 0);
}

static void solveAllCores(const struct problem *problem, struct result *result)
{
    solve(problem, result, 1);
}

static void countOneCore(const struct problem *problem, struct result *result)
{
    count(problem, result, 0);
}

static void countAllCores(const struct problem *problem, struct result *result)
{
    count(problem, result, 1);
}

static void fillOneCore(const struct problem *problem, struct result *result)
{
    fill(problem, result, 0);
}

static void fillAllCores(const struct problem *problem, struct result *result)
{
    fill(problem, result, 1);
}

const struct variant cpuVariants[] = {
    {"Poisson: CG, one core", solveOneCore, POISSON | PART_OF_SIZE},
    {"Poisson: CG, all cores", solveAllCores, POISSON | PART_OF_SIZE},
    {"points: one core", countOneCore, POINTS | OTHER_WORK},
    {"points: all cores", countAllCores, POINTS | OTHER_WORK},
    {"cells: one core", fillOneCore, CELLS | OTHER_WORK},
    {"cells: all cores", fillAllCores, CELLS | OTHER_WORK},
    {NULL, NULL},
};
