// A tree of additions whose barrier only the adding threads reach
// says: barrier-divergence.*128 threads of the block
__global__ void sum(float *x)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2)
        if (t < half) {
            s[t] += s[t + half];
            __syncthreads(); // <-- mistake
        }
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
