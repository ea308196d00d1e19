// A function allocates into its copy of the pointer
// says: invalid-address: .*writes a null pointer
__global__ void zero(float *x) { x[threadIdx.x] = 0; } // <-- said here
static void allocate(float *p)
{
    cudaMalloc((void **)&p, 1024); // <-- mistake
}
int main(void)
{
    float *d_x = NULL;
    allocate(d_x);
    zero<<<1, 256>>>(d_x);
    cudaDeviceSynchronize();
    return 0;
}
