/* The code around the kernels of ex20: memory on the device, the loop over the steps, the copies
 * there and back. */
#ifndef SURROUNDINGS_CUH
#define SURROUNDINGS_CUH

#include "arrays.cuh"

typedef void multiply_fn(struct arrays d); /* r = A x - f */

/* For the first kernels: in each step three kernels and a copy of the norm to the host, which
 * decides. */
template <multiply_fn multiply, int isTransposed>
static void solve(const struct system *s, struct solution *result)
{
    struct arrays d = upload(s, isTransposed, 1);

    MEASURE (run) {
        int k = 0;

        cudaVerify(cudaMemsetAsync(d.x, 0, d.stride * sizeof(float)));
        for (;;) {
            float sum = 0.0f;

            multiply(d);
            cudaVerifyKernel((sumOfSquares<<<1, BLOCK>>>(d.r, d.n, d.norm)));
            cudaVerify(cudaMemcpy(&sum, d.norm, sizeof sum, cudaMemcpyDeviceToHost));
            result->residual[k] = sqrt(sum);
            if (!(result->residual[k] > s->limit) || k == s->maxSteps)
                break;
            cudaVerifyKernel(
                (addMultiple<<<blocksFor(d.n, BLOCK), BLOCK>>>(s->alpha, d.r, d.x, d.n)));
            k++;
        }
        result->steps = k;
    }
    cudaVerify(cudaMemcpy(result->x, d.x, d.n * sizeof(float), cudaMemcpyDeviceToHost));
    release(d);
}

/* For the kernels that do a whole step: step k adds the square of residual k, that of x[k % 2], to
 * norm[k], and writes x[(k + 1) % 2]. A step after the last one does nothing, so the host launches
 * several and looks at the norms only then. */
typedef void step_fn(struct arrays d, int k);
template <step_fn step, int sides, int isTransposed>
static void solveAhead(const struct system *s, struct solution *result)
{
    enum { AHEAD = 10 };
    struct arrays d = upload(s, isTransposed, sides);
    const size_t xBytes = sides * d.stride * sizeof(float);

    MEASURE (run) {
        int k = 0, launched = 0;

        cudaVerify(cudaMemsetAsync(d.x, 0, 2 * xBytes));
        cudaVerify(cudaMemsetAsync(d.norm, 0, (s->maxSteps + 1) * sizeof(float)));
        do {
            for (int more = 0; more < AHEAD && launched <= s->maxSteps; more++)
                step(d, launched++);
            cudaVerify(cudaMemcpy(d.hostNorm + k, d.norm + k, (launched - k) * sizeof(float),
                                  cudaMemcpyDeviceToHost));
            while (k < launched && d.hostNorm[k] > d.limit && k < s->maxSteps)
                k++;
        } while (k == launched);
        result->steps = k;
    }
    takeResult(d, result, sides);
    release(d);
}

/* For a kernel that does all steps: one launch, with x in dynamic shared memory. */
template <void kernel(struct arrays)>
static void solveAtOnce(const struct system *s, struct solution *result)
{
    struct arrays d = upload(s, 0, 1);
    const size_t xBytes = d.stride * sizeof(float);
    const unsigned resident = residentBlocks(kernel, xBytes), wanted = blocksFor(d.n, WARPS);
    const unsigned grid = wanted < resident ? wanted : resident;

    if (xBytes > MOST_SHARED) {
        rowSkip("x does not fit into the %d KB of shared memory that a block has",
                MOST_SHARED >> 10);
        release(d);
        return;
    }
    MEASURE (run) {
        cudaVerify(cudaMemsetAsync(d.x, 0, 2 * xBytes));
        cudaVerify(cudaMemsetAsync(d.norm, 0, (s->maxSteps + 1) * sizeof(float)));
        cudaVerify(cudaMemsetAsync(d.arrived, 0, sizeof *d.arrived));
        cudaVerifyKernel((kernel<<<grid, BLOCK, xBytes>>>(d)));
    }
    takeNorms(d, result);
    takeResult(d, result, 1);
    release(d);
}

#endif
