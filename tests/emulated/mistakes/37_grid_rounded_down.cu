// The number of blocks rounded down: the end of the array is left out
// not found: the elements that no thread has written stay what they were, and copying such memory is no mistake as such: fresh memory holds NaN here, so that the result shows it
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
