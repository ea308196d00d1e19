/* The code around the kernels that turn an image: memory on the device, the copies there, the
 * launch, the copy back. */
#ifndef IMAGES_CUH
#define IMAGES_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "textures.h"
#include "references.cuh"
#include <string.h>

/* An image, in memory or in an array of the texture; 0 what a launch has no need of. */
struct canvas {
    const float *x;
    cudaTextureObject_t texture; /* 0 on Fermi */
    cudaSurfaceObject_t surface;
    int side;
    struct turn turn;
};
typedef void turn_fn(struct canvas c, float *d_y);

/* Of the exercise. */
static cudaTextureObject_t imageTexture(cudaArray_t array, enum cudaTextureFilterMode filter);

static struct canvas canvasOf(const struct work *work)
{
    struct canvas c;

    memset(&c, 0, sizeof c);
    c.side = work->side;
    c.turn = work->turn;
    return c;
}

/* A pixel, or the outermost one in its direction. */
static __device__ inline float pixelAt(const float *x, int side, int column, int row)
{
    return x[(size_t)inside(row, side) * side + inside(column, side)];
}

/* Blocks of 32 x 8 threads, one for each pixel. */
static dim3 gridOf(int side) { return dim3((side + 31) / 32, (side + 7) / 8); }

template <turn_fn launch> static void turnFromMemory(const struct work *work, float *y)
{
    const size_t bytes = sizeof(float) * work->side * work->side;
    struct canvas c = canvasOf(work);
    float *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMemcpy(d_x, work->x, bytes, cudaMemcpyHostToDevice));
    c.x = d_x;
    MEASURE (run) {
        launch(c, d_y);
    }
    cudaVerify(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

/* An array for an image, with these values. */
static cudaArray_t newImage(const float *x, int side, unsigned flags)
{
    const cudaChannelFormatDesc oneFloat = cudaCreateChannelDesc<float>();
    const size_t rowBytes = side * sizeof *x;
    cudaArray_t array = NULL;

    cudaVerify(cudaMallocArray(&array, &oneFloat, side, side, flags));
    cudaVerify(
        cudaMemcpy2DToArray(array, 0, 0, x, rowBytes, rowBytes, side, cudaMemcpyHostToDevice));
    return array;
}

/* The copy puts the image into the array's own order: that is not measured, and not for nothing. */
template <turn_fn launch, enum cudaTextureFilterMode filter>
static void turnFromArray(const struct work *work, float *y)
{
    const size_t bytes = sizeof(float) * work->side * work->side;
    struct canvas c = canvasOf(work);
    cudaArray_t array = newImage(work->x, work->side, cudaArrayDefault);
    float *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    if (isFermi())
        bindImage(array, filter);
    else
        c.texture = imageTexture(array, filter);
    MEASURE (run) {
        launch(c, d_y);
    }
    cudaVerify(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    if (c.texture != 0)
        cudaVerify(cudaDestroyTextureObject(c.texture));
    else if (isFermi())
        unbindImage();
    cudaVerify(cudaFreeArray(array));
    cudaVerify(cudaFree(d_y));
}

/* The result in an array, too: the next kernel may read that as a texture. */
template <turn_fn launch> static void turnToSurface(const struct work *work, float *y)
{
    const size_t rowBytes = work->side * sizeof *y;
    struct canvas c = canvasOf(work);
    cudaArray_t from, to;
    cudaResourceDesc resource;

    if (isFermi()) {
        rowSkip("surface objects need compute capability 3.0");
        return;
    }
    from = newImage(work->x, work->side, cudaArrayDefault);
    to = newImage(y, work->side, cudaArraySurfaceLoadStore); /* the harness has poisoned y */
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = to;
    cudaVerify(cudaCreateSurfaceObject(&c.surface, &resource));
    c.texture = imageTexture(from, cudaFilterModeLinear);
    MEASURE (run) {
        launch(c, NULL);
    }
    cudaVerify(
        cudaMemcpy2DFromArray(y, rowBytes, to, 0, 0, rowBytes, work->side, cudaMemcpyDeviceToHost));
    if (c.texture != 0)
        cudaVerify(cudaDestroyTextureObject(c.texture));
    cudaVerify(cudaDestroySurfaceObject(c.surface));
    cudaVerify(cudaFreeArray(from));
    cudaVerify(cudaFreeArray(to));
}

#endif
