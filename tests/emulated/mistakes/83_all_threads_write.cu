// Each thread stores its own sum into the one result
// says: both write it at this line, and only one of the values remains
__global__ void sum(float *total, const float *x)
{
    float mine = 0;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        mine += x[i];
    *total = mine; // <-- mistake
}
int main(void)
{
    float h_x[1024], *d_x, *d_total;
    for (int i = 0; i < 1024; i++)
        h_x[i] = (float)i;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMalloc((void **)&d_total, sizeof(float));
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    sum<<<1, 256>>>(d_total, d_x);
    cudaFree(d_x);
    cudaFree(d_total);
    return 0;
}
