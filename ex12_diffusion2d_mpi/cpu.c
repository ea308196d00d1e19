/* TASK     The 2D diffusion with MPI on CPUs: where the exercise starts from, and the baseline.
 * TRAFFIC  8 bytes per point and step; between two ranks 8 nx bytes per step.
 * LIMIT    memory bandwidth. "One core" is one per rank, "all cores" those that a rank may use. */
#include "measure.h"
#include "mpi_utils.h"
#include "diffusion2d.h"
#include "harness.h"
#include <string.h>

/* Row y of the result; g and f have nx points a row. */
static void stepRow(const float *f, float *g, size_t nx, size_t y)
{
    const float *up = f + (y - 1) * nx, *mid = f + y * nx, *down = f + (y + 1) * nx;

    for (size_t x = 1; x < nx - 1; x++)
        g[y * nx + x] =
            mid[x] + ALPHA * (mid[x - 1] + mid[x + 1] + up[x] + down[x] - 4.0f * mid[x]);
}

static void exchange(const struct slab *s, float *g)
{
    const size_t nx = (size_t)s->nx;
    float *first = g + nx, *last = g + (size_t)s->rows * nx;

    beginWait(s);
    mpiVerify(MPI_Sendrecv(first, s->nx, MPI_FLOAT, s->above, 1, last + nx, s->nx, MPI_FLOAT,
                           s->below, 1, s->comm, MPI_STATUS_IGNORE));
    mpiVerify(MPI_Sendrecv(last, s->nx, MPI_FLOAT, s->below, 2, g, s->nx, MPI_FLOAT, s->above, 2,
                           s->comm, MPI_STATUS_IGNORE));
    mpiPatienceEnd();
}

static void diffuse(const struct slab *s, const float *start, float *end, int allCores)
{
    const size_t nx = (size_t)s->nx, bytes = ((size_t)s->rows + 2) * nx * sizeof(float);
    float *other = mustAllocate(bytes, "a second field");
    /* The last step must arrive in end. */
    float *fields[2] = {s->steps % 2 ? end : other, s->steps % 2 ? other : end};

    memcpy(fields[0], start, bytes);
    memcpy(fields[1], start, bytes);
    MEASURE (run) {
        const float *f = start;

        for (int step = 0; step < s->steps; step++) {
            float *g = fields[step % 2];

#pragma omp parallel for if (allCores)
            for (size_t y = 1; y <= (size_t)s->rows; y++)
                stepRow(f, g, nx, y);
            exchange(s, g);
            f = g;
        }
    }
    free(other);
}

static void oneCore(const struct slab *slab, const float *start, float *end)
{
    diffuse(slab, start, end, 0);
}

static void allCores(const struct slab *slab, const float *start, float *end)
{
    diffuse(slab, start, end, 1);
}

const struct variant cpuVariants[] = {
    {"one core", oneCore},
    {"all cores", allCores},
    {NULL, NULL},
};
