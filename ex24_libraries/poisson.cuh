/* The code around the rungs that solve Poisson's equation: memory, copies, the stream. Given;
 * nothing to fill in here. */
#ifndef POISSON_CUH
#define POISSON_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "libraries.h"

/* The equation on the device. All that solves it goes into one stream, which does not wait for
 * stream 0, nor stream 0 for it. */
struct poisson {
    int n;
    double *d_f, *d_u; /* n * n */
    cudaStream_t stream;
};

/* Measures its work, and fills in d_u and result->iterations. */
typedef void solver_fn(const struct poisson *p, struct result *result);

template <solver_fn solve>
static void solvePoisson(const struct problem *problem, struct result *result)
{
    const size_t bytes = problem->n * problem->n * sizeof(double);
    struct poisson p = {(int)problem->n, NULL, NULL, NULL};

    cudaVerify(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
    cudaVerify(cudaMalloc((void **)&p.d_f, bytes));
    cudaVerify(cudaMalloc((void **)&p.d_u, bytes));
    cudaVerify(cudaMemcpy(p.d_f, problem->f, bytes, cudaMemcpyHostToDevice));
    solve(&p, result);
    cudaVerify(cudaMemcpy(result->u, p.d_u, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(p.d_f));
    cudaVerify(cudaFree(p.d_u));
    cudaVerify(cudaStreamDestroy(p.stream));
}

#endif
