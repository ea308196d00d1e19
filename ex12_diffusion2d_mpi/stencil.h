/* A slab in the memory of one GPU, and the kernels that step it. */
#ifndef STENCIL_H
#define STENCIL_H

#include <cuda_runtime.h>
#include "diffusion2d.h"

/* Time steps that stencilSteps takes in one pass over the memory. */
enum { STEPS_PER_PASS = 8 };

/* Three fields of rows + 2 halo rows each: row y of field f begins at f + y * pitch, -halo <= y <
 * rows + halo; the own rows are 0 .. rows - 1. start is never written, so that the steps can be
 * taken again. The step after start goes to field[0], the next one to field[1], and so on by
 * turns. */
struct device_slab {
    const struct slab *slab;
    int nx, rows;
    int halo;         /* rows on either side: one for each step between two exchanges */
    ptrdiff_t pitch;  /* floats from one row to the next: nx rounded up to 128 bytes */
    size_t haloBytes; /* of halo rows together */
    /* one allocation of 3 * fieldFloats floats; d_start, field[0], field[1] within */
    float *memory;
    size_t fieldFloats;
    float *start, *field[2];
};

/* Allocates a slab on the device and copies start (see variant_fn) into all three fields. Halo rows
 * beyond the first are left to the first exchange. */
void slabToDevice(struct device_slab *d, const struct slab *slab, int halo, const float *start);
/* Copies field f to end (see variant_fn) and frees the slab. */
void slabToHost(struct device_slab *d, const float *f, float *end);

/* Computes the rows from .. to - 1 of g out of the rows from - 1 .. to of f, one step later. */
typedef void stencil_fn(const struct device_slab *d, const float *f, float *g, int from, int to,
                        cudaStream_t stream);
stencil_fn stencilPlain; /* one point per thread */
stencil_fn stencilRows;  /* float4, and several rows per thread */
/* STEPS_PER_PASS steps at once, out of the rows from - STEPS_PER_PASS .. to - 1 +
 * STEPS_PER_PASS. */
stencil_fn stencilSteps;
/* The fastest of them for 1 step or STEPS_PER_PASS steps. */
void stencilFast(const struct device_slab *d, int steps, const float *f, float *g, int from, int to,
                 cudaStream_t stream);

struct exchange;
/* Brings the neighbours' rows into the halo of field g, after the stream has computed its own outer
 * rows; later work of the stream finds them there. */
typedef void exchange_fn(const struct device_slab *d, struct exchange *e, float *g,
                         cudaStream_t stream);
/* All steps, with the exchange of `halo` rows on either side hidden behind the inner rows. You
 * write it (TODO 2); the rows of library.cu use it, too. */
void stepOverlapped(const struct slab *slab, const float *start, float *end, int halo,
                    exchange_fn *exchange);

/* The halo above field g and the one below it, and the own rows that the rank below gets; those for
 * the rank above begin at g itself. Each is d->haloBytes long. */
static inline float *haloAbove(const struct device_slab *d, float *g)
{
    return g - d->halo * d->pitch;
}

static inline float *haloBelow(const struct device_slab *d, float *g)
{
    return g + d->rows * d->pitch;
}

static inline float *lastRows(const struct device_slab *d, float *g)
{
    return g + (d->rows - d->halo) * d->pitch;
}

#endif
