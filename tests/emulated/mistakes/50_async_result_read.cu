// An asynchronous copy, and its result read at once
// says: race: the host reads h_x\[0\].*has not waited
#include <stdio.h>
int main(void)
{
    float *d_x, *h_x;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&d_x, 1024);
    cudaMallocHost((void **)&h_x, 1024);
    cudaMemset(d_x, 0, 1024);
    cudaMemcpyAsync(h_x, d_x, 1024, cudaMemcpyDeviceToHost, stream);
    printf("%g\n", h_x[0]); // <-- mistake
    cudaStreamSynchronize(stream);
    cudaFreeHost(h_x);
    cudaFree(d_x);
    return 0;
}
