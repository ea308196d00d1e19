// A loop over the grid that steps by one block
// says: goes on by gridDim.x \* blockDim.x, not by blockDim.x
__global__ void twice(float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) // <-- mistake
        x[i] *= 2;                                                              // <-- said here
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 4096 * sizeof(float));
    cudaMemset(d_x, 0, 4096 * sizeof(float));
    twice<<<4, 256>>>(d_x, 4096);
    cudaFree(d_x);
    return 0;
}
