/* The last rung: as quads, for any shape, and with its blocks in the order of y. */
#ifndef ANY_SHAPE_CUH
#define ANY_SHAPE_CUH

#include "cuda_utils.h"

enum { SIDE = 64, QUADS = SIDE / 4 }; /* a tile, and a row of it in quads */

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

/* The same where rows do not begin at 16 bytes: the lanes load floats of a row, and four rows of a
 * column are a quad already. Here it is s[c][swizzle(quad, c, 1)]. A whole tile, as nearly all are,
 * asks for no element whether it is there. */
template <int THREADS>
static __device__ inline void loadFloats(float4 (*s)[QUADS], const float *x, size_t nx, int width,
                                         int height)
{
    enum { PER_THREAD = SIDE * QUADS / THREADS, APART = THREADS / SIDE };
    const int column = threadIdx.x % SIDE, first = threadIdx.x / SIDE;
    const int whole = width == SIDE && height == SIDE;
    float kept[PER_THREAD][4];

    x += 4 * first * nx + column;
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int row = 4 * k * APART + j;

            kept[k][j] = whole || (column < width && 4 * first + row < height) ? x[row * nx] : 0.0f;
        }
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        s[column][swizzle(first + k * APART, column, 1)] =
            make_float4(kept[k][0], kept[k][1], kept[k][2], kept[k][3]);
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

/* QUADS_IN and QUADS_OUT: whether the rows of x, and those of y, begin at multiples of 16 bytes.
 * Consecutive blocks take tiles below one another in x, which lie beside one another in y. */
template <int QUADS_IN, int QUADS_OUT>
__global__ void __launch_bounds__(QUADS_IN ? 256 : 512, 2)
    anyShape(const float *x, float *y, size_t nx, size_t ny)
{
    enum { STEP = QUADS_IN ? 4 : 1, THREADS = QUADS_IN ? 256 : 512 };
    __shared__ float4 s[SIDE][QUADS];
    const size_t column0 = (size_t)blockIdx.y * SIDE, row0 = (size_t)blockIdx.x * SIDE;
    const int width = (int)(nx - column0 < SIDE ? nx - column0 : SIDE);
    const int height = (int)(ny - row0 < SIDE ? ny - row0 : SIDE);

    if (QUADS_IN)
        loadQuads(s, x + row0 * nx + column0, nx, width, height);
    else
        loadFloats<THREADS>(s, x + row0 * nx + column0, nx, width, height);
    __syncthreads();
    if (QUADS_OUT)
        storeQuads<THREADS, STEP>(s, y + column0 * ny + row0, ny, width, height);
    else
        storeFloats<THREADS, STEP>(s, y + column0 * ny + row0, ny, width, height);
}

/* Where no row begins at 16 bytes and both arrays are in the L2 cache: tiles of 32 columns, kept as
 * floats in rows of 65 words. Such blocks are small, and eight of them run at a time on a
 * multiprocessor. */
__global__ void __launch_bounds__(256, 8)
    narrowTiles(const float *x, float *y, size_t nx, size_t ny)
{
    enum { WIDTH = SIDE / 2, PER_THREAD = WIDTH * SIDE / 256 };
    __shared__ float s[WIDTH][SIDE + 1];
    const size_t column0 = (size_t)blockIdx.y * WIDTH, row0 = (size_t)blockIdx.x * SIDE;
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

void launchAnyShape(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    const dim3 grid = tiles(ny, nx, SIDE, SIDE);

    if (nx % 4 == 0 && ny % 4 == 0)
        cudaVerifyKernel((anyShape<1, 1><<<grid, 256>>>(d_x, d_y, nx, ny)));
    else if (nx % 4 == 0)
        cudaVerifyKernel((anyShape<1, 0><<<grid, 256>>>(d_x, d_y, nx, ny)));
    else if (ny % 4 == 0)
        cudaVerifyKernel((anyShape<0, 1><<<grid, 512>>>(d_x, d_y, nx, ny)));
    else if (!isCached(nx, ny))
        cudaVerifyKernel((anyShape<0, 0><<<grid, 512>>>(d_x, d_y, nx, ny)));
    else
        cudaVerifyKernel((narrowTiles<<<tiles(ny, nx, SIDE, SIDE / 2), 256>>>(d_x, d_y, nx, ny)));
}

#endif
