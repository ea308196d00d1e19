/* TASK     f' = f + alpha (left + right + up + down - 4 f), fixed borders, many steps: the CPU
 *          baseline.
 * TRAFFIC  8 (nx - 2)(ny - 2) bytes a step: f read, f' written.
 * LIMIT    memory bandwidth. */
#include "measure.h"
#include "diffusion2d.h"
#include <stdlib.h>
#include <string.h>

static void row(const float *f, float *to, size_t nx, float alpha)
{
    for (size_t x = 1; x + 1 < nx; x++)
        to[x] = f[x] + alpha * (f[x - 1] + f[x + 1] + f[x - nx] + f[x + nx] - 4.0f * f[x]);
}

static void stepOneCore(const float *f, float *to, size_t nx, size_t ny, float alpha)
{
    for (size_t y = 1; y + 1 < ny; y++)
        row(f + y * nx, to + y * nx, nx, alpha);
}

static void stepAllCores(const float *f, float *to, size_t nx, size_t ny, float alpha)
{
#pragma omp parallel for
    for (size_t y = 1; y < ny - 1; y++)
        row(f + y * nx, to + y * nx, nx, alpha);
}

/* Steps go to and fro between two arrays, so that the last one ends in f. */
static void diffuse(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps,
                    void (*step)(const float *, float *, size_t, size_t, float))
{
    const size_t bytes = nx * ny * sizeof *f;
    float *other = malloc(bytes);

    if (other == NULL)
        return; /* f stays poisoned, and the row WRONG */
    memcpy(f, start, bytes);
    memcpy(other, start, bytes);
    MEASURE (run) {
        const float *from = start;

        for (int s = steps; s > 0; s--) {
            float *to = s % 2 == 1 ? f : other;

            step(from, to, nx, ny, alpha);
            from = to;
        }
    }
    free(other);
}

static void oneCore(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps)
{
    diffuse(start, f, nx, ny, alpha, steps, stepOneCore);
}

static void allCores(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps)
{
    diffuse(start, f, nx, ny, alpha, steps, stepAllCores);
}

const struct variant cpuVariants[] = {
    {"one core", oneCore},
    {"all cores", allCores},
    {NULL, NULL},
};
