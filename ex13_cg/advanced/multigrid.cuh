/* TASK     conjugate gradient with a multigrid preconditioner: z = M r by one V cycle over coarser
 *          and coarser systems (aggregation.c).
 * TRAFFIC  beyond an iteration of CG the matrix twice and 10 vectors, all times 4/3 for the coarser
 *          ones.
 * LIMIT    memory bandwidth on the fine levels, launches on the coarse ones. */
#ifndef MULTIGRID_CUH
#define MULTIGRID_CUH

#include "fused.cuh"
#include "hierarchy.h"

/* Vectors that are constant in every aggregate make the coarse systems too stiff, for a Laplacian
 * by a factor of up to 2, so their corrections are enlarged: Braess, "Towards algebraic multigrid
 * for elliptic problems of second order" (1995). The best factor differs between 2D and 3D; any
 * positive one leaves M positive definite. */
#define ENLARGEMENT 1.4

/* Down: y = inverse r, one smoothing step from 0, stands there already. What remains of r, summed
 * over each aggregate, is the coarse right-hand side. One aggregate per thread. */
template <typename real>
__global__ void restrictStep(struct device_level<real> fine, struct device_level<real> coarse)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    real sum = 0;
    int m, k;

    if (j >= coarse.rows)
        return;
    for (m = fine.memberStart[j]; m < fine.memberStart[j + 1]; m++) {
        const int i = fine.member[m];

        sum += fine.r[i];
        for (k = fine.rowStart[i]; k < fine.rowStart[i + 1]; k++)
            sum -= fine.value[k] * fine.y[fine.column[k]];
    }
    coarse.r[j] = sum;
    coarse.y[j] = coarse.inverse[j] * sum;
}

/* Up: y = y + the coarse correction. */
template <typename real>
__global__ void correctStep(struct device_level<real> fine, const real *coarse)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < fine.rows)
        fine.y[i] += (real)ENLARGEMENT * coarse[fine.aggregate[i]];
}

/* z = y + inverse (r - A y). On the finest level every block leaves its part of r.z. */
template <typename real>
__global__ void __launch_bounds__(BLOCK, RESIDENT)
    smoothStep(struct device_level<real> l, double2 *rr)
{
    double2 rz = make_double2(0.0, 0.0);
    int first;

    for (first = blockIdx.x * BLOCK; first < l.rows; first += gridDim.x * BLOCK) {
        const real product = streamTimes(first, l.rows, l.rowStart, l.column, l.value, l.y);
        const int row = first + threadIdx.x;

        if (row < l.rows) {
            const real r = l.r[row], z = l.y[row] + l.inverse[row] * (r - product);

            l.z[row] = z;
            rz.y += (double)r * z;
        }
    }
    if (rr == NULL)
        return;
    rz = blockSum(rz);
    if (threadIdx.x == 0)
        rr[blockIdx.x].y = rz.y;
}

/* z = M r on level 0; grid: the blocks that leave parts in rr. The last level has a single row, or
 * could not be made coarser: two smoothing steps, as everywhere. */
template <typename real> static void cycle(const struct hierarchy<real> *h, double2 *rr, int grid)
{
    const struct device_level<real> *level = h->level;
    int l;

    for (l = 0; l < h->count - 1; l++)
        cudaVerifyKernel(
            (restrictStep<<<blocksFor(level[l + 1].rows, BLOCK), BLOCK>>>(level[l], level[l + 1])));
    for (l = h->count - 1; l >= 0; l--) {
        if (l < h->count - 1)
            cudaVerifyKernel((correctStep<<<blocksFor(level[l].rows, BLOCK), BLOCK>>>(
                level[l], (const real *)level[l + 1].z)));
        cudaVerifyKernel((smoothStep<<<l == 0 ? grid : blocksFor(level[l].rows, BLOCK), BLOCK>>>(
            level[l], l == 0 ? rr : (double2 *)NULL)));
    }
}

template <typename real>
static void solveMultigrid(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem), smoothed;
    const int residualGrid = residentGrid(residualStep<real>, BLOCK, d.n);
    const int directionGrid = residentGrid(directionStep<real>, BLOCK, d.n);
    const int productGrid = residentGrid(productStep<real>, BLOCK, d.n);
    struct parts at = newParts(productGrid, residualGrid, problem);
    struct hierarchy<real> h;

    s->preconditioner = MULTIGRID;
    d.z = deviceArray<real>(d.n);
    h = buildHierarchy(problem->matrix, d);
    harnessRemark("%d levels", h.count);
    smoothed = d;
    smoothed.z = h.level[0].y; /* residualStep() takes the first smoothing step, y = inverse r */
    MEASURE (run) {
        int k;

        cudaVerify(cudaMemsetAsync(d.x, 0, d.n * sizeof(real), 0));
        cudaVerify(cudaMemsetAsync(d.p, 0, d.n * sizeof(real), 0));
        s->iterations = -1;
        for (k = 0;; k++) {
            cudaVerifyKernel((residualStep<<<residualGrid, BLOCK>>>(
                smoothed, at, k, (const real *)h.level[0].inverse)));
            cycle(&h, at.rr[1], residualGrid);
            cudaVerifyKernel((directionStep<<<directionGrid, BLOCK>>>(d, at, k)));
            if (readTrace(at.trace, k, problem, s))
                break;
            cudaVerifyKernel((productStep<<<productGrid, BLOCK>>>(d, at)));
            exchange(at.rr);
        }
    }
    freeHierarchy(&h);
    freeParts(&at);
    cudaVerify(cudaFree(d.z));
    download(&d, s);
}

#endif
