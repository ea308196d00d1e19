// `cudaMemset()` to set integers to 1: it sets bytes
// says: warning: cudaMemset() sets each byte
#include <stdio.h>
int main(void)
{
    int h_n[256], *d_n;
    cudaMalloc((void **)&d_n, sizeof h_n);
    cudaMemset(d_n, 1, sizeof h_n); // <-- mistake
    cudaMemcpy(h_n, d_n, sizeof h_n, cudaMemcpyDeviceToHost);
    printf("%d\n", h_n[0]);
    cudaFree(d_n);
    return 0;
}
