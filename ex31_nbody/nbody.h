/* The interface of a variant: from n bodies to the accelerations that they give each other, or to
 * where they are some steps later. Units in which the constant of gravity is 1. */
#ifndef NBODY_H
#define NBODY_H

#include <stddef.h>

/* A place and a mass, or a velocity (without mass): four floats, on the device a float4. */
struct body {
    float x, y, z, mass;
};

/* A node of the tree over the bodies: a box of space with some of them in it. It is a leaf, or has
 * two children. The nodes are in depth-first order: after a node comes its first child, and `skip`
 * is the one to go on with after its whole subtree. */
struct node {
    float size; /* the longest side of the box */
    int skip;
    int leaf;   /* its bodies are leaf / LEAF_ROOM and the next leaf % LEAF_ROOM - 1; -1: no leaf */
    int parent; /* -1: node 0 has none */
};
enum { LEAF_ROOM = 16 };

struct tree {
    const struct body *bodies; /* the places, in the order of the leaves */
    const int *order;          /* the number of each of them in the galaxy */
    const struct node *nodes;
    int nodeCount;
};

struct galaxy {
    size_t n;
    size_t wanted; /* a row of the CPU with PART_OF_SIZE computes the first so many accelerations */
    const struct body *at;   /* n places, rounded to float */
    const struct body *rest; /* what the rounding has cut off: the place is at + rest */
    const struct body *velocity;
    float softening; /* no pair is nearer than this: added to the distance, as a square */
    float dt;        /* the length of a step */
    int steps;
    const struct tree *tree; /* NULL but for a row with BY_TREE */
    float theta;             /* a node is near if its size is at least theta times its distance */
};

/* a: 3 n floats, the accelerations in x, then in y, then in z. A row with MOVES takes the galaxy
 * through its steps, writes the bodies' last places and velocities, and leaves a alone; other rows
 * write a alone. Host arrays. */
typedef void variant_fn(const struct galaxy *g, float *a, struct body *at, struct body *velocity);
#include "variants.h"

enum {
    MOVES = EXERCISE_TRAIT,             /* takes the galaxy through its steps */
    EXACT_PLACES = EXERCISE_TRAIT << 1, /* uses at + rest */
    BY_TREE = EXERCISE_TRAIT << 2       /* takes a node that is not near for one body */
};

#ifndef COURSE_CPU_ONLY
#ifdef __cplusplus
extern "C"
#endif
    /* How often per second the device in use can do twelve multiply-adds and a reciprocal root; 0
     * on the emulated device (advanced/rate.cu). */
    double
    interactionRate(void);
#endif

#endif
