/* The scene: its spheres, the tree over them, and the camera. */
#include "scene.h"
#include "harness.h"
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* A colour of the rainbow: hue from 0 to 1. */
static struct vec rainbow(double hue)
{
    return makeVec((float)(0.52 + 0.42 * cos(2.0 * pi * hue)),
                   (float)(0.45 + 0.36 * cos(2.0 * pi * (hue - 0.36))),
                   (float)(0.50 + 0.44 * cos(2.0 * pi * (hue - 0.64))));
}

/* The seeds of a sunflower: sphere after sphere goes on by the golden angle, so that all have as
 * much room. They ride on a wave around a large mirror in the middle. */
void placeSpheres(struct sphere *spheres, int n)
{
    const double goldenAngle = pi * (3.0 - sqrt(5.0)), outer = 11.0, inner = 2.9;
    const double room = sqrt((outer * outer - inner * inner) / n);

    for (int i = 0; i < n; i++) {
        const double r = sqrt(inner * inner + (outer * outer - inner * inner) * i / n);
        const double angle = i * goldenAngle + 0.1 * randomUniform(1, 0, 0.0, 1.0);
        const double size = fmin(0.9, room * randomUniform(2, (size_t)i, 0.5, 0.84));
        const double wave = 0.5 + 0.5 * cos(1.15 * (r - inner) + randomUniform(1, 0, 0.0, 1.0));
        struct sphere *s = &spheres[i];

        s->radius = (float)size;
        s->centre = makeVec((float)(r * cos(angle)), (float)(size + 1.3 * wave * wave),
                            (float)(r * sin(angle)));
        s->colour = rainbow(0.085 * r + 0.04 * randomUniform(3, (size_t)i, -1.0, 1.0));
        s->mirror = i % 4 == 0 ? 0.35f : 0.08f;
    }
    spheres[0].radius = 2.3f;
    spheres[0].centre = makeVec(0.0f, 2.3f, 0.0f);
    spheres[0].colour = makeVec(0.9f, 0.9f, 0.92f);
    spheres[0].mirror = 0.85f;
}

struct view viewFrom(double turn, int width, int height)
{
    const double angle = 2.0 * pi * turn - 0.5 * pi;
    const struct vec target = makeVec(0.0f, 1.35f, 0.0f);
    struct view view = {.width = width, .height = height, .rows = height};
    const float opening = 0.41f; /* half the height of the picture, at distance 1 */

    view.eye = makeVec((float)(15.5 * cos(angle)), 6.2f, (float)(15.5 * sin(angle)));
    view.forward = normalise(subtract(target, view.eye));
    view.right = makeVec(view.forward.z, 0.0f, -view.forward.x);
    view.right = scale(normalise(view.right), opening);
    view.up = makeVec(view.forward.y * view.right.z - view.forward.z * view.right.y,
                      view.forward.z * view.right.x - view.forward.x * view.right.z,
                      view.forward.x * view.right.y - view.forward.y * view.right.x);
    view.sun = normalise(makeVec(-0.60f, 0.62f, -0.30f));
    return view;
}

enum { LEAF = 4 }; /* spheres of a leaf */

int mostNodes(int n) { return 2 * n; }

static float along(struct vec v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static int sortAxis; /* for the comparison of qsort() */

static int compareCentres(const void *a, const void *b)
{
    const float x = along(((const struct sphere *)a)->centre, sortAxis);
    const float y = along(((const struct sphere *)b)->centre, sortAxis);

    return (x > y) - (x < y);
}

/* By how much a box is larger than the spheres in it: more than the rounding errors of a hit, so
 * that the box of a sphere that is hit is entered. */
#define MARGIN 1e-3f

static void enclose(struct node *node, const struct sphere *spheres, int n)
{
    node->low = makeVec(FAR_AWAY, FAR_AWAY, FAR_AWAY);
    node->high = scale(node->low, -1.0f);
    for (int i = 0; i < n; i++) {
        const struct vec c = spheres[i].centre;
        const float r = spheres[i].radius + MARGIN;

        node->low = makeVec(fminf(node->low.x, c.x - r), fminf(node->low.y, c.y - r),
                            fminf(node->low.z, c.z - r));
        node->high = makeVec(fmaxf(node->high.x, c.x + r), fmaxf(node->high.y, c.y + r),
                             fmaxf(node->high.z, c.z + r));
    }
}

/* The subtree of the n spheres from number `first` on. Returns the number of the node after it. */
static int buildSubtree(struct sphere *spheres, int first, int n, struct vec eye,
                        struct node *nodes, int here)
{
    struct node *node = &nodes[here++];
    const int half = n / 2;
    struct vec size;

    enclose(node, spheres + first, n);
    node->leaf = -1;
    if (n <= LEAF) {
        node->leaf = first * LEAF_ROOM + n;
    } else {
        size = subtract(node->high, node->low);
        sortAxis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        qsort(spheres + first, (size_t)n, sizeof *spheres, compareCentres);
        if (along(eye, sortAxis) < along(spheres[first + half].centre, sortAxis)) {
            here = buildSubtree(spheres, first, half, eye, nodes, here);
            here = buildSubtree(spheres, first + half, n - half, eye, nodes, here);
        } else {
            here = buildSubtree(spheres, first + half, n - half, eye, nodes, here);
            here = buildSubtree(spheres, first, half, eye, nodes, here);
        }
    }
    node->skip = here;
    return here;
}

int buildTree(struct sphere *spheres, int n, struct vec eye, struct node *nodes)
{
    return n > 0 ? buildSubtree(spheres, 0, n, eye, nodes, 0) : 0;
}
