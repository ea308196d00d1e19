/* TASK     y = x transposed, x of ny rows of nx floats, by kernels that differ in the order in
 *          which they read and write.
 * TRAFFIC  8 nx ny bytes: x read, y written.
 * LIMIT    memory bandwidth, once reads and writes are both in order. */
#include "cuda_utils.h"
#include "measure.h"
#include "transpose.h"
#include <string.h>

enum {
    TILE = 32,
    ROWS = 8
}; /* a block of TILE x ROWS threads takes a tile of TILE x TILE elements */

typedef void launch_fn(const float *d_x, float *d_y, size_t nx, size_t ny);

/* The code around every kernel: memory on the device, the copy there, the launch, the copy back. */
template <launch_fn launch> static void transpose(const float *x, float *y, size_t nx, size_t ny)
{
    const size_t bytes = nx * ny * sizeof(float);
    float *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        launch(d_x, d_y, nx, ny);
    }
    cudaVerify(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

/* As many blocks as it takes to cover x with tiles of width x height elements. */
static dim3 tiles(size_t nx, size_t ny, int width, int height)
{
    return dim3((unsigned)((nx + width - 1) / width), (unsigned)((ny + height - 1) / height));
}

/* One element per thread. The lanes of a warp read neighbours of a row, and write into a column: 32
 * floats in 32 sectors. */
__global__ void readByRows(const float *x, float *y, size_t nx, size_t ny)
{
    const size_t column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * ROWS + threadIdx.y;

    if (column < nx && row < ny)
        y[column * ny + row] = x[row * nx + column];
}

void launchByRows(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    cudaVerifyKernel(
        (readByRows<<<tiles(nx, ny, TILE, ROWS), dim3(TILE, ROWS)>>>(d_x, d_y, nx, ny)));
}

/* The stores were scattered. Here the lanes are neighbours in a column of x, so that it is the
 * loads that are scattered. Which is better? */
__global__ void readByColumns(const float *x, float *y, size_t nx, size_t ny)
{
    // TODO 1 begin: one element, with threadIdx.x counting rows of x
    const size_t column = blockIdx.x * ROWS + threadIdx.y, row = blockIdx.y * TILE + threadIdx.x;

    if (column < nx && row < ny)
        y[column * ny + row] = x[row * nx + column];
    // TODO 1 end
}

void launchByColumns(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    cudaVerifyKernel(
        (readByColumns<<<tiles(nx, ny, ROWS, TILE), dim3(TILE, ROWS)>>>(d_x, d_y, nx, ny)));
}

/* Either loads or stores were scattered. Through a tile in shared memory both are in order: the
 * block reads rows of x, waits, and writes rows of y. In a block of 16 x 16 a warp has two rows of
 * 64 bytes. */
__global__ void tile16(const float *x, float *y, size_t nx, size_t ny)
{
    // TODO 2 begin: read a tile of 16 x 16, wait, write it with threadIdx.x along the rows of y
    __shared__ float s[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const size_t column0 = blockIdx.x * 16, row0 = blockIdx.y * 16; /* of the tile */

    if (column0 + tx < nx && row0 + ty < ny)
        s[ty][tx] = x[(row0 + ty) * nx + column0 + tx];
    __syncthreads();
    if (column0 + ty < nx && row0 + tx < ny)
        y[(column0 + ty) * ny + row0 + tx] = s[tx][ty];
    // TODO 2 end
}

void launchTile16(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    cudaVerifyKernel((tile16<<<tiles(nx, ny, 16, 16), dim3(16, 16)>>>(d_x, d_y, nx, ny)));
}

/* A thread had one load in flight, and then waited for the block. Here it does four elements of a
 * larger tile: more bytes are in flight, and rows of 128 bytes. */
__global__ void tile32(const float *x, float *y, size_t nx, size_t ny)
{
    // TODO 3 begin: as tile16, with TILE x TILE elements; TILE x ROWS threads loop over rows
    __shared__ float s[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const size_t column0 = blockIdx.x * TILE, row0 = blockIdx.y * TILE;

#pragma unroll
    for (int k = ty; k < TILE; k += ROWS)
        if (column0 + tx < nx && row0 + k < ny)
            s[k][tx] = x[(row0 + k) * nx + column0 + tx];
    __syncthreads();
#pragma unroll
    for (int k = ty; k < TILE; k += ROWS)
        if (column0 + k < nx && row0 + tx < ny)
            y[(column0 + k) * ny + row0 + tx] = s[tx][k];
    // TODO 3 end
}

void launchTile32(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    cudaVerifyKernel((tile32<<<tiles(nx, ny, TILE, TILE), dim3(TILE, ROWS)>>>(d_x, d_y, nx, ny)));
}

/* The 32 lanes that read a column of the tile all hit the same bank. With rows of 33 words they do
 * not. */
__global__ void padded(const float *x, float *y, size_t nx, size_t ny)
{
    // TODO 4 begin: as tile32, with one more column than the tile needs
    __shared__ float s[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const size_t column0 = blockIdx.x * TILE, row0 = blockIdx.y * TILE;

#pragma unroll
    for (int k = ty; k < TILE; k += ROWS)
        if (column0 + tx < nx && row0 + k < ny)
            s[k][tx] = x[(row0 + k) * nx + column0 + tx];
    __syncthreads();
#pragma unroll
    for (int k = ty; k < TILE; k += ROWS)
        if (column0 + k < nx && row0 + tx < ny)
            y[(column0 + k) * ny + row0 + tx] = s[tx][k];
    // TODO 4 end
}

void launchPadded(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    cudaVerifyKernel((padded<<<tiles(nx, ny, TILE, TILE), dim3(TILE, ROWS)>>>(d_x, d_y, nx, ny)));
}

/* A padded tile wastes a column, and its rows no longer begin at a multiple of 16 bytes. A swizzle
 * needs no more room: word c of row r is kept in place c ^ r, a different bank for each row. */
__global__ void swizzled(const float *x, float *y, size_t nx, size_t ny)
{
    // TODO 5 begin: as tile32, with word c of row r in s[r][c ^ r]
    __shared__ float s[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const size_t column0 = blockIdx.x * TILE, row0 = blockIdx.y * TILE;

#pragma unroll
    for (int k = ty; k < TILE; k += ROWS)
        if (column0 + tx < nx && row0 + k < ny)
            s[k][tx ^ k] = x[(row0 + k) * nx + column0 + tx];
    __syncthreads();
#pragma unroll
    for (int k = ty; k < TILE; k += ROWS)
        if (column0 + k < nx && row0 + tx < ny)
            y[(column0 + k) * ny + row0 + tx] = s[tx][k ^ tx];
    // TODO 5 end
}

void launchSwizzled(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    cudaVerifyKernel((swizzled<<<tiles(nx, ny, TILE, TILE), dim3(TILE, ROWS)>>>(d_x, d_y, nx, ny)));
}

/* Four loads per thread were in flight, too few to hide the latency, and a row of a tile was one
 * line of 128 bytes in each array. A tile of 64 x 64 gives each thread sixteen, and all are loaded
 * before the first is stored. */
__global__ void several(const float *x, float *y, size_t nx, size_t ny)
{
    enum { SIDE = 2 * TILE, PER_THREAD = SIDE / 4 }; /* blocks of SIDE x 4 threads */

    // TODO 6 begin: (advanced) as padded, with tiles of SIDE x SIDE; all loads before any store
    __shared__ float s[SIDE][SIDE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const size_t column0 = blockIdx.x * SIDE, row0 = blockIdx.y * SIDE;
    float kept[PER_THREAD];

#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        kept[k] = column0 + tx < nx && row0 + ty + 4 * k < ny
                      ? x[(row0 + ty + 4 * k) * nx + column0 + tx]
                      : 0.0f;
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        s[ty + 4 * k][tx] = kept[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        if (column0 + ty + 4 * k < nx && row0 + tx < ny)
            y[(column0 + ty + 4 * k) * ny + row0 + tx] = s[tx][ty + 4 * k];
    // TODO 6 end
}

void launchSeveral(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    cudaVerifyKernel((several<<<tiles(nx, ny, 64, 64), dim3(64, 4)>>>(d_x, d_y, nx, ny)));
}

/* Sixteen loads and stores of 4 bytes for each thread. With float4 it is four of 16 bytes each: a
 * thread loads 4 x 4 elements, exchanges rows and columns within its registers, and the block
 * exchanges the quads that result. The swizzle is by quads, 8 of which fill the banks. Rows must be
 * whole quads. */
enum { Q = 16 }; /* a tile has Q x Q pieces of 4 x 4 elements, one to each thread */

/* Stores the columns of a piece whose rows are a to d: column j as a quad to s[j][place]. */
__device__ void storeColumns(float4 (*s)[Q], int place, float4 a, float4 b, float4 c, float4 d)
{
    // TODO 7 begin: (advanced) transpose the piece
    s[0][place] = make_float4(a.x, b.x, c.x, d.x);
    s[1][place] = make_float4(a.y, b.y, c.y, d.y);
    s[2][place] = make_float4(a.z, b.z, c.z, d.z);
    s[3][place] = make_float4(a.w, b.w, c.w, d.w);
    // TODO 7 end
}

__global__ void quads(const float4 *x, float4 *y, size_t nx4, size_t ny4)
{
    // TODO 7 begin: (advanced) load 4 quads one below the other, storeColumns(), store 4
    __shared__ float4 s[4 * Q][Q];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const size_t column0 = blockIdx.x * Q, row0 = blockIdx.y * Q; /* of the tile, in quads */

    if (column0 + tx < nx4 && row0 + ty < ny4) {
        const float4 *from = x + 4 * (row0 + ty) * nx4 + column0 + tx;
        const float4 a = from[0], b = from[nx4], c = from[2 * nx4], d = from[3 * nx4];
        const int place = ty ^ (tx & 7);

        storeColumns(s + 4 * tx, place, a, b, c, d);
    }
    __syncthreads();
#pragma unroll
    for (int k = ty; k < 4 * Q; k += Q)
        if (column0 + k / 4 < nx4 && row0 + tx < ny4)
            y[(4 * column0 + k) * ny4 + row0 + tx] = s[k][tx ^ (k / 4 & 7)];
    // TODO 7 end
}

void launchQuads(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    if (nx % 4 != 0 || ny % 4 != 0) { /* rows that do not begin at 16 bytes */
        launchSeveral(d_x, d_y, nx, ny);
        return;
    }
    cudaVerifyKernel((quads<<<tiles(nx, ny, 64, 64), dim3(16, 16)>>>(
        (const float4 *)d_x, (float4 *)d_y, nx / 4, ny / 4)));
}

/* Blocks start in the order of blockIdx.x, which counted tiles along rows of x: those at work at
 * one time read long stretches, and write short ones, all over y. Memory minds scattered writes
 * more than scattered reads. Here consecutive blocks have tiles below one another in x, which lie
 * beside one another in y. The last of them may be smaller. */
enum { SIDE = 64, QUADS = SIDE / 4 }; /* a whole tile, and a row of it in quads */

/* As many blocks as it takes to cover x with tiles of width x SIDE elements. */
static dim3 inOrderOfY(size_t nx, size_t ny, int width)
{
    dim3 grid(1);

    // TODO 8 begin: (advanced) the grid: blockIdx.x counts tiles below one another in x
    grid = tiles(ny, nx, SIDE, width);
    // TODO 8 end
    if (grid.x != (ny + SIDE - 1) / SIDE)
        verifyThat(0, "the grid has %u blocks in x, for %zu tiles below one another", grid.x,
                   (ny + SIDE - 1) / SIDE);
    return grid;
}

/* A tile: its first element in x, and how much of it is there. */
struct tile {
    size_t column, row;
    int width, height; /* at most WIDTH and SIDE */
};

template <int WIDTH> static __device__ struct tile tileOf(size_t nx, size_t ny)
{
    struct tile t = {nx, ny, 0, 0}; /* none */

    // TODO 8 begin: (advanced) the block's tile
    t.column = (size_t)blockIdx.y * WIDTH;
    t.row = (size_t)blockIdx.x * SIDE;
    t.width = (int)(nx - t.column < WIDTH ? nx - t.column : WIDTH);
    t.height = (int)(ny - t.row < SIDE ? ny - t.row : SIDE);
    // TODO 8 end
    return t;
}

#include "advanced/any_shape.cuh" /* loadQuads, storeQuads, storeFloats, swizzle, narrowTiles */

/* Quads needed rows that begin at 16 bytes. Where those of x do not, the lanes load floats of a
 * row, and four rows of a column are a quad already. A whole tile, as nearly all are, asks for no
 * element whether it is there. */
template <int THREADS>
static __device__ inline void loadFloats(float4 (*s)[QUADS], const float *x, size_t nx, int width,
                                         int height)
{
    enum { PER_THREAD = SIDE * QUADS / THREADS, APART = THREADS / SIDE }; /* in quads */

    // TODO 9 begin: (advanced) quad q, four rows of a column, to s[column][swizzle(q, column, 1)]
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
    // TODO 9 end
}

/* QUADS_IN and QUADS_OUT: whether the rows of x, and those of y, begin at multiples of 16 bytes. */
template <int QUADS_IN, int QUADS_OUT>
__global__ void __launch_bounds__(QUADS_IN ? 256 : 512, 2)
    anyShape(const float *x, float *y, size_t nx, size_t ny)
{
    enum { STEP = QUADS_IN ? 4 : 1, THREADS = QUADS_IN ? 256 : 512 };
    // TODO 9 begin: (advanced) load the tile by quads or by floats, wait, store it by either
    __shared__ float4 s[SIDE][QUADS];
    const struct tile t = tileOf<SIDE>(nx, ny);

    if (QUADS_IN)
        loadQuads(s, x + t.row * nx + t.column, nx, t.width, t.height);
    else
        loadFloats<THREADS>(s, x + t.row * nx + t.column, nx, t.width, t.height);
    __syncthreads();
    if (QUADS_OUT)
        storeQuads<THREADS, STEP>(s, y + t.column * ny + t.row, ny, t.width, t.height);
    else
        storeFloats<THREADS, STEP>(s, y + t.column * ny + t.row, ny, t.width, t.height);
    // TODO 9 end
}

void launchAnyShape(const float *d_x, float *d_y, size_t nx, size_t ny)
{
    const dim3 grid = inOrderOfY(nx, ny, SIDE);

    if (nx % 4 == 0 && ny % 4 == 0)
        cudaVerifyKernel((anyShape<1, 1><<<grid, 256>>>(d_x, d_y, nx, ny)));
    else if (nx % 4 == 0)
        cudaVerifyKernel((anyShape<1, 0><<<grid, 256>>>(d_x, d_y, nx, ny)));
    else if (ny % 4 == 0)
        cudaVerifyKernel((anyShape<0, 1><<<grid, 512>>>(d_x, d_y, nx, ny)));
    else if (!isCached(nx, ny))
        cudaVerifyKernel((anyShape<0, 0><<<grid, 512>>>(d_x, d_y, nx, ny)));
    else
        cudaVerifyKernel((narrowTiles<<<inOrderOfY(nx, ny, SIDE / 2), 256>>>(d_x, d_y, nx, ny)));
}

#include "advanced/in_place.cuh" /* transposeInPlace */
#include "advanced/texture.cuh"  /* transposeTexture */

extern "C" const struct variant deviceVariants[] = {
    {"read by rows", transpose<launchByRows>},
    {"read by columns", transpose<launchByColumns>},
    {"tile of 16 x 16", transpose<launchTile16>},
    {"tile of 32 x 32", transpose<launchTile32>},
    {"padded", transpose<launchPadded>},
    {"swizzled", transpose<launchSwizzled>},
    {"several per thread", transpose<launchSeveral>},
    {"float4 both ways", transpose<launchQuads>},
    {"blocks in the order of y", transpose<launchAnyShape>},
    {"in place", transposeInPlace},
    {"texture", transposeTexture},
    {NULL, NULL},
};
