/* TASK     y = x transposed, x of ny rows of nx floats: the CPU baseline, one core and all cores.
 * TRAFFIC  8 nx ny bytes: x read, y written.
 * LIMIT    plain loops: a cache line and a page for each element of a column; in tiles: memory
 *          bandwidth. */
#include "transpose.h"
#include "measure.h"

static void plainLoops(const float *x, float *y, size_t nx, size_t ny)
{
    MEASURE (run) {
        for (size_t row = 0; row < ny; row++)
            for (size_t column = 0; column < nx; column++)
                y[column * ny + row] = x[row * nx + column];
    }
}

/* A tile's columns stay in the cache until all of their rows are there. */
static void inTiles(const float *x, float *y, size_t nx, size_t ny)
{
    enum { TILE = 32 };

    MEASURE (run) {
#pragma omp parallel for collapse(2)
        for (size_t column0 = 0; column0 < nx; column0 += TILE)
            for (size_t row0 = 0; row0 < ny; row0 += TILE) {
                const size_t columnEnd = column0 + TILE < nx ? column0 + TILE : nx;
                const size_t rowEnd = row0 + TILE < ny ? row0 + TILE : ny;

                for (size_t column = column0; column < columnEnd; column++)
                    for (size_t row = row0; row < rowEnd; row++)
                        y[column * ny + row] = x[row * nx + column];
            }
    }
}

const struct variant cpuVariants[] = {
    {"one core, plain loops", plainLoops},
    {"all cores, in tiles", inTiles},
    {NULL, NULL},
};
