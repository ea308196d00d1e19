// The host stores row pointers into device memory
// says: host-dereference: host code writes d_rows\[0\]
int main(void)
{
    float **d_rows;
    cudaMalloc((void **)&d_rows, 4 * sizeof *d_rows);
    for (int i = 0; i < 4; i++)
        cudaMalloc((void **)&d_rows[i], 32 * sizeof(float)); // <-- mistake
    cudaFree(d_rows);
    return 0;
}
