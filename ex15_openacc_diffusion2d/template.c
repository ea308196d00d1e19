/* TASK     f' = f + alpha (left + right + up + down - 4 f), fixed borders, all steps on the device.
 * TRAFFIC  8 (nx - 2)(ny - 2) bytes a step: f read, f' written; none between host and device.
 * LIMIT    memory bandwidth, and the link where arrays are copied. */
#include "measure.h"
#include "diffusion2d.h"
#include <stdlib.h>
#include <string.h>

enum { GANGS = 16384, WORKERS = 8 };

/* Both arrays travel for each step. */
static void stepWithCopies(const float *f, float *to, size_t nx, size_t ny, float alpha)
{
    // TODO 1 begin: the two loops on the device, with the copies that this step needs
    UNFILLED(1);
    // TODO 1 end
    for (size_t y = 1; y < ny - 1; y++)
        for (size_t x = 1; x < nx - 1; x++) {
            const size_t i = y * nx + x;

            to[i] = f[i] + alpha * (f[i - 1] + f[i + 1] + f[i - nx] + f[i + nx] - 4.0f * f[i]);
        }
}

/* The same where both arrays are on the device already. */
static void stepPresent(const float *f, float *to, size_t nx, size_t ny, float alpha)
{
    // TODO 2 begin: the two loops on the device; both arrays are present
    UNFILLED(2);
    // TODO 2 end
    for (size_t y = 1; y < ny - 1; y++)
        for (size_t x = 1; x < nx - 1; x++) {
            const size_t i = y * nx + x;

            to[i] = f[i] + alpha * (f[i - 1] + f[i + 1] + f[i - nx] + f[i + nx] - 4.0f * f[i]);
        }
}

/* Rows over the gangs, points of a row over workers and vector: no division to find x and y. A row
 * is short enough for 32-bit x, which is half the index arithmetic. */
static void stepRows(const float *f, float *to, size_t nx, size_t ny, float alpha)
{
    const unsigned last = (unsigned)nx - 1;

    // TODO 3 begin: (advanced) the outer loop over gangs
    UNFILLED(3);
    // TODO 3 end
    for (size_t y = 1; y < ny - 1; y++) {
        // TODO 3 begin: the inner loop over workers and vector
        UNFILLED(3);
        // TODO 3 end
        for (unsigned x = 1; x < last; x++) {
            const size_t i = y * nx + x;

            to[i] = f[i] + alpha * (f[i - 1] + f[i + 1] + f[i - nx] + f[i + nx] - 4.0f * f[i]);
        }
    }
}

typedef void step_fn(const float *f, float *to, size_t nx, size_t ny, float alpha);

/* All steps, to and fro between two arrays, so that the last one ends in f. */
static void allSteps(const float *start, float *f, float *other, size_t nx, size_t ny, float alpha,
                     int steps, step_fn *step)
{
    const float *from = start;

    for (int s = steps; s > 0; s--) {
        float *to = s % 2 == 1 ? f : other;

        step(from, to, nx, ny, alpha);
        from = to;
    }
}

static void copiesEveryStep(const float *start, float *f, size_t nx, size_t ny, float alpha,
                            int steps)
{
    float *other = malloc(nx * ny * sizeof *other);

    if (other == NULL)
        return; /* f stays poisoned, and the row WRONG */
    memcpy(f, start, nx * ny * sizeof *f);
    memcpy(other, start, nx * ny * sizeof *other);
    MEASURE (run) {
        allSteps(start, f, other, nx, ny, alpha, steps, stepWithCopies);
    }
    free(other);
}

/* The plain data region: three arrays there and three back, once for all steps. */
static void dataCopy(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps)
{
    const size_t n = nx * ny;
    float *other = malloc(n * sizeof *other);

    if (other == NULL)
        return;
    memcpy(f, start, n * sizeof *f);
    memcpy(other, start, n * sizeof *other);
    // TODO 4 begin: a data region that copies all three arrays there and back
    UNFILLED(4);
    // TODO 4 end
    {
        MEASURE (run) {
            allSteps(start, f, other, nx, ny, alpha, steps, stepPresent);
        }
    }
    free(other);
}

/* As few copies as possible: the borders are set where they are needed, on the device. */
static void dataCreate(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps,
                       step_fn *step)
{
    const size_t n = nx * ny;
    float *other = malloc(n * sizeof *other);

    if (other == NULL)
        return;
    // TODO 5 begin: a data region with the fewest copies: which array needs which clause?
    UNFILLED(5);
    // TODO 5 end
    {
        // TODO 6 begin: on the device, fill f and other from start
        UNFILLED(6);
        // TODO 6 end
        for (size_t i = 0; i < n; i++)
            f[i] = other[i] = start[i];
        MEASURE (run) {
            allSteps(start, f, other, nx, ny, alpha, steps, step);
        }
    }
    free(other);
}

static void dataFewest(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps)
{
    dataCreate(start, f, nx, ny, alpha, steps, stepPresent);
}

static void rowsOverGangs(const float *start, float *f, size_t nx, size_t ny, float alpha,
                          int steps)
{
    dataCreate(start, f, nx, ny, alpha, steps, stepRows);
}

#include "advanced/change.h"

const struct variant deviceVariants[] = {
    {"copies in every step", copiesEveryStep},
    {"data region, copy", dataCopy},
    {"data region, fewest copies", dataFewest},
    {"fewest copies, rows over gangs", rowsOverGangs},
    {"fewest copies, largest change", withChange},
    {NULL, NULL},
};
