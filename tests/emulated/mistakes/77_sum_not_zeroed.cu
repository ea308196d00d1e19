// A sum in device memory that nothing has set to zero
// says: uninitialised-read.*updates d_total\[0\]
__global__ void sum(float *total, const float *x)
{
    atomicAdd(total, x[threadIdx.x]); // <-- said here
}
int main(void)
{
    float *d_x, *d_total;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMemset(d_x, 0, 256 * sizeof(float));
    cudaMalloc((void **)&d_total, sizeof(float)); // <-- mistake
    sum<<<1, 256>>>(d_total, d_x);
    cudaFree(d_x);
    cudaFree(d_total);
    return 0;
}
