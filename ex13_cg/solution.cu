/* TASK     A x = b, A sparse, symmetric, positive definite: conjugate gradient from library calls, then
 *          from kernels of our own.
 * TRAFFIC  A once an iteration, 12 bytes an entry in double (8 in float) and 4 a row; then vectors:
 *          16 from library calls, 10 in three fused kernels, 9 in two.
 * LIMIT    memory bandwidth; for small systems launches, host round trips and barriers. */
#include "cuda_utils.h"
#include "measure.h"
#include "cg.h"
#include "precision.h"
#include "arrays.h"
#include <math.h>

enum { BLOCK = 256, PER_THREAD = 7 };

/* How many of these blocks a multiprocessor has places for, Fermi registers: the compiler keeps to them. */
#if defined __CUDA_ARCH__ && (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ < 300)
#define RESIDENT 4
#elif defined __CUDA_ARCH__ &&                                                                     \
    (__CUDA_ARCH__ >= 860 && __CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100)
#define RESIDENT 6
#else
#define RESIDENT 8
#endif

/* ---- from library calls ---- */

/* q = A p; library holds A, p and q as cuSPARSE describes them. */
template <typename real>
static void csrMatrixVectorMultiplication(const struct library *library,
                                          const struct arrays<real> *d)
{
    // TODO 1 begin: q = A p by cuSPARSE
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
    // TODO 2 begin: one call of cublasAxpy()
    cublasVerify(cublasAxpy(library->blas, n, &alpha, d_x, d_y));
    // TODO 2 end
}

/* x = alpha x */
template <typename real>
static void scaleVector(const struct library *library, int n, real alpha, real *d_x)
{
    // TODO 3 begin: one call of cublasScal()
    cublasVerify(cublasScal(library->blas, n, &alpha, d_x));
    // TODO 3 end
}

/* The sum of x[i] y[i]. */
template <typename real>
static real scalarProduct(const struct library *library, int n, const real *d_x, const real *d_y)
{
    real product = 0;

    // TODO 4 begin: one call of cublasDot()
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

/* ---- products on the device ---- */

/* Row `row` of A times x, by one thread: the lanes of a warp read far apart. */
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

/* Rows first ... first + BLOCK - 1: their entries stand side by side, so the block reads them side by
 * side, whatever the rows' lengths, and each thread then adds its row's products in shared memory.
 * After Greathouse and Daga, "CSR-Stream" (SC 2014). */
template <typename real>
__device__ real streamTimes(int first, int n, const int *rowStart, const int *column,
                            const real *value, const real *x)
{
    real sum = 0;
    // TODO 7 begin: (advanced) products into shared memory, a chunk at a time, then every thread its row
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

/* ---- the products alone ---- */

template <typename real>
static void multiplyByLibrary(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    struct library library = libraryOpen(d.n, d.nonzeros, d.rowStart, d.column, d.value, d.b, d.x);

    MEASURE (run) {
        csrMatrixVectorMultiplication(&library, &d);
    }
    libraryClose(&library);
    download(&d, s);
}

template <typename real>
static void multiplyByRows(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    const int block = blockSize(128);
    const int grid = (d.n + block - 1) / block;

    MEASURE (run) {
        cudaVerifyKernel(
            (productByRows<real><<<grid, block>>>(d.n, d.rowStart, d.column, d.value, d.b, d.x)));
    }
    download(&d, s);
}

template <typename real>
static void multiplyByStreams(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    const int grid = (d.n + BLOCK - 1) / BLOCK;

    MEASURE (run) {
        cudaVerifyKernel((productByStreams<real>
                          <<<grid, BLOCK>>>(d.n, d.rowStart, d.column, d.value, d.b, d.x)));
    }
    download(&d, s);
}

/* ---- the solver that the helpers make up ---- */

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

// TODO 8 begin: (advanced) fewer passes over memory, launches and round trips: your own kernels
/* ---- the same calls with their scalars on the device: the host only launches ---- */

enum { CHECK = 25 }; /* iterations between two looks at the residual */

/* Takes the entries of the trace up to number k to the host; entry k: (r.r after k iterations, p.q of
 * the last of them). Returns 1 if the solve ends there. */
static int readTrace(const double2 *d_trace, int k, const struct cg_problem *problem,
                     struct cg_solution *s)
{
    const int first = s->iterations + 1, count = k - s->iterations;
    double2 trace[CHECK + 1];
    int i;

    cudaVerify(cudaMemcpy(trace, d_trace + first, count * sizeof *trace, cudaMemcpyDeviceToHost));
    if (first == 0)
        s->limit = problem->tolerance * problem->tolerance * trace[0].x;
    for (i = 0; i < count; i++) {
        s->curvature = trace[i].y;
        if (!(s->curvature > 0.0))
            return 1; /* not positive definite, or no numbers any more */
        s->residual[++s->iterations] = sqrt(trace[i].x);
        if (!(trace[i].x > s->limit))
            return 1;
    }
    cgProgress(k, s->residual[k], sqrt(s->limit));
    return k == problem->maxIterations;
}

template <typename real>
struct scalars {
    real rr, old, pq, alpha, minusAlpha, beta, one;
    double limit;
};

/* Once converged, alpha = 0 keeps x as it is until the host looks. */
template <typename real>
__global__ void computeAlpha(struct scalars<real> *s)
{
    s->alpha = s->rr > s->limit ? s->rr / s->pq : 0;
    s->minusAlpha = -s->alpha;
    s->old = s->rr;
}

template <typename real>
__global__ void computeBeta(struct scalars<real> *s, double2 *trace)
{
    s->beta = s->rr > s->limit ? s->rr / s->old : 0;
    *trace = make_double2(s->rr, s->pq);
}

template <typename real>
__global__ void computeLimit(struct scalars<real> *s, double tolerance, double2 *trace)
{
    s->one = 1;
    s->limit = tolerance * tolerance * s->rr;
    *trace = make_double2(s->rr, 1.0);
}

template <typename real>
static void solveOnDevice(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    struct library library = libraryOpen(d.n, d.nonzeros, d.rowStart, d.column, d.value, d.p, d.q);
    typedef struct scalars<real> numbers;
    numbers *d_s = deviceArray<numbers>(1);
    double2 *d_trace = deviceArray<double2>(problem->maxIterations + 1);
    const size_t bytes = d.n * sizeof(real);
    const int n = d.n, most = problem->maxIterations;
    cublasHandle_t blas = library.blas;

    cublasVerify(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    MEASURE (run) {
        int k = 0, finished = 0;

        cudaVerify(cudaMemsetAsync(d.x, 0, bytes, 0));
        cudaVerify(cudaMemcpyAsync(d.r, d.b, bytes, cudaMemcpyDeviceToDevice, 0));
        cudaVerify(cudaMemcpyAsync(d.p, d.b, bytes, cudaMemcpyDeviceToDevice, 0));
        cublasVerify(cublasDot(blas, n, d.r, d.r, &d_s->rr));
        cudaVerifyKernel((computeLimit<<<1, 1>>>(d_s, problem->tolerance, d_trace)));
        s->iterations = -1;
        while (!finished) {
            for (; k < most && k - s->iterations < CHECK; k++) {
                csrMatrixVectorMultiplication(&library, &d);
                cublasVerify(cublasDot(blas, n, d.p, d.q, &d_s->pq));
                cudaVerifyKernel((computeAlpha<<<1, 1>>>(d_s)));
                cublasVerify(cublasAxpy(blas, n, &d_s->alpha, d.p, d.x));
                cublasVerify(cublasAxpy(blas, n, &d_s->minusAlpha, d.q, d.r));
                cublasVerify(cublasDot(blas, n, d.r, d.r, &d_s->rr));
                cudaVerifyKernel((computeBeta<<<1, 1>>>(d_s, d_trace + k + 1)));
                cublasVerify(cublasScal(blas, n, &d_s->beta, d.p));
                cublasVerify(cublasAxpy(blas, n, &d_s->one, d.r, d.p));
            }
            finished = readTrace(d_trace, k, problem, s);
        }
    }
    cudaVerify(cudaFree(d_s));
    cudaVerify(cudaFree(d_trace));
    libraryClose(&library);
    download(&d, s);
}

#include "solution_fused.h"
#include "solution_slices.h"
#include "solution_persistent.h"
#include "solution_multigrid.h"
// TODO 8 end

/* A variant for either precision. */
#define VARIANT(name, function)                                                                    \
    static void name(const struct cg_problem *problem, struct cg_solution *s)                      \
    {                                                                                              \
        (problem->single ? function<float> : function<double>)(problem, s);                        \
    }

VARIANT(productLibrary, multiplyByLibrary)
VARIANT(productRows, multiplyByRows)
VARIANT(productStreams, multiplyByStreams)
VARIANT(cgLibrary, solveByLibrary)
// TODO 8 begin: (advanced) the functions of your own variants
VARIANT(productSlices, multiplyBySlices)
VARIANT(cgDeviceScalars, solveOnDevice)
VARIANT(cgFused, solveFused)
VARIANT(cgSliced, solveSliced)
VARIANT(cgPersistent, solvePersistent)
VARIANT(cgJacobi, solveJacobi)
VARIANT(cgMultigrid, solveMultigrid)
// TODO 8 end

extern "C" const struct variant deviceVariants[] = {
    {"SpMV: cuSPARSE", productLibrary},
    {"SpMV: CSR row per thread", productRows},
    {"SpMV: CSR-Stream", productStreams},
    {"CG: library calls", cgLibrary},
    // TODO 8 begin: (advanced) your own variants
    {"SpMV: sliced ELLPACK", productSlices},
    {"CG: library calls with device scalars", cgDeviceScalars},
    {"CG: three fused kernels", cgFused},
    {"CG: two kernels on slices", cgSliced},
    {"CG: one persistent kernel", cgPersistent},
    {"CG: Jacobi preconditioner", cgJacobi},
    {"CG: multigrid preconditioner", cgMultigrid},
    // TODO 8 end
    {NULL, NULL},
};
