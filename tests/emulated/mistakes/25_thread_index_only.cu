// The index without the block's part
// says: thread 0 of every block uses element 0 of d_x: the index lacks the block's part, blockIdx.x \* blockDim.x
__global__ void increase(float *x)
{
    int i = threadIdx.x; // <-- mistake
    x[i] += 1;           // <-- said here
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024 * sizeof(float));
    cudaMemset(d_x, 0, 1024 * sizeof(float));
    increase<<<4, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
