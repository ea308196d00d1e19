/* A rung that leaves the order to the device: x in a CUDA array, which the device lays out so that
 * what is near in either direction is near in memory. A kernel can read it through a texture, and
 * only so. */
#ifndef TEXTURE_CUH
#define TEXTURE_CUH

#include "cuda_utils.h"
#include "measure.h"

/* Scattered loads, as in readByColumns, but of a layout to which both directions are alike. */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 300
__global__ void readTexture(cudaTextureObject_t x, float *y, size_t nx, size_t ny)
{
    const size_t column = blockIdx.x * ROWS + threadIdx.y, row = blockIdx.y * TILE + threadIdx.x;

    if (column < nx && row < ny)
        y[column * ny + row] = tex2D<float>(x, (float)column, (float)row);
}
#else /* texture objects came with Kepler */
__global__ void readTexture(cudaTextureObject_t, float *, size_t, size_t) {}
#endif

/* A texture of all of the array, read without interpolation. */
static cudaTextureObject_t textureOf(cudaArray_t array)
{
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaTextureObject_t texture = 0;

    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    how.readMode = cudaReadModeElementType;
    cudaVerify(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

/* 1 if a texture of this device can have that many columns and rows. */
static int fitsIntoTexture(size_t nx, size_t ny)
{
    int device = 0, major = 0, columns = 0, rows = 0;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    cudaVerify(cudaDeviceGetAttribute(&columns, cudaDevAttrMaxTexture2DWidth, device));
    cudaVerify(cudaDeviceGetAttribute(&rows, cudaDevAttrMaxTexture2DHeight, device));
    return major >= 3 && nx <= (size_t)columns && ny <= (size_t)rows;
}

/* Copying x into the array puts it into the new order: that is done before the measurement, and not
 * for nothing. */
static void transposeTexture(const float *x, float *y, size_t nx, size_t ny)
{
    const size_t rowBytes = nx * sizeof(float);
    const cudaChannelFormatDesc oneFloat = cudaCreateChannelDesc<float>();
    cudaTextureObject_t texture;
    cudaArray_t array = NULL;
    float *d_y = NULL;

    if (!fitsIntoTexture(nx, ny)) {
        rowSkip("no texture of this device has %zu columns and %zu rows", nx, ny);
        return;
    }
    cudaVerify(cudaMallocArray(&array, &oneFloat, nx, ny));
    cudaVerify(cudaMalloc((void **)&d_y, rowBytes * ny));
    cudaVerify(cudaMemcpy2DToArray(array, 0, 0, x, rowBytes, rowBytes, ny, cudaMemcpyHostToDevice));
    texture = textureOf(array);
    MEASURE (run) {
        cudaVerifyKernel(
            (readTexture<<<tiles(nx, ny, ROWS, TILE), dim3(TILE, ROWS)>>>(texture, d_y, nx, ny)));
    }
    cudaVerify(cudaMemcpy(y, d_y, rowBytes * ny, cudaMemcpyDeviceToHost));
    cudaVerify(cudaDestroyTextureObject(texture));
    cudaVerify(cudaFreeArray(array));
    cudaVerify(cudaFree(d_y));
}

#endif
