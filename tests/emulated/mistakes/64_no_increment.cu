// A loop that never counts on
// says: endless-kernel.*an endless loop
__global__ void zero(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) // <-- mistake
        x[i] = 0;
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024 * sizeof(float));
    zero<<<4, 256>>>(d_x, 1024);
    cudaFree(d_x);
    return 0;
}
