// The address of the pointer instead of the pointer as a copy's destination
// says: that holds the pointer d_x: pass d_x, not its address
#include <stdlib.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    float *h_x = (float *)calloc(256, sizeof(float)), *d_x;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMemcpy(&d_x, h_x, 256 * sizeof(float), cudaMemcpyHostToDevice); // <-- mistake
    twice<<<1, 256>>>(d_x);
    cudaFree(d_x);
    free(h_x);
    return 0;
}
