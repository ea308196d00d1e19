// A shared array smaller than the block
// says: out-of-bounds: .*uses s\[128\], but s is 'float \[128\]'
__global__ void reverse(float *x)
{
    __shared__ float s[128];         // <-- mistake
    s[threadIdx.x] = x[threadIdx.x]; // <-- said here
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_x, 0, 1024);
    reverse<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
