// No synchronisation before the host reads managed memory
// says: race: the host reads x\[0\].*has not waited for that (cudaDeviceSynchronize
#include <stdio.h>
__global__ void twice(float *x) { x[threadIdx.x] = 2; }
int main(void)
{
    float *x;
    cudaMallocManaged((void **)&x, 1024);
    twice<<<1, 256>>>(x);
    printf("%g\n", x[0]); // <-- mistake
    cudaFree(x);
    return 0;
}
