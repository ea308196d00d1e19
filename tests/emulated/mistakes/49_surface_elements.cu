// The x of a surface counted in elements: it counts bytes
// says: misaligned: .*thread (1,0,0).*is no multiple of 4
#include <string.h>
__global__ void fill(cudaSurfaceObject_t image)
{
    surf2Dwrite(1.0f, image, threadIdx.x, threadIdx.y); // <-- mistake
}
int main(void)
{
    cudaChannelFormatDesc oneFloat = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaResourceDesc resource;
    cudaSurfaceObject_t surface = 0;
    cudaMallocArray(&array, &oneFloat, 16, 16, cudaArraySurfaceLoadStore);
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaCreateSurfaceObject(&surface, &resource);
    fill<<<1, dim3(16, 16)>>>(surface);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
    return 0;
}
