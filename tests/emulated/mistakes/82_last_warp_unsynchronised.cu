// The last steps of a tree within a warp, as before Volta, without `__syncwarp()`
// says: no __syncwarp() or __syncthreads() between them
__global__ void sum(float *x)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 16; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 16)
        for (int half = 16; half > 0; half /= 2)
            s[t] += s[t + half]; // <-- mistake
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
