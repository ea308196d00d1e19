// Dynamic shared memory, and its bytes not given at the launch
// says: the launch gives no bytes of dynamic shared memory
__global__ void reverse(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_x, 0, 1024);
    reverse<<<1, 256>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
