// A shuffle with the full mask in a branch of half a warp
// says: shuffle-inactive: .*shuffles from lane 16, which does not take part
__global__ void sum(float *x)
{
    if (threadIdx.x < 16)
        x[threadIdx.x] += __shfl_down_sync(0xffffffff, x[threadIdx.x], 8); // <-- mistake
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_x, 0, 1024);
    sum<<<1, 32>>>(d_x);
    cudaFree(d_x);
    return 0;
}
