/* TASK     `steps` steps of diffusion over n points between two fixed ends.
 * TRAFFIC  8 (n + 2) bytes a step: f read, the new f written. Several steps per pass need less.
 * LIMIT    memory bandwidth: 5 flops per 8 bytes. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "warp_utils.h"
#include "diffusion1d.h"

/* From f to g, which must not be f: one step, or as many as the launch does in a pass (at most
 * `steps`). */
typedef void launch_fn(const float *f, float *g, size_t n, float alpha, int steps);

/* The code around every kernel. The first pass reads d_f0, which stays as it is, so that every
 * measured run does the same; after that two arrays take turns. */
template <launch_fn launch, int perPass>
static void diffuse(const float *f0, float *f, size_t n, int steps, float alpha)
{
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
            launch(from, to, n, alpha, left < perPass ? left : perPass);
            // TODO 3 begin: what was written is read next, and the other of d_f is written
            NOT_IMPLEMENTED(3);
            // TODO 3 end
        }
    }

    // TODO 4 begin: copy the result, which is where the next step would read, to f; free the memory
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

/* In all kernels f and g hold n + 2 points. The ends are copied, so that g is complete. */
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

/* One point per thread: three loads and a store for each. */
__global__ void diffusePointPerThread(const float *f, float *g, size_t n, float alpha)
{
    // TODO 6 begin: one point per thread, as far as there are points
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

void launchPointPerThread(const float *f, float *g, size_t n, float alpha, int /* steps: one */)
{
    const int block = blockSize(256); /* --block and --grid override these choices */

    cudaVerifyKernel((diffusePointPerThread<<<blocksFor(n + 2, block), block>>>(f, g, n, alpha)));
}

/* Starting a block for every 256 points takes time as well. A grid that just fills the device is
 * started once, and its threads go on to further points. */
__global__ void diffuseGridStride(const float *f, float *g, size_t n, float alpha)
{
    // TODO 7 begin: the same for any grid
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

void launchGridStride(const float *f, float *g, size_t n, float alpha, int /* steps: one */)
{
    const int block = blockSize(256);
    const size_t grid = gridSize((size_t)multiprocessors() * 8);

    cudaVerifyKernel((diffuseGridStride<<<(unsigned)grid, block>>>(f, g, n, alpha)));
}

/* Every point has been read three times. A block loads its points and one more at each side, the
 * halo, into blockDim.x + 2 floats of shared memory: each point is then read once from f. */
__global__ void diffuseTile(const float *f, float *g, size_t n, float alpha)
{
    // TODO 8 begin: point i to tile[threadIdx.x + 1]; the first and last thread fetch the halo
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

void launchTile(const float *f, float *g, size_t n, float alpha, int /* steps: one */)
{
    const int block = blockSize(256);
    const size_t bytes = (block + 2) * sizeof(float);

    cudaVerifyKernel((diffuseTile<<<blocksFor(n + 2, block), block, bytes>>>(f, g, n, alpha)));
}

/* The tile replaced loads that the L1 cache had served as fast, and added a barrier. The number of
 * requests takes the time. With a float4 per thread there are a quarter as many; what lies beyond
 * the four points is in the registers of the neighbouring lanes, except at the ends of a warp and
 * beside a float4 that is not whole. */
__global__ void diffuseFloat4(const float *f, float *g, size_t n, float alpha)
{
    // TODO 9 begin: (advanced) load a float4, fetch left and right by shuffles, store a float4
    NOT_IMPLEMENTED(9);
    // TODO 9 end
}

void launchFloat4(const float *f, float *g, size_t n, float alpha, int /* steps: one */)
{
    const int block = (blockSize(256) + 31) / 32 * 32; /* whole warps, for the shuffles */

    cudaVerifyKernel((diffuseFloat4<<<blocksFor((n + 5) / 4, block), block>>>(f, g, n, alpha)));
}

/* One step is at the limit: it reads and writes everything once. Temporal blocking does up to PASS
 * steps for one read and one write. A lane holds POINTS points in registers, x[1] to x[POINTS];
 * every step gets their neighbours from the lanes beside it. The first and the last lane have no
 * such neighbour, and what they get wrong spreads by a point a step: the outer MARGIN lanes of the
 * warp are wrong in the end and store nothing, the warps overlap by as much. */
enum { POINTS = 8, PASS = 16, MARGIN = PASS / POINTS };

/* Takes the points x of this lane `steps` steps further, point k with its own alpha a[k]. */
__device__ void stepInRegisters(float x[POINTS + 2], const float a[POINTS + 2], int steps)
{
    // TODO 10 begin: (advanced) per step: the neighbours by shuffles, then point after point
    NOT_IMPLEMENTED(10);
    // TODO 10 end
}

__global__ void diffusePass(const float *f, float *g, size_t n, float alpha, int steps)
{
    // TODO 11 begin: (advanced) load POINTS points, step, store those that are right
    NOT_IMPLEMENTED(11);
    // TODO 11 end
}

void launchPass(const float *f, float *g, size_t n, float alpha, int steps)
{
    const size_t perWarp = (32 - 2 * MARGIN) * POINTS;
    const size_t warps = (n + 2 + perWarp - 1) / perWarp;
    const int block = (blockSize(256) + 31) / 32 * 32;
    const unsigned grid = blocksFor(32 * warps, block);

    cudaVerifyKernel((diffusePass<<<grid, block>>>(f, g, n, alpha, steps)));
}

extern "C" const struct variant deviceVariants[] = {
    {"one point per thread", diffuse<launchPointPerThread, 1>},
    {"grid-stride loop", diffuse<launchGridStride, 1>},
    {"tile in shared memory", diffuse<launchTile, 1>},
    {"float4, neighbours by shuffle", diffuse<launchFloat4, 1>},
    {"several steps per pass", diffuse<launchPass, PASS>},
    {NULL, NULL},
};
