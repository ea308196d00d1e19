/* The code around the rungs that count random points: memory, adding up. Given; nothing to fill in
 * here. */
#ifndef POINTS_CUH
#define POINTS_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "libraries.h"
#include "philox.h"

/* cuRAND has Philox from toolkit 6 on. */
#if CUDART_VERSION >= 6000
#define HAVE_PHILOX
#include "curand_utils.h"
#include <curand_kernel.h>
#endif

enum { POINT_BLOCK = 256 };

/* Of the points of a thread or a block: how many are in the circle, and the sum of 4 / (1 +
 * x^2). */
struct part {
    unsigned long long hits;
    double sum;
};

struct points {
    size_t n;
    unsigned long long seed;
    unsigned blocks; /* as many as the device holds, or fewer */
    unsigned parts;  /* room for a block of each rung: of subsequences, or of all that fit */
    struct part *d_parts;
    cudaStream_t stream;
};

typedef void points_fn(const struct points *p);

/* cuRAND's way from 32 random bits to a float above 0, up to 1: 2^-32 bits + 2^-33. */
static __device__ inline float uniform(unsigned bits)
{
    return (float)bits * 2.3283064365386963e-10f + 1.1641532182693481e-10f;
}

/* Squares of floats are exact in double, so that every machine counts the same points. */
static __device__ inline void addPoint(struct part *own, float x, float y)
{
    own->hits += (double)x * x + (double)y * y <= 1.0;
    own->sum += 4.0f / (1.0f + x * x);
}

/* Adds what the threads of a block have, for parts[blockIdx.x], in halves (exercise 6). */
static __device__ inline void storePart(struct part own, struct part *parts)
{
    __shared__ unsigned long long hits[POINT_BLOCK];
    __shared__ double sum[POINT_BLOCK];
    const int t = threadIdx.x;

    hits[t] = own.hits;
    sum[t] = own.sum;
    for (int half = POINT_BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            hits[t] += hits[t + half];
            sum[t] += sum[t + half];
        }
    }
    if (t == 0) {
        parts[blockIdx.x].hits = hits[0];
        parts[blockIdx.x].sum = sum[0];
    }
}

static struct points openPoints(const struct problem *problem)
{
    const size_t n = problem->n * problem->n, quads = (n + 1) / 2;
    const size_t full = (size_t)multiprocessors() * threadsPerMultiprocessor() / POINT_BLOCK;
    const size_t needed = (quads + POINT_BLOCK - 1) / POINT_BLOCK;
    struct points p = {n, problem->seed, (unsigned)(needed < full ? needed : full), 0, NULL, NULL};

    cudaVerify(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
    p.parts = p.blocks > SUBSEQUENCES / POINT_BLOCK ? p.blocks : SUBSEQUENCES / POINT_BLOCK;
    cudaVerify(cudaMalloc((void **)&p.d_parts, p.parts * sizeof *p.d_parts));
    cudaVerify(cudaMemset(p.d_parts, 0, p.parts * sizeof *p.d_parts));
    return p;
}

/* Adds the parts of all blocks on the host. */
static void closePoints(struct points *p, struct result *result)
{
    struct part *parts =
        (struct part *)mustAllocate(p->parts * sizeof *parts, "the sums of blocks");

    cudaVerify(cudaMemcpy(parts, p->d_parts, p->parts * sizeof *parts, cudaMemcpyDeviceToHost));
    result->hits = 0;
    result->sum = 0.0;
    for (unsigned i = 0; i < p->parts; i++) {
        result->hits += parts[i].hits;
        result->sum += parts[i].sum;
    }
    free(parts);
    cudaVerify(cudaFree(p->d_parts));
    cudaVerify(cudaStreamDestroy(p->stream));
}

template <points_fn launch>
static void countPoints(const struct problem *problem, struct result *result)
{
    struct points p = openPoints(problem);

    MEASURE (run) {
        launch(&p);
        cudaVerify(cudaStreamSynchronize(p.stream));
    }
    closePoints(&p, result);
}

static __global__ void countInArray(const float2 *point, size_t n, struct part *parts)
{
    const size_t stride = (size_t)gridDim.x * POINT_BLOCK;
    struct part own = {0, 0.0};

    for (size_t i = (size_t)blockIdx.x * POINT_BLOCK + threadIdx.x; i < n; i += stride)
        addPoint(&own, point[i].x, point[i].y);
    storePart(own, parts);
}

static inline void countArray(const struct points *p, const float2 *d_point)
{
    cudaVerifyKernel(
        (countInArray<<<p->blocks, POINT_BLOCK, 0, p->stream>>>(d_point, p->n, p->d_parts)));
}

#endif
