// A guard that lets one element too many pass
// says: thread 1000 of the grid uses element 1000 of d_x, whose last one is 999
__global__ void zero(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)   // <-- mistake
        x[i] = 0; // <-- said here
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1000 * sizeof(float));
    zero<<<4, 256>>>(d_x, 1000);
    cudaFree(d_x);
    return 0;
}
