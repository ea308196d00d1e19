// The result copied back by the number of elements: `cudaMemcpy()` counts bytes
// says: cudaMemcpy copies 256 bytes from d_x, which has 256 elements
#include <stdio.h>
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float h_x[256], *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    zero<<<1, 256>>>(d_x);
    cudaMemcpy(h_x, d_x, 256, cudaMemcpyDeviceToHost); // <-- mistake
    printf("%g\n", h_x[255]);
    cudaFree(d_x);
    return 0;
}
