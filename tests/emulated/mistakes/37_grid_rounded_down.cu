// The number of blocks rounded down: the end of the array is left out
// says: the grid has 768 threads, d_x has 1000 elements: nothing writes the last 232
#include <stdio.h>
__global__ void zero(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
int main(void)
{
    float h_x[1000], *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    zero<<<1000 / 256, 256>>>(d_x); // <-- mistake
    cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost);
    printf("%g\n", h_x[999]);
    cudaFree(d_x);
    return 0;
}
