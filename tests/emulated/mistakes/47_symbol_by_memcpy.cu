// A variable of the device as the destination of `cudaMemcpy()`
// says: bad-copy: .*Use cudaMemcpyToSymbol
__constant__ float c_x[256];
__global__ void twice(float *x) { x[threadIdx.x] = 2 * c_x[threadIdx.x]; }
int main(void)
{
    float h_x[256] = {0}, *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(c_x, h_x, sizeof h_x, cudaMemcpyHostToDevice); // <-- mistake
    twice<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
