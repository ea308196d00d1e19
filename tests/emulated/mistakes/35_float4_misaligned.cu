// `float4` from an address that is no multiple of 16
// says: misaligned: .*reads 16 bytes at d_x\[1\].*no multiple of 16
__global__ void copy(float4 *y, const float *x)
{
    y[threadIdx.x] = *(const float4 *)(x + 1 + 4 * threadIdx.x); // <-- mistake
}
int main(void)
{
    float *d_x, *d_y;
    cudaMalloc((void **)&d_x, 2048);
    cudaMalloc((void **)&d_y, 1024);
    cudaMemset(d_x, 0, 2048);
    copy<<<1, 64>>>((float4 *)d_y, d_x);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
