/* The interface of a variant: from n bodies to the accelerations that they give each other, or to
 * where they are some steps later. Units in which the constant of gravity is 1. */
#ifndef NBODY_H
#define NBODY_H

#include <stddef.h>

/* A place and a mass, or a velocity (without mass): four floats, on the device a float4. */
struct body {
    float x, y, z, mass;
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
};

/* a: 3 n floats, the accelerations in x, then in y, then in z. A row with MOVES takes the galaxy
 * through its steps, writes the bodies' last places and velocities, and leaves a alone; other rows
 * write a alone. Host arrays. */
typedef void variant_fn(const struct galaxy *g, float *a, struct body *at, struct body *velocity);
#include "variants.h"

enum {
    MOVES = EXERCISE_TRAIT,            /* takes the galaxy through its steps */
    EXACT_PLACES = EXERCISE_TRAIT << 1 /* uses at + rest */
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
