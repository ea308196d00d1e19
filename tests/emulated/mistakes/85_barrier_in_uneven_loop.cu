// A barrier in a loop that some threads leave earlier
// says: barrier-divergence.*212 threads of the block
__global__ void blur(float *x, int n)
{
    __shared__ float s[256];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s[threadIdx.x] = x[i];
        __syncthreads(); // <-- mistake
        x[i] = s[threadIdx.x] / 2;
    }
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 300 * sizeof(float));
    cudaMemset(d_x, 0, 300 * sizeof(float));
    blur<<<1, 256>>>(d_x, 300);
    cudaFree(d_x);
    return 0;
}
