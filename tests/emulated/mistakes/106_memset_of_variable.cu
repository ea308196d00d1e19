// A device variable set to 0 through the host's name of it
// says: bad-copy: cudaMemset's destination bins is a device variable
__device__ int bins[16];
__global__ void count(const int *x) { atomicAdd(&bins[x[threadIdx.x]], 1); }
int main(void)
{
    int *d_x, h_x[64], h_bins[16];
    for (int i = 0; i < 64; i++)
        h_x[i] = i % 16;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof h_bins); // <-- mistake
    count<<<1, 64>>>(d_x);
    cudaMemcpyFromSymbol(h_bins, bins, sizeof h_bins);
    cudaFree(d_x);
    return 0;
}
