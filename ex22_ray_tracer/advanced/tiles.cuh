/* Which pixels a warp has matters once its lanes go different ways. solution.cu includes this file
 * behind what it builds on. */
#ifndef TILES_CUH
#define TILES_CUH

/* The pixel of lane p % 32 in tile p / 32: tiles of 8 x 4 pixels, as many as cover the picture.
 * Pixels beyond its edge are -1. */
static __device__ long long pixelInTile(const struct view *view, size_t p)
{
    long long pixel = -1;

    const int across = (view->width + 7) / 8;
    const int tile = (int)(p / 32), lane = (int)(p % 32);
    const int x = tile % across * 8 + lane % 8, y = tile / across * 4 + lane / 8;

    if (x < view->width && y < view->rows)
        pixel = (long long)y * view->width + x;
    return pixel;
}

/* A warp is done when its last lane is, and what its lanes do one after the other, the others wait
 * for. The nearer its pixels are to each other, the more they go through the same boxes: 8 x 4
 * pixels instead of 32 in a row. */
__global__ void fullPictureTiles(struct device_scene scene, struct view view, int *image)
{
    const long long p = pixelInTile(&view, (size_t)blockIdx.x * blockDim.x + threadIdx.x);

    if (p >= 0)
        image[p] =
            pixelOf(lightAlong<searchTree>(&scene, &view, rayOf(&view, (size_t)p), 1.0f, black()));
}

/* Threads for all tiles. */
static size_t tiledThreads(const struct view *view)
{
    return (size_t)32 * ((view->width + 7) / 8) * ((view->rows + 3) / 4);
}

void launchTiles(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(128);

    cudaVerifyKernel(
        (fullPictureTiles<<<blocksFor(tiledThreads(view), block), block>>>(*d, *view, d_image)));
}

#endif
