// A `return` that whole blocks take before the barrier of the grid
// says: waits for the whole grid, of which 1560 threads have ended without coming here, the first of a block among them
#include <cooperative_groups.h>
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) // <-- mistake
        return;
    x[i] = 1;
    cooperative_groups::this_grid().sync(); // <-- said here
}
int main(void)
{
    int n = 1000;
    float *d_x;
    cudaMalloc((void **)&d_x, n * sizeof(float));
    void *arguments[] = {&d_x, &n};
    cudaLaunchCooperativeKernel((void *)twice, 10, 256, arguments, 0, 0);
    cudaFree(d_x);
    return 0;
}
