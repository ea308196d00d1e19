// `cudaMalloc()` given the number of elements, not of bytes
// says: d_x is 256 bytes long.*cudaMalloc takes bytes
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 256); // <-- mistake
    zero<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
