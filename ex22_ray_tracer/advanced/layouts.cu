/* TASK     the spheres in the layouts that the kernels want.
 * TRAFFIC  32 n bytes read and 32 n bytes written, once.
 * LIMIT    the allocations. */
#include "advanced/device_scene.cuh"

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
