// The host's array passed to a kernel
// says: invalid-address: .*reads a host address
#include <stdlib.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; } // <-- said here
int main(void)
{
    float *h_x = (float *)calloc(256, sizeof(float));
    twice<<<1, 256>>>(h_x); // <-- mistake
    cudaDeviceSynchronize();
    free(h_x);
    return 0;
}
