/* TASK     the picture of ray_tracer.h by four rays a thread, in three ways.
 * TRAFFIC  4 bytes per pixel; the spheres are read for each block, but stay on the chip.
 * LIMIT    arithmetic: up to n tests per ray, of 3 operations. */
#include "advanced/device_scene.cuh"

/* The tests of rays from the eye may say yes a bit too often, but not no by a rounding error. */
#define CONE_SLACK 2e-6f
#define SQUARE_SLACK 2e-6f

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

/* Most instructions of the kernel with shared memory compute, but not all of that is needed. All
 * rays start at the eye: o - centre and c are the same for all of them (prepare()). Here a load
 * serves four rays of the thread, and a branch four spheres: of 16 discriminants the sign bits are
 * combined, and only if one of them is not negative the thread looks closer. */
enum { RAYS = 4, GROUP = 4, GROUPS_TILE = 512 };

/* Negative if a ray from the eye in direction d does not hit the sphere, about which prepare() has
 * left `s`. */
typedef float test_fn(float4 s, struct vec d);
/* The distance to a sphere, centre and radius, as distanceTo() has it. */
typedef float distance_fn(float4 sphere, struct vec eye, struct vec d);

__device__ float discriminant(float4 fromEye, struct vec d)
{
    const float b = dot(makeVec(fromEye.x, fromEye.y, fromEye.z), d);

    return b * b - fromEye.w;
}

__device__ float exactDistance(float4 sphere, struct vec eye, struct vec d)
{
    return distanceTo(eye, d, makeVec(sphere.x, sphere.y, sphere.z), sphere.w);
}

/* The compiler must not fuse multiplications and additions in this exercise, so that the bits are
 * those of the CPU. fmaf() fuses them by name: 4 instructions instead of 7, one rounding instead of
 * two. */
__device__ float fusedDot(struct vec a, struct vec b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

__device__ float fusedDiscriminant(float4 fromEye, struct vec d)
{
    const float b = fusedDot(makeVec(fromEye.x, fromEye.y, fromEye.z), d);

    return fmaf(b, b, -fromEye.w);
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

/* Nearly all tests say no. Seen from the eye a sphere fills a cone; whether a ray lies in it, take
 * three fused operations. The cone is a bit too wide, and what it lets through is tested as on the
 * CPU: fast, and exact to the bit. */
__device__ float insideCone(float4 cone, struct vec d)
{
    return fmaf(cone.x, d.x, fmaf(cone.y, d.y, fmaf(cone.z, d.z, cone.w)));
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
    }
#pragma unroll
    for (int r = 0; r < RAYS; r++)
        if (p + (size_t)r * blockDim.x < pixels)
            image[p + (size_t)r * blockDim.x] = pixelOf(seenAt(hit[r], d[r], &view, scene.spheres));
}

/* With x = y = z = 0, w is what makes the test say no. */
template <test_fn test, distance_fn distance>
void launchFourRays(const float4 *d_tested, float w, const struct device_scene *d,
                    const struct view *view, int *d_image)
{
    const int block = blockSize(256);
    const size_t pixels = (size_t)view->width * view->rows;
    const unsigned blocks = (unsigned)((pixels + RAYS * block - 1) / (RAYS * block));

    cudaVerifyKernel((prepare<<<blocksFor(d->n, 256), 256>>>(*d, view->eye)));
    cudaVerifyKernel((primaryFourRays<test, distance><<<blocks, block>>>(
        d_tested, make_float4(0.0f, 0.0f, 0.0f, w), *d, *view, d_image)));
}

void launchFourExact(const struct device_scene *d, const struct view *view, int *d_image)
{
    launchFourRays<discriminant, exactDistance>(d->fromEye, 1.0f, d, view, d_image);
}

void launchFourFused(const struct device_scene *d, const struct view *view, int *d_image)
{
    launchFourRays<fusedDiscriminant, fusedDistance>(d->fromEye, 1.0f, d, view, d_image);
}

void launchFourCones(const struct device_scene *d, const struct view *view, int *d_image)
{
    launchFourRays<insideCone, exactDistance>(d->cone, -1.0f, d, view, d_image);
}
