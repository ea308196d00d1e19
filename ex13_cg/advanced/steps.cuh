/* Shared by the fused iterations of conjugate gradient: sums over the grid without a barrier, and
 * the steps beside the product. Static, since several files have them. */
#ifndef STEPS_CUH
#define STEPS_CUH

#include "arrays.h"
#include "measure.h"
#include "trace.cuh" /* readTrace() */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 300
#include "warp_utils.h"
#endif

/* Sums over the grid, in parts: one from every block. The next kernel adds them up, so that no
 * kernel needs a barrier and no sum depends on who comes first. Exchanged after every iteration. */
struct parts {
    double2 *pq[2]; /* (p.q, -) */
    double2 *rr[2]; /* (r.r, r.z) before and after residualStep() */
    int pqCount, rrCount;
    double2 *trace; /* see readTrace() */
    double tolerance;
};

/* ---- the steps of an iteration, fused ---- */

/* The sum of v over the block, for every thread. blockDim.x: a multiple of 32, at most BLOCK. */
static __device__ double2 blockSum(double2 v)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300 /* no shuffles: every thread is a part */
    __shared__ double2 part[BLOCK];
    const unsigned parts = blockDim.x;
    unsigned i;

    part[threadIdx.x] = v;
#else
    __shared__ double2 part[BLOCK / 32];
    const unsigned parts = blockDim.x / 32;
    unsigned i;

    for (i = 16; i > 0; i /= 2) {
        v.x += shuffleDown(v.x, i, 32);
        v.y += shuffleDown(v.y, i, 32);
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
#endif
    __syncthreads();
    v = part[0];
    for (i = 1; i < parts; i++) {
        v.x += part[i].x;
        v.y += part[i].y;
    }
    __syncthreads(); /* part is used again */
    return v;
}

/* The sum of all blocks' parts: always in the same order, so that all blocks get the same bits.
 * They may be this kernel's own (one kernel, barriers), so not from the L1 cache. */
static __device__ double2 gridSum(const double2 *part, int parts)
{
    const volatile double2 *fresh = part;
    double2 v = make_double2(0.0, 0.0);
    int i;

#pragma unroll 4
    for (i = threadIdx.x; i < parts; i += blockDim.x) {
        v.x += fresh[i].x;
        v.y += fresh[i].y;
    }
    return blockSum(v);
}

/* 1 if iteration k was the last: the host launches ahead and looks only now and then. */
static __device__ int converged(struct parts at, int k)
{
    return k >= 0 && !(at.trace[k].x > at.tolerance * at.tolerance * at.trace[0].x);
}

/* r = r - alpha q, z = r / diagonal if there is one, and (r.r, r.z); to begin with, r = b. */
template <typename real>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    residualStep(struct arrays<real> d, struct parts at, int k, const real *inverse)
{
    const real alpha =
        k == 0 ? 0 : (real)(gridSum(at.rr[0], at.rrCount).y / gridSum(at.pq[1], at.pqCount).x);
    double2 rr = make_double2(0.0, 0.0);
    int i;

    if (converged(at, k - 1))
        return;
    for (i = blockIdx.x * blockDim.x + threadIdx.x; i < d.n; i += gridDim.x * blockDim.x) {
        const real r = k == 0 ? d.b[i] : d.r[i] - alpha * d.q[i];
        const real z = inverse == NULL ? r : inverse[i] * r;

        d.r[i] = r;
        if (inverse != NULL)
            d.z[i] = z;
        rr.x += (double)r * r;
        rr.y += (double)r * z;
    }
    rr = blockSum(rr);
    if (threadIdx.x == 0)
        at.rr[1][blockIdx.x] = rr;
}

/* alpha of iteration k - 1 and beta of iteration k, and entry k of the trace; both 0 to begin with.
 * Returns 0 if there is nothing left to do. */
template <typename real>
static __device__ int coefficients(struct parts at, int k, const double2 *pqParts, real *alpha,
                                   real *beta)
{
    const int writes = blockIdx.x == 0 && threadIdx.x == 0, done = converged(at, k - 1);
    double2 rr, old, pq = make_double2(1.0, 0.0);

    if (done) {
        if (writes)
            at.trace[k] = at.trace[k - 1];
        return 0;
    }
    rr = gridSum(at.rr[1], at.rrCount);
    *alpha = *beta = 0;
    if (k > 0) {
        old = gridSum(at.rr[0], at.rrCount);
        pq = gridSum(pqParts, at.pqCount);
        *alpha = (real)(old.y / pq.x);
        *beta = (real)(rr.y / old.y);
    }
    if (writes)
        at.trace[k] = make_double2(rr.x, pq.x);
    return 1;
}

/* x = x + alpha p with the old p, then p = z + beta p. */
template <typename real>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    directionStep(struct arrays<real> d, struct parts at, int k)
{
    real alpha, beta;
    int i;

    if (!coefficients(at, k, at.pq[1], &alpha, &beta))
        return;
    for (i = blockIdx.x * blockDim.x + threadIdx.x; i < d.n; i += gridDim.x * blockDim.x) {
        const real p = d.p[i];

        d.x[i] += alpha * p;
        d.p[i] = d.z[i] + beta * p;
    }
}

/* ---- their host functions ---- */

/* As many blocks as are at work at once: each leaves one part of a sum, and none waits for its
 * turn. */
template <typename kernel> static int residentGrid(kernel function, int block, int n)
{
    const size_t all = (n + block - 1) / block;
    size_t grid;
    int each = 2;

#if CUDART_VERSION >= 6050
    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, function, block, 0));
#endif
    grid = (size_t)each * multiprocessors();
    if (gridSize(grid) < grid) /* --grid may ask for fewer */
        grid = gridSize(grid);
    return (int)(all < grid ? all : grid);
}

static inline struct parts newParts(int pqCount, int rrCount, const struct cg_problem *problem)
{
    struct parts at;
    int i;

    at.pqCount = pqCount;
    at.rrCount = rrCount;
    for (i = 0; i < 2; i++) {
        at.pq[i] = deviceArray<double2>(pqCount);
        at.rr[i] = deviceArray<double2>(rrCount);
    }
    at.trace = deviceArray<double2>(problem->maxIterations + 1);
    at.tolerance = problem->tolerance;
    return at;
}

static inline void freeParts(struct parts *at)
{
    int i;

    for (i = 0; i < 2; i++) {
        cudaVerify(cudaFree(at->pq[i]));
        cudaVerify(cudaFree(at->rr[i]));
    }
    cudaVerify(cudaFree(at->trace));
}

template <typename T> static void exchange(T *pair)
{
    const T first = pair[0];

    pair[0] = pair[1];
    pair[1] = first;
}

#endif
