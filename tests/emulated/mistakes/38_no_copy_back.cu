// The result never copied back
// says: remark: the results of kernel twice never reach the host
#include <stdio.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    float h_x[32] = {1}, *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(d_x); // <-- mistake
    cudaFree(d_x);
    printf("%g\n", h_x[0]);
    return 0;
}
