// The index with `gridDim` instead of `blockDim`
// says: the index into d_x is blockIdx.x \* 4 + threadIdx.x (4 is gridDim.x): blocks overlap
__global__ void increase(float *x)
{
    int i = blockIdx.x * gridDim.x + threadIdx.x; // <-- mistake
    x[i] += 1;                                    // <-- said here
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024 * sizeof(float));
    cudaMemset(d_x, 0, 1024 * sizeof(float));
    increase<<<4, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
