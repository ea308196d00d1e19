// `cudaMemset()` with a float: it sets bytes
// says: warning: cudaMemset() sets each byte
#include <stdio.h>
int main(void)
{
    float h_x[256], *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemset(d_x, 1.0f, sizeof h_x); // <-- mistake
    cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost);
    printf("%g\n", h_x[0]);
    cudaFree(d_x);
    return 0;
}
