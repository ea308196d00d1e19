// `__syncthreads()` in a branch that not all threads take
// says: barrier-divergence: .*156 threads of the block
__global__ void shift(float *x)
{
    if (threadIdx.x < 100) {
        float left = x[threadIdx.x];
        __syncthreads(); // <-- mistake
        x[threadIdx.x + 1] = left;
    }
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_x, 0, 1024);
    shift<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
