// The pitch counts bytes, and is used as if it counted elements
// says: the pitch of d_image counts bytes
__global__ void fill(float *image, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    image[y * pitch + x] = 1; // <-- mistake
}
int main(void)
{
    float *d_image;
    size_t pitch;
    cudaMallocPitch((void **)&d_image, &pitch, 100 * sizeof(float), 60);
    fill<<<60, 100>>>(d_image, pitch, 100, 60);
    cudaFree(d_image);
    return 0;
}
