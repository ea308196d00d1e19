// 100 000 blocks along y: at most 65 535 are possible
// says: gridDim.y is 100000, but at most 65535 is possible
__global__ void zero(float *x) { x[blockIdx.y] = 0; }
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 100000 * sizeof(float));
    zero<<<dim3(1, 100000), 1>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
