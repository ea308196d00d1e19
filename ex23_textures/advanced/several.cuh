/* TASK     an interpolated image, several pixels by each thread.
 * TRAFFIC  as with one pixel: the part of the image that is seen, and the result.
 * LIMIT    a thread that waits for one texel leaves the memory idle; with PIXELS of them under way,
 *          memory bandwidth. */
#ifndef SEVERAL_CUH
#define SEVERAL_CUH

#include "images.cuh"

enum { PIXELS = 4, PIXEL_ROWS = 8 };

/* A block has 32 x PIXEL_ROWS threads, and PIXELS times as many rows of the result. Places past the
 * last row are read, where the texture goes on as at its edge, and thrown away. */
__global__ void linearSeveral(cudaTextureObject_t x, float *y, int side, struct turn turn)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j0 = blockIdx.y * PIXELS * PIXEL_ROWS + threadIdx.y;
    float value[PIXELS];

#pragma unroll
    for (int p = 0; p < PIXELS; p++)
        value[p] = tex2D<float>(x, placeU(turn, i, j0 + p * PIXEL_ROWS),
                                placeV(turn, i, j0 + p * PIXEL_ROWS));
#pragma unroll
    for (int p = 0; p < PIXELS; p++)
        if (i < side && j0 + p * PIXEL_ROWS < side)
            y[(size_t)(j0 + p * PIXEL_ROWS) * side + i] = value[p];
}

void launchLinearSeveral(struct canvas c, float *d_y)
{
    const dim3 grid((c.side + 31) / 32, (c.side + PIXELS * PIXEL_ROWS - 1) / (PIXELS * PIXEL_ROWS));

    if (c.texture != 0)
        cudaVerifyKernel(
            (linearSeveral<<<grid, dim3(32, PIXEL_ROWS)>>>(c.texture, d_y, c.side, c.turn)));
    else if (isFermi())
        launchTurnReference<0>(d_y, c.side, c.turn, gridOf(c.side), dim3(32, 8));
}

#endif
