/* The scene in device memory, in the layouts that the kernels want, and the search for the nearest
 * hit among all spheres. */
#ifndef DEVICE_SCENE_CUH
#define DEVICE_SCENE_CUH

#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "ray_tracer.h"

/* Device arrays of n elements each, but for the tree. */
struct device_scene {
    struct sphere *spheres;    /* as on the host */
    float *x, *y, *z, *radius; /* the same as a structure of arrays, without the colours */
    float4 *packed;            /* x, y, z, radius */
    float4 *fromEye;           /* eye - centre, and its square less radius^2 */
    float4 *cone;              /* the cone of these rays that hit the sphere */
    float4 *nodes;             /* the tree: two for each node */
    int *next;                 /* one counter */
    int n, nodeCount;
};

/* Does the ray from o enter the box below a distance of `limit`? inverse: 1 / d, by component. */
static __device__ int entersBox(float4 low, float4 high, struct vec o, struct vec inverse,
                                float limit)
{
    const float x0 = (low.x - o.x) * inverse.x, x1 = (high.x - o.x) * inverse.x;
    const float y0 = (low.y - o.y) * inverse.y, y1 = (high.y - o.y) * inverse.y;
    const float z0 = (low.z - o.z) * inverse.z, z1 = (high.z - o.z) * inverse.z;
    const float in = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    const float out = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));

    return in <= out && in < limit;
}

/* All but d->spheres, which is there, and its copies in other layouts. Free it by freeLayouts(). */
struct device_scene addLayouts(struct sphere *d_spheres, const struct scene *scene);
void freeLayouts(struct device_scene d);

static inline size_t pixelsOf(const struct view *view) { return (size_t)view->width * view->rows; }

/* The ray from the eye through the middle of pixel p: pixels are counted row by row. */
static __device__ struct vec rayOf(const struct view *view, size_t p)
{
    return eyeRay(view, (float)(p % view->width) + 0.5f, (float)(p / view->width) + 0.5f);
}

/* The nearest hit among the spheres, without the floor. With `any` it may be any hit: for
 * shadows. */
typedef struct hit search_fn(const struct device_scene *scene, struct vec o, struct vec d, int any);

inline __device__ struct hit searchAll(const struct device_scene *scene, struct vec o, struct vec d,
                                       int any)
{
    struct hit hit = {FAR_AWAY, NOTHING};

    for (int i = 0; i < scene->n && !(any && hit.what != NOTHING); i++) {
        const float4 s = scene->packed[i];

        keepNearest(&hit, distanceTo(o, d, makeVec(s.x, s.y, s.z), s.w), i);
    }
    return hit;
}

#endif
