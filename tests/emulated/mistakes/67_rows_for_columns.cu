// Width and height exchanged in an index
// says: rows of 100 elements lie one behind the other, y \* 100 + x
__global__ void fill(float *image, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        image[x * width + y] = 1; // <-- mistake
}
int main(void)
{
    float *d_image;
    cudaMalloc((void **)&d_image, 100 * 60 * sizeof(float));
    fill<<<dim3(7, 4), dim3(16, 16)>>>(d_image, 100, 60);
    cudaFree(d_image);
    return 0;
}
