/* TASK     y = weighted sums of x, over stars in a volume and squares of an image: the CPU
 *          baseline, one core and all cores.
 * TRAFFIC  8 bytes a point: x read, y written.
 * LIMIT    one core: additions to a row of sums in its cache; all cores: for a star of 7 points
 *          memory bandwidth. */
#include "stencil3d.h"
#include "measure.h"
#include <string.h>

/* Adds to each sum the element `shift` columns to the right of it, of row j of plane k. */
static void addRow(float *sum, const float *x, const struct problem *p, long j, long k, long shift,
                   float weight)
{
    const long nx = (long)p->nx, ny = (long)p->ny;
    const long first = shift < 0 ? -shift : 0, end = shift > 0 ? nx - shift : nx;

    if (j < 0 || j >= ny || k < 0 || k >= (long)p->nz)
        return;
    x += (k * ny + j) * nx + shift;
    for (long i = first; i < end; i++)
        sum[i] += weight * x[i];
}

static void starRow(const float *x, float *sum, const struct problem *p, long row)
{
    const long j = row % (long)p->ny, k = row / (long)p->ny;

    memset(sum, 0, p->nx * sizeof *sum);
    addRow(sum, x, p, j, k, 0, p->weights[0]);
    for (int d = 1; d <= p->radius; d++)
        for (int sign = -d; sign <= d; sign += 2 * d) {
            addRow(sum, x, p, j, k, sign, p->weights[d]);
            addRow(sum, x, p, j + sign, k, 0, p->weights[d]);
            addRow(sum, x, p, j, k + sign, 0, p->weights[d]);
        }
}

static void squareRow(const float *x, float *sum, const struct problem *p, long j)
{
    const int r = p->radius, side = 2 * r + 1;

    memset(sum, 0, p->nx * sizeof *sum);
    for (int e = 0; e < side * side; e++)
        addRow(sum, x, p, j + e / side - r, 0, e % side - r, p->weights[e]);
}

static void starOneCore(const float *x, float *y, const struct problem *p)
{
    MEASURE (run) {
        for (long row = 0; row < (long)(p->ny * p->nz); row++)
            starRow(x, y + row * (long)p->nx, p, row);
    }
}

static void squareOneCore(const float *x, float *y, const struct problem *p)
{
    MEASURE (run) {
        for (long row = 0; row < (long)p->ny; row++)
            squareRow(x, y + row * (long)p->nx, p, row);
    }
}

static void starAllCores(const float *x, float *y, const struct problem *p)
{
    MEASURE (run) {
#pragma omp parallel for
        for (long row = 0; row < (long)(p->ny * p->nz); row++)
            starRow(x, y + row * (long)p->nx, p, row);
    }
}

static void squareAllCores(const float *x, float *y, const struct problem *p)
{
    MEASURE (run) {
#pragma omp parallel for
        for (long row = 0; row < (long)p->ny; row++)
            squareRow(x, y + row * (long)p->nx, p, row);
    }
}

const struct variant cpuVariants[] = {
    {"star, one core", starOneCore, PART_OF_SIZE | STAR},
    {"star, all cores", starAllCores, STAR},
    {"square, one core", squareOneCore, PART_OF_SIZE | SQUARE},
    {"square, all cores", squareAllCores, PART_OF_SIZE | SQUARE},
    {NULL, NULL},
};
