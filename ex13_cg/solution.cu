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

/* ---- further rungs: fewer launches, fewer passes over memory; fused.cuh uses streamTimes()
 * ---- */

#include "advanced/device_scalars.cuh"
#include "advanced/fused.cuh"
#include "advanced/multigrid.cuh"

/* advanced/slices.cu and persistent.cu, which are compiled by themselves. */
template <typename real> variant_fn multiplyBySlices;
template <typename real> variant_fn solveSliced;
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
