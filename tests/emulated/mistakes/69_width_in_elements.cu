// `cudaMemcpy2D()` given the width in elements: it counts bytes
// says: cudaMemcpy2D copies 100 bytes of each row to d_image, of 400 in the source
__global__ void twice(float *image, size_t pitch)
{
    float *row = (float *)((char *)image + blockIdx.x * pitch);
    row[threadIdx.x] *= 2;
}
int main(void)
{
    static float h_image[60][100];
    float *d_image;
    size_t pitch;
    cudaMallocPitch((void **)&d_image, &pitch, 100 * sizeof(float), 60);
    cudaMemcpy2D(d_image, pitch, h_image, sizeof h_image[0], 100, 60, // <-- mistake
                 cudaMemcpyHostToDevice);
    twice<<<60, 100>>>(d_image, pitch);
    cudaFree(d_image);
    return 0;
}
