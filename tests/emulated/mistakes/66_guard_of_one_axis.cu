// A picture whose height is no multiple of the block: only x is guarded
// says: 60 rows of 100 elements: threads beyond them must not use it
__global__ void fill(float *image, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width)                // <-- mistake
        image[y * width + x] = 1; // <-- said here
}
int main(void)
{
    float *d_image;
    cudaMalloc((void **)&d_image, 100 * 60 * sizeof(float));
    fill<<<dim3(7, 4), dim3(16, 16)>>>(d_image, 100, 60);
    cudaFree(d_image);
    return 0;
}
