// The number of bytes overflows an `int`
// says: cudaMalloc has failed, asked for .*as a signed number
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    int n = 30000;
    int bytes = n * n * sizeof(float); // <-- mistake
    cudaMalloc((void **)&d_x, bytes);  // <-- said here
    zero<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
