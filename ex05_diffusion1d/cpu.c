/* TASK     `steps` steps of diffusion over n points between fixed ends: the CPU baseline, one core
 *          and all cores.
 * TRAFFIC  8 (n + 2) bytes a step: f read, the new f written.
 * LIMIT    memory bandwidth: 5 flops per 8 bytes. */
#include "measure.h"
#include "diffusion1d.h"
#include <stdlib.h>
#include <string.h>

/* One step from f to g, which already has its ends. */
static void stepOneCore(const float *f, float *g, size_t n, float alpha)
{
    for (size_t i = 1; i <= n; i++)
        g[i] = f[i] + alpha * (f[i - 1] + f[i + 1] - 2.0f * f[i]);
}

static void stepAllCores(const float *f, float *g, size_t n, float alpha)
{
#pragma omp parallel for if (n > 20000) // starting the threads takes longer than a short vector
    for (size_t i = 1; i <= n; i++)
        g[i] = f[i] + alpha * (f[i - 1] + f[i + 1] - 2.0f * f[i]);
}

typedef void step_fn(const float *f, float *g, size_t n, float alpha);

/* Two arrays take turns, so that the last step writes f; the first step reads f0, which stays as it
 * is: every run does the same work. */
static void diffuse(const float *f0, float *f, size_t n, int steps, float alpha, step_fn *step)
{
    const size_t bytes = (n + 2) * sizeof *f;
    float *other = mustAllocate(bytes, "a second field");

    memcpy(f, f0, bytes);
    memcpy(other, f0, bytes);
    MEASURE (run) {
        const float *from = f0;

        for (int left = steps; left > 0; left--) {
            float *to = left % 2 == 1 ? f : other;

            step(from, to, n, alpha);
            from = to;
        }
    }
    free(other);
}

static void oneCore(const float *f0, float *f, size_t n, int steps, float alpha)
{
    diffuse(f0, f, n, steps, alpha, stepOneCore);
}

static void allCores(const float *f0, float *f, size_t n, int steps, float alpha)
{
    diffuse(f0, f, n, steps, alpha, stepAllCores);
}

const struct variant cpuVariants[] = {
    {"one core", oneCore},
    {"all cores", allCores},
    {NULL, NULL},
};
