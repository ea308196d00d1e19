// The index without the block's part
// says: thread 0 of several blocks uses element 0 of d_x: the block's part of the index is missing, or 0: blockIdx.x \* blockDim.x
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
