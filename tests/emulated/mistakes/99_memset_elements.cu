// `cudaMemset()` given the number of elements: it counts bytes
// says: cudaMemset sets 256 bytes of d_x, which has 256 elements
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMemset(d_x, 0, 256); // <-- mistake
    twice<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
