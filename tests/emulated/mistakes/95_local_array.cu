// Beyond the end of an array of a thread's own
// says: uses mine\[4\], but mine is 'float \[4\]'
__global__ void shift(float *x)
{
    float mine[4];
    for (int i = 0; i <= 4; i++) // <-- mistake
        mine[i] = x[i];          // <-- said here
    for (int i = 0; i < 4; i++)
        x[i] = mine[3 - i];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 8 * sizeof(float));
    cudaMemset(d_x, 0, 8 * sizeof(float));
    shift<<<1, 1>>>(d_x);
    cudaFree(d_x);
    return 0;
}
