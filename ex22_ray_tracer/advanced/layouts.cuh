/* Copies of the spheres in the layouts that the kernels want. */
#ifndef LAYOUTS_CUH
#define LAYOUTS_CUH

#include "advanced/device_scene.cuh"

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

/* What is the same for all rays from this eye, for two tests: with |d| = 1 and c = |eye - centre|^2
 * - radius^2 a ray hits the sphere ahead of it if b^2 - c, b = d (eye - centre), is not negative;
 * and if d (centre - eye) / sqrt(c) is at least 1, that is, if the ray lies in the cone that the
 * sphere fills. An eye inside the sphere has no cone: 0 lets all rays in. */
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

struct device_scene addLayouts(struct sphere *d_spheres, const struct scene *scene)
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
        cudaVerifyKernel((layOut<<<blocksFor(d.n, 256), 256>>>(d)));
    return d;
}

void freeLayouts(struct device_scene d)
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

#endif
