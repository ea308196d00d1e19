// A block's total read before all threads have added to it
// says: no __syncthreads() between them
__global__ void sum(int *total, const int *x)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    atomicAdd(&s, x[threadIdx.x]); // <-- mistake
    if (threadIdx.x == 0)
        *total = s; // <-- said here
}
int main(void)
{
    int *d_x, *d_total;
    cudaMalloc((void **)&d_x, 256 * sizeof(int));
    cudaMemset(d_x, 0, 256 * sizeof(int));
    cudaMalloc((void **)&d_total, sizeof(int));
    sum<<<1, 256>>>(d_total, d_x);
    cudaFree(d_x);
    cudaFree(d_total);
    return 0;
}
