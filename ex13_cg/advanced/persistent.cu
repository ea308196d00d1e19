/* TASK     the whole conjugate gradient solve in one kernel, with one barrier an iteration.
 * TRAFFIC  the matrix and 14 vectors an iteration, which a small system has in the caches.
 * LIMIT    a barrier, and the latencies of a gather and of a sum over the grid. */
#include "steps.cuh"

enum { PERSISTENT_BLOCK = 128, ENTRIES = 8 };

/* Single-reduction conjugate gradient: with w = A r, both scalars come from (r.r, w.r), hence from
 * one sum over the grid (Chronopoulos and Gear, 1989). s = A p follows by recurrence. Each thread
 * keeps the rows that it began with; what other threads read of them stands twice, so that the old
 * values last until the barrier. */
template <typename real> struct single_reduction {
    real *r[2], *w[2], *s[2];
    double2 *part[2];
    double2 *trace;
    int *iterations;
    unsigned *arrived; /* blocks at the barrier, counted on and on */
};

/* All blocks wait for all. They must all be at work at once: hence the cooperative launch. */
__device__ void gridBarrier(unsigned *arrived, unsigned *target)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        *target += gridDim.x;
        __threadfence();
        atomicAdd(arrived, 1u);
        while ((int)(*(volatile unsigned *)arrived - *target) < 0)
            continue;
        __threadfence();
    }
    __syncthreads();
}

/* Row `row` of A times r - alpha (w + beta s): the new r, formed wherever A needs it. volatile:
 * other blocks wrote these before the barrier, and the L1 cache would not know. */
template <typename real>
__device__ real newResidualTimes(struct arrays<real> d, int row, const volatile real *r,
                                 const volatile real *w, const volatile real *s, real alpha,
                                 real beta)
{
    const int end = d.rowStart[row + 1];
    real sum = 0;
    int i, k;

    for (i = d.rowStart[row]; i < end; i += ENTRIES) {
        real a[ENTRIES], rc[ENTRIES], wc[ENTRIES], sc[ENTRIES];

#pragma unroll
        for (k = 0; k < ENTRIES; k++) {
            const int column = i + k < end ? d.column[i + k] : row;

            a[k] = i + k < end ? d.value[i + k] : 0;
            rc[k] = r[column];
            wc[k] = w[column];
            sc[k] = s[column];
        }
#pragma unroll
        for (k = 0; k < ENTRIES; k++)
            sum += a[k] * (rc[k] - alpha * (wc[k] + beta * sc[k]));
    }
    return sum;
}

template <typename real>
__global__ void solveAtOnce(struct arrays<real> d, struct single_reduction<real> at, int most,
                            double tolerance)
{
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    double alpha = 0.0, beta = 0.0, curvature = 1.0, old = 0.0, limit = 0.0;
    double next = 0.0;
    double2 sums;
    unsigned target = 0;
    int k, row;

    for (k = 0;; k++) {
        const real *r = at.r[k % 2], *w = at.w[k % 2], *s = at.s[k % 2];

        sums = make_double2(0.0, 0.0);
        for (row = first; row < d.n; row += stride) {
            const real wNew = newResidualTimes(d, row, r, w, s, (real)alpha, (real)beta);
            const real p = r[row] + (real)beta * d.p[row], sNew = w[row] + (real)beta * s[row];
            const real rNew = r[row] - (real)alpha * sNew;

            d.x[row] += (real)alpha * p;
            d.p[row] = p;
            at.s[1 - k % 2][row] = sNew;
            at.r[1 - k % 2][row] = rNew;
            at.w[1 - k % 2][row] = wNew;
            sums.x += (double)rNew * rNew;
            sums.y += (double)rNew * wNew;
        }
        sums = blockSum(sums);
        if (threadIdx.x == 0)
            at.part[k % 2][blockIdx.x] = sums;
        gridBarrier(at.arrived, &target);
        sums = gridSum(at.part[k % 2], gridDim.x);
        if (k == 0)
            limit = tolerance * tolerance * sums.x;
        beta = k == 0 ? 0.0 : sums.x / old;
        next = k == 0 ? sums.y : sums.y - beta * sums.x / alpha; /* p.Ap */
        if (first == 0)
            at.trace[k] = make_double2(sums.x, curvature);
        if (!(sums.x > limit) || k == most || !(next > 0.0))
            break; /* all blocks have the same bits and leave together */
        curvature = next;
        old = sums.x;
        alpha = sums.x / curvature;
    }
    if (first == 0) {
        const int broken = sums.x > limit && k < most;

        if (broken)
            at.trace[k + 1] = make_double2(sums.x, next);
        *at.iterations = k + broken;
    }
}

template <typename real>
void solvePersistent(const struct cg_problem *problem, struct cg_solution *s)
{
    struct arrays<real> d = upload<real>(problem);
    struct single_reduction<real> at;
    const int grid = residentGrid(solveAtOnce<real>, PERSISTENT_BLOCK, d.n);
    const size_t bytes = d.n * sizeof(real);
    int i, last = 0, most = problem->maxIterations;
    double tolerance = problem->tolerance;

    for (i = 0; i < 2; i++) {
        at.r[i] = deviceArray<real>(d.n);
        at.w[i] = deviceArray<real>(d.n);
        at.s[i] = deviceArray<real>(d.n);
        at.part[i] = deviceArray<double2>(grid);
    }
    at.trace = deviceArray<double2>(most + 1);
    at.iterations = deviceArray<int>(1);
    at.arrived = deviceArray<unsigned>(1);
    MEASURE (run) {
        cudaVerify(cudaMemcpyAsync(at.r[0], d.b, bytes, cudaMemcpyDeviceToDevice, 0));
        cudaVerify(cudaMemsetAsync(at.w[0], 0, bytes, 0));
        cudaVerify(cudaMemsetAsync(at.s[0], 0, bytes, 0));
        cudaVerify(cudaMemsetAsync(d.x, 0, bytes, 0));
        cudaVerify(cudaMemsetAsync(d.p, 0, bytes, 0));
        cudaVerify(cudaMemsetAsync(at.arrived, 0, sizeof *at.arrived, 0));
#if CUDART_VERSION >= 9000
        void *arguments[] = {&d, &at, &most, &tolerance};

        cudaVerify(cudaLaunchCooperativeKernel((const void *)solveAtOnce<real>, dim3(grid),
                                               dim3(PERSISTENT_BLOCK), arguments, 0, 0));
#else
        cudaVerifyKernel((solveAtOnce<<<grid, PERSISTENT_BLOCK>>>(d, at, most, tolerance)));
#endif
    }
    cudaVerify(cudaMemcpy(&last, at.iterations, sizeof last, cudaMemcpyDeviceToHost));
    s->iterations = -1;
    for (i = 0; !readTrace(at.trace, i, problem, s) && i < last;)
        i = i + CHECK < last ? i + CHECK : last;
    for (i = 0; i < 2; i++) {
        cudaVerify(cudaFree(at.r[i]));
        cudaVerify(cudaFree(at.w[i]));
        cudaVerify(cudaFree(at.s[i]));
        cudaVerify(cudaFree(at.part[i]));
    }
    cudaVerify(cudaFree(at.trace));
    cudaVerify(cudaFree(at.iterations));
    cudaVerify(cudaFree(at.arrived));
    download(&d, s);
}

template void solvePersistent<float>(const struct cg_problem *problem, struct cg_solution *s);
template void solvePersistent<double>(const struct cg_problem *problem, struct cg_solution *s);
