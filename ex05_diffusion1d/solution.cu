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
    cudaVerify(cudaMalloc((void **)&d_f0, (n + 2) * sizeof *d_f0));
    cudaVerify(cudaMalloc((void **)&d_f[0], (n + 2) * sizeof *d_f0));
    cudaVerify(cudaMalloc((void **)&d_f[1], (n + 2) * sizeof *d_f0));
    // TODO 1 end

    // TODO 2 begin: copy f0 to the device
    cudaVerify(cudaMemcpy(d_f0, f0, (n + 2) * sizeof *d_f0, cudaMemcpyHostToDevice));
    // TODO 2 end

    MEASURE (run) {
        from = d_f0;
        to = d_f[0];
        for (int left = steps; left > 0; left -= perPass) {
            launch(from, to, n, alpha, left < perPass ? left : perPass);
            // TODO 3 begin: what was written is read next, and the other of d_f is written
            from = to;
            to = to == d_f[0] ? d_f[1] : d_f[0];
            // TODO 3 end
        }
    }

    // TODO 4 begin: copy the result, which is where the next step would read, to f; free the memory
    cudaVerify(cudaMemcpy(f, from, (n + 2) * sizeof *f, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_f0));
    cudaVerify(cudaFree(d_f[0]));
    cudaVerify(cudaFree(d_f[1]));
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
    if (i == 0 || i == n + 1)
        value = f[i];
    else
        value = update(f[i - 1], f[i], f[i + 1], alpha);
    // TODO 5 end
    return value;
}

/* One point per thread: three loads and a store for each. */
__global__ void diffusePointPerThread(const float *f, float *g, size_t n, float alpha)
{
    // TODO 6 begin: one point per thread, as far as there are points
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n + 2)
        g[i] = newValue(f, i, n, alpha);
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
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n + 2; i += stride)
        g[i] = newValue(f, i, n, alpha);
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
    extern __shared__ float tile[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned k = threadIdx.x + 1;

    if (i < n + 2)
        tile[k] = f[i];
    if (threadIdx.x == 0 && i > 0)
        tile[0] = f[i - 1];
    if (threadIdx.x == blockDim.x - 1 && i + 1 < n + 2)
        tile[k + 1] = f[i + 1];
    __syncthreads();
    if (i == 0 || i == n + 1)
        g[i] = tile[k];
    else if (i < n + 1)
        g[i] = update(tile[k - 1], tile[k], tile[k + 1], alpha);
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
    const size_t points = n + 2;
    const size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    const int isWhole = i + 4 <= points;
    const float4 x = isWhole ? *(const float4 *)(f + i) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float left = shuffleUp(x.w, 1), right = shuffleDown(x.x, 1);

    if (threadIdx.x % 32 == 0 && i > 0 && isWhole)
        left = f[i - 1];
    if ((threadIdx.x % 32 == 31 || i + 8 > points) && i + 4 < points)
        right = f[i + 4];
    if (isWhole)
        *(float4 *)(g + i) = make_float4(i == 0 ? x.x : update(left, x.x, x.y, alpha),
                                         update(x.x, x.y, x.z, alpha), update(x.y, x.z, x.w, alpha),
                                         i + 4 == points ? x.w : update(x.z, x.w, right, alpha));
    else
        for (size_t k = i; k < points; k++)
            g[k] = newValue(f, k, n, alpha);
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
    for (int s = 0; s < steps; s++) {
        float left = shuffleUp(x[POINTS], 1);

        x[POINTS + 1] = shuffleDown(x[1], 1);
#pragma unroll
        for (int k = 1; k <= POINTS; k++) {
            const float old = x[k];

            x[k] = update(left, old, x[k + 1], a[k]);
            left = old;
        }
    }
    // TODO 10 end
}

__global__ void diffusePass(const float *f, float *g, size_t n, float alpha, int steps)
{
    // TODO 11 begin: (advanced) load POINTS points, step, store those that are right
    const int lane = threadIdx.x % 32;
    const long long warp = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const long long first = (warp * (32 - 2 * MARGIN) + lane - MARGIN) * POINTS;
    const long long points = (long long)n + 2;
    const int isInside = first >= 0 && first + POINTS <= points;
    float x[POINTS + 2], a[POINTS + 2];

#pragma unroll
    for (int k = 0; k < POINTS; k += 4) {
        float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

        if (isInside)
            v = *(const float4 *)(f + first + k);
        x[k + 1] = v.x;
        x[k + 2] = v.y;
        x[k + 3] = v.z;
        x[k + 4] = v.w;
    }
#pragma unroll
    for (int k = 1; k <= POINTS; k++) {
        const long long i = first + k - 1;

        if (!isInside && i >= 0 && i < points)
            x[k] = f[i];
        a[k] = 0 < i && i < points - 1 ? alpha : 0.0f; /* keeps the ends as they are */
    }
    stepInRegisters(x, a, steps);
    if (lane < MARGIN || lane >= 32 - MARGIN)
        return;
#pragma unroll
    for (int k = 0; k < POINTS; k += 4)
        if (isInside)
            *(float4 *)(g + first + k) = make_float4(x[k + 1], x[k + 2], x[k + 3], x[k + 4]);
#pragma unroll
    for (int k = 1; k <= POINTS; k++)
        if (!isInside && first + k - 1 < points)
            g[first + k - 1] = x[k];
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
