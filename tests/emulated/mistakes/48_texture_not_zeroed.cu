// A texture's description whose other members are chance
// says: bad-call: cudaCreateTextureObject: nothing has given readMode a value
__global__ void copy(cudaTextureObject_t x, float *y)
{
    y[threadIdx.x] = tex1Dfetch<float>(x, threadIdx.x);
}
int main(void)
{
    float *d_x, *d_y;
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaTextureObject_t texture = 0;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMalloc((void **)&d_y, 256 * sizeof(float));
    cudaMemset(d_x, 0, 256 * sizeof(float));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_x;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 256 * sizeof(float);
    cudaCreateTextureObject(&texture, &resource, &how, NULL); // <-- mistake
    copy<<<1, 256>>>(texture, d_y);
    cudaDestroyTextureObject(texture);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
