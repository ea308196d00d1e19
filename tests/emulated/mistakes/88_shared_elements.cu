// Dynamic shared memory given in elements: the launch counts bytes
// says: the third value of <<<>>> counts bytes
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
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMemset(d_x, 0, 256 * sizeof(float));
    reverse<<<1, 256, 256>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
