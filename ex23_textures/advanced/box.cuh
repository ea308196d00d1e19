/* The part of the image that a tile of the result sees. */
#ifndef BOX_CUH
#define BOX_CUH

#include "textures.h"

enum {
    TILE = 32,
    ROWS = 8, /* a block of TILE x ROWS threads takes TILE x TILE pixels of the result */
    BOX = 48  /* pixels that a block can keep, in each direction */
};

/* Pixels in each direction that an interpolation of a tile may need, with one to spare on either
 * side: a place is rounded. */
static int boxOf(struct turn t)
{
    return (int)ceilf((TILE - 1) * (fabsf(t.a) + fabsf(t.b)) + 0.01f) + 4;
}

/* The first column and row of the box of the tile that begins with pixel (i, j) of the result: its
 * corners are where u and v are smallest. */
static __device__ inline int boxLeft(struct turn t, int i, int j)
{
    const int far = TILE - 1;

    return (int)floorf(placeU(t, t.a < 0.0f ? i + far : i, t.b < 0.0f ? j : j + far) - 0.5f) - 1;
}

static __device__ inline int boxTop(struct turn t, int i, int j)
{
    const int far = TILE - 1;

    return (int)floorf(placeV(t, t.b < 0.0f ? i + far : i, t.a < 0.0f ? j + far : j) - 0.5f) - 1;
}

#endif
