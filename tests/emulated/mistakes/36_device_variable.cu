// The host reads a `__device__` variable
// says: host-dereference: .*device variable counter.*Use cudaMemcpyFromSymbol
#include <stdio.h>
__device__ int counter;
__global__ void count(void) { atomicAdd(&counter, 1); }
int main(void)
{
    count<<<4, 256>>>();
    cudaDeviceSynchronize();
    printf("%d\n", counter); // <-- mistake
    return 0;
}
