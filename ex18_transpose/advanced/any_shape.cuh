/* What the last rung, for any shape, needs beside its kernel: loads and stores by quads, stores by
 * floats, and narrower tiles. */
#ifndef ANY_SHAPE_CUH
#define ANY_SHAPE_CUH

#include "cuda_utils.h"

/* The place of a quad in row `row` of a tile with rows that differ in row / step from lane to
 * lane. */
static __device__ inline int swizzle(int quad, int row, int step)
{
    return quad ^ (row / step & 7);
}

/* Loads the tile whose corner x points to, `width` x `height` of it, with rows of float4: s[c] is
 * column c of the tile, a quad of it in s[c][swizzle(quad, c, 4)]. Each of 256 threads does 4 x 4
 * elements. */
static __device__ inline void loadQuads(float4 (*s)[QUADS], const float *x, size_t nx, int width,
                                        int height)
{
    const int column = threadIdx.x % QUADS, row = threadIdx.x / QUADS; /* in quads */
    const size_t nx4 = nx / 4;

    if (4 * column < width && 4 * row < height) {
        const float4 *from = (const float4 *)x + 4 * row * nx4 + column;
        const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        const int rows = height - 4 * row; /* from here on, of which the last quad may lack some */
        const float4 a = from[0], b = rows > 1 ? from[nx4] : zero,
                     c = rows > 2 ? from[2 * nx4] : zero, d = rows > 3 ? from[3 * nx4] : zero;
        const int place = swizzle(row, 4 * column, 4);

        storeColumns(s + 4 * column, place, a, b, c, d);
    }
}

/* Stores the tile to the corner of y that y points to, by quads or, where those are not aligned, by
 * floats. */
template <int THREADS, int STEP>
static __device__ inline void storeQuads(const float4 (*s)[QUADS], float *y, size_t ny, int width,
                                         int height)
{
    const int quad = threadIdx.x % QUADS, first = threadIdx.x / QUADS;
    float4 *to = (float4 *)y + quad;

#pragma unroll
    for (int k = 0; k < SIDE * QUADS / THREADS; k++) {
        const int row = first + k * (THREADS / QUADS);

        if (row < width && 4 * quad < height)
            to[row * (ny / 4)] = s[row][swizzle(quad, row, STEP)];
    }
}

template <int THREADS, int STEP>
static __device__ inline void storeFloats(const float4 (*s)[QUADS], float *y, size_t ny, int width,
                                          int height)
{
    const int place = threadIdx.x % SIDE, first = threadIdx.x / SIDE;
    const int whole = width == SIDE && height == SIDE;

    y += first * ny + place;
#pragma unroll
    for (int k = 0; k < SIDE * SIDE / THREADS; k++) {
        const int row = first + k * (THREADS / SIDE);

        if (whole || (row < width && place < height))
            *y = ((const float *)&s[row][swizzle(place / 4, row, STEP)])[place % 4];
        y += THREADS / SIDE * ny;
    }
}

/* Where no row begins at 16 bytes and both arrays are in the L2 cache: tiles of 32 columns, kept as
 * floats in rows of 65 words. Such blocks are small, and eight of them run at a time on a
 * multiprocessor. */
__global__ void __launch_bounds__(256, 8)
    narrowTiles(const float *x, float *y, size_t nx, size_t ny)
{
    enum { WIDTH = SIDE / 2, PER_THREAD = WIDTH * SIDE / 256 };
    __shared__ float s[WIDTH][SIDE + 1];
    const struct tile t = tileOf<WIDTH>(nx, ny);
    const size_t column0 = t.column, row0 = t.row;
    const int whole = nx - column0 >= WIDTH && ny - row0 >= SIDE;
    const int column = threadIdx.x % WIDTH, row = threadIdx.x / WIDTH; /* of x, in the tile */
    const int place = threadIdx.x % SIDE, line = threadIdx.x / SIDE;   /* of y */
    float kept[PER_THREAD];

#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        const int r = row + k * (256 / WIDTH);

        kept[k] = whole || (column0 + column < nx && row0 + r < ny)
                      ? x[(row0 + r) * nx + column0 + column]
                      : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        s[column][row + k * (256 / WIDTH)] = kept[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        const int c = line + k * (256 / SIDE);

        if (whole || (column0 + c < nx && row0 + place < ny))
            y[(column0 + c) * ny + row0 + place] = s[c][place];
    }
}

static int isCached(size_t nx, size_t ny)
{
    int device = 0, bytes = 0;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    return 2 * nx * ny * sizeof(float) <= (size_t)bytes / 3 * 2;
}

#endif
