// A tree of additions without a barrier between its steps
// says: no __syncwarp() or __syncthreads() between them
__global__ void sum(float *x)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) // <-- mistake
        if (t < half)
            s[t] += s[t + half]; // <-- said here
    if (t == 0)
        x[0] = s[0];
}
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMemset(d_x, 0, 256 * sizeof(float));
    sum<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
