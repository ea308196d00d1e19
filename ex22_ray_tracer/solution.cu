/* TASK     a picture of n spheres on a chequered floor, by rays.
 * TRAFFIC  4 bytes per pixel; the spheres are read for each ray, but stay on the chip.
 * LIMIT    arithmetic: up to n tests per ray, of 11 operations. */
#include "cuda_utils.h"
#include "measure.h"
#include "ray_tracer.h"
#include "advanced/device_scene.cuh"

/* Renders view->rows rows into d_image. */
typedef void launch_fn(const struct device_scene *d, const struct view *view, int *d_image);

/* The code around every launch: memory on the device, the copies there and back. */
template <launch_fn launch>
static void render(const struct scene *scene, const struct view *view, int *image)
{
    const size_t bytes = (size_t)view->rows * view->width * sizeof *image;
    struct sphere *d_spheres = NULL;
    int *d_image = NULL;
    struct device_scene d;

    // TODO 1 begin: allocate d_spheres (scene->n spheres) and d_image; copy scene->spheres to it
    cudaVerify(cudaMalloc((void **)&d_spheres, scene->n * sizeof *d_spheres));
    cudaVerify(cudaMalloc((void **)&d_image, bytes));
    cudaVerify(cudaMemcpy(d_spheres, scene->spheres, scene->n * sizeof *d_spheres,
                          cudaMemcpyHostToDevice));
    // TODO 1 end

    d = addLayouts(d_spheres, scene); /* the same spheres in other layouts, and the tree */
    MEASURE (run) {
        launch(&d, view, d_image);
    }

    // TODO 2 begin: copy the image back, free what you have allocated
    cudaVerify(cudaMemcpy(image, d_image, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_image));
    cudaVerify(cudaFree(d_spheres));
    // TODO 2 end
    freeLayouts(d);
}

/* One pixel per thread, which tests one sphere after another: the spheres are structures of 32
 * bytes in global memory. All lanes of a warp read the same one, a single sector, which stays in
 * the L1 cache. */
__global__ void primaryStructures(struct device_scene scene, struct view view, int *image)
{
    // TODO 3 begin: this thread's pixel p, its ray, the nearest hit of all spheres, its colour
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (p < (size_t)view.width * view.rows) {
        const struct vec d = rayOf(&view, p);
        struct hit hit = {FAR_AWAY, NOTHING};

        for (int i = 0; i < scene.n; i++)
            keepNearest(
                &hit, distanceTo(view.eye, d, scene.spheres[i].centre, scene.spheres[i].radius), i);
        image[p] = pixelOf(seenAt(hit, d, &view, scene.spheres));
    }
    // TODO 3 end
}

void launchStructures(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(256); /* --block overrides this choice */

    // TODO 4 begin: launch it on (*d, *view, d_image), with at least pixelsOf(view) threads
    cudaVerifyKernel(
        (primaryStructures<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
    // TODO 4 end
}

/* Four loads per sphere are four instructions. A structure of arrays is what exercise 4 would
 * advise; but there each lane wanted another element. Here all want the same, so it saves
 * nothing. */
__global__ void primaryArrays(struct device_scene scene, struct view view, int *image)
{
    // TODO 5 begin: the same with scene.x[i], scene.y[i], scene.z[i] and scene.radius[i]
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (p < (size_t)view.width * view.rows) {
        const struct vec d = rayOf(&view, p);
        struct hit hit = {FAR_AWAY, NOTHING};

        for (int i = 0; i < scene.n; i++)
            keepNearest(&hit,
                        distanceTo(view.eye, d, makeVec(scene.x[i], scene.y[i], scene.z[i]),
                                   scene.radius[i]),
                        i);
        image[p] = pixelOf(seenAt(hit, d, &view, scene.spheres));
    }
    // TODO 5 end
}

void launchArrays(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(256);

    cudaVerifyKernel(
        (primaryArrays<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
}

/* Constant memory is made for this: 64 KB with a cache of its own, which gives one word to all
 * lanes at once. */
enum { MOST_IN_CONSTANT = 65536 / sizeof(float4) };
__constant__ float4 c_spheres[MOST_IN_CONSTANT]; /* centre and radius */

__global__ void primaryConstant(struct device_scene scene, struct view view, int *image)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (p < (size_t)view.width * view.rows) {
        const struct vec d = rayOf(&view, p);
        struct hit hit = {FAR_AWAY, NOTHING};

        // TODO 6 begin: keep the nearest of the scene.n spheres in c_spheres
        for (int i = 0; i < scene.n; i++) {
            const float4 s = c_spheres[i];

            keepNearest(&hit, distanceTo(view.eye, d, makeVec(s.x, s.y, s.z), s.w), i);
        }
        // TODO 6 end
        image[p] = pixelOf(seenAt(hit, d, &view, scene.spheres));
    }
}

/* Copies the spheres to constant memory. Returns 0 if there is no room for them. */
int copyToConstant(const struct device_scene *d)
{
    if (d->n > MOST_IN_CONSTANT) {
        rowSkip("%d spheres do not fit into 64 KB of constant memory", d->n);
        return 0;
    }
    // TODO 7 begin: copy d->packed, n float4 in device memory, to c_spheres
    cudaVerify(cudaMemcpyToSymbol(c_spheres, d->packed, d->n * sizeof *d->packed, 0,
                                  cudaMemcpyDeviceToDevice));
    // TODO 7 end
    return 1;
}

void launchConstant(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(256);

    if (!copyToConstant(d))
        return;
    cudaVerifyKernel(
        (primaryConstant<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
}

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

/* Shared memory gives one word to all lanes as well, takes a float4 in one load, and has no limit
 * of 64 KB if the spheres come in tiles. All threads of the block load a tile, so all stay to the
 * end. */
enum { TILE = 512 };

__global__ void primaryShared(struct device_scene scene, struct view view, int *image)
{
    __shared__ float4 tile[TILE];
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const struct vec d = rayOf(&view, p);
    struct hit hit = {FAR_AWAY, NOTHING};

    for (int first = 0; first < scene.n; first += TILE) {
        const int count = min(TILE, scene.n - first);

        // TODO 8 begin: scene.packed[first...] to the tile, test its `count` spheres; two barriers
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            tile[i] = scene.packed[first + i];
        __syncthreads();
        for (int i = 0; i < count; i++)
            keepNearest(
                &hit, distanceTo(view.eye, d, makeVec(tile[i].x, tile[i].y, tile[i].z), tile[i].w),
                first + i);
        __syncthreads();
        // TODO 8 end
    }
    if (p < (size_t)view.width * view.rows)
        image[p] = pixelOf(seenAt(hit, d, &view, scene.spheres));
}

void launchShared(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(256);

    cudaVerifyKernel(
        (primaryShared<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
}

/* Rays that have hit something now go on: one towards the sun, which is stopped if there is a
 * shadow, and one as a mirror reflects it. On the CPU that is a recursion; a thread of a kernel
 * would need a stack for it. A loop that keeps the weight of what is still to come does the same
 * sums. The lanes of a warp go through it until the last is done. */
template <search_fn search>
__device__ struct vec lightAlong(const struct device_scene *scene, const struct view *view,
                                 struct vec d, float weight, struct vec light)
{
    struct vec o = view->eye;

    // TODO 9 begin: add what each surface on the way gives, as addLight() in cpu.c, but by a loop
    for (int left = view->bounces; weight > 0.0f; left--) {
        struct hit hit = search(scene, o, d, 0);
        struct shading_point s;
        float mirrored;
        int inSun;

        keepFloor(&hit, o, d);
        if (hit.what == NOTHING)
            return add(light, scale(sky(d, view), weight));
        s = surfaceAt(hit, o, d, scene->spheres + (hit.what == FLOOR ? 0 : hit.what));
        inSun =
            dot(s.normal, view->sun) > 0.0f && search(scene, s.point, view->sun, 1).what == NOTHING;
        mirrored = left > 0 ? s.mirror * (1.0f - s.haze) : 0.0f;
        light = add(light, scale(colourOf(s, d, view, inSun), weight * (1.0f - mirrored)));
        weight = weight * mirrored;
        o = s.point;
        d = reflect(d, s.normal);
    }
    // TODO 9 end
    return light;
}

__global__ void fullPictureAll(struct device_scene scene, struct view view, int *image)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (p < (size_t)view.width * view.rows)
        image[p] = pixelOf(lightAlong<searchAll>(&scene, &view, rayOf(&view, p), 1.0f, black()));
}

void launchAll(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(256);

    cudaVerifyKernel(
        (fullPictureAll<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
}

/* Most spheres are far from a ray. A tree of boxes leads to those that are not; the boxes are a bit
 * too large, so that rounding cannot lose a hit. The nodes are in depth-first order, and `skip`
 * leads around a box: no stack is needed. */
__device__ struct hit searchTree(const struct device_scene *scene, struct vec o, struct vec d,
                                 int any)
{
    struct hit hit = {FAR_AWAY, NOTHING};

    // TODO 10 begin: (advanced) as in cpu.c; nodes[2 i] holds low and skip, nodes[2 i + 1] the rest
    const struct vec inverse = makeVec(1.0f / d.x, 1.0f / d.y, 1.0f / d.z);
    int i = 0;

    while (i < scene->nodeCount) {
        const float4 low = scene->nodes[2 * i], high = scene->nodes[2 * i + 1];
        const int leaf = __float_as_int(high.w);

        if (!entersBox(low, high, o, inverse, hit.t)) {
            i = __float_as_int(low.w);
            continue;
        }
        i++;
        for (int k = 0; leaf >= 0 && k < leaf % LEAF_ROOM; k++) {
            const int what = leaf / LEAF_ROOM + k;
            const float4 s = scene->packed[what];

            keepNearest(&hit, distanceTo(o, d, makeVec(s.x, s.y, s.z), s.w), what);
        }
        if (any && hit.what != NOTHING)
            break;
    }
    // TODO 10 end
    return hit;
}

__global__ void fullPictureTree(struct device_scene scene, struct view view, int *image)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (p < (size_t)view.width * view.rows)
        image[p] = pixelOf(lightAlong<searchTree>(&scene, &view, rayOf(&view, p), 1.0f, black()));
}

void launchTree(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(256);

    cudaVerifyKernel(
        (fullPictureTree<<<blocksFor(pixelsOf(view), block), block>>>(*d, *view, d_image)));
}

/* Reflections by recursion, as on the CPU: what the loop of lightAlong() replaces. A call needs
 * room for its variables on the stack of the thread, which lies in local memory, 1 KB unless one
 * asks for more. But here the call is the last thing that the function does, and nvcc makes a loop
 * of such a recursion: -Xptxas -v says "0 bytes stack frame". */
enum { STACK_PER_CALL = 200, STACK = 1024 }; /* bytes */

__device__ void addLight(const struct device_scene *scene, const struct view *view, struct vec o,
                         struct vec d, float weight, int left, struct vec *light)
{
    // TODO 11 begin: (advanced) one surface, then a call for what it mirrors, as in cpu.c
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
    // TODO 11 end
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

/* The first picture again, without shadows and reflections. Most instructions of the kernel with
 * shared memory compute, but not all of that is needed. All rays start at the eye: from = eye -
 * centre and c = |from|^2 - radius^2 are the same for all of them, and with b = d from a ray misses
 * the sphere if b^2 - c is negative. prepare() keeps from and c. Here a load serves four rays of
 * the thread, and a branch four spheres: of 16 discriminants the sign bits are combined, and only
 * if one of them is not negative the thread looks closer. */
enum { RAYS = 4, GROUP = 4, GROUPS_TILE = 512 };

/* The tests of rays from the eye may say yes a bit too often, but not no by a rounding error. */
#define SQUARE_SLACK 2e-6f
#define CONE_SLACK 2e-6f

/* What a test needs of a sphere, centre and radius: the same for all rays. */
typedef float4 prepare_fn(float4 sphere, struct vec eye);
/* Negative if a ray from the eye in direction d does not hit the sphere so prepared. */
typedef float test_fn(float4 prepared, struct vec d);
/* The distance to a sphere, centre and radius, as distanceTo() has it. */
typedef float distance_fn(float4 sphere, struct vec eye, struct vec d);

template <prepare_fn preparation>
__global__ void prepare(const float4 *spheres, int n, struct vec eye, float4 *tested)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n) {
        const float4 kept = preparation(spheres[i], eye);

        tested[i] = kept;
    }
}

__device__ float4 fromEye(float4 sphere, struct vec eye)
{
    const struct vec from = subtract(eye, makeVec(sphere.x, sphere.y, sphere.z));
    const float c = dot(from, from) - sphere.w * sphere.w;

    return make_float4(from.x, from.y, from.z, c - SQUARE_SLACK * dot(from, from));
}

__device__ float discriminant(float4 prepared, struct vec d)
{
    const float b = dot(makeVec(prepared.x, prepared.y, prepared.z), d);

    return b * b - prepared.w;
}

__device__ float exactDistance(float4 sphere, struct vec eye, struct vec d)
{
    return distanceTo(eye, d, makeVec(sphere.x, sphere.y, sphere.z), sphere.w);
}

/* nobody: what no test lets through, for the end of the last group. */
template <test_fn test, distance_fn distance>
__global__ void primaryFourRays(const float4 *tested, float4 nobody, struct device_scene scene,
                                struct view view, int *image)
{
    __shared__ float4 tile[GROUPS_TILE];
    const size_t p = (size_t)blockIdx.x * RAYS * blockDim.x + threadIdx.x;
    const size_t pixels = (size_t)view.width * view.rows;
    struct vec d[RAYS];
    struct hit hit[RAYS];

#pragma unroll
    for (int r = 0; r < RAYS; r++) {
        const size_t own = p + (size_t)r * blockDim.x;

        d[r] = eyeRay(&view, (float)(own % view.width) + 0.5f, (float)(own / view.width) + 0.5f);
        hit[r].t = FAR_AWAY;
        hit[r].what = NOTHING;
    }
    for (int first = 0; first < scene.n; first += GROUPS_TILE) {
        const int count = min((int)GROUPS_TILE, scene.n - first);

        __syncthreads(); /* all are done with the tile before */
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            tile[i] = tested[first + i];
        for (int i = count + threadIdx.x; i < (count + GROUP - 1) / GROUP * GROUP; i += blockDim.x)
            tile[i] = nobody;
        __syncthreads();
        // TODO 12 begin: (advanced) GROUP spheres at a time: the signs of all tests, then the hits
        for (int i = 0; i < count; i += GROUP) {
            int signs = -1;

#pragma unroll
            for (int k = 0; k < GROUP; k++) {
                const float4 s = tile[i + k];

#pragma unroll
                for (int r = 0; r < RAYS; r++)
                    signs &= __float_as_int(test(s, d[r]));
            }
            if (signs < 0)
                continue;
            for (int k = i; k < min(i + (int)GROUP, count); k++) {
                const float4 s = tile[k];

#pragma unroll
                for (int r = 0; r < RAYS; r++)
                    if (test(s, d[r]) >= 0.0f)
                        keepNearest(&hit[r], distance(scene.packed[first + k], view.eye, d[r]),
                                    first + k);
            }
        }
        // TODO 12 end
    }
#pragma unroll
    for (int r = 0; r < RAYS; r++)
        if (p + (size_t)r * blockDim.x < pixels)
            image[p + (size_t)r * blockDim.x] = pixelOf(seenAt(hit[r], d[r], &view, scene.spheres));
}

/* With x = y = z = 0, w is what makes the test say no. */
template <prepare_fn preparation, test_fn test, distance_fn distance>
void launchFourRays(float4 *d_tested, float w, const struct device_scene *d,
                    const struct view *view, int *d_image)
{
    const int block = blockSize(256);
    const unsigned blocks = blocksFor(pixelsOf(view), (size_t)RAYS * block);

    cudaVerifyKernel((prepare<preparation>
                      <<<blocksFor(d->n, 256), 256>>>(d->packed, d->n, view->eye, d_tested)));
    cudaVerifyKernel((primaryFourRays<test, distance><<<blocks, block>>>(
        d_tested, make_float4(0.0f, 0.0f, 0.0f, w), *d, *view, d_image)));
}

void launchFourExact(const struct device_scene *d, const struct view *view, int *d_image)
{
    launchFourRays<fromEye, discriminant, exactDistance>(d->fromEye, 1.0f, d, view, d_image);
}

/* The compiler must not fuse multiplications and additions in this exercise, so that the bits are
 * those of the CPU. fmaf() fuses them by name: 4 instructions instead of 7, one rounding instead of
 * two. */
__device__ float fusedDot(struct vec a, struct vec b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

__device__ float fusedDiscriminant(float4 prepared, struct vec d)
{
    const float b = fusedDot(makeVec(prepared.x, prepared.y, prepared.z), d);

    return fmaf(b, b, -prepared.w);
}

__device__ float fusedDistance(float4 sphere, struct vec eye, struct vec d)
{
    const struct vec from = subtract(eye, makeVec(sphere.x, sphere.y, sphere.z));
    const float b = fusedDot(from, d);
    const struct vec aside =
        makeVec(fmaf(-b, d.x, from.x), fmaf(-b, d.y, from.y), fmaf(-b, d.z, from.z));
    const float value = fmaf(sphere.w, sphere.w, -fusedDot(aside, aside));

    return value >= 0.0f ? distanceAhead(b, value) : FAR_AWAY;
}

void launchFourFused(const struct device_scene *d, const struct view *view, int *d_image)
{
    launchFourRays<fromEye, fusedDiscriminant, fusedDistance>(d->fromEye, 1.0f, d, view, d_image);
}

/* Nearly all tests say no. Seen from the eye a sphere fills a cone, and whether a ray lies in it,
 * three fused operations tell. The cone is a bit too wide, and what it lets through is tested as on
 * the CPU: fast, and exact to the bit. */
__device__ float4 coneOf(float4 sphere, struct vec eye)
{
    float4 cone = make_float4(0.0f, 0.0f, 0.0f, 0.0f); /* with an eye inside: lets all rays in */

    // TODO 13 begin: (advanced) if c > 0: (centre - eye) / sqrt(c), and in w CONE_SLACK - 1
    const struct vec to = subtract(makeVec(sphere.x, sphere.y, sphere.z), eye);
    const float c = dot(to, to) - sphere.w * sphere.w;
    const struct vec axis = scale(to, 1.0f / sqrtf(c));

    if (c > 0.0f)
        cone = make_float4(axis.x, axis.y, axis.z, CONE_SLACK - 1.0f);
    // TODO 13 end
    return cone;
}

__device__ float insideCone(float4 cone, struct vec d)
{
    float inside = -1.0f;

    // TODO 13 begin: (advanced) d times the cone's x, y and z, plus its w: three calls of fmaf()
    inside = fmaf(cone.x, d.x, fmaf(cone.y, d.y, fmaf(cone.z, d.z, cone.w)));
    // TODO 13 end
    return inside;
}

void launchFourCones(const struct device_scene *d, const struct view *view, int *d_image)
{
    launchFourRays<coneOf, insideCone, exactDistance>(d->cone, -1.0f, d, view, d_image);
}

extern "C" const struct variant deviceVariants[] = {
    {"array of structures", render<launchStructures>},
    {"structure of arrays", render<launchArrays>},
    {"constant memory", render<launchConstant>},
    {"constant memory, each lane another sphere", render<launchSpread>},
    {"shared memory", render<launchShared>},
    {"four rays a thread", render<launchFourExact>},
    {"four rays a thread, fused", render<launchFourFused>},
    {"four rays a thread, cones first", render<launchFourCones>},
    {"full picture, all spheres", render<launchAll>},
    {"full picture, tree", render<launchTree>},
    {"full picture, tree, by recursion", render<launchRecursive>},
    {"full picture, tree, 8 x 4 pixels a warp", render<launchTiles>},
    {"full picture, tree, queue of tiles", render<launchQueue>},
    {"full picture, tree, 4 rays a pixel", render<launchAntialiased>},
    {NULL, NULL},
};
