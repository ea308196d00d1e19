// The kernel launched before its input is copied
// says: uninitialised-read.*which nothing has written yet
__global__ void twice(float *x) { x[threadIdx.x] *= 2; } // <-- said here
int main(void)
{
    float h_x[256] = {0}, *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    twice<<<1, 256>>>(d_x); // <-- mistake
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    cudaFree(d_x);
    return 0;
}
