/* Reflections by recursion, as on the CPU: what the loop of lightAlong() replaces. A call needs
 * room for its variables on the stack of the thread, which lies in local memory, 1 KB unless one
 * asks for more. But here the call is the last thing that the function does, and nvcc makes a loop
 * of such a recursion: -Xptxas -v says "0 bytes stack frame". solution.cu includes this file behind
 * what it builds on. */
#ifndef RECURSION_CUH
#define RECURSION_CUH

enum { STACK_PER_CALL = 200, STACK = 1024 }; /* bytes */

__device__ void addLight(const struct device_scene *scene, const struct view *view, struct vec o,
                         struct vec d, float weight, int left, struct vec *light)
{
    struct hit hit = searchTree(scene, o, d, 0);
    struct shading_point s;
    float mirrored;
    int inSun;

    keepFloor(&hit, o, d);
    if (hit.what == NOTHING) {
        *light = add(*light, scale(sky(d, view), weight));
        return;
    }
    s = surfaceAt(hit, o, d, scene->spheres + (hit.what == FLOOR ? 0 : hit.what));
    inSun =
        dot(s.normal, view->sun) > 0.0f && searchTree(scene, s.point, view->sun, 1).what == NOTHING;
    mirrored = left > 0 ? s.mirror * (1.0f - s.haze) : 0.0f;
    *light = add(*light, scale(colourOf(s, d, view, inSun), weight * (1.0f - mirrored)));
    if (mirrored > 0.0f)
        addLight(scene, view, s.point, reflect(d, s.normal), weight * mirrored, left - 1, light);
}

__global__ void fullPictureRecursive(struct device_scene scene, struct view view, int *image)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct vec light = black();

    if (p < (size_t)view.width * view.rows) {
        addLight(&scene, &view, view.eye, rayOf(&view, p), 1.0f, view.bounces, &light);
        image[p] = pixelOf(light);
    }
}

void launchRecursive(const struct device_scene *d, const struct view *view, int *d_image)
{
    const size_t stack = (size_t)(view->bounces + 2) * STACK_PER_CALL;

    if (stack > STACK)
        cudaVerify(cudaDeviceSetLimit(cudaLimitStackSize, stack));
    launchPixels<fullPictureRecursive>(d, view, d_image);
}

#endif
