// The left neighbour of the first element
// says: reads 4 bytes at d_x\[-1\]
__global__ void difference(float *y, const float *x)
{
    int i = threadIdx.x;
    y[i] = x[i] - x[i - 1]; // <-- mistake
}
int main(void)
{
    float *d_x, *d_y;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMalloc((void **)&d_y, 256 * sizeof(float));
    cudaMemset(d_x, 0, 256 * sizeof(float));
    difference<<<1, 256>>>(d_y, d_x);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
