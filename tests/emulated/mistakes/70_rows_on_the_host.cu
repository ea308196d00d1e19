// An array of pointers to rows, which itself lies on the host
// says: reads a host address, passed by the launch at
__global__ void zero(float **rows) { rows[blockIdx.x][threadIdx.x] = 0; } // <-- said here
int main(void)
{
    float *rows[4];
    for (int i = 0; i < 4; i++)
        cudaMalloc((void **)&rows[i], 32 * sizeof(float));
    zero<<<4, 32>>>(rows); // <-- mistake
    for (int i = 0; i < 4; i++)
        cudaFree(rows[i]);
    return 0;
}
