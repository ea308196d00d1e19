/* The interface of a variant: from a scene of n spheres on a chequered floor, and a view of it, to
 * a picture. */
#ifndef RAY_TRACER_H
#define RAY_TRACER_H

#include "trace.h"

/* A node of the tree: a box, and what is in it. The nodes are in depth-first order, so that after a
 * box that the ray hits comes its first child, and `skip` is the node to go on with after a box
 * that it misses, or after a leaf. */
struct node {
    struct vec low;
    int skip;
    struct vec high;
    int leaf; /* its spheres are leaf / LEAF_ROOM and the next leaf % LEAF_ROOM - 1; -1: no leaf */
};
enum { LEAF_ROOM = 16 };

struct scene {
    const struct sphere *spheres; /* in the order of the leaves */
    int n;
    const struct node *nodes; /* the tree over them */
    int nodeCount;
};

/* image: view->rows rows of view->width pixels, 0x00RRGGBB each, from the top row of the picture
 * on. Host arrays. A variant without a trait of the list below sends one ray per pixel, which ends
 * where it first hits something; no shadows, no reflections. */
typedef void variant_fn(const struct scene *scene, const struct view *view, int *image);
#include "variants.h"

enum {
    FULL_PICTURE = EXERCISE_TRAIT,   /* with shadows and view->bounces reflections */
    BY_TREE = EXERCISE_TRAIT << 1,   /* looks only at those spheres to which the tree leads */
    FOUR_RAYS = EXERCISE_TRAIT << 2, /* the mean of four rays per pixel */
    FUSED =
        EXERCISE_TRAIT << 3 /* fused multiply-adds: may differ from the reference by a rounding */
};

#ifndef COURSE_CPU_ONLY
#ifdef __cplusplus
extern "C"
#endif
    /* Floating-point operations per second of the device in use, if all it does is multiply and
     * add; 0 on the emulated device (advanced/rate.cu). */
    double
    multiplyAddRate(void);
#endif

#endif
