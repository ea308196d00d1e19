// A grid of no blocks: `100 / 256` is 0
// says: invalid-launch: .*the grid has no blocks
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    int n = 100;
    cudaMalloc((void **)&d_x, n * sizeof(float));
    zero<<<n / 256, 256>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
