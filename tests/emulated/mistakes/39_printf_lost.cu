// Nothing waits for a kernel that prints: the program ends first
// not found: the emulated device has printed by then; a GPU prints nothing, since the program has ended. Call `cudaDeviceSynchronize()`
#include <stdio.h>
__global__ void hello(void) { printf("hello from thread %d\n", threadIdx.x); }
int main(void)
{
    hello<<<1, 4>>>(); // <-- mistake
    return 0;
}
