// The page-locked source of a copy written again before the copy is done
// says: race: the host writes h_x\[0\].*has not waited
int main(void)
{
    float *d_x, *h_x;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&d_x, 1024);
    cudaMallocHost((void **)&h_x, 1024);
    for (int i = 0; i < 256; i++)
        h_x[i] = 1;
    cudaMemcpyAsync(d_x, h_x, 1024, cudaMemcpyHostToDevice, stream);
    for (int i = 0; i < 256; i++)
        h_x[i] = 2; // <-- mistake
    cudaStreamSynchronize(stream);
    cudaFreeHost(h_x);
    cudaFree(d_x);
    return 0;
}
