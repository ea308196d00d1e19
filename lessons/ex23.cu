/* A texture of four elements, read between them: by index, by place with a
 * point filter, by place with a linear filter. */
#include "../common/cuda_utils.h"
#include <string.h>

enum { N = 4, PLACES = 9 };

__global__ void look(cudaTextureObject_t point, cudaTextureObject_t linear,
                     const float *places, float *seen)
{
    const int t = (int)threadIdx.x;

    seen[2 * t] = tex1D<float>(point, places[t]);
    seen[2 * t + 1] = tex1D<float>(linear, places[t]);
}

static cudaTextureObject_t textureOf(cudaArray_t array,
                                     enum cudaTextureFilterMode filter)
{
    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource; /* what is read */
    cudaTextureDesc how;

    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    how.addressMode[0] = cudaAddressModeClamp; /* beyond the ends */
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    cudaVerify(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

int main(void)
{
    const float x[N] = {0.0f, 100.0f, 300.0f, 200.0f};
    const float places[PLACES] = {-3.0f, 0.5f, 0.75f, 1.0f, 1.001f,
                                  1.5f,  2.0f, 2.3f,  9.0f};
    const cudaChannelFormatDesc oneFloat = cudaCreateChannelDesc<float>();
    float seen[2 * PLACES], *d_places = NULL, *d_seen = NULL;
    cudaArray_t array = NULL;
    cudaTextureObject_t point, linear;

    cudaVerify(cudaMallocArray(&array, &oneFloat, N, 1));
    cudaVerify(cudaMemcpy2DToArray(array, 0, 0, x, sizeof x, sizeof x, 1,
                                   cudaMemcpyHostToDevice));
    point = textureOf(array, cudaFilterModePoint);
    linear = textureOf(array, cudaFilterModeLinear);
    cudaVerify(cudaMalloc((void **)&d_places, sizeof places));
    cudaVerify(cudaMalloc((void **)&d_seen, sizeof seen));
    cudaVerify(cudaMemcpy(d_places, places, sizeof places,
                          cudaMemcpyHostToDevice));
    cudaVerifyKernel(
        (look<<<1, PLACES>>>(point, linear, d_places, d_seen)));
    cudaVerify(
        cudaMemcpy(seen, d_seen, sizeof seen, cudaMemcpyDeviceToHost));
    for (int t = 0; t < PLACES; t++)
        printf("at %6.3f  point %5g  linear %10.6f\n", places[t],
               seen[2 * t], seen[2 * t + 1]);
    cudaVerify(cudaDestroyTextureObject(point));
    cudaVerify(cudaDestroyTextureObject(linear));
    cudaVerify(cudaFreeArray(array));
    cudaVerify(cudaFree(d_places));
    cudaVerify(cudaFree(d_seen));
    return 0;
}
