// A grid of `n / 256` blocks, where n is no multiple of 256
// says: remark: the grid has 768 threads, d_x has 1000 elements: kernel twice leaves the last 232
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
int main(void)
{
    const int n = 1000;
    float h_x[n] = {1}, *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    twice<<<n / 256, 256>>>(d_x, n); // <-- mistake
    cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    return 0;
}
