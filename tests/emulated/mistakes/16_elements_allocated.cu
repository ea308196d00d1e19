// `cudaMalloc()` given the number of elements, not of bytes
// says: out-of-bounds: .*writes 4 bytes at d_x\[64\].*past the end of the 256-byte allocation
__global__ void zero(float *x) { x[threadIdx.x] = 0; } // <-- said here
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 256); // <-- mistake
    zero<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
