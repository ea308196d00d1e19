// Freed before the kernel that uses it is launched
// says: which has been freed
__global__ void zero(float *x) { x[threadIdx.x] = 0; } // <-- said here
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    cudaFree(d_x); // <-- mistake
    zero<<<1, 256>>>(d_x);
    return 0;
}
