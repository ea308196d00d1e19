/* TASK     As many multiply-adds as the square has, in registers: what the device can do at most.
 * TRAFFIC  None to speak of.
 * LIMIT    multiply-adds. */
#include "cuda_utils.h"
#include "measure.h"
#include "stencil3d.h"

/* Eight chains in a thread, v = v / 2 + 1, which end at 2. The factor comes as an argument, so that
 * the compiler cannot tell. */
enum { CHAINS = 8, STEPS = 64, BLOCK = 256 };

__global__ void multiplyAdd(float *y, int turns, float factor, float summand)
{
    float v[CHAINS], mean = 0.0f;

    for (int i = 0; i < CHAINS; i++)
        v[i] = (float)i;
    for (int turn = 0; turn < turns; turn++)
#pragma unroll
        for (int step = 0; step < STEPS; step++)
#pragma unroll
            for (int i = 0; i < CHAINS; i++)
                v[i] = v[i] * factor + summand;
    for (int i = 0; i < CHAINS; i++)
        mean += v[i] / CHAINS;
    if (blockIdx.x + threadIdx.x == 0)
        *y = mean;
}

static void multiplyAdds(const float *, float *y, const struct problem *p)
{
    const int side = 2 * p->radius + 1, most = multiprocessors() * (2048 / BLOCK);
    const double turns =
        (double)p->nx * p->ny * side * side / (CHAINS * STEPS); /* of all threads */
    const int grid = turns < (double)most * BLOCK ? (int)(turns / BLOCK) + 1 : most;
    float *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_y, sizeof *d_y));
    MEASURE (run) {
        cudaVerifyKernel((multiplyAdd<<<grid, BLOCK>>>(
            d_y, (int)(turns / ((double)grid * BLOCK)) + 1, 0.5f, 1.0f)));
    }
    cudaVerify(cudaMemcpy(y, d_y, sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_y));
}

extern "C" const struct variant libraryVariants[] = {
    {"multiply-adds in registers", multiplyAdds, SQUARE | RATE | OTHER_WORK},
    {NULL, NULL},
};
