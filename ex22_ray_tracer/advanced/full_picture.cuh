/* The full picture in other ways than by a loop and a thread for each pixel of a row. solution.cu
 * includes this file behind what it builds on. */
#ifndef FULL_PICTURE_CUH
#define FULL_PICTURE_CUH

/* Reflections by recursion, as on the CPU: what the loop of lightAlong() replaces. A call needs
 * room for its variables on the stack of the thread, which lies in local memory, 1 KB unless one
 * asks for more. But here the call is the last thing that the function does, and nvcc makes a loop
 * of such a recursion: -Xptxas -v says "0 bytes stack frame". */
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
    const int block = blockSize(256);

    if (stack > STACK)
        cudaVerify(cudaDeviceSetLimit(cudaLimitStackSize, stack));
    cudaVerifyKernel(
        (fullPictureRecursive<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
}

/* The pixel of lane p % 32 in tile p / 32: tiles of 8 x 4 pixels, as many as cover the picture.
 * Pixels beyond its edge are -1. */
static __device__ long long pixelInTile(const struct view *view, size_t p)
{
    long long pixel = -1;

    const int across = (view->width + 7) / 8;
    const int tile = (int)(p / 32), lane = (int)(p % 32);
    const int x = tile % across * 8 + lane % 8, y = tile / across * 4 + lane / 8;

    if (x < view->width && y < view->rows)
        pixel = (long long)y * view->width + x;
    return pixel;
}

/* A warp is done when its last lane is, and what its lanes do one after the other, the others wait
 * for. The nearer its pixels are to each other, the more they go through the same boxes: 8 x 4
 * pixels instead of 32 in a row. */
__global__ void fullPictureTiles(struct device_scene scene, struct view view, int *image)
{
    const long long p = pixelInTile(&view, (size_t)blockIdx.x * blockDim.x + threadIdx.x);

    if (p >= 0)
        image[p] =
            pixelOf(lightAlong<searchTree>(&scene, &view, rayOf(&view, (size_t)p), 1.0f, black()));
}

/* Threads for all tiles. */
static size_t tiledThreads(const struct view *view)
{
    return (size_t)32 * ((view->width + 7) / 8) * ((view->rows + 3) / 4);
}

void launchTiles(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(128);

    cudaVerifyKernel(
        (fullPictureTiles<<<blocksFor(tiledThreads(view), block), block>>>(*d, *view, d_image)));
}

/* A tile with many reflections takes long, and a block that has one keeps its place until that is
 * done. Here only as many blocks are started as fit on the device, and each draws its next tile
 * from a counter: whoever is done early does more. */
__global__ void fullPictureQueue(struct device_scene scene, struct view view, int *image,
                                 size_t threads)
{
    __shared__ int drawn;

    for (;;) {
        size_t first;
        long long p;

        if (threadIdx.x == 0)
            drawn = atomicAdd(scene.next, 1);
        __syncthreads();
        first = (size_t)drawn * blockDim.x;
        __syncthreads(); /* all have read it before thread 0 draws again */
        if (first >= threads)
            return;
        p = pixelInTile(&view, first + threadIdx.x);
        if (p >= 0)
            image[p] = pixelOf(
                lightAlong<searchTree>(&scene, &view, rayOf(&view, (size_t)p), 1.0f, black()));
    }
}

void launchQueue(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = (blockSize(64) + 31) / 32 * 32; /* whole tiles */
    const size_t grid = gridSize((size_t)multiprocessors() * 16);

    cudaVerify(cudaMemsetAsync(d->next, 0, sizeof *d->next));
    cudaVerifyKernel(
        (fullPictureQueue<<<(unsigned)grid, block>>>(*d, *view, d_image, tiledThreads(view))));
}

/* Four rays per pixel, whose mean has no jagged edges. */
__global__ void fullPictureFourTimes(struct device_scene scene, struct view view, int *image)
{
    const long long p = pixelInTile(&view, (size_t)blockIdx.x * blockDim.x + threadIdx.x);
    struct vec light = black();

    if (p < 0)
        return;
    for (int k = 0; k < 4; k++) {
        const struct vec d = eyeRay(&view, (float)(p % view.width) + placeInPixel(k, 0),
                                    (float)(p / view.width) + placeInPixel(k, 1));

        light = lightAlong<searchTree>(&scene, &view, d, 0.25f, light);
    }
    image[p] = pixelOf(light);
}

void launchAntialiased(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(128);

    cudaVerifyKernel((
        fullPictureFourTimes<<<blocksFor(tiledThreads(view), block), block>>>(*d, *view, d_image)));
}

#endif
