/* TASK     `steps` steps of diffusion over n points between two fixed ends.
 * TRAFFIC  8 (n + 2) bytes a step: f read, the new f written. Several steps per pass need less.
 * LIMIT    memory bandwidth: 4 flops per 8 bytes. */
#include "cuda_utils.h"
#include "measure.h"
#include "diffusion1d.h"

/* In all kernels f and g hold n + 2 points, and g must not be f. The ends are copied, so that g is
 * complete. */

__device__ float update(float left, float middle, float right, float alpha)
{
    return middle + alpha * (left + right - 2.0f * middle);
}

/* The new value of point i, from 0 to n + 1. */
__device__ float newValue(const float *f, size_t i, size_t n, float alpha)
{
    float value = 0.0f;

    // TODO 5 begin: the value of an end stays; any other point has two neighbours
    NOT_IMPLEMENTED_VALUE(5, value);
    // TODO 5 end
    return value;
}

__global__ void diffusePointPerThread(const float *f, float *g, size_t n, float alpha)
{
    // TODO 6 begin: one point per thread, as far as there are points
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

__global__ void diffuseGridStride(const float *f, float *g, size_t n, float alpha)
{
    // TODO 7 begin: the same for any grid
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

/* A block loads its points and one more at each side, the halo, into blockDim.x + 2 floats of shared
 * memory: each point is then read once from f instead of three times. */
__global__ void diffuseTile(const float *f, float *g, size_t n, float alpha)
{
    // TODO 8 begin: point i goes to tile[threadIdx.x + 1]; the first and the last thread fetch the halo
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

/* x of the lane below (or above) in the same warp; the first (or last) lane gets no useful value. All
 * lanes must call it. Toolkits before 9 do not name the lanes; Fermi has no shuffles, but its warps run
 * in step, so that shared memory does without a barrier. */
__device__ float fromLane(float x, int below)
{
#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 9000
    return below ? __shfl_up_sync(0xffffffffu, x, 1) : __shfl_down_sync(0xffffffffu, x, 1);
#elif __CUDA_ARCH__ >= 300
    return below ? __shfl_up(x, 1) : __shfl_down(x, 1);
#else
    __shared__ volatile float lanes[1024 + 2];

    lanes[threadIdx.x + 1] = x;
    return lanes[below ? threadIdx.x : threadIdx.x + 2];
#endif
}

/* Four points per thread in one access; what lies beyond them is in the registers of the neighbouring
 * lanes, except at the ends of a warp and beside a float4 that is not whole. */
__global__ void diffuseFloat4(const float *f, float *g, size_t n, float alpha)
{
    // TODO 9 begin: (advanced) load a float4, fetch left and right with fromLane, store a float4
    NOT_IMPLEMENTED(9);
    // TODO 9 end
}

/* Temporal blocking: up to PASS steps for one read and one write. A lane holds POINTS points in
 * registers; every step gets its neighbours from the lanes beside it. The first and the last lane have
 * no such neighbour, and what they get wrong spreads by a point a step: the outer MARGIN lanes of the
 * warp are wrong in the end and store nothing, the warps overlap by as much. */
enum { POINTS = 8, PASS = 16, MARGIN = PASS / POINTS };

__global__ void diffusePass(const float *f, float *g, size_t n, float alpha, int steps)
{
    // TODO 10 begin: (advanced) load POINTS points, update them `steps` times, store
    NOT_IMPLEMENTED(10);
    // TODO 10 end
}

enum scheme { POINT_PER_THREAD, GRID_STRIDE, TILE, FLOAT4, SEVERAL_STEPS };

static unsigned blocksFor(size_t threads, int block)
{
    return (unsigned)((threads + block - 1) / block);
}

/* From f to g: one step, or with SEVERAL_STEPS up to PASS of them. */
static void launch(enum scheme scheme, const float *f, float *g, size_t n, float alpha, int steps)
{
    const size_t perWarp = (32 - 2 * MARGIN) * POINTS;
    const size_t warps = (n + 2 + perWarp - 1) / perWarp;
    const int block = blockSize(256);
    const int wholeWarps = (block + 31) / 32 * 32; /* for the kernels with shuffles */
    const unsigned all = blocksFor(n + 2, block);
    const unsigned some = (unsigned)gridSize((size_t)multiprocessors() * 8);
    const size_t tile = (block + 2) * sizeof(float);

    switch (scheme) {
    case POINT_PER_THREAD:
        cudaVerifyKernel((diffusePointPerThread<<<all, block>>>(f, g, n, alpha)));
        break;
    case GRID_STRIDE:
        cudaVerifyKernel((diffuseGridStride<<<some, block>>>(f, g, n, alpha)));
        break;
    case TILE:
        cudaVerifyKernel((diffuseTile<<<all, block, tile>>>(f, g, n, alpha)));
        break;
    case FLOAT4:
        cudaVerifyKernel(
            (diffuseFloat4<<<blocksFor((n + 5) / 4, wholeWarps), wholeWarps>>>(f, g, n, alpha)));
        break;
    case SEVERAL_STEPS:
        cudaVerifyKernel((
            diffusePass<<<blocksFor(32 * warps, wholeWarps), wholeWarps>>>(f, g, n, alpha, steps)));
        break;
    }
}

/* What surrounds the kernels. The first pass reads d_f0, which stays as it is, so that every measured
 * run does the same; after that two arrays take turns. */
static void diffuse(enum scheme scheme, const float *f0, float *f, size_t n, int steps, float alpha)
{
    const int perPass = scheme == SEVERAL_STEPS ? PASS : 1;
    float *d_f0 = NULL, *d_f[2] = {NULL, NULL}, *to = NULL;
    const float *from = NULL;

    // TODO 1 begin: allocate the three arrays on the device, the ends included
    NOT_IMPLEMENTED(1);
    // TODO 1 end

    // TODO 2 begin: copy f0 to the device
    NOT_IMPLEMENTED(2);
    // TODO 2 end

    MEASURE (run) {
        from = d_f0;
        to = d_f[0];
        for (int left = steps; left > 0; left -= perPass) {
            launch(scheme, from, to, n, alpha, left < perPass ? left : perPass);
            // TODO 3 begin: what was written is read next, and the other of d_f is written
            NOT_IMPLEMENTED(3);
            // TODO 3 end
        }
    }

    // TODO 4 begin: copy the result, which is where the next step would read, to f; free the memory
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

static void pointPerThread(const float *f0, float *f, size_t n, int steps, float alpha)
{
    diffuse(POINT_PER_THREAD, f0, f, n, steps, alpha);
}

static void gridStride(const float *f0, float *f, size_t n, int steps, float alpha)
{
    diffuse(GRID_STRIDE, f0, f, n, steps, alpha);
}

static void sharedTile(const float *f0, float *f, size_t n, int steps, float alpha)
{
    diffuse(TILE, f0, f, n, steps, alpha);
}

static void float4s(const float *f0, float *f, size_t n, int steps, float alpha)
{
    diffuse(FLOAT4, f0, f, n, steps, alpha);
}

static void severalSteps(const float *f0, float *f, size_t n, int steps, float alpha)
{
    diffuse(SEVERAL_STEPS, f0, f, n, steps, alpha);
}

extern "C" const struct variant deviceVariants[] = {
    {"one point per thread", pointPerThread},
    {"grid-stride loop", gridStride},
    {"tile in shared memory", sharedTile},
    {"float4, neighbours by shuffle", float4s},
    {"several steps per pass", severalSteps}, // its rate is an effective one
    {NULL, NULL},
};
