// CUDA called in a host function of a stream
// says: cudaFree: a host function that a stream calls cannot call CUDA
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
static void release(void *x)
{
    cudaFree(x); // <-- mistake
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMemset(d_x, 0, 256 * sizeof(float));
    twice<<<1, 256>>>(d_x);
    cudaLaunchHostFunc(0, release, d_x);
    cudaDeviceSynchronize();
    return 0;
}
