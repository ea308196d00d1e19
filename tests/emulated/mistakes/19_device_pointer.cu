// The host reads device memory through its pointer
// says: host-dereference: .*d_x\[0\].*is device memory: the host can only copy it
#include <stdio.h>
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_x, 0, 1024);
    printf("%g\n", d_x[0]); // <-- mistake
    cudaFree(d_x);
    return 0;
}
