// A `const` pointer where a texture's description wants a plain one
// says: The destination of a copy comes first
#include <string.h>
cudaTextureObject_t textureOf(const float *d_x, size_t bytes)
{
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaTextureObject_t texture = 0;
    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_x; // <-- mistake
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = bytes;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    return texture;
}
