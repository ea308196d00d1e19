/* TASK     sums of gathered elements, and an image turned and scaled: each way in which a kernel
 *          can read.
 * TRAFFIC  of an image of n x n floats: 4 n n bytes written, 4 scale scale n n read. Of sums of
 *          regions: 4 n n read.
 * LIMIT    memory bandwidth; for what stays in a cache, the rate of that cache. */
#include "cuda_utils.h"
#include "measure.h"
#include "textures.h"
#include "advanced/gathers.cuh" /* struct source, and what surrounds the gathers */
#include "advanced/images.cuh"  /* struct canvas, and what surrounds the images */
#include "advanced/box.cuh"

/* At most 64 KB of these are in a program. Kernels can only read them. */
__constant__ float c_table[TABLE];

/* A texture of plain memory: elements 0 to count - 1, by their index. */
static cudaTextureObject_t elementsTexture(const float *d_x, int count)
{
    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource; /* what is read */
    cudaTextureDesc how;       /* and how */

    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    // TODO 1 begin: resource is linear memory: d_x, its type, its size in bytes; create the texture
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)d_x;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = count * sizeof *d_x;
    how.readMode = cudaReadModeElementType;
    cudaVerify(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    // TODO 1 end
    return texture;
}

static void tableToConstant(const float *table)
{
    // TODO 2 begin: copy the TABLE elements to c_table
    cudaVerify(cudaMemcpyToSymbol(c_table, table, TABLE * sizeof *table));
    // TODO 2 end
}

/* A region per thread, by plain loads, as in exercise 4: at any time the lanes are in 32 places.
 * Each sector serves eight steps, if a cache keeps it for so long. */
__global__ void gatherPlain(const float *x, const int *first, struct shape s, float *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t < s.threads) {
        for (int k = first[t], end = endOf(k, s); k < end; k++)
            sum += x[k];
        y[t] = sum;
    }
}

/* Kepler does not keep plain loads in L1. What nobody writes while the kernel runs can come through
 * the cache of its textures: these pointers promise that, and the compiler may use it. */
__global__ void gatherRestrict(const float *__restrict__ x, const int *__restrict__ first,
                               struct shape s, float *__restrict__ y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t < s.threads) {
        for (int k = first[t], end = endOf(k, s); k < end; k++)
            sum += x[k];
        y[t] = sum;
    }
}

/* That promise may go unused. __ldg() asks for this cache, load by load. */
__global__ void gatherLdg(const float *x, const int *first, struct shape s, float *y)
{
    // TODO 3 begin: as gatherPlain, with __ldg() for the elements of x
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t < s.threads) {
        for (int k = first[t], end = endOf(k, s); k < end; k++)
            sum += __ldg(&x[k]);
        y[t] = sum;
    }
    // TODO 3 end
}

/* Before there was __ldg(), a texture was the way into that cache, and it still is one. */
__global__ void gatherTexture(cudaTextureObject_t x, const int *first, struct shape s, float *y)
{
    // TODO 4 begin: the same with tex1Dfetch<float>()
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t < s.threads) {
        for (int k = first[t], end = endOf(k, s); k < end; k++)
            sum += tex1Dfetch<float>(x, k);
        y[t] = sum;
    }
    // TODO 4 end
}

void launchTexture(struct source from, struct shape s, float *d_y)
{
    const int block = blockSize(256);

    if (from.texture != 0)
        cudaVerifyKernel((gatherTexture<<<blocksFor(s.threads, block), block>>>(
            from.texture, from.first, s, d_y)));
    else if (isFermi())
        launchGatherReference(from.first, s, d_y);
}

/* A small table fits into constant memory, whose cache hands one word to all lanes at a time. */
__global__ void gatherConstant(const int *first, struct shape s, float *y)
{
    // TODO 5 begin: the same from c_table
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t < s.threads) {
        for (int k = first[t], end = endOf(k, s); k < end; k++)
            sum += c_table[k];
        y[t] = sum;
    }
    // TODO 5 end
}

void launchConstant(struct source from, struct shape s, float *d_y)
{
    const int block = blockSize(256);

    cudaVerifyKernel((gatherConstant<<<blocksFor(s.threads, block), block>>>(from.first, s, d_y)));
}

/* A texture of an image in an array, by column and row; beyond its edges the outermost pixels go
 * on. */
static cudaTextureObject_t imageTexture(cudaArray_t array, enum cudaTextureFilterMode filter)
{
    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource;
    cudaTextureDesc how;

    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    // TODO 6 begin: resource: the array; how: clamped both ways, this filter; create the texture
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    cudaVerify(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    // TODO 6 end
    return texture;
}

/* Now the image: of each place the pixel in which it lies. A warp's places are on a slanted line,
 * and the pixels of neighbouring lanes often in different rows: in different sectors. */
__global__ void nearestPlain(const float *x, float *y, int side, struct turn turn)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < side && j < side)
        y[(size_t)j * side + i] =
            pixelAt(x, side, (int)floorf(placeU(turn, i, j)), (int)floorf(placeV(turn, i, j)));
}

void launchNearest(struct canvas c, float *d_y)
{
    cudaVerifyKernel((nearestPlain<<<gridOf(c.side), dim3(32, 8)>>>(c.x, d_y, c.side, c.turn)));
}

/* In an array, what is near in either direction is near in memory. The texture knows the edges,
 * too. How exactly it takes a place near a pixel's edge is not documented: a pixel's centre is
 * safe. */
__global__ void nearestTexture(cudaTextureObject_t x, float *y, int side, struct turn turn)
{
    // TODO 7 begin: tex2D<float>() at the centre of the pixel that the place lies in
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < side && j < side)
        y[(size_t)j * side + i] =
            tex2D<float>(x, floorf(placeU(turn, i, j)) + 0.5f, floorf(placeV(turn, i, j)) + 0.5f);
    // TODO 7 end
}

void launchNearestTexture(struct canvas c, float *d_y)
{
    if (c.texture != 0)
        cudaVerifyKernel(
            (nearestTexture<<<gridOf(c.side), dim3(32, 8)>>>(c.texture, d_y, c.side, c.turn)));
    else if (isFermi())
        launchTurnReference<1>(d_y, c.side, c.turn, gridOf(c.side), dim3(32, 8));
}

/* The nearest pixel gives steps. Interpolation between the centres of four is smooth, and costs
 * four loads. */
__global__ void linearPlain(const float *x, float *y, int side, struct turn turn)
{
    // TODO 8 begin: the four pixels around the place, from pixelAt(), and their weighted mean
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < side && j < side) {
        const float u = placeU(turn, i, j) - 0.5f, v = placeV(turn, i, j) - 0.5f;
        const int k = (int)floorf(u), l = (int)floorf(v);
        const float a = u - floorf(u), b = v - floorf(v);
        const float upper = (1.0f - a) * pixelAt(x, side, k, l) + a * pixelAt(x, side, k + 1, l);
        const float lower =
            (1.0f - a) * pixelAt(x, side, k, l + 1) + a * pixelAt(x, side, k + 1, l + 1);

        y[(size_t)j * side + i] = (1.0f - b) * upper + b * lower;
    }
    // TODO 8 end
}

void launchLinear(struct canvas c, float *d_y)
{
    cudaVerifyKernel((linearPlain<<<gridOf(c.side), dim3(32, 8)>>>(c.x, d_y, c.side, c.turn)));
}

/* All of that, four loads, edges and arithmetic, is what a texture unit does in one request. Its
 * weights have 8 fractional bits. */
__global__ void linearTexture(cudaTextureObject_t x, float *y, int side, struct turn turn)
{
    // TODO 9 begin: tex2D<float>() at the place
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < side && j < side)
        y[(size_t)j * side + i] = tex2D<float>(x, placeU(turn, i, j), placeV(turn, i, j));
    // TODO 9 end
}

void launchLinearTexture(struct canvas c, float *d_y)
{
    if (c.texture != 0)
        cudaVerifyKernel(
            (linearTexture<<<gridOf(c.side), dim3(32, 8)>>>(c.texture, d_y, c.side, c.turn)));
    else if (isFermi())
        launchTurnReference<0>(d_y, c.side, c.turn, gridOf(c.side), dim3(32, 8));
}

/* With float weights, and each pixel loaded once, row by row: a block brings the box that its tile
 * sees into shared memory. boxLeft() and boxTop() are its first column and row, box its side. */
__global__ void linearTiles(const float *x, float *y, int side, struct turn turn, int box)
{
    // TODO 10 begin: (advanced) load the box, wait, interpolate TILE x TILE pixels by ROWS rows
    __shared__ float s[BOX][BOX];
    const int i0 = blockIdx.x * TILE, j0 = blockIdx.y * TILE, i = i0 + threadIdx.x;
    const int left = boxLeft(turn, i0, j0), top = boxTop(turn, i0, j0);

    for (int row = threadIdx.y; row < box; row += ROWS)
        for (int column = threadIdx.x; column < box; column += TILE)
            s[row][column] = pixelAt(x, side, left + column, top + row);
    __syncthreads();
    for (int j = j0 + threadIdx.y; j < j0 + TILE; j += ROWS)
        if (i < side && j < side) {
            const float u = placeU(turn, i, j) - 0.5f, v = placeV(turn, i, j) - 0.5f;
            const int k = (int)floorf(u) - left, l = (int)floorf(v) - top;
            const float a = u - floorf(u), b = v - floorf(v);

            y[(size_t)j * side + i] = (1.0f - b) * ((1.0f - a) * s[l][k] + a * s[l][k + 1]) +
                                      b * ((1.0f - a) * s[l + 1][k] + a * s[l + 1][k + 1]);
        }
    // TODO 10 end
}

void launchLinearTiles(struct canvas c, float *d_y)
{
    const int box = boxOf(c.turn), tiles = (c.side + TILE - 1) / TILE;

    if (box > BOX) { /* the tile sees more than fits */
        launchLinear(c, d_y);
        return;
    }
    cudaVerifyKernel(
        (linearTiles<<<dim3(tiles, tiles), dim3(TILE, ROWS)>>>(c.x, d_y, c.side, c.turn, box)));
}

/* If the result is an image that the next kernel reads as a texture, it should be in an array. A
 * surface writes there. */
__global__ void linearSurface(cudaTextureObject_t x, cudaSurfaceObject_t y, int side,
                              struct turn turn)
{
    // TODO 11 begin: (advanced) as linearTexture, with surf2Dwrite(), whose x counts bytes
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < side && j < side)
        surf2Dwrite(tex2D<float>(x, placeU(turn, i, j), placeV(turn, i, j)), y,
                    i * (int)sizeof(float), j);
    // TODO 11 end
}

void launchLinearSurface(struct canvas c, float *)
{
    if (c.texture != 0)
        cudaVerifyKernel(
            (linearSurface<<<gridOf(c.side), dim3(32, 8)>>>(c.texture, c.surface, c.side, c.turn)));
}

#include "advanced/several.cuh" /* several pixels by each thread */

extern "C" const struct variant deviceVariants[] = {
    {"regions, plain loads", gather<launchLoads<gatherPlain>, IN_MEMORY>},
    {"regions, const __restrict__", gather<launchLoads<gatherRestrict>, IN_MEMORY>},
    {"regions, __ldg()", gather<launchLoads<gatherLdg>, IN_MEMORY>},
    {"regions, texture", gather<launchTexture, IN_TEXTURE>},
    {"table, plain loads", gather<launchLoads<gatherPlain>, IN_MEMORY>},
    {"table, __ldg()", gather<launchLoads<gatherLdg>, IN_MEMORY>},
    {"table, texture", gather<launchTexture, IN_TEXTURE>},
    {"table, constant memory", gather<launchConstant, IN_CONSTANT>},
    {"one address, plain loads", gather<launchLoads<gatherPlain>, IN_MEMORY>},
    {"one address, __ldg()", gather<launchLoads<gatherLdg>, IN_MEMORY>},
    {"one address, texture", gather<launchTexture, IN_TEXTURE>},
    {"one address, constant memory", gather<launchConstant, IN_CONSTANT>},
    {"nearest, plain loads", turnFromMemory<launchNearest>},
    {"nearest, texture", turnFromArray<launchNearestTexture, cudaFilterModePoint>},
    {"linear, plain loads", turnFromMemory<launchLinear>},
    {"linear, texture", turnFromArray<launchLinearTexture, cudaFilterModeLinear>},
    {"linear, shared tiles", turnFromMemory<launchLinearTiles>},
    {"linear, texture, 4 pixels", turnFromArray<launchLinearSeveral, cudaFilterModeLinear>},
    {"linear, texture, surface", turnToSurface<launchLinearSurface>},
    {NULL, NULL},
};
