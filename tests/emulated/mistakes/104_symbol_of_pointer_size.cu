// Constant memory filled by as many bytes as a pointer has
// says: warning: sizeof a pointer is 8
__constant__ float c_w[16];
__global__ void scale(float *x) { x[threadIdx.x] = 2 * c_w[threadIdx.x]; }
static void run(const float *w)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 16 * sizeof(float));
    cudaMemcpyToSymbol(c_w, w, sizeof w); // <-- mistake
    scale<<<1, 16>>>(d_x);
    cudaFree(d_x);
}
int main(void)
{
    float w[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    run(w);
    return 0;
}
