/* TASK     the accelerations that n bodies give each other by gravity, and their motion: the CPU
 *          baseline, one core and all cores, and with a tree over the bodies.
 * TRAFFIC  28 n bytes: places and masses read, accelerations written.
 * LIMIT    arithmetic: n^2 interactions. */
#include "measure.h"
#include "cpu.h"
#include "tree.h"
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

/* Two bodies as one: their mass at their centre of mass. */
static struct body together(struct body p, struct body q)
{
    const float mass = p.mass + q.mass;
    const struct body both = {(p.mass * p.x + q.mass * q.x) / mass,
                              (p.mass * p.y + q.mass * q.y) / mass,
                              (p.mass * p.z + q.mass * q.z) / mass, mass};

    return both;
}

/* Each node as one body. Children stand behind their parents. */
static void sumUpwards(const struct tree *tree, struct body *centres)
{
    for (int i = tree->nodeCount - 1; i >= 0; i--) {
        const int leaf = tree->nodes[i].leaf;

        if (leaf < 0) {
            centres[i] = together(centres[i + 1], centres[tree->nodes[i + 1].skip]);
            continue;
        }
        centres[i] = tree->bodies[leaf / LEAF_ROOM];
        for (int k = 1; k < leaf % LEAF_ROOM; k++)
            centres[i] = together(centres[i], tree->bodies[leaf / LEAF_ROOM + k]);
    }
}

/* Adds to a what q gives p. */
static void attract(struct body p, struct body q, float softening2, float a[3])
{
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const float root = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening2);
    const float pull = q.mass * root * root * root;

    a[0] += pull * dx;
    a[1] += pull * dy;
    a[2] += pull * dz;
}

/* The acceleration of a body at p: a node that is near is looked into, and each other one is taken
 * for one body. Returns how many interactions that took. */
static int walkTree(const struct galaxy *g, const struct body *centres, struct body p, float a[3])
{
    const struct tree *tree = g->tree;
    const float softening2 = g->softening * g->softening, theta2 = g->theta * g->theta;
    int i = 0, interactions = 0;

    a[0] = a[1] = a[2] = 0.0f;
    while (i < tree->nodeCount) {
        const struct node node = tree->nodes[i];
        const struct body q = centres[i];
        const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;

        if (node.size * node.size < theta2 * (dx * dx + dy * dy + dz * dz)) {
            attract(p, q, softening2, a);
            interactions++;
            i = node.skip;
            continue;
        }
        i++;
        for (int k = 0; node.leaf >= 0 && k < node.leaf % LEAF_ROOM; k++) {
            attract(p, tree->bodies[node.leaf / LEAF_ROOM + k], softening2, a);
            interactions++;
        }
    }
    return interactions;
}

double accelerateByTree(const struct galaxy *g, float *a)
{
    const size_t n = g->n;
    struct body *centres = mustAllocate(mostNodes(n) * sizeof *centres, "the tree's masses");
    double interactions = 0.0;

    sumUpwards(g->tree, centres);
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : interactions) if (n > 64)
    for (size_t k = 0; k < n; k++) {
        const size_t i = (size_t)g->tree->order[k];
        float own[3];

        interactions += walkTree(g, centres, g->tree->bodies[k], own);
        a[i] = own[0];
        a[n + i] = own[1];
        a[2 * n + i] = own[2];
    }
    free(centres);
    return interactions;
}

static void allCoresTree(const struct galaxy *g, float *a, struct body *at, struct body *velocity)
{
    (void)at;
    (void)velocity;
    MEASURE (run) {
        accelerateByTree(g, a);
    }
}

const struct variant cpuVariants[] = {
    {"one core", oneCore, PART_OF_SIZE},
    {"leapfrog, all cores", leapfrog, MOVES | OTHER_WORK | PART_OF_SIZE},
    {"tree, all cores", allCoresTree, BY_TREE | OTHER_WORK},
    {"all cores", allCores, PART_OF_SIZE},
    {NULL, NULL},
};
