/* Structures of 12 and 16 bytes, and rows that each begin at an aligned
 * address. */
#include "../common/cuda_utils.h"

enum { N = 256, WIDTH = 33, HEIGHT = 8 };

typedef struct {
    float x, y, z;
} vec3;

typedef struct __align__(16) { float x, y, z; }
aligned_vec3;

__global__ void load12(const vec3 *in, float *out)
{
    const vec3 v = in[threadIdx.x]; /* three loads of 4 bytes */

    out[threadIdx.x] = v.x + v.y + v.z;
}

__global__ void load16(const aligned_vec3 *in, float *out)
{
    /* float4: one load of 16 bytes, of which 4 are padding */
    const float4 v = ((const float4 *)in)[threadIdx.x];

    out[threadIdx.x] = v.x + v.y + v.z;
}

/* The pitch is in bytes: the row is found as char. */
__global__ void number(float *image, size_t pitch)
{
    float *row = (float *)((char *)image + blockIdx.x * pitch);

    row[threadIdx.x] = (float)(blockIdx.x * WIDTH + threadIdx.x);
}

int main(void)
{
    float image[HEIGHT][WIDTH], *d_image = NULL, *d_out = NULL;
    void *d_in = NULL;
    size_t pitch = 0;

    printf("sizes: %zu and %zu\n", sizeof(vec3), sizeof(aligned_vec3));
    cudaVerify(cudaMalloc(&d_in, N * sizeof(aligned_vec3)));
    cudaVerify(cudaMemset(d_in, 0, N * sizeof(aligned_vec3)));
    cudaVerify(cudaMalloc((void **)&d_out, N * sizeof *d_out));
    cudaVerifyKernel((load12<<<1, N>>>((const vec3 *)d_in, d_out)));
    cudaVerifyKernel((load16<<<1, N>>>((const aligned_vec3 *)d_in, d_out)));

    cudaVerify(cudaMallocPitch((void **)&d_image, &pitch,
                               WIDTH * sizeof *d_image, HEIGHT));
    cudaVerifyKernel((number<<<HEIGHT, WIDTH>>>(d_image, pitch)));
    cudaVerify(cudaMemcpy2D(image, sizeof image[0], d_image, pitch,
                            sizeof image[0], HEIGHT,
                            cudaMemcpyDeviceToHost));
    printf("a row of %zu bytes takes %zu; the last element: %g\n",
           sizeof image[0], pitch, image[HEIGHT - 1][WIDTH - 1]);
    cudaVerify(cudaFree(d_image));
    cudaVerify(cudaFree(d_out));
    cudaVerify(cudaFree(d_in));
    return 0;
}
