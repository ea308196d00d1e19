// A pixel of a texture read at its corner, where it meets its neighbour
// not found: a place like any other: the value is the mean of two pixels. The centre of pixel k is at k + 0.5
#include <string.h>
__global__ void copy(cudaTextureObject_t x, float *y)
{
    y[threadIdx.x] = tex1D<float>(x, threadIdx.x); // <-- mistake
}
int main(void)
{
    float h_x[16] = {0}, *d_y;
    cudaChannelFormatDesc oneFloat = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaTextureObject_t texture = 0;
    cudaMallocArray(&array, &oneFloat, 16, 1);
    cudaMemcpy2DToArray(array, 0, 0, h_x, sizeof h_x, sizeof h_x, 1, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&d_y, sizeof h_x);
    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    how.filterMode = cudaFilterModeLinear;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    copy<<<1, 16>>>(texture, d_y);
    cudaMemcpy(h_x, d_y, sizeof h_x, cudaMemcpyDeviceToHost);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(d_y);
    return 0;
}
