// `cudaMemcpy2D()` given the width in elements: it counts bytes
// says: uninitialised-read.*row 0, element 25 of d_image
__global__ void twice(float *image, size_t pitch)
{
    float *row = (float *)((char *)image + blockIdx.x * pitch);
    row[threadIdx.x] *= 2; // <-- said here
}
int main(void)
{
    static float h_image[60][100];
    float *d_image;
    size_t pitch;
    cudaMallocPitch((void **)&d_image, &pitch, 100 * sizeof(float), 60);
    cudaMemcpy2D(d_image, pitch, h_image, sizeof h_image[0], 100, 60,
                 cudaMemcpyHostToDevice); // <-- mistake
    twice<<<60, 100>>>(d_image, pitch);
    cudaFree(d_image);
    return 0;
}
