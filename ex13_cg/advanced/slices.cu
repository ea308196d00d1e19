/* TASK     the iteration of conjugate gradient in two kernels, with the matrix in slices.
 * TRAFFIC  12 bytes an entry of A (8 in float), padding included; 9 vectors.
 * LIMIT    memory bandwidth. */
#include "steps.cuh"
#include <stdlib.h>

enum { SLICE = 32, UNROLL = 8 };
enum { MOST_ENTRIES = 0x7fff0000 }; /* a loop may step past the end */

/* Sliced ELLPACK: 32 rows side by side, padded to the longest of them. Slice i: start[i] ... */
template <typename real> struct slices {
    int *start, *column;
    real *value;
};

/* Lane l of a warp takes row l of its slice, and the k-th entries of the 32 rows stand side by
 * side. Monakov et al., "Automatically tuning sparse matrix-vector multiplication" (2010). */
template <typename real>
__device__ real sliceTimes(int row, const int *sliceStart, const int *column, const real *value,
                           const real *x, const real *y, real beta)
{
    const int end = sliceStart[row / SLICE + 1];
    real sum = 0;
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
            sum += a[k] * (y == NULL ? x[c[k]] : x[c[k]] + beta * y[c[k]]);
    }
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

/* From CSR; padding is an entry 0 on the diagonal. */
template <typename real>
__global__ void sliceRows(int n, const int *rowStart, const int *column, const real *value,
                          const int *sliceStart, int *slicedColumn, real *slicedValue)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    int from, to;

    if (row >= n)
        return;
    from = rowStart[row];
    for (to = sliceStart[row / SLICE] + row % SLICE; to < sliceStart[row / SLICE + 1];
         to += SLICE) {
        slicedColumn[to] = from < rowStart[row + 1] ? column[from] : row;
        slicedValue[to] = from < rowStart[row + 1] ? value[from] : 0;
        from++;
    }
}

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

/* A in slices, made on the device from d; 0, and the row is skipped, if padding would burst 32-bit
 * indices. */
template <typename real>
static int sliceMatrix(const struct csr_matrix *matrix, struct arrays<real> d,
                       struct slices<real> *a)
{
    const int count = (matrix->rows + SLICE - 1) / SLICE;
    int *start = (int *)malloc((count + 1) * sizeof *start);
    size_t entries = 0;
    int i, row;

    if (start == NULL) {
        fprintf(stderr, "not enough memory for %d slices\n", count);
        exit(2);
    }
    for (i = 0; i < count && entries < MOST_ENTRIES; i++) {
        int width = 0;

        for (row = i * SLICE; row < (i + 1) * SLICE && row < matrix->rows; row++)
            if (matrix->rowStart[row + 1] - matrix->rowStart[row] > width)
                width = matrix->rowStart[row + 1] - matrix->rowStart[row];
        start[i] = (int)entries;
        entries += (size_t)width * SLICE;
    }
    if (entries < MOST_ENTRIES) {
        start[count] = (int)entries;
        a->start = deviceCopy<int>(start, count + 1);
        a->column = deviceArray<int>(entries);
        a->value = deviceArray<real>(entries);
        cudaVerifyKernel((sliceRows<<<(d.n + BLOCK - 1) / BLOCK, BLOCK>>>(
            d.n, d.rowStart, d.column, d.value, a->start, a->column, a->value)));
        if (entries > 2 * (size_t)matrix->nonzeros)
            harnessRemark("%.1f times as many entries as CSR: padding",
                          (double)entries / matrix->nonzeros);
    } else {
        rowSkip("rows of too different lengths: padding makes 2^31 entries");
    }
    free(start);
    return entries < MOST_ENTRIES;
}

template <typename real> static void freeSlices(struct slices<real> *a)
{
    cudaVerify(cudaFree(a->start));
    cudaVerify(cudaFree(a->column));
    cudaVerify(cudaFree(a->value));
}

template <typename real>
void multiplyBySlices(const struct cg_problem *problem, struct cg_solution *s)
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

template <typename real> void solveSliced(const struct cg_problem *problem, struct cg_solution *s)
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

template void multiplyBySlices<float>(const struct cg_problem *problem, struct cg_solution *s);
template void multiplyBySlices<double>(const struct cg_problem *problem, struct cg_solution *s);
template void solveSliced<float>(const struct cg_problem *problem, struct cg_solution *s);
template void solveSliced<double>(const struct cg_problem *problem, struct cg_solution *s);
