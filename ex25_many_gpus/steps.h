/* A step on the CPU: of the CPU's rows and of the reference. */
#ifndef STEPS_H
#define STEPS_H

#include <stddef.h>
#include "many_gpus.h"

/* All inner points of g, nx x ny, out of f. */
static inline void stepOnCpu(const float *f, float *g, int nx, int ny, int allCores)
{
    (void)allCores;
#pragma omp parallel for if (allCores)
    for (int y = 1; y < ny - 1; y++) {
        const float *mid = f + (size_t)y * (size_t)nx, *up = mid - nx, *down = mid + nx;
        float *row = g + (size_t)y * (size_t)nx;

        for (int x = 1; x < nx - 1; x++)
            row[x] = mid[x] + ALPHA * (mid[x - 1] + mid[x + 1] + up[x] + down[x] - 4.0f * mid[x]);
    }
}

#endif
