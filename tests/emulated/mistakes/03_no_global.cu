// `__global__` forgotten
// says: is launched, but is no kernel: is __global__ missing
// needs: clang
void twice(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = 2 * x[i];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    twice<<<1, 256>>>(d_x, 256); // <-- mistake
    cudaFree(d_x);
    return 0;
}
