// The direction of a copy forgotten
// says: the direction is missing: cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost
int main(void)
{
    float h_x[256] = {0}, *d_x;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(d_x, h_x, sizeof h_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
