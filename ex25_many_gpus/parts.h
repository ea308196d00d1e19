/* A part of the field in the memory of one GPU, and the kernels that step it. */
#ifndef PARTS_H
#define PARTS_H

#include <cuda_runtime.h>
#include "many_gpus.h"

/* Time steps that stepMany() takes in one pass over the memory. */
enum { STEPS_PER_PASS = 8 };

/* Three fields of rows + 2 halo rows each: row y of field f begins at f + y * pitch, -halo <= y <
 * rows + halo; the own rows are 0 .. rows - 1. start is never written, so that the steps can be
 * taken again. */
struct part {
    int device;
    int nx, rows;
    int halo;         /* rows on either side: one for each step between two exchanges */
    ptrdiff_t pitch;  /* floats from one row to the next: nx rounded up to 128 bytes */
    size_t haloBytes; /* of halo rows together */
    float *memory;    /* one allocation; start, field[0] and field[1] within */
    float *start, *field[2];
    struct part *above, *below; /* the neighbours; NULL: the border is there */
    cudaStream_t outer, inner;  /* of the part's device, as are the events */
    cudaEvent_t outerDone[2], innerDone, sent[2];
};

/* Lets `device` use the memory of `peer`; returns 0 if it cannot. */
typedef int open_fn(int device, int peer);
/* All devices in use with each other, by open(); returns 1 if all can. peersClose() ends it, so
 * that no row finds it done, nor what a row has left that did not come to its end. */
int peersOpen(const struct field *field, open_fn *open);
void peersClose(void);

/* Allocates the parts, each on its device, with streams and events, and copies start into all three
 * fields, halo rows included. */
void partsToDevices(struct part *parts, const struct field *field, int halo, const float *start);
/* Templates of before 1.1 call this; it is no longer needed. */
#define partsWipe(parts, field) ((void)(parts), (void)(field))
/* Copies every part's own rows of `start` (-1), field[0] or field[1] to end, whose border it takes
 * from them too, and frees the parts. */
void partsToHost(struct part *parts, const struct field *field, int which, float *end);

/* Puts a kernel into the stream that computes the rows from .. to - 1 of g out of the rows from - 1
 * .. to of f, one step later. Row -1 is read at `above`, row p->rows at `below`. The part's device
 * must be the active one. */
void stepOnce(const struct part *p, const float *f, const float *above, const float *below,
              float *g, int from, int to, cudaStream_t stream);
/* STEPS_PER_PASS steps at once, out of the rows from - STEPS_PER_PASS .. to - 1 + STEPS_PER_PASS of
 * f. */
void stepMany(const struct part *p, const float *f, float *g, int from, int to,
              cudaStream_t stream);

/* The halo above field g and the one below it, and the own rows that the part below gets; those for
 * the part above begin at g itself. Each is p->haloBytes long. */
static inline float *haloAbove(const struct part *p, float *g) { return g - p->halo * p->pitch; }

static inline float *haloBelow(const struct part *p, float *g) { return g + p->rows * p->pitch; }

static inline float *lastRows(const struct part *p, float *g)
{
    return g + (p->rows - p->halo) * p->pitch;
}

/* With a halo of one row: n steps, 1 or STEPS_PER_PASS, of the rows from .. to - 1 out of field f
 * and its halo. */
static inline void stepFast(const struct part *p, int n, const float *f, float *g, int from, int to,
                            cudaStream_t stream)
{
    if (n == 1)
        stepOnce(p, f, f - p->pitch, f + p->rows * p->pitch, g, from, to, stream);
    else
        stepMany(p, f, g, from, to, stream);
}

#endif
