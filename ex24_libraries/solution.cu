/* TASK     Poisson's equation, random points and particles in cells, by cuFFT, cuBLAS, cuRAND and
 *          CUB, and by kernels of our own where these do better.
 * TRAFFIC  Poisson: 16 bytes for each of n * n points, f read and u written; a transform passes
 *          over them several times. Points: none. Cells: 8 bytes for each of n * n particles, and 8
 *          for each cell.
 * LIMIT    memory bandwidth; points: arithmetic. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "cufft_utils.h"
#include "measure.h"
#include "libraries.h"
#include "cells.cuh" /* what surrounds the rungs, here and below */
#include "points.cuh"
#include "poisson.cuh" /* struct poisson: f, u, n, the stream */

/* ---- Poisson's equation ---- */

/* Both transforms, and the spectrum between them: n rows of n / 2 + 1 complex numbers. */
struct transforms {
    cufftHandle forward, inverse;
    cufftDoubleComplex *d_spectrum;
    void *d_work;
};

/* Returns 1 when the plans are made. */
static int makePlans(struct transforms *t, const struct poisson *p)
{
    // TODO 1 begin: plans for n x n doubles, real to complex and complex to real; both in p->stream
    cufftVerify(cufftPlan2d(&t->forward, p->n, p->n, CUFFT_D2Z));
    cufftVerify(cufftPlan2d(&t->inverse, p->n, p->n, CUFFT_Z2D));
    cufftVerify(cufftSetStream(t->forward, p->stream));
    cufftVerify(cufftSetStream(t->inverse, p->stream));
    // TODO 1 end
    return 1;
}

/* In the spectrum, A is a multiplication by 4 sin^2(pi column / n) + 4 sin^2(pi row / n). A
 * constant has no image, so u is known up to a constant, and its sum is to be 0. The transforms
 * there and back multiply by n * n. */
__global__ void divideByEigenvalues(cufftDoubleComplex *spectrum, int n)
{
    // TODO 2 begin: divide element (row, column) by its eigenvalue and by n * n; (0, 0) becomes 0
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y, width = n / 2 + 1;

    if (column < width && row < n) {
        const double x = sinpi((double)column / n), y = sinpi((double)row / n);
        const double eigenvalue = 4.0 * x * x + 4.0 * y * y;
        const double factor = eigenvalue > 0.0 ? 1.0 / (eigenvalue * n * n) : 0.0;

        spectrum[(size_t)row * width + column].x *= factor;
        spectrum[(size_t)row * width + column].y *= factor;
    }
    // TODO 2 end
}

/* One solution: f to its spectrum, division, and back to u. The host waits for none of it. */
static void transformAndDivide(const struct transforms *t, const struct poisson *p)
{
    // TODO 3 begin: cufftExecD2Z(), the kernel (in p->stream), cufftExecZ2D()
    const dim3 block(32, 8), grid((p->n / 2 + 1 + 31) / 32, (p->n + 7) / 8);

    cufftVerify(cufftExecD2Z(t->forward, p->d_f, t->d_spectrum));
    cudaVerifyKernel((divideByEigenvalues<<<grid, block, 0, p->stream>>>(t->d_spectrum, p->n)));
    cufftVerify(cufftExecZ2D(t->inverse, t->d_spectrum, p->d_u));
    // TODO 3 end
}

/* A plan keeps a work area of its own, and the two are never in use at once. They may share one. */
static int makePlansThatShare(struct transforms *t, const struct poisson *p)
{
    size_t forward = 0, inverse = 0;

    // TODO 4 begin: (advanced) cufftCreate(), no auto allocation, cufftMakePlan2d(); one t->d_work
    cufftVerify(cufftCreate(&t->forward));
    cufftVerify(cufftCreate(&t->inverse));
    cufftVerify(cufftSetAutoAllocation(t->forward, 0));
    cufftVerify(cufftSetAutoAllocation(t->inverse, 0));
    cufftVerify(cufftMakePlan2d(t->forward, p->n, p->n, CUFFT_D2Z, &forward));
    cufftVerify(cufftMakePlan2d(t->inverse, p->n, p->n, CUFFT_Z2D, &inverse));
    if (forward > 0 || inverse > 0) {
        cudaVerify(cudaMalloc(&t->d_work, forward > inverse ? forward : inverse));
        cufftVerify(cufftSetWorkArea(t->forward, t->d_work));
        cufftVerify(cufftSetWorkArea(t->inverse, t->d_work));
    }
    cufftVerify(cufftSetStream(t->forward, p->stream));
    cufftVerify(cufftSetStream(t->inverse, p->stream));
    // TODO 4 end
    harnessRemark("work areas of %.4g and %.4g kB", 1e-3 * (double)forward, 1e-3 * (double)inverse);
    return 1;
}

static void solveByTransforms(const struct poisson *p, struct result *result,
                              int make(struct transforms *, const struct poisson *))
{
    struct transforms t = {0, 0, NULL, NULL};

    cudaVerify(
        cudaMalloc((void **)&t.d_spectrum, p->n * (p->n / 2 + 1) * sizeof(cufftDoubleComplex)));
    if (make(&t, p)) {
        MEASURE (run) {
            transformAndDivide(&t, p);
            cudaVerify(cudaStreamSynchronize(p->stream));
        }
        cufftVerify(cufftDestroy(t.forward));
        cufftVerify(cufftDestroy(t.inverse));
    }
    cudaVerify(cudaFree(t.d_work));
    cudaVerify(cudaFree(t.d_spectrum));
    result->iterations = 0;
}

void withOwnAreas(const struct poisson *p, struct result *result)
{
    solveByTransforms(p, result, makePlans);
}

void withOneArea(const struct poisson *p, struct result *result)
{
    solveByTransforms(p, result, makePlansThatShare);
}

/* Conjugate gradient (exercise 13) for the same equation, to compare with: kernels of our own in
 * advanced/gradients.cuh, and two scalar products an iteration by cuBLAS. Their results stay on the
 * device, where the next kernel reads them. By default cuBLAS writes them to the host, and each
 * call waits. Returns 1 when the handle is made. */
static int openBlas(cublasHandle_t *blas, cudaStream_t stream)
{
    // TODO 5 begin: a handle whose calls go into this stream and take scalars from the device
    cublasVerify(cublasCreate(blas));
    cublasVerify(cublasSetStream(*blas, stream));
    cublasVerify(cublasSetPointerMode(*blas, CUBLAS_POINTER_MODE_DEVICE));
    // TODO 5 end
    return 1;
}

/* *d_product = the sum of x[i] y[i]. */
static void scalarProduct(cublasHandle_t blas, int n, const double *d_x, const double *d_y,
                          double *d_product)
{
    // TODO 6 begin: one call of cublasDdot()
    cublasVerify(cublasDdot(blas, n, d_x, 1, d_y, 1, d_product));
    // TODO 6 end
}

#include "advanced/gradients.cuh" /* solveByGradients() */

/* ---- random points ---- */

#ifdef HAVE_PHILOX

/* cuRAND's host API: calls of the host fill an array on the device. Returns 1 when the generator is
 * there. */
static int openGenerator(curandGenerator_t *generator, unsigned long long seed, cudaStream_t stream)
{
    // TODO 7 begin: a CURAND_RNG_PSEUDO_PHILOX4_32_10 generator with this seed, in this stream
    curandVerify(curandCreateGenerator(generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    curandVerify(curandSetPseudoRandomGeneratorSeed(*generator, seed));
    curandVerify(curandSetStream(*generator, stream));
    // TODO 7 end
    return 1;
}

static void pointsFromArray(const struct problem *problem, struct result *result)
{
    struct points p = openPoints(problem);
    curandGenerator_t generator = NULL;
    float2 *d_point = NULL;

    cudaVerify(cudaMalloc((void **)&d_point, p.n * sizeof *d_point));
    if (openGenerator(&generator, p.seed, p.stream)) {
        MEASURE (run) {
            // TODO 8 begin: 2 n uniform floats into d_point, in each run the generator's first ones
            curandVerify(curandSetGeneratorOffset(generator, 0));
            curandVerify(curandGenerateUniform(generator, (float *)d_point, 2 * p.n));
            // TODO 8 end
            countArray(&p, d_point);
            cudaVerify(cudaStreamSynchronize(p.stream));
        }
        curandVerify(curandDestroyGenerator(generator));
    }
    cudaVerify(cudaFree(d_point));
    closePoints(&p, result);
}

/* The numbers went to memory and back. In the device API a thread has a generator in its registers.
 * cuRAND takes groups of four numbers from each of 65536 subsequences in turn. So thread t has
 * subsequence t, and group q comes from subsequence q % 65536. */
__global__ void countBySubsequence(unsigned long long seed, size_t n, struct part *parts)
{
    struct part own = {0, 0.0};

    // TODO 9 begin: groups q = thread, thread + SUBSEQUENCES, ...: points 2 q, 2 q + 1 to own
    const size_t quads = (n + 1) / 2, thread = (size_t)blockIdx.x * POINT_BLOCK + threadIdx.x;
    curandStatePhilox4_32_10_t state;

    curand_init(seed, thread, 0, &state);
    for (size_t q = thread; q < quads; q += SUBSEQUENCES) {
        const float4 u = curand_uniform4(&state);

        addPoint(&own, u.x, u.y);
        if (2 * q + 1 < n)
            addPoint(&own, u.z, u.w);
    }
    // TODO 9 end
    storePart(own, parts);
}

void launchBySubsequence(const struct points *p)
{
    const size_t quads = (p->n + 1) / 2, threads = quads < SUBSEQUENCES ? quads : SUBSEQUENCES;
    const unsigned blocks = (unsigned)((threads + POINT_BLOCK - 1) / POINT_BLOCK);

    cudaVerifyKernel(
        (countBySubsequence<<<blocks, POINT_BLOCK, 0, p->stream>>>(p->seed, p->n, p->d_parts)));
}

#endif

/* cuRAND's order allows 65536 threads, and they keep states. Philox needs neither: it is a function
 * of the index of a group. philox.h has it for the host. */
__device__ uint4 philox(unsigned long long seed, unsigned long long quad)
{
    const unsigned long long counter = quad / SUBSEQUENCES;
    uint4 word = make_uint4((unsigned)counter, (unsigned)(counter >> 32), quad % SUBSEQUENCES, 0);

    // TODO 10 begin: (advanced) PHILOX_ROUNDS rounds, as in philox.h; __umulhi(): the upper half
    unsigned key0 = (unsigned)seed, key1 = (unsigned)(seed >> 32);

#pragma unroll
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        const unsigned highA = __umulhi(PHILOX_M0, word.x), lowA = PHILOX_M0 * word.x;
        const unsigned highB = __umulhi(PHILOX_M1, word.z), lowB = PHILOX_M1 * word.z;

        word = make_uint4(highB ^ word.y ^ key0, lowB, highA ^ word.w ^ key1, lowA);
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
    // TODO 10 end
    return word;
}

/* The points once more, each group of four numbers by philox(). Any thread may take any group, so
 * the grid is as large as the device holds. */
__global__ void countByIndex(unsigned long long seed, size_t n, struct part *parts)
{
    const size_t quads = (n + 1) / 2, stride = (size_t)gridDim.x * POINT_BLOCK;
    struct part own = {0, 0.0};

    for (size_t q = (size_t)blockIdx.x * POINT_BLOCK + threadIdx.x; q < quads; q += stride) {
        const uint4 word = philox(seed, q);

        addPoint(&own, uniform(word.x), uniform(word.y));
        if (2 * q + 1 < n)
            addPoint(&own, uniform(word.z), uniform(word.w));
    }
    storePart(own, parts);
}

void launchByIndex(const struct points *p)
{
    cudaVerifyKernel(
        (countByIndex<<<p->blocks, POINT_BLOCK, 0, p->stream>>>(p->seed, p->n, p->d_parts)));
}

/* ---- particles in cells ---- */

/* CUB allocates nothing: asked without a workspace, a call says how large it must be. It is
 * allocated once, for all. */
void findWorkspace(struct cells *c)
{
    // TODO 11 begin: c->d_workspace: the largest of sortPairs(), reduceByKey(), scanCounts()
    size_t sort = 0, reduce = 0, scan = 0;

    cudaVerify(sortPairs(NULL, &sort, c, c->stream));
    cudaVerify(reduceByKey(NULL, &reduce, c, c->d_value, c->stream));
    cudaVerify(scanCounts(NULL, &scan, c, c->stream));
    c->workspaceBytes = sort > reduce ? sort : reduce;
    c->workspaceBytes = scan > c->workspaceBytes ? scan : c->workspaceBytes;
    cudaVerify(cudaMalloc(&c->d_workspace, c->workspaceBytes));
    // TODO 11 end
}

/* Sorted by cell, the particles of a cell stand side by side, and a reduction by key adds them.
 * Cells without particles get no result, so sums must be scattered to where they belong, into
 * zeros. */
void sortAndReduce(struct cells *c)
{
    cudaVerify(cudaMemsetAsync(c->d_total, 0, c->cells * sizeof(int), c->stream));
    cudaVerify(cudaMemsetAsync(c->d_count, 0, (c->cells + 1) * sizeof(int), c->stream));
    if (c->d_workspace == NULL)
        return;
    // TODO 12 begin: sort; reduce d_value, scatter to d_total; reduce ones, scatter them; scan
    cudaVerify(sortPairs(c->d_workspace, &c->workspaceBytes, c, c->stream));
    cudaVerify(reduceByKey(c->d_workspace, &c->workspaceBytes, c, c->d_value, c->stream));
    scatterSums(c, c->d_total);
    cudaVerify(reduceByKey(c->d_workspace, &c->workspaceBytes, c, NULL, c->stream));
    scatterSums(c, c->d_count);
    cudaVerify(scanCounts(c->d_workspace, &c->workspaceBytes, c, c->stream));
    // TODO 12 end
}

#include "advanced/atomics.cuh" /* addByAtomics(): no sort at all */

extern "C" const struct variant deviceVariants[] = {
    {"Poisson: cuFFT", solvePoisson<withOwnAreas>},
    {"Poisson: cuFFT, one work area", solvePoisson<withOneArea>},
    {"Poisson: CG by cuBLAS", solvePoisson<solveByGradients>},
#ifdef HAVE_PHILOX
    {"points: cuRAND, host API", pointsFromArray},
    {"points: cuRAND, device API", countPoints<launchBySubsequence>},
#endif
    {"points: own Philox", countPoints<launchByIndex>},
    {"cells: CUB, sort and reduce", inCells<findWorkspace, sortAndReduce>},
    {"cells: atomics, CUB's scan", inCells<findScanWorkspace, addByAtomics>},
    {NULL, NULL},
};
