// A copy in the wrong direction
// says: bad-copy: .*told cudaMemcpyDeviceToHost, but the source is host memory
int main(void)
{
    float h_x[256] = {0}, *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyDeviceToHost); // <-- mistake
    cudaFree(d_x);
    return 0;
}
