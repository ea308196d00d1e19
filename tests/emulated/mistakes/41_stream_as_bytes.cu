// The stream as the third value of a launch, which is the bytes of shared memory
// says: error: the values in <<<>>> do not fit a launch
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&d_x, 1024);
    zero<<<1, 256, stream>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
