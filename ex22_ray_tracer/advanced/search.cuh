/* The nearest hit among all spheres, one after another. */
#ifndef SEARCH_CUH
#define SEARCH_CUH

#include "advanced/device_scene.cuh"

/* The nearest hit among the spheres, without the floor. With `any` it may be any hit: for
 * shadows. */
typedef struct hit search_fn(const struct device_scene *scene, struct vec o, struct vec d, int any);

__device__ struct hit searchAll(const struct device_scene *scene, struct vec o, struct vec d,
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
