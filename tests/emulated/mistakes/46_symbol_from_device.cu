// Constant memory filled from device memory, as if that were the host's
// says: bad-copy: cudaMemcpyToSymbol copies from the host.*the fifth the direction
__constant__ float c_x[256];
__global__ void twice(float *x) { x[threadIdx.x] = 2 * c_x[threadIdx.x]; }
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, sizeof c_x);
    cudaMemset(d_x, 0, sizeof c_x);
    cudaMemcpyToSymbol(c_x, d_x, sizeof c_x); // <-- mistake
    twice<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
