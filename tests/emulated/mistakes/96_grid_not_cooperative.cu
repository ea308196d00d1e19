// A barrier of the whole grid in a kernel that is launched in the usual way
// says: was not launched with cudaLaunchCooperativeKernel
#include <cooperative_groups.h>
__global__ void twice(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    cooperative_groups::this_grid().sync(); // <-- said here
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024 * sizeof(float));
    twice<<<4, 256>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
