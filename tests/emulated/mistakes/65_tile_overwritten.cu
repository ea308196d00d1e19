// A tile is filled again before all threads have used it
// says: race.*no __syncthreads() between them
__global__ void sumOfTiles(float *y, const float *x, int n)
{
    __shared__ float s[64];
    float sum = 0;
    for (int first = 0; first < n; first += 64) { // <-- mistake
        s[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++)
            sum += s[i]; // <-- said here
    }
    y[threadIdx.x] = sum;
}
int main(void)
{
    float *d_x, *d_y;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMalloc((void **)&d_y, 64 * sizeof(float));
    cudaMemset(d_x, 0, 256 * sizeof(float));
    sumOfTiles<<<1, 64>>>(d_y, d_x, 256);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
