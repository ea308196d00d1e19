/* TASK     the iteration of conjugate gradient in three fused kernels, productStep() and two of
 *          steps.cuh, also with a Jacobi preconditioner.
 * TRAFFIC  the matrix once, 10 vectors; 13 with the preconditioner.
 * LIMIT    memory bandwidth. */
#ifndef FUSED_CUH
#define FUSED_CUH

#include "steps.cuh"

/* One diagonal element per thread, inverted. */
template <typename real> __global__ void invertDiagonal(struct arrays<real> d, real *inverse)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    int k;

    if (row < d.n)
        for (k = d.rowStart[row]; k < d.rowStart[row + 1]; k++)
            if (d.column[k] == row)
                inverse[row] = 1 / d.value[k];
}

/* inverse: NULL, or 1 / diagonal on the device. One synchronisation an iteration, in
 * readTrace(). */
template <typename real>
static void iterateFused(const struct cg_problem *problem, struct cg_solution *s,
                         struct arrays<real> d, const real *inverse)
{
    const int productGrid = residentGrid(productStep<real>, BLOCK, d.n);
    const int residualGrid = residentGrid(residualStep<real>, BLOCK, d.n);
    const int directionGrid = residentGrid(directionStep<real>, BLOCK, d.n);
    struct parts at = newParts(productGrid, residualGrid, problem);

    MEASURE (run) {
        int k;

        cudaVerify(cudaMemsetAsync(d.x, 0, d.n * sizeof(real), 0));
        cudaVerify(cudaMemsetAsync(d.p, 0, d.n * sizeof(real), 0));
        s->iterations = -1;
        for (k = 0;; k++) {
            cudaVerifyKernel((residualStep<<<residualGrid, BLOCK>>>(d, at, k, inverse)));
            cudaVerifyKernel((directionStep<<<directionGrid, BLOCK>>>(d, at, k)));
            if (readTrace(at.trace, k, problem, s))
                break;
            cudaVerifyKernel((productStep<<<productGrid, BLOCK>>>(d, at)));
            exchange(at.rr);
        }
    }
    freeParts(&at);
}

template <typename real>
static void solveFused(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);

    iterateFused(problem, s, d, (const real *)NULL);
    download(&d, s);
}

template <typename real>
static void solveJacobi(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    real *inverse = deviceArray<real>(d.n);

    s->preconditioner = JACOBI;
    d.z = deviceArray<real>(d.n);
    cudaVerifyKernel((invertDiagonal<<<(d.n + BLOCK - 1) / BLOCK, BLOCK>>>(d, inverse)));
    iterateFused(problem, s, d, (const real *)inverse);
    cudaVerify(cudaFree(inverse));
    cudaVerify(cudaFree(d.z));
    download(&d, s);
}

#endif
