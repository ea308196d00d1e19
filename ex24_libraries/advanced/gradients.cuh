/* Conjugate gradient for Poisson's equation, without a matrix: A is a stencil (exercise 13 has it
 * with matrices, and says how the method works). Scalars stay on the device; the host looks at the
 * residual after each 16 iterations, and until then nothing waits for it. */

enum { LOOK = 16 };

/* r.r of this iteration and of the next one, by turns; p.q; r.r at the beginning. */
enum { RR, PQ = 2, FIRST_RR, SCALARS };

__global__ void applyStencil(const double *p, double *q, int n)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (column < n && row < n) {
        const int left = column > 0 ? column - 1 : n - 1, right = column < n - 1 ? column + 1 : 0;
        const int above = row > 0 ? row - 1 : n - 1, below = row < n - 1 ? row + 1 : 0;
        const double *const own = p + (size_t)row * n;

        q[(size_t)row * n + column] = 4.0 * own[column] - own[left] - own[right] -
                                      p[(size_t)above * n + column] - p[(size_t)below * n + column];
    }
}

/* u += alpha p, r -= alpha q; nothing any more once the residual is small: rounding errors would be
 * all that moves. */
__global__ void advance(const double *scalars, int rr, const double *p, const double *q, double *u,
                        double *r, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int isDone = !(scalars[rr] > RESIDUAL * RESIDUAL * scalars[FIRST_RR]);

    if (i < count && !isDone) {
        const double alpha = scalars[rr] / scalars[PQ];

        u[i] += alpha * p[i];
        r[i] -= alpha * q[i];
    }
}

/* p = r + beta p */
__global__ void turn(const double *scalars, int rr, int nextRr, const double *r, double *p,
                     int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count && scalars[rr] > 0.0)
        p[i] = r[i] + scalars[nextRr] / scalars[rr] * p[i];
}

struct gradients {
    double *d_r, *d_p, *d_q, *d_scalars;
    cublasHandle_t blas;
};

/* 16 iterations, submitted. */
static void iterate(const struct gradients *g, const struct poisson *p)
{
    const int count = p->n * p->n, grid = (count + 255) / 256;
    const dim3 block(32, 8), blocks((p->n + 31) / 32, (p->n + 7) / 8);

    for (int k = 0; k < LOOK; k++) {
        const int rr = RR + k % 2, next = RR + (k + 1) % 2;

        cudaVerifyKernel((applyStencil<<<blocks, block, 0, p->stream>>>(g->d_p, g->d_q, p->n)));
        scalarProduct(g->blas, count, g->d_p, g->d_q, g->d_scalars + PQ);
        cudaVerifyKernel((advance<<<grid, 256, 0, p->stream>>>(g->d_scalars, rr, g->d_p, g->d_q,
                                                               p->d_u, g->d_r, count)));
        scalarProduct(g->blas, count, g->d_r, g->d_r, g->d_scalars + next);
        cudaVerifyKernel(
            (turn<<<grid, 256, 0, p->stream>>>(g->d_scalars, rr, next, g->d_r, g->d_p, count)));
    }
}

/* One solution, waited for. Returns the number of iterations. */
static int descend(const struct gradients *g, const struct poisson *p)
{
    const int count = p->n * p->n;
    const size_t bytes = count * sizeof(double);
    double scalars[SCALARS];
    int iterations = 0;

    cudaVerify(cudaMemsetAsync(p->d_u, 0, bytes, p->stream));
    cudaVerify(cudaMemsetAsync(g->d_scalars, 0, sizeof scalars, p->stream));
    cudaVerify(cudaMemcpyAsync(g->d_r, p->d_f, bytes, cudaMemcpyDeviceToDevice, p->stream));
    cudaVerify(cudaMemcpyAsync(g->d_p, p->d_f, bytes, cudaMemcpyDeviceToDevice, p->stream));
    scalarProduct(g->blas, count, g->d_r, g->d_r, g->d_scalars + RR);
    scalarProduct(g->blas, count, g->d_r, g->d_r, g->d_scalars + FIRST_RR);
    for (;;) {
        cudaVerify(cudaMemcpyAsync(scalars, g->d_scalars, sizeof scalars, cudaMemcpyDeviceToHost,
                                   p->stream));
        cudaVerify(cudaStreamSynchronize(p->stream));
        if (!(scalars[RR] > RESIDUAL * RESIDUAL * scalars[FIRST_RR]) ||
            iterations >= ITERATIONS(p->n))
            return iterations;
        iterate(g, p);
        iterations += LOOK;
    }
}

void solveByGradients(const struct poisson *p, struct result *result)
{
    const size_t bytes = (size_t)p->n * p->n * sizeof(double);
    struct gradients g = {NULL, NULL, NULL, NULL, NULL};

    cudaVerify(cudaMalloc((void **)&g.d_r, bytes));
    cudaVerify(cudaMalloc((void **)&g.d_p, bytes));
    cudaVerify(cudaMalloc((void **)&g.d_q, bytes));
    cudaVerify(cudaMalloc((void **)&g.d_scalars, SCALARS * sizeof(double)));
    if (openBlas(&g.blas, p->stream)) {
        MEASURE (run) {
            result->iterations = descend(&g, p);
        }
        cublasVerify(cublasDestroy(g.blas));
    }
    cudaVerify(cudaFree(g.d_r));
    cudaVerify(cudaFree(g.d_p));
    cudaVerify(cudaFree(g.d_q));
    cudaVerify(cudaFree(g.d_scalars));
}
