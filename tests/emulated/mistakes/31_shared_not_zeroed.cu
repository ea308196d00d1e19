// Shared memory taken to be zero at the beginning
// says: uninitialised-read: .*shared variable s, which no thread of the block has written yet
__global__ void count(int *sum)
{
    __shared__ int s;
    atomicAdd(&s, 1); // <-- mistake
    __syncthreads();
    if (threadIdx.x == 0)
        *sum = s;
}
int main(void)
{
    int *d_sum;
    cudaMalloc((void **)&d_sum, sizeof(int));
    count<<<1, 256>>>(d_sum);
    cudaFree(d_sum);
    return 0;
}
