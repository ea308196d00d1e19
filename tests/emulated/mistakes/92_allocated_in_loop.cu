// Allocated again in each round of a loop, and freed once
// says: 9216 bytes of device memory allocated here are never freed
int main(void)
{
    float *d_x;
    for (int step = 0; step < 10; step++)
        cudaMalloc((void **)&d_x, 1024); // <-- mistake
    cudaFree(d_x);
    return 0;
}
