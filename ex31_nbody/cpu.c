/* TASK     the accelerations that n bodies give each other by gravity, and their motion: the CPU
 *          baseline, one core and all cores.
 * TRAFFIC  28 n bytes: places and masses read, accelerations written.
 * LIMIT    arithmetic: n^2 interactions. */
#include "measure.h"
#include "nbody.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The acceleration of body i by all n, itself included: its distance to itself is 0, and so is what
 * it adds. */
static void accelerateOne(const struct body *at, size_t n, size_t i, float softening2, float *ax,
                          float *ay, float *az)
{
    float x = 0.0f, y = 0.0f, z = 0.0f;

#pragma omp simd reduction(+ : x, y, z)
    for (size_t j = 0; j < n; j++) {
        const float dx = at[j].x - at[i].x, dy = at[j].y - at[i].y, dz = at[j].z - at[i].z;
        const float root = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening2);
        const float pull = at[j].mass * root * root * root;

        x += pull * dx;
        y += pull * dy;
        z += pull * dz;
    }
    *ax = x;
    *ay = y;
    *az = z;
}

/* The accelerations of the first `wanted` bodies. */
static void accelerateAll(const struct galaxy *g, const struct body *at, size_t wanted, float *a)
{
    const size_t n = g->n;

#pragma omp parallel for schedule(dynamic, 16) if (wanted > 64)
    for (size_t i = 0; i < wanted; i++)
        accelerateOne(at, n, i, g->softening * g->softening, &a[i], &a[n + i], &a[2 * n + i]);
}

static void oneCore(const struct galaxy *g, float *a, struct body *at, struct body *velocity)
{
    const size_t n = g->n;

    (void)at;
    (void)velocity;
    MEASURE (run) {
        for (size_t i = 0; i < g->wanted; i++)
            accelerateOne(g->at, n, i, g->softening * g->softening, &a[i], &a[n + i],
                          &a[2 * n + i]);
    }
}

static void allCores(const struct galaxy *g, float *a, struct body *at, struct body *velocity)
{
    (void)at;
    (void)velocity;
    MEASURE (run) {
        accelerateAll(g, g->at, g->wanted, a);
    }
}

/* Changes the velocities by a times `kick`, then the places by the velocities times `drift`. */
static void kickAndDrift(size_t n, const float *a, float kick, float drift, struct body *at,
                         struct body *velocity)
{
    for (size_t i = 0; i < n; i++) {
        velocity[i].x += kick * a[i];
        velocity[i].y += kick * a[n + i];
        velocity[i].z += kick * a[2 * n + i];
        at[i].x += drift * velocity[i].x;
        at[i].y += drift * velocity[i].y;
        at[i].z += drift * velocity[i].z;
    }
}

/* Places at full steps, velocities half a step later, but for the first and the last one. */
static void leapfrog(const struct galaxy *g, float *unused, struct body *at, struct body *velocity)
{
    float *a = mustAllocate(3 * g->n * sizeof *a, "accelerations");

    (void)unused;
    MEASURE (run) {
        memcpy(at, g->at, g->n * sizeof *at);
        memcpy(velocity, g->velocity, g->n * sizeof *velocity);
        for (int step = 0; step < g->steps; step++) {
            accelerateAll(g, at, g->n, a);
            kickAndDrift(g->n, a, step == 0 ? 0.5f * g->dt : g->dt, g->dt, at, velocity);
        }
        accelerateAll(g, at, g->n, a);
        kickAndDrift(g->n, a, 0.5f * g->dt, 0.0f, at, velocity);
    }
    free(a);
}

const struct variant cpuVariants[] = {
    {"one core", oneCore, PART_OF_SIZE},
    {"leapfrog, all cores", leapfrog, MOVES | OTHER_WORK | PART_OF_SIZE},
    {"all cores", allCores, PART_OF_SIZE},
    {NULL, NULL},
};
