/* TASK     A x = b, A sparse, symmetric, positive definite: conjugate gradient from library calls,
 *          then from kernels of our own.
 * TRAFFIC  A once an iteration, 12 bytes an entry in double (8 in float) and 4 a row; then vectors:
 *          16 from library calls, 10 in three fused kernels, 9 in two.
 * LIMIT    memory bandwidth; for small systems launches, host round trips and barriers. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "cg.h"
#include "precision.h"
#include "arrays.h" /* BLOCK, RESIDENT; upload(), download(): memory on the device, the copies */
#include "advanced/slices.h"
#include <math.h>

enum { PER_THREAD = 7 };

/* The code around every kernel that multiplies: it writes x = A b, in the arrays d. */
template <typename real, void launch(const struct arrays<real> &)>
static void multiply(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);

    MEASURE (run) {
        launch(d);
    }
    download(&d, s);
}

/* ---- from library calls ---- */

/* q = A p; library holds A, p and q as cuSPARSE describes them. */
template <typename real>
static void csrMatrixVectorMultiplication(const struct library *library,
                                          const struct arrays<real> *d)
{
    // TODO 1 begin: q = A p by cuSPARSE; struct library in precision.h has what it wants
    const real one = 1, zero = 0;

#ifdef GENERIC_SPARSE
    cusparseVerify(cusparseSpMV(library->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                library->matrix, library->p, &zero, library->q, library->type,
                                CUSPARSE_SPMV_ALG_DEFAULT, library->buffer));
#else
    cusparseVerify(cusparseCsrmv(library->sparse, d->n, d->nonzeros, &one, library->matrix,
                                 d->value, d->rowStart, d->column, d->p, &zero, d->q));
#endif
    // TODO 1 end
    (void)library, (void)d; /* either interface needs but one of them */
}

/* y = alpha x + y */
template <typename real>
static void axpy(const struct library *library, int n, real alpha, const real *d_x, real *d_y)
{
    // TODO 2 begin: one call of cublasAxpy() with library->blas (precision.h)
    cublasVerify(cublasAxpy(library->blas, n, &alpha, d_x, d_y));
    // TODO 2 end
}

/* x = alpha x */
template <typename real>
static void scaleVector(const struct library *library, int n, real alpha, real *d_x)
{
    // TODO 3 begin: one call of cublasScal() with library->blas
    cublasVerify(cublasScal(library->blas, n, &alpha, d_x));
    // TODO 3 end
}

/* The sum of x[i] y[i]. */
template <typename real>
static real scalarProduct(const struct library *library, int n, const real *d_x, const real *d_y)
{
    real product = 0;

    // TODO 4 begin: one call of cublasDot() with library->blas
    cublasVerify(cublasDot(library->blas, n, d_x, d_y, &product));
    // TODO 4 end
    return product;
}

/* The sum of x[i]^2: the square of the 2-norm, without taking the root. */
template <typename real>
static real vector2NormSquare(const struct library *library, int n, const real *d_x)
{
    real square = 0;

    // TODO 5 begin: one call of scalarProduct()
    square = scalarProduct(library, n, d_x, d_x);
    // TODO 5 end
    return square;
}

template <typename real>
static void multiplyByLibrary(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    struct library library = libraryOpen(d.n, d.nonzeros, d.rowStart, d.column, d.value, d.b, d.x);
    struct arrays<real> product = d;

    product.p = d.b;
    product.q = d.x;
    MEASURE (run) {
        csrMatrixVectorMultiplication(&library, &product);
    }
    libraryClose(&library);
    download(&d, s);
}

/* The solver that these functions make up. */
template <typename real>
static void solveByLibrary(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    struct library library = libraryOpen(d.n, d.nonzeros, d.rowStart, d.column, d.value, d.p, d.q);
    const size_t bytes = d.n * sizeof(real);

    MEASURE (run) {
        real rr, limit;

        cudaVerify(cudaMemset(d.x, 0, bytes));
        cudaVerify(cudaMemcpy(d.r, d.b, bytes, cudaMemcpyDeviceToDevice));
        cudaVerify(cudaMemcpy(d.p, d.b, bytes, cudaMemcpyDeviceToDevice));
        rr = vector2NormSquare(&library, d.n, d.r);
        limit = (real)(problem->tolerance * problem->tolerance) * rr;
        s->iterations = 0;
        s->residual[0] = sqrt((double)rr);
        while (s->iterations < problem->maxIterations && rr > limit) {
            real alpha, old = rr;

            csrMatrixVectorMultiplication(&library, &d);
            s->curvature = scalarProduct(&library, d.n, d.p, d.q);
            if (!(s->curvature > 0.0))
                break; /* not positive definite, or no numbers any more */
            alpha = rr / (real)s->curvature;
            axpy(&library, d.n, alpha, d.p, d.x);
            axpy(&library, d.n, -alpha, d.q, d.r);
            rr = vector2NormSquare(&library, d.n, d.r);
            scaleVector(&library, d.n, rr / old, d.p);
            axpy(&library, d.n, (real)1, d.r, d.p);
            s->residual[++s->iterations] = sqrt((double)rr);
            cgProgress(s->iterations, s->residual[s->iterations], sqrt((double)limit));
        }
    }
    libraryClose(&library);
    download(&d, s);
}

/* ---- products by kernels of our own ---- */

/* A thread for each row: its entries stand side by side, so the lanes of a warp read far apart. */
template <typename real>
__device__ real rowTimes(int row, const int *rowStart, const int *column, const real *value,
                         const real *x)
{
    real sum = 0;
    // TODO 6 begin: (advanced) the sum over the row's entries
    int k;

    for (k = rowStart[row]; k < rowStart[row + 1]; k++)
        sum += value[k] * x[column[k]];
    // TODO 6 end
    return sum;
}

template <typename real>
__global__ void productByRows(int n, const int *rowStart, const int *column, const real *value,
                              const real *x, real *y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < n)
        y[row] = rowTimes(row, rowStart, column, value, x);
}

template <typename real> void launchRows(const struct arrays<real> &d)
{
    const int block = blockSize(128);
    const unsigned int grid = blocksFor(d.n, block);

    cudaVerifyKernel(
        (productByRows<real><<<grid, block>>>(d.n, d.rowStart, d.column, d.value, d.b, d.x)));
}

/* The lanes read far apart. All entries of the rows first ... first + BLOCK - 1 stand side by side,
 * so the block reads them so, whatever the rows' lengths, and each thread then adds its row's
 * products in shared memory. After Greathouse and Daga, "CSR-Stream" (SC 2014). */
template <typename real>
__device__ real streamTimes(int first, int n, const int *rowStart, const int *column,
                            const real *value, const real *x)
{
    real sum = 0;
    // TODO 7 begin: (advanced) products to shared memory, chunk by chunk; each thread adds its row
    __shared__ real product[BLOCK * PER_THREAD];
    const int row = first + threadIdx.x;
    const int rowEnd = rowStart[min(row + 1, n)], rowBegin = rowStart[min(row, n)];
    const int begin = rowStart[first], end = rowStart[min(first + BLOCK, n)];
    int chunk, i, k;

    for (chunk = begin; chunk < end; chunk += BLOCK * PER_THREAD) {
        const int chunkEnd = chunk + BLOCK * PER_THREAD;
        real a[PER_THREAD];
        int c[PER_THREAD];

#pragma unroll
        for (k = 0; k < PER_THREAD; k++) { /* all loads under way before the first is used */
            i = chunk + k * BLOCK + threadIdx.x;
            a[k] = 0;
            c[k] = 0;
            if (i < end) {
                c[k] = column[i];
                a[k] = value[i];
            }
        }
#pragma unroll
        for (k = 0; k < PER_THREAD; k++) {
            i = chunk + k * BLOCK + threadIdx.x;
            if (i < end)
                product[k * BLOCK + threadIdx.x] = a[k] * x[c[k]];
        }
        __syncthreads();
        for (i = max(rowBegin, chunk); i < min(rowEnd, chunkEnd); i++)
            sum += product[i - chunk];
        __syncthreads();
    }
    // TODO 7 end
    return sum;
}

template <typename real>
__global__ void __launch_bounds__(BLOCK, RESIDENT)
    productByStreams(int n, const int *rowStart, const int *column, const real *value,
                     const real *x, real *y)
{
    const int first = blockIdx.x * BLOCK;
    const real sum = streamTimes(first, n, rowStart, column, value, x);

    if (first + threadIdx.x < n)
        y[first + threadIdx.x] = sum;
}

template <typename real> void launchStreams(const struct arrays<real> &d)
{
    const int grid = (d.n + BLOCK - 1) / BLOCK;

    cudaVerifyKernel(
        (productByStreams<real><<<grid, BLOCK>>>(d.n, d.rowStart, d.column, d.value, d.b, d.x)));
}

/* The way through shared memory costs two barriers, and is needed only because the rows stand one
 * behind the other. In slices of 32 rows (advanced/slices.h) their k-th entries stand side by side,
 * and lane l of a warp takes row l of its slice. Monakov et al., "Automatically tuning sparse
 * matrix-vector multiplication" (2010). The vector is x, or x + beta y where there is a y. */
enum { UNROLL = 8 };

template <typename real> __device__ real element(int i, const real *x, const real *y, real beta)
{
    return y == NULL ? x[i] : x[i] + beta * y[i];
}

template <typename real>
__device__ real sliceTimes(int row, const int *sliceStart, const int *column, const real *value,
                           const real *x, const real *y, real beta)
{
    real sum = 0;
    // TODO 8 begin: (advanced) the sum over the row's entries, UNROLL loads at a time
    const int end = sliceStart[row / SLICE + 1];
    int i, k;

    for (i = sliceStart[row / SLICE] + row % SLICE; i < end; i += UNROLL * SLICE) {
        real a[UNROLL];
        int c[UNROLL];

#pragma unroll
        for (k = 0; k < UNROLL; k++) { /* all loads under way before the first is used */
            const bool inside = i + k * SLICE < end;

            c[k] = inside ? column[i + k * SLICE] : row;
            a[k] = inside ? value[i + k * SLICE] : 0;
        }
#pragma unroll
        for (k = 0; k < UNROLL; k++)
            sum += a[k] * element(c[k], x, y, beta);
    }
    // TODO 8 end
    return sum;
}

template <typename real>
__global__ void productBySlices(int n, const int *sliceStart, const int *column, const real *value,
                                const real *x, real *y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < n)
        y[row] = sliceTimes(row, sliceStart, column, value, x, (const real *)NULL, (real)0);
}

template <typename real>
static void multiplyBySlices(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    struct slices<real> a;

    if (sliceMatrix(problem->matrix, d, &a)) {
        MEASURE (run) {
            cudaVerifyKernel((productBySlices<<<(d.n + BLOCK - 1) / BLOCK, BLOCK>>>(
                d.n, a.start, a.column, a.value, d.b, d.x)));
        }
        freeSlices(&a);
    }
    download(&d, s);
}

/* ---- further rungs: fewer launches, fewer passes over memory ---- */

#include "advanced/device_scalars.cuh"
#include "advanced/steps.cuh" /* blockSum(), struct parts */

/* Library calls read p and q once more for p.q. The kernel that computes q = A p has both at hand:
 * each block leaves its part of p.q, and the next kernel adds up the parts (steps.cuh). */
template <typename real>
__global__ void __launch_bounds__(BLOCK, RESIDENT)
    productStep(struct arrays<real> d, struct parts at)
{
    // TODO 9 begin: (advanced) q = A p, BLOCK rows at a time; the block's part of p.q to at.pq[1]
    double2 pq = make_double2(0.0, 0.0);
    int first;

    for (first = blockIdx.x * BLOCK; first < d.n; first += gridDim.x * BLOCK) {
        const real sum = streamTimes(first, d.n, d.rowStart, d.column, d.value, d.p);
        const int row = first + threadIdx.x;

        if (row < d.n) {
            d.q[row] = sum;
            pq.x += (double)sum * d.p[row];
        }
    }
    pq = blockSum(pq);
    if (threadIdx.x == 0)
        at.pq[1][blockIdx.x] = pq;
    // TODO 9 end
}

#include "advanced/fused.cuh"
#include "advanced/multigrid.cuh"
#include "advanced/two_kernels.cuh" /* sliceTimes() in the solve */

/* advanced/persistent.cu, which is compiled by itself. */
template <typename real> variant_fn solvePersistent;

/* A row runs in either precision. */
#define ROW(solve) solve<float>, solve<double>
#define PRODUCT(launch) multiply<float, OF(launch, float)>, multiply<double, OF(launch, double)>

extern "C" const struct variant deviceVariants[] = {
    {"SpMV: cuSPARSE", ROW(multiplyByLibrary)},
    {"SpMV: CSR row per thread", PRODUCT(launchRows)},
    {"SpMV: CSR-Stream", PRODUCT(launchStreams)},
    {"SpMV: sliced ELLPACK", ROW(multiplyBySlices)},
    {"CG: library calls", ROW(solveByLibrary)},
    {"CG: library calls with device scalars", ROW(solveOnDevice)},
    {"CG: three fused kernels", ROW(solveFused)},
    {"CG: two kernels on slices", ROW(solveSliced)},
    {"CG: one persistent kernel", ROW(solvePersistent)},
    {"CG: Jacobi preconditioner", ROW(solveJacobi)},
    {"CG: multigrid preconditioner", ROW(solveMultigrid)},
    {NULL, NULL, NULL},
};
