/* Constant memory used as it should not be. solution.cu includes this file behind what it builds
 * on. */
#ifndef SPREAD_CUH
#define SPREAD_CUH

/* The cache of constant memory serves one word at a time: to all lanes that want it, then the next.
 * Here each lane begins with another sphere: the same work, the same result. */
__global__ void primarySpread(struct device_scene scene, struct view view, int *image)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (p < (size_t)view.width * view.rows) {
        const struct vec d = rayOf(&view, p);
        const int first = (int)(threadIdx.x % 32 % (unsigned)scene.n);
        struct hit hit = {FAR_AWAY, NOTHING};

        for (int k = 0; k < scene.n; k++) {
            const int i = first + k < scene.n ? first + k : first + k - scene.n;
            const float4 s = c_spheres[i];

            keepNearest(&hit, distanceTo(view.eye, d, makeVec(s.x, s.y, s.z), s.w), i);
        }
        image[p] = pixelOf(seenAt(hit, d, &view, scene.spheres));
    }
}

void launchSpread(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(256);

    if (!copyToConstant(d))
        return;
    cudaVerifyKernel(
        (primarySpread<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
}

#endif
