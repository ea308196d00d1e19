// Freed twice
// says: invalid-address: cudaFree frees what has been freed before
int main(void)
{
    float *d_x, *d_y;
    cudaMalloc((void **)&d_x, 1024);
    d_y = d_x;
    cudaFree(d_x);
    cudaFree(d_y); // <-- mistake
    return 0;
}
