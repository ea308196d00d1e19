/* TASK     a picture of n spheres by rays: the CPU baseline, one core and all cores, and with a
 *          tree over the spheres; the last one is the reference.
 * TRAFFIC  4 bytes per pixel.
 * LIMIT    arithmetic: up to n tests per ray, of 11 operations. */
#include "measure.h"
#include "cpu.h"

static int *pixelAt(const struct view *view, int *image, int x, int y)
{
    return image + (size_t)y * (size_t)view->width + (size_t)x;
}

/* The pixels of row y: one ray each, from the eye to what it first hits. */
static void rowOfPrimaryRays(const struct scene *scene, const struct view *view, int *image, int y)
{
    for (int x = 0; x < view->width; x++) {
        const struct vec d = eyeRay(view, (float)x + 0.5f, (float)y + 0.5f);
        struct hit hit = {FAR_AWAY, NOTHING};

        for (int i = 0; i < scene->n; i++)
            keepNearest(
                &hit, distanceTo(view->eye, d, scene->spheres[i].centre, scene->spheres[i].radius),
                i);
        *pixelAt(view, image, x, y) = pixelOf(seenAt(hit, d, view, scene->spheres));
    }
}

static void oneCore(const struct scene *scene, const struct view *view, int *image)
{
    MEASURE (run) {
        for (int y = 0; y < view->rows; y++)
            rowOfPrimaryRays(scene, view, image, y);
    }
}

static void allCores(const struct scene *scene, const struct view *view, int *image)
{
    MEASURE (run) {
#pragma omp parallel for schedule(dynamic)
        for (int y = 0; y < view->rows; y++)
            rowOfPrimaryRays(scene, view, image, y);
    }
}

/* Does the ray from o enter the box at a distance below `limit`? inverse: 1 / d, by component. */
static int entersBox(struct vec o, struct vec inverse, const struct node *node, float limit)
{
    const float x0 = (node->low.x - o.x) * inverse.x, x1 = (node->high.x - o.x) * inverse.x;
    const float y0 = (node->low.y - o.y) * inverse.y, y1 = (node->high.y - o.y) * inverse.y;
    const float z0 = (node->low.z - o.z) * inverse.z, z1 = (node->high.z - o.z) * inverse.z;
    const float in = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    const float out = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));

    return in <= out && in < limit;
}

/* The nearest hit of a ray among the spheres: only boxes that it enters are looked into. Counts the
 * ray, boxes and spheres in *effort. With `any` it stops at the first hit, whichever it is. */
static struct hit searchTree(const struct scene *scene, struct vec o, struct vec d, int any,
                             struct effort *effort)
{
    const struct vec inverse = makeVec(1.0f / d.x, 1.0f / d.y, 1.0f / d.z);
    struct hit hit = {FAR_AWAY, NOTHING};
    int i = 0;

    effort->rays++;
    while (i < scene->nodeCount && !(any && hit.what != NOTHING)) {
        const struct node *node = &scene->nodes[i];

        effort->tests++;
        if (!entersBox(o, inverse, node, hit.t)) {
            i = node->skip;
            continue;
        }
        i++;
        if (node->leaf < 0)
            continue;
        for (int k = 0; k < node->leaf % LEAF_ROOM; k++) {
            const int what = node->leaf / LEAF_ROOM + k;
            const struct sphere *s = &scene->spheres[what];

            keepNearest(&hit, distanceTo(o, d, s->centre, s->radius), what);
            effort->tests++;
        }
    }
    return hit;
}

/* Adds to *light what the ray from o in direction d sees, times weight, by recursion: the light of
 * the surface, and what the surface mirrors. The weight goes down with the ray, so that the sums
 * are those of a loop, bit for bit. */
static void addLight(const struct scene *scene, const struct view *view, struct vec o, struct vec d,
                     float weight, int bounces, struct vec *light, struct effort *effort)
{
    struct hit hit = searchTree(scene, o, d, 0, effort);
    struct shading_point s;
    float mirrored;
    int inSun;

    keepFloor(&hit, o, d);
    if (hit.what == NOTHING) {
        *light = add(*light, scale(sky(d, view), weight));
        return;
    }
    s = surfaceAt(hit, o, d, scene->spheres + (hit.what == FLOOR ? 0 : hit.what));
    inSun = dot(s.normal, view->sun) > 0.0f &&
            searchTree(scene, s.point, view->sun, 1, effort).what == NOTHING;
    mirrored = bounces > 0 ? s.mirror * (1.0f - s.haze) : 0.0f;
    *light = add(*light, scale(colourOf(s, d, view, inSun), weight * (1.0f - mirrored)));
    if (mirrored > 0.0f)
        addLight(scene, view, s.point, reflect(d, s.normal), weight * mirrored, bounces - 1, light,
                 effort);
}

struct effort renderByTree(const struct scene *scene, const struct view *view, enum picture picture,
                           int *image, int *tests)
{
    const int rays = picture == ANTIALIASED ? 4 : 1;
    double sumOfTests = 0.0, sumOfRays = 0.0;
    struct effort sum;

#pragma omp parallel for schedule(dynamic) reduction(+ : sumOfTests, sumOfRays)
    for (int y = 0; y < view->rows; y++)
        for (int x = 0; x < view->width; x++) {
            struct vec light = black();
            struct effort effort = {0.0, 0.0};

            for (int k = 0; k < rays; k++) {
                const struct vec d = rays == 4 ? eyeRay(view, (float)x + placeInPixel(k, 0),
                                                        (float)y + placeInPixel(k, 1))
                                               : eyeRay(view, (float)x + 0.5f, (float)y + 0.5f);

                if (picture == PRIMARY)
                    light = seenAt(searchTree(scene, view->eye, d, 0, &effort), d, view,
                                   scene->spheres);
                else
                    addLight(scene, view, view->eye, d, 1.0f / (float)rays, view->bounces, &light,
                             &effort);
            }
            *pixelAt(view, image, x, y) = pixelOf(light);
            if (tests != NULL)
                *pixelAt(view, tests, x, y) = (int)effort.tests;
            sumOfTests += effort.tests;
            sumOfRays += effort.rays;
        }
    sum.tests = sumOfTests;
    sum.rays = sumOfRays;
    return sum;
}

static void allCoresTree(const struct scene *scene, const struct view *view, int *image)
{
    MEASURE (run) {
        renderByTree(scene, view, FULL, image, NULL);
    }
}

const struct variant cpuVariants[] = {
    {"one core", oneCore, PART_OF_SIZE},
    {"all cores, full picture by a tree", allCoresTree, FULL_PICTURE | BY_TREE},
    {"all cores", allCores},
    {NULL, NULL},
};
