// `free()` for memory of `cudaMalloc()`
// says: device memory is freed with cudaFree
#include <stdlib.h>
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    free(d_x); // <-- mistake
    return 0;
}
