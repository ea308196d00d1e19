// Managed memory of which a kernel writes only a part
// says: the grid has 768 threads, x has 1000 elements: nothing writes the last 232
#include <stdio.h>
__global__ void count(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}
int main(void)
{
    const int n = 1000;
    float *x, sum = 0;
    cudaMallocManaged((void **)&x, n * sizeof *x);
    count<<<n / 256, 256>>>(x, n); // <-- mistake
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        sum += x[i];
    printf("%g\n", sum);
    cudaFree(x);
    return 0;
}
