// Threads beyond the end return, and the others wait for them
// says: barrier-divergence.*56 threads of the block
__global__ void reverse(float *x, int n)
{
    __shared__ float s[256];
    if (threadIdx.x >= n)
        return; // <-- mistake
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); // <-- said here
    x[threadIdx.x] = s[n - 1 - threadIdx.x];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 200 * sizeof(float));
    cudaMemset(d_x, 0, 200 * sizeof(float));
    reverse<<<1, 256>>>(d_x, 200);
    cudaFree(d_x);
    return 0;
}
