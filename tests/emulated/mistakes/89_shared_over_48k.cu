// More than 48 kB of dynamic shared memory, without asking for it
// says: until cudaFuncSetAttribute() sets cudaFuncAttributeMaxDynamicSharedMemorySize
__global__ void zero(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = 0;
    x[threadIdx.x] = s[threadIdx.x];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    zero<<<1, 256, 64 * 1024>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
