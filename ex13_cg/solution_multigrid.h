/* TASK     conjugate gradient with a multigrid preconditioner: z = M r by one V cycle over coarser and
 *          coarser systems (aggregation.c).
 * TRAFFIC  beyond an iteration of CG the matrix twice and 7 vectors, all times 4/3 for the coarser ones.
 * LIMIT    memory bandwidth on the fine levels, launches on the coarse ones. */
#ifndef SOLUTION_MULTIGRID_H
#define SOLUTION_MULTIGRID_H

#include "aggregation.h"
#include "solution_fused.h"
#include <stdlib.h>

/* Vectors that are constant in every aggregate make the coarse systems about twice too stiff for a
 * Laplacian, so their corrections are enlarged: 1.8 after Braess, "Towards algebraic multigrid for
 * elliptic problems of second order" (1995). Any positive factor leaves M positive definite. */
#define ENLARGEMENT 1.8

/* inverse: 1 / (sum of the absolute values in the row). A Jacobi step with it converges for every
 * positive definite matrix (Baker et al., "Multigrid smoothers for ultraparallel computing", 2011). */
template <typename real>
struct device_level {
    int rows, coarseRows;
    int *rowStart, *column, *aggregate, *memberStart, *member;
    real *value, *inverse, *r, *z;
};

template <typename real>
struct hierarchy {
    int count;
    struct device_level<real> level[LEVELS];
};

/* Down: one smoothing step from z = 0, which is z = inverse r; what remains of r, summed over each
 * aggregate, is the coarse right-hand side. One aggregate per thread. */
template <typename real>
__global__ void restrictStep(struct device_level<real> l, real *coarse)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    real sum = 0;
    int m, k;

    if (j >= l.coarseRows)
        return;
    for (m = l.memberStart[j]; m < l.memberStart[j + 1]; m++) {
        const int i = l.member[m];

        sum += l.r[i];
        for (k = l.rowStart[i]; k < l.rowStart[i + 1]; k++)
            sum -= l.value[k] * l.inverse[l.column[k]] * l.r[l.column[k]];
    }
    coarse[j] = sum;
}

/* Up: z = inverse r + the coarse correction, formed wherever it is needed, and another smoothing step.
 * On the finest level every block leaves its part of r.z. */
template <typename real>
__global__ void prolongStep(struct device_level<real> l, const real *coarse, double2 *rr)
{
    const real enlargement = (real)ENLARGEMENT;
    double2 rz = make_double2(0.0, 0.0);
    int i, k;

    for (i = blockIdx.x * blockDim.x + threadIdx.x; i < l.rows; i += gridDim.x * blockDim.x) {
        real z = l.inverse[i] * l.r[i] + enlargement * coarse[l.aggregate[i]], remains = l.r[i];

        for (k = l.rowStart[i]; k < l.rowStart[i + 1]; k++) {
            const int j = l.column[k];

            remains -= l.value[k] * (l.inverse[j] * l.r[j] + enlargement * coarse[l.aggregate[j]]);
        }
        z += l.inverse[i] * remains;
        l.z[i] = z;
        rz.y += (double)l.r[i] * z;
    }
    if (rr == NULL)
        return;
    rz = blockSum(rz);
    if (threadIdx.x == 0)
        rr[blockIdx.x].y = rz.y;
}

/* The coarsest level has a single row, or could not be made coarser: one smoothing step. */
template <typename real>
__global__ void coarsestStep(struct device_level<real> l, double2 *rr)
{
    double2 rz = make_double2(0.0, 0.0);
    int i;

    for (i = blockIdx.x * blockDim.x + threadIdx.x; i < l.rows; i += gridDim.x * blockDim.x) {
        l.z[i] = l.inverse[i] * l.r[i];
        rz.y += (double)l.r[i] * l.z[i];
    }
    if (rr == NULL)
        return;
    rz = blockSum(rz);
    if (threadIdx.x == 0)
        rr[blockIdx.x].y = rz.y;
}

/* z = M r on level 0; grid: the blocks that leave parts in rr. */
template <typename real>
static void cycle(const struct hierarchy<real> *h, double2 *rr, int grid)
{
    const int last = h->count - 1;
    int l;

    for (l = 0; l < last; l++)
        cudaVerifyKernel((restrictStep<<<(h->level[l].coarseRows + BLOCK - 1) / BLOCK, BLOCK>>>(
            h->level[l], h->level[l + 1].r)));
    for (l = last; l >= 0; l--) {
        const int all = (h->level[l].rows + BLOCK - 1) / BLOCK, blocks = l == 0 ? grid : all;
        double2 *parts = l == 0 ? rr : NULL;

        if (l == last)
            cudaVerifyKernel((coarsestStep<<<blocks, BLOCK>>>(h->level[l], parts)));
        else
            cudaVerifyKernel((prolongStep<<<blocks, BLOCK>>>(
                h->level[l], (const real *)h->level[l + 1].z, parts)));
    }
}

template <typename real>
static real *deviceReals(const double *from, size_t count)
{
    real *rounded = (real *)malloc((count > 0 ? count : 1) * sizeof *rounded), *d_array;
    size_t i;

    if (rounded == NULL) {
        fprintf(stderr, "not enough memory for the coarser systems\n");
        exit(2);
    }
    for (i = 0; i < count; i++)
        rounded[i] = (real)from[i];
    d_array = deviceCopy<real>(rounded, count);
    free(rounded);
    return d_array;
}

/* 1 / (sum of the absolute values) of every row, on the device. */
template <typename real>
static real *deviceInverse(const struct csr_matrix *a)
{
    double *inverse = (double *)malloc(a->rows * sizeof *inverse);
    real *d_inverse;
    int i, k;

    if (inverse == NULL) {
        fprintf(stderr, "not enough memory for the coarser systems\n");
        exit(2);
    }
    for (i = 0; i < a->rows; i++) {
        double sum = 0.0;

        for (k = a->rowStart[i]; k < a->rowStart[i + 1]; k++)
            sum += fabs(a->value[k]);
        inverse[i] = 1.0 / sum;
    }
    d_inverse = deviceReals<real>(inverse, a->rows);
    free(inverse);
    return d_inverse;
}

/* Level 0 borrows d's arrays. */
template <typename real>
static struct hierarchy<real> buildHierarchy(const struct csr_matrix *matrix,
                                             struct arrays<real> d) {
    struct hierarchy<real> h;
    struct level level[LEVELS];
    int l;

    h.count = levelsBuild(level, matrix);
    if (h.count < 0) {
        fprintf(stderr, "not enough memory for the coarser systems\n");
        exit(2);
    }
    for (l = 0; l < h.count; l++) {
        const struct csr_matrix *a = &level[l].matrix;
        struct device_level<real> *to = &h.level[l];

        to->rows = a->rows;
        to->coarseRows = level[l].coarseRows;
        to->rowStart = l == 0 ? d.rowStart : deviceCopy<int>(a->rowStart, a->rows + 1);
        to->column = l == 0 ? d.column : deviceCopy<int>(a->column, a->nonzeros);
        to->value = l == 0 ? d.value : deviceReals<real>(a->value, a->nonzeros);
        to->r = l == 0 ? d.r : deviceArray<real>(a->rows);
        to->z = l == 0 ? d.z : deviceArray<real>(a->rows);
        to->inverse = deviceInverse<real>(a);
        to->aggregate = to->memberStart = to->member = NULL;
        if (l < h.count - 1) {
            to->aggregate = deviceCopy<int>(level[l].aggregate, a->rows);
            to->memberStart = deviceCopy<int>(level[l].memberStart, to->coarseRows + 1);
            to->member = deviceCopy<int>(level[l].member, a->rows);
        }
    }
    levelsFree(level, h.count);
    return h;
}

template <typename real>
static void freeHierarchy(struct hierarchy<real> *h)
{
    int l;

    for (l = 0; l < h->count; l++) {
        struct device_level<real> *level = &h->level[l];

        if (l > 0) {
            cudaVerify(cudaFree(level->rowStart));
            cudaVerify(cudaFree(level->column));
            cudaVerify(cudaFree(level->value));
            cudaVerify(cudaFree(level->r));
            cudaVerify(cudaFree(level->z));
        }
        cudaVerify(cudaFree(level->inverse));
        cudaVerify(cudaFree(level->aggregate));
        cudaVerify(cudaFree(level->memberStart));
        cudaVerify(cudaFree(level->member));
    }
}

template <typename real>
static void solveMultigrid(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    const int residualGrid = residentGrid(residualStep<real>, BLOCK, d.n);
    const int directionGrid = residentGrid(directionStep<real>, BLOCK, d.n);
    const int productGrid = residentGrid(productStep<real>, BLOCK, d.n);
    struct parts at = newParts(productGrid, residualGrid, problem);
    struct hierarchy<real> h;

    s->preconditioner = MULTIGRID;
    d.z = deviceArray<real>(d.n);
    h = buildHierarchy(problem->matrix, d);
    harnessRemark("%d levels", h.count);
    MEASURE (run) {
        int k;

        cudaVerify(cudaMemsetAsync(d.x, 0, d.n * sizeof(real), 0));
        cudaVerify(cudaMemsetAsync(d.p, 0, d.n * sizeof(real), 0));
        s->iterations = -1;
        for (k = 0;; k++) {
            cudaVerifyKernel((residualStep<<<residualGrid, BLOCK>>>(d, at, k, (const real *)NULL)));
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
