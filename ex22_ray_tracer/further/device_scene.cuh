/* The scene in device memory, in the layouts that the kernels want. */
#ifndef DEVICE_SCENE_CUH
#define DEVICE_SCENE_CUH

#include "cuda_utils.h"
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

/* The tests of rays from the eye may say yes a bit too often, but not no by a rounding error. */
#define CONE_SLACK 2e-6f
#define SQUARE_SLACK 2e-6f

__global__ void layOut(struct device_scene d)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < d.n) {
        const struct sphere s = d.spheres[i];

        d.x[i] = s.centre.x;
        d.y[i] = s.centre.y;
        d.z[i] = s.centre.z;
        d.radius[i] = s.radius;
        d.packed[i] = make_float4(s.centre.x, s.centre.y, s.centre.z, s.radius);
    }
}

/* What is the same for all rays from this eye, for two tests: with |d| = 1 and c = |eye - centre|^2 - radius^2 a ray hits
 * the sphere ahead of it if b^2 - c, b = d (eye - centre), is not negative; and if d (centre - eye) / sqrt(c) is at least 1,
 * that is, if the ray lies in the cone that the sphere fills. An eye inside the sphere has no cone: 0 lets all rays in. */
__global__ void prepare(struct device_scene d, struct vec eye)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < d.n) {
        const float4 s = d.packed[i];
        const struct vec from = subtract(eye, makeVec(s.x, s.y, s.z));
        const float c = dot(from, from) - s.w * s.w;
        const float scaled = c > 0.0f ? -1.0f / sqrtf(c) : 0.0f;

        d.fromEye[i] = make_float4(from.x, from.y, from.z, c - SQUARE_SLACK * dot(from, from));
        d.cone[i] = make_float4(from.x * scaled, from.y * scaled, from.z * scaled,
                                c > 0.0f ? CONE_SLACK - 1.0f : 0.0f);
    }
}

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

static unsigned blocksOf256(int n)
{
    return (unsigned)(n / 256 + 1);
}

/* All but d->spheres, which is there, and its copies in other layouts. Free it by freeLayouts(). */
static struct device_scene addLayouts(struct sphere *d_spheres, const struct scene *scene)
{
    const size_t n = (size_t)scene->n, floats = n * sizeof(float);
    const size_t treeBytes = scene->nodeCount * sizeof *scene->nodes;
    struct device_scene d;

    d.spheres = d_spheres;
    d.n = scene->n;
    d.nodeCount = scene->nodeCount;
    cudaVerify(cudaMalloc((void **)&d.x, floats));
    cudaVerify(cudaMalloc((void **)&d.y, floats));
    cudaVerify(cudaMalloc((void **)&d.z, floats));
    cudaVerify(cudaMalloc((void **)&d.radius, floats));
    cudaVerify(cudaMalloc((void **)&d.packed, 4 * floats));
    cudaVerify(cudaMalloc((void **)&d.fromEye, 4 * floats));
    cudaVerify(cudaMalloc((void **)&d.cone, 4 * floats));
    cudaVerify(cudaMalloc((void **)&d.nodes, treeBytes));
    cudaVerify(cudaMalloc((void **)&d.next, sizeof *d.next));
    cudaVerify(cudaMemcpy(d.nodes, scene->nodes, treeBytes, cudaMemcpyHostToDevice));
    if (d_spheres != NULL) /* an unfilled template has none */
        cudaVerifyKernel((layOut<<<blocksOf256(d.n), 256>>>(d)));
    return d;
}

static void freeLayouts(struct device_scene d)
{
    cudaVerify(cudaFree(d.x));
    cudaVerify(cudaFree(d.y));
    cudaVerify(cudaFree(d.z));
    cudaVerify(cudaFree(d.radius));
    cudaVerify(cudaFree(d.packed));
    cudaVerify(cudaFree(d.fromEye));
    cudaVerify(cudaFree(d.cone));
    cudaVerify(cudaFree(d.nodes));
    cudaVerify(cudaFree(d.next));
}

/* Blocks of a grid with a thread for each of `count` things. */
static unsigned blocksFor(size_t count, int block)
{
    return (unsigned)((count + block - 1) / block);
}

static inline size_t pixelsOf(const struct view *view)
{
    return (size_t)view->width * view->rows;
}

/* The ray from the eye through the middle of pixel p: pixels are counted row by row. */
static __device__ struct vec rayOf(const struct view *view, size_t p)
{
    return eyeRay(view, (float)(p % view->width) + 0.5f, (float)(p / view->width) + 0.5f);
}

/* The nearest hit among the spheres, without the floor. With `any` it may be any hit: for shadows. */
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
