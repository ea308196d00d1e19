// A kernel that uses a variable of the host
// says: invalid-address: .*reads the host variable n; a kernel can only use __device__ variables
int n = 256;
__global__ void twice(float *x)
{
    if (threadIdx.x < n) // <-- mistake
        x[threadIdx.x] *= 2;
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_x, 0, 1024);
    twice<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
