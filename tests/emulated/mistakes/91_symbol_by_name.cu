// A `__constant__` variable named by a string, as in very old CUDA
// says: copies to the device, but the destination is host memory
__constant__ float c_x[16];
int main(void)
{
    float h_x[16] = {0};
    cudaMemcpyToSymbol("c_x", h_x, sizeof h_x); // <-- mistake
    return 0;
}
