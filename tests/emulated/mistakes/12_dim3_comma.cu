// A `dim3` in parentheses as in other languages: the comma operator makes it 16 × 1
// says: several sizes in one value: dim3 block(16, 16)
__global__ void zero(float *x) { x[threadIdx.y * blockDim.x + threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    dim3 block = (16, 16); // <-- mistake
    cudaMalloc((void **)&d_x, 1024);
    zero<<<1, block>>>(d_x);
    cudaFree(d_x);
    return 0;
}
