// No guard for the last block
// says: the grid has 1024 threads, d_x has 1000 elements.*if (i < 1000)
__global__ void zero(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 0; // <-- mistake
}
int main(void)
{
    float *d_x;
    int n = 1000;
    cudaMalloc((void **)&d_x, n * sizeof(float));
    zero<<<(n + 255) / 256, 256>>>(d_x, n);
    cudaFree(d_x);
    return 0;
}
