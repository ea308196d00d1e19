// Source and destination of a copy in the wrong order
// says: either they are exchanged (the destination comes first), or the direction is wrong
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    float h_x[256], *d_x;
    for (int i = 0; i < 256; i++)
        h_x[i] = (float)i;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyHostToDevice); // <-- mistake
    twice<<<1, 256>>>(d_x);
    cudaFree(d_x);
    return 0;
}
