// A kernel timed without waiting for its end
// says: remark: the clock is read at .* while kernel sum may still be running
#include <stdio.h>
#include <time.h>
__global__ void sum(const float *x, float *y)
{
    for (int i = 0; i < 1000; i++)
        y[threadIdx.x] += x[i];
}
int main(void)
{
    float h_y[32], *d_x, *d_y;
    cudaMalloc((void **)&d_x, 1000 * sizeof(float));
    cudaMalloc((void **)&d_y, sizeof h_y);
    cudaMemset(d_x, 0, 1000 * sizeof(float));
    cudaMemset(d_y, 0, sizeof h_y);
    clock_t begin = clock();
    sum<<<1, 32>>>(d_x, d_y); // <-- said here
    clock_t end = clock();    // <-- mistake
    cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
    printf("%g s, sum %g\n", (double)(end - begin) / CLOCKS_PER_SEC, h_y[0]);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
