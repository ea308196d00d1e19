// A structure copied to the device, whose pointer still points to the host
// says: writes a host address, passed by the launch at
#include <stdlib.h>
struct vector {
    int n;
    float *x;
};
__global__ void zero(struct vector v) { v.x[threadIdx.x] = 0; } // <-- said here
int main(void)
{
    struct vector v = {32, (float *)malloc(32 * sizeof(float))};
    zero<<<1, 32>>>(v); // <-- mistake
    free(v.x);
    return 0;
}
