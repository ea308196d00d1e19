/* CG from library calls with their scalars on the device: the host only launches, and looks at the
 * residual now and then. */
#ifndef DEVICE_SCALARS_CUH
#define DEVICE_SCALARS_CUH

#include "arrays.h"
#include "precision.h"
#include "measure.h"
#include "trace.cuh"

template <typename real> struct scalars {
    real rr, old, pq, alpha, minusAlpha, beta, one;
    double limit;
};

/* Once converged, alpha = 0 keeps x as it is until the host looks. */
template <typename real> __global__ void computeAlpha(struct scalars<real> *s)
{
    s->alpha = s->rr > s->limit ? s->rr / s->pq : 0;
    s->minusAlpha = -s->alpha;
    s->old = s->rr;
}

template <typename real> __global__ void computeBeta(struct scalars<real> *s, double2 *trace)
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

#endif
