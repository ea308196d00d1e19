// The time between two events asked for before the second has happened
// says: bad-call: .*cudaEventSynchronize first
#include <stdio.h>
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x, milliseconds = 0;
    cudaEvent_t begin, end;
    cudaMalloc((void **)&d_x, 1024);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, 0);
    zero<<<1, 256>>>(d_x);
    cudaEventRecord(end, 0);
    cudaEventElapsedTime(&milliseconds, begin, end); // <-- mistake
    printf("%g ms\n", milliseconds);
    cudaFree(d_x);
    return 0;
}
