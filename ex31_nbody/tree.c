/* TASK     the tree over the bodies, as in exercise 22, but with cells that halve space.
 * TRAFFIC  none: it is built once, before anything is measured.
 * LIMIT    sorting by one core. */
#include "tree.h"
#include "measure.h"
#include <math.h>
#include <stdlib.h>

enum { LEAF = 8 };       /* bodies of a leaf */
enum { CELL_BITS = 21 }; /* of a place, in each direction */

/* A body and its place on the curve. */
struct key {
    unsigned long long place;
    int body;
};

static int compareKeys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->body > y->body) - (x->body < y->body);
}

/* Morton's curve: the bits of x, y and z by turns, from the highest on. Bodies with the same first
 * bits are in the same half, quarter, ... of space. */
static unsigned long long placeOnCurve(unsigned x, unsigned y, unsigned z)
{
    unsigned long long place = 0;

    for (int bit = CELL_BITS - 1; bit >= 0; bit--)
        place = place << 3 | (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1);
    return place;
}

/* The least and the greatest coordinate of n bodies, in each direction. */
struct box {
    float low[3], high[3];
};

static struct box boxAround(const struct body *at, size_t n)
{
    struct box box = {{at->x, at->y, at->z}, {at->x, at->y, at->z}};

    for (size_t i = 1; i < n; i++) {
        const float place[3] = {at[i].x, at[i].y, at[i].z};

        for (int k = 0; k < 3; k++) {
            box.low[k] = fminf(box.low[k], place[k]);
            box.high[k] = fmaxf(box.high[k], place[k]);
        }
    }
    return box;
}

/* By how much a box is larger than the bodies in it, as a part of their coordinates: more than the
 * rounding errors of its centre, or a lone body would be pulled by its own image beside it. */
#define MARGIN 1e-6f

/* The longest side. */
static float sizeOf(struct box box)
{
    float side = 0.0f, farthest = 0.0f;

    for (int k = 0; k < 3; k++) {
        side = fmaxf(side, box.high[k] - box.low[k]);
        farthest = fmaxf(farthest, fmaxf(fabsf(box.low[k]), fabsf(box.high[k])));
    }
    return side + MARGIN * farthest;
}

static void sortAlongCurve(const struct body *at, size_t n, struct key *keys)
{
    const struct box all = boxAround(at, n);
    const double cells = (1 << CELL_BITS) - 1, scale = cells / fmax(sizeOf(all), 1e-30);

    for (size_t i = 0; i < n; i++) {
        keys[i].body = (int)i;
        keys[i].place = placeOnCurve((unsigned)(scale * ((double)at[i].x - all.low[0])),
                                     (unsigned)(scale * ((double)at[i].y - all.low[1])),
                                     (unsigned)(scale * ((double)at[i].z - all.low[2])));
    }
    qsort(keys, n, sizeof *keys, compareKeys);
}

/* How many of these n bodies are in the lower half of the smallest cell that holds them all: up to
 * where the highest bit changes in which the first and the last one differ. */
static int lowerHalf(const struct key *keys, int n)
{
    const unsigned long long differs = keys[0].place ^ keys[n - 1].place;
    unsigned long long bit = 1ull << 3 * CELL_BITS;
    int half = 0;

    if (differs == 0)
        return n / 2;
    while ((differs & bit) == 0)
        bit >>= 1;
    while ((keys[half].place & bit) == 0)
        half++;
    return half;
}

/* The subtree of the n bodies from number `first` on. Returns the number of the node after it. */
static int buildSubtree(const struct key *keys, const struct body *sorted, int first, int n,
                        struct node *nodes, int here, int parent)
{
    const int own = here++;
    struct node *node = &nodes[own];

    node->size = sizeOf(boxAround(sorted + first, (size_t)n));
    node->parent = parent;
    node->leaf = -1;
    if (n <= LEAF) {
        node->leaf = first * LEAF_ROOM + n;
    } else {
        const int half = lowerHalf(keys + first, n);

        here = buildSubtree(keys, sorted, first, half, nodes, here, own);
        here = buildSubtree(keys, sorted, first + half, n - half, nodes, here, own);
    }
    node->skip = here;
    return here;
}

int buildTree(const struct body *at, size_t n, struct body *sorted, int *order, struct node *nodes)
{
    struct key *keys = mustAllocate(n * sizeof *keys, "the order of the bodies");
    int count;

    sortAlongCurve(at, n, keys);
    for (size_t i = 0; i < n; i++) {
        order[i] = keys[i].body;
        sorted[i] = at[order[i]];
    }
    count = buildSubtree(keys, sorted, 0, (int)n, nodes, 0, -1);
    free(keys);
    return count;
}
