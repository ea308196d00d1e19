/* TASK     the iteration of conjugate gradient in two kernels, with the matrix in slices.
 * TRAFFIC  12 bytes an entry of A (8 in float), padding included; 9 vectors.
 * LIMIT    memory bandwidth. */
#ifndef TWO_KERNELS_CUH
#define TWO_KERNELS_CUH

#include "slices.h"
#include "steps.cuh"

/* directionStep() and the product at once: x = x + alpha p, p = r + beta p, q = A p and p.q. The
 * new p is formed wherever A needs it, from r and the old p, which therefore stays: the new one
 * goes to another array. */
template <typename real>
__global__ void slicedStep(struct arrays<real> d, struct slices<real> a, struct parts at,
                           real *pNew, int k)
{
    double2 pq = make_double2(0.0, 0.0);
    real alpha, beta;
    int row;

    if (!coefficients(at, k, at.pq[0], &alpha, &beta))
        return;
    for (row = blockIdx.x * blockDim.x + threadIdx.x; row < d.n; row += gridDim.x * blockDim.x) {
        const real q = sliceTimes(row, a.start, a.column, a.value, d.r, d.p, beta);
        const real old = d.p[row], p = d.r[row] + beta * old;

        d.x[row] += alpha * old;
        pNew[row] = p;
        d.q[row] = q;
        pq.x += (double)p * q;
    }
    pq = blockSum(pq);
    if (threadIdx.x == 0)
        at.pq[1][blockIdx.x] = pq;
}

template <typename real>
static void solveSliced(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    const int slicedGrid = residentGrid(slicedStep<real>, BLOCK, d.n);
    const int residualGrid = residentGrid(residualStep<real>, BLOCK, d.n);
    struct parts at = newParts(slicedGrid, residualGrid, problem);
    struct slices<real> a;
    real *p[2] = {d.p, deviceArray<real>(d.n)};

    if (sliceMatrix(problem->matrix, d, &a)) {
        MEASURE (run) {
            int k;

            cudaVerify(cudaMemsetAsync(d.x, 0, d.n * sizeof(real), 0));
            cudaVerify(cudaMemsetAsync(p[0], 0, d.n * sizeof(real), 0));
            s->iterations = -1;
            for (k = 0;; k++) {
                d.p = p[k % 2];
                cudaVerifyKernel(
                    (residualStep<<<residualGrid, BLOCK>>>(d, at, k, (const real *)NULL)));
                if (k == problem->maxIterations) { /* x still lacks its last step */
                    cudaVerifyKernel((directionStep<<<slicedGrid, BLOCK>>>(d, at, k)));
                } else {
                    exchange(at.pq); /* the kernel still reads the old parts */
                    cudaVerifyKernel(
                        (slicedStep<<<slicedGrid, BLOCK>>>(d, a, at, p[1 - k % 2], k)));
                }
                if ((k - s->iterations == CHECK || k == problem->maxIterations) &&
                    readTrace(at.trace, k, problem, s))
                    break;
                exchange(at.rr);
            }
        }
        freeSlices(&a);
    }
    freeParts(&at);
    d.p = p[0];
    cudaVerify(cudaFree(p[1]));
    download(&d, s);
}

#endif
