// Two dynamic shared arrays: both begin at the same address
// says: all extern __shared__ arrays begin at the same address: if two are meant
__global__ void both(float *x)
{
    extern __shared__ float a[];
    extern __shared__ float b[]; // <-- mistake
    a[threadIdx.x] = x[threadIdx.x];
    b[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = a[255 - threadIdx.x] + b[threadIdx.x];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_x, 0, 1024);
    both<<<1, 256, 2048>>>(d_x);
    cudaFree(d_x);
    return 0;
}
