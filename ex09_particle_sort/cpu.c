/* TASK     list the n particles of each grid cell: the CPU baseline, one core and all cores.
 * TRAFFIC  n (2 sizeof(float) + sizeof(int)) + cells sizeof(int) bytes: coordinates read, lists and
 *          lengths written.
 * LIMIT    the latency of scattered writes. */
#include "measure.h"
#include "particle_sort.h"
#include <string.h>

static void sortOneCore(const float *x, const float *y, size_t n, struct grid grid, int *length,
                        int *list, int *start)
{
    const size_t cells = (size_t)grid.nx * (size_t)grid.ny;

    (void)start;
    MEASURE (run) {
        memset(length, 0, cells * sizeof *length);
        for (size_t i = 0; i < n; i++) {
            const int cell = cellOf(x[i], y[i], grid);

            if (cell >= 0) {
                const int slot = length[cell]++;

                if (slot < grid.capacity)
                    list[(size_t)slot * cells + (size_t)cell] = (int)i;
            }
        }
    }
}

static void sortAllCores(const float *x, const float *y, size_t n, struct grid grid, int *length,
                         int *list, int *start)
{
    const size_t cells = (size_t)grid.nx * (size_t)grid.ny;

    (void)start;
    MEASURE (run) {
        memset(length, 0, cells * sizeof *length);
#pragma omp parallel for
        for (size_t i = 0; i < n; i++) {
            const int cell = cellOf(x[i], y[i], grid);

            if (cell >= 0) {
                int slot;

                /* Reading and incrementing must be one step, as on the device. */
#pragma omp atomic capture
                slot = length[cell]++;
                if (slot < grid.capacity)
                    list[(size_t)slot * cells + (size_t)cell] = (int)i;
            }
        }
    }
}

const struct variant cpuVariants[] = {
    {"one core", sortOneCore},
    {"all cores, atomic increment", sortAllCores},
    {NULL, NULL},
};
