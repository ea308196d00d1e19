// Grid and block in the wrong order
// says: invalid-launch: .*4096 threads per block, but at most 1024
__global__ void zero(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    int blocks = 4096, threads = 256;
    cudaMalloc((void **)&d_x, blocks * threads * sizeof(float));
    zero<<<threads, blocks>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
