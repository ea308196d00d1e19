// A copy and a kernel in two streams, and nothing makes one wait for the other
// says: race.*writes in another stream
__global__ void twice(float *x) { x[threadIdx.x] *= 2; } // <-- said here
int main(void)
{
    float *h_x, *d_x;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMallocHost((void **)&h_x, 1024);
    for (int i = 0; i < 256; i++)
        h_x[i] = 1;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemcpyAsync(d_x, h_x, 1024, cudaMemcpyHostToDevice, a);
    twice<<<1, 256, 0, b>>>(d_x); // <-- mistake
    cudaDeviceSynchronize();
    cudaFree(d_x);
    cudaFreeHost(h_x);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return 0;
}
