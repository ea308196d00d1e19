// Freed by another address than the one that was allocated
// says: cudaFree is given an address that no allocation starts at: d_x\[16\]
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    d_x += 16;
    cudaFree(d_x); // <-- mistake
    return 0;
}
