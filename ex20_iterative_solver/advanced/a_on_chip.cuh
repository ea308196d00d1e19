/* The last rung for small systems: A stays in the registers of the grid, and x in the shared memory
 * of every block. Only residuals go from block to block. */
#ifndef A_ON_CHIP_CUH
#define A_ON_CHIP_CUH

#include "arrays.cuh"

enum { MOST_ROWS = 1024, QUADS_OF_LANE = MOST_ROWS / 128 };

/* A warp for each row. A thread of each block keeps 4 elements of x, and all blocks update x in the
 * same way. The residuals of even and of odd steps lie in different places, so one barrier a step
 * is enough. */
__global__ void aOnChip(struct arrays d)
{
    __shared__ float4 s_x[BLOCK];
    __shared__ float squares[WARPS];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, row = blockIdx.x * WARPS + warp;
    float4 a[QUADS_OF_LANE], x = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    unsigned target = 0;

#pragma unroll
    for (int i = 0; i < QUADS_OF_LANE; i++)
        a[i] = lane + 32 * i < d.quads ? quadOf(d, row, lane + 32 * i) : x;
    for (int k = 0;; k++) {
        volatile float *all = d.r + k % 2 * d.stride; /* other blocks write it */
        float4 r = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        float sum = 0.0f;

        s_x[t] = x;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < QUADS_OF_LANE; i++)
            sum += dot4(a[i], s_x[lane + 32 * i]);
        sum = warpSum(sum);
        if (lane == 0 && row < d.n)
            all[row] = sum - d.f[row];
        gridBarrier(d.arrived, &target);
        if (t < d.quads)
            r = make_float4(all[4 * t], all[4 * t + 1], all[4 * t + 2], all[4 * t + 3]);
        sum = warpSum(dot4(r, r));
        if (lane == 0)
            squares[warp] = sum;
        __syncthreads();
        sum = 0.0f;
        for (int i = 0; i < WARPS; i++)
            sum += squares[i];
        if (blockIdx.x == 0 && t == 0)
            d.norm[k] = sum;
        if (!(sum > d.limit) || k == d.maxSteps)
            break; /* all blocks add the same numbers in the same order, and leave together */
        x.x += d.alpha * r.x;
        x.y += d.alpha * r.y;
        x.z += d.alpha * r.z;
        x.w += d.alpha * r.w;
    }
    if (blockIdx.x == 0 && t < d.quads) /* wherever takeResult() looks */
        ((float4 *)d.x)[t] = ((float4 *)(d.x + d.stride))[t] = x;
}

static void solveOnChip(const struct system *s, struct solution *result)
{
    const unsigned grid = blocksFor(s->n, WARPS);
    struct arrays d;

    if (s->n > MOST_ROWS || grid > residentBlocks(aOnChip, 0)) {
        rowSkip("the registers of this device, or of this kernel, hold too little of A");
        return;
    }
    d = upload(s, 0, 1);
    MEASURE (run) {
        cudaVerify(cudaMemsetAsync(d.arrived, 0, sizeof *d.arrived));
        cudaVerifyKernel((aOnChip<<<grid, BLOCK>>>(d)));
    }
    takeNorms(d, result);
    takeResult(d, result, 1);
    release(d);
}

#endif
