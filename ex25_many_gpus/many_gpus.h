/* The heat equation on a field of nx x ny points, row by row, whose rows are divided among the GPUs
 * of one process:
 *     f' = f + ALPHA * (left + right + up + down - 4 f)
 * in every point but the outermost ones, which never change. And copies from one GPU to another. */
#ifndef MANY_GPUS_H
#define MANY_GPUS_H

#include <stddef.h>

/* A power of two, so that the product is exact and every processor gets the same bits. Stable up to
 * 1/4. */
#define ALPHA 0.125f

enum { MOST_PARTS = 64 };

struct field {
    int nx, ny;             /* points: columns, rows */
    int steps;              /* time steps to take, at least 1 */
    int parts;              /* into which the rows 1 .. ny - 2 are divided; at most one for each */
    int device[MOST_PARTS]; /* on which a part is; several parts may be on one device */
    int devices;            /* that are in use: those of the first parts, all different */
    int from, to;           /* a copy: the devices between which */
    size_t floats;          /* and how much */
};

/* Takes all steps. start and end: ny rows of nx floats; end must hold them all. With the trait
 * LINK: copies the first `floats` of start to device `from`, from there to device `to`, and from
 * there to end. */
typedef void variant_fn(const struct field *field, const float *start, float *end);
#include "variants.h"

enum {
    LINK = EXERCISE_TRAIT, /* a copy between two devices */
    ALONE =
        2 * EXERCISE_TRAIT, /* the whole field on one device: what the others are compared with */
    OVERLAPS = 4 * EXERCISE_TRAIT, /* inner rows are computed beside the outer ones */
    TOGETHER = 8 * EXERCISE_TRAIT  /* all devices compute at the same time, one kernel a step */
};

/* The first row of part p, and of what comes after the last one: rows 1 .. ny - 2, divided
 * evenly. */
static inline int firstRow(const struct field *f, int p)
{
    const int inner = f->ny - 2, more = inner % f->parts;

    return 1 + p * (inner / f->parts) + (p < more ? p : more);
}

#endif
