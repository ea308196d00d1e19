/* What the CPU and the device compute alike: vectors, rays, where they hit, what they see there.
 * Only + - * / and square roots, each of which IEEE 754 rounds in one way only; the compiler is
 * told not to fuse a multiplication with an addition. So the same text gives the same bits on
 * both. */
#ifndef TRACE_H
#define TRACE_H

#include <math.h>

#if defined __CUDACC__ || defined __CUDA_EMULATED__
#define ON_BOTH static __host__ __device__ inline
#else
#define ON_BOTH static inline
#endif

struct vec {
    float x, y, z;
};

struct sphere {
    struct vec centre;
    float radius;
    struct vec colour;
    float mirror; /* the part of the light that it reflects */
};

/* Width, height and rows in pixels. A picture of `height` rows is seen, the first `rows` of them
 * are computed. */
struct view {
    int width, height, rows;
    int bounces; /* reflections that a ray may go through */
    struct vec eye;
    struct vec forward, right,
        up; /* to the middle of the picture, and from there to the right and the upper edge */
    struct vec sun; /* direction of the light, length 1 */
};

/* The nearest hit so far: its distance, and the number of the sphere, or NOTHING, or FLOOR. */
struct hit {
    float t;
    int what;
};
enum { NOTHING = -1, FLOOR = -2 };

#define FAR_AWAY 1e30f
#define NEAR_BY 1e-3f    /* a ray does not hit the surface again from which it starts */
#define FLOOR_ENDS 300.f /* the distance beyond which the floor is not seen */

ON_BOTH struct vec makeVec(float x, float y, float z)
{
    struct vec v;

    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

ON_BOTH struct vec black(void) { return makeVec(0.0f, 0.0f, 0.0f); }

ON_BOTH struct vec add(struct vec a, struct vec b)
{
    return makeVec(a.x + b.x, a.y + b.y, a.z + b.z);
}

ON_BOTH struct vec subtract(struct vec a, struct vec b)
{
    return makeVec(a.x - b.x, a.y - b.y, a.z - b.z);
}

ON_BOTH struct vec scale(struct vec a, float factor)
{
    return makeVec(a.x * factor, a.y * factor, a.z * factor);
}

ON_BOTH float dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

ON_BOTH struct vec normalise(struct vec a) { return scale(a, 1.0f / sqrtf(dot(a, a))); }

/* a at 0, b at 1. */
ON_BOTH struct vec mix(struct vec a, struct vec b, float at)
{
    return add(scale(a, 1.0f - at), scale(b, at));
}

/* What is seen in direction d after a reflection at a surface with this normal. */
ON_BOTH struct vec reflect(struct vec d, struct vec normal)
{
    return subtract(d, scale(normal, 2.0f * dot(d, normal)));
}

/* The direction, of length 1, in which the eye sees the place (x, y) of the picture, in pixels from
 * its upper left corner: pixel (i, j) has its middle at (i + 0.5, j + 0.5). */
ON_BOTH struct vec eyeRay(const struct view *view, float x, float y)
{
    const float h = (float)view->height;
    const float u = (2.0f * x - (float)view->width) / h, v = (h - 2.0f * y) / h;

    return normalise(add(view->forward, add(scale(view->right, u), scale(view->up, v))));
}

/* The smaller of -b - s and -b + s that lies ahead, where s is the root of the discriminant, or
 * FAR_AWAY. */
ON_BOTH float distanceAhead(float b, float discriminant)
{
    const float s = sqrtf(discriminant);
    const float t = -b - s > NEAR_BY ? -b - s : s - b;

    return t > NEAR_BY ? t : FAR_AWAY;
}

/* The distance along the ray from o in direction d, |d| = 1, to the sphere, FAR_AWAY if it does not
 * hit it ahead. The ray comes closest to the centre at t = -b, b = d (o - centre), where it is off
 * by the vector `aside`. The textbook takes b^2 - c, c = |o - centre|^2 - radius^2, for radius^2 -
 * |aside|^2. That is the same, but a difference of large numbers: far away from a small sphere
 * nothing but rounding errors is left of it. */
ON_BOTH float distanceTo(struct vec o, struct vec d, struct vec centre, float radius)
{
    const struct vec from = subtract(o, centre);
    const float b = dot(from, d);
    const struct vec aside = subtract(from, scale(d, b));
    const float discriminant = radius * radius - dot(aside, aside);

    return discriminant >= 0.0f ? distanceAhead(b, discriminant) : FAR_AWAY;
}

/* Takes the sphere as the nearest hit if it is: of two at the same distance the one with the
 * smaller number. */
ON_BOTH void keepNearest(struct hit *nearest, float t, int what)
{
    if (t < nearest->t || (t == nearest->t && t < FAR_AWAY && what < nearest->what)) {
        nearest->t = t;
        nearest->what = what;
    }
}

/* The floor is the plane y = 0: the last thing to ask for, after all spheres. */
ON_BOTH void keepFloor(struct hit *nearest, struct vec o, struct vec d)
{
    const float t = -o.y / d.y;

    if (t > NEAR_BY && t < nearest->t && t < FLOOR_ENDS) {
        nearest->t = t;
        nearest->what = FLOOR;
    }
}

/* What a ray that hits nothing sees. */
ON_BOTH struct vec sky(struct vec d, const struct view *view)
{
    const float height = d.y > 0.0f ? d.y : 0.0f, toSun = dot(d, view->sun);
    struct vec colour =
        mix(makeVec(0.85f, 0.62f, 0.45f), makeVec(0.06f, 0.16f, 0.42f), sqrtf(height));
    float glow = toSun > 0.0f ? toSun : 0.0f;

    for (int i = 0; i < 5; i++)
        glow = glow * glow;
    return add(colour, scale(makeVec(0.9f, 0.6f, 0.3f), 0.6f * glow));
}

/* A point of a surface. */
struct shading_point {
    struct vec point, normal, colour;
    float mirror, haze; /* haze: the part of the sky in what is seen of it */
};

/* The surface at the hit of a ray; `sphere` is what it hits, unless that is the floor. */
ON_BOTH struct shading_point surfaceAt(struct hit hit, struct vec o, struct vec d,
                                       const struct sphere *sphere)
{
    struct shading_point s;

    s.point = add(o, scale(d, hit.t));
    if (hit.what == FLOOR) {
        const int column = (int)(s.point.x + 1024.0f), row = (int)(s.point.z + 1024.0f);
        const float t2 = hit.t * hit.t;

        s.normal = makeVec(0.0f, 1.0f, 0.0f);
        s.colour = (column + row) % 2 ? makeVec(0.55f, 0.52f, 0.48f) : makeVec(0.09f, 0.10f, 0.13f);
        s.mirror = 0.2f;
        s.haze = t2 / (t2 + 3000.0f);
    } else {
        s.normal = scale(subtract(s.point, sphere->centre), 1.0f / sphere->radius);
        s.colour = sphere->colour;
        s.mirror = sphere->mirror;
        s.haze = 0.0f;
    }
    return s;
}

/* The colour of the surface seen in direction d, where the sun shines on it, or does not (in a
 * shadow). */
ON_BOTH struct vec colourOf(struct shading_point s, struct vec d, const struct view *view,
                            int inSun)
{
    const float facing = dot(s.normal, view->sun), mirrored = dot(reflect(d, s.normal), view->sun);
    float light = 0.16f + 0.10f * s.normal.y, shine = 0.0f;
    struct vec colour;

    if (inSun && facing > 0.0f) {
        light += 0.9f * facing;
        if (s.haze == 0.0f && mirrored > 0.0f)
            shine = mirrored;
        for (int i = 0; i < 5; i++)
            shine = shine * shine;
    }
    colour = add(scale(s.colour, light), scale(makeVec(1.0f, 0.95f, 0.85f), 0.7f * shine));
    return mix(colour, makeVec(0.85f, 0.62f, 0.45f), s.haze);
}

/* Where the four rays of a pixel go through it: coordinate 0 or 1 of ray k, from 0 to 1. No two
 * share a row or a column. */
ON_BOTH float placeInPixel(int k, int coordinate)
{
    const int column = k == 0 ? 1 : k == 1 ? 3 : k == 2 ? 0 : 2;

    return 0.125f + 0.25f * (float)(coordinate == 0 ? k : column);
}

/* From light to a screen: the square root, and 256 levels. */
ON_BOTH int level(float light)
{
    const float shown = 255.0f * sqrtf(light > 0.0f ? light : 0.0f) + 0.5f;

    return shown < 255.0f ? (int)shown : 255;
}

ON_BOTH int pixelOf(struct vec colour)
{
    return level(colour.x) << 16 | level(colour.y) << 8 | level(colour.z);
}

/* What a ray from the eye sees at its nearest hit among the spheres, without shadows and
 * reflections. */
ON_BOTH struct vec seenAt(struct hit hit, struct vec d, const struct view *view,
                          const struct sphere *spheres)
{
    keepFloor(&hit, view->eye, d);
    if (hit.what == NOTHING)
        return sky(d, view);
    return colourOf(surfaceAt(hit, view->eye, d, spheres + (hit.what == FLOOR ? 0 : hit.what)), d,
                    view, 1);
}

#endif
