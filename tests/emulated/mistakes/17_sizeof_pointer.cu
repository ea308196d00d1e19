// `sizeof` of a pointer, not of what it points to
// says: warning: sizeof a pointer is 8
#include <stdlib.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    float *h_x = (float *)calloc(256, sizeof(float)), *d_x;
    cudaMalloc((void **)&d_x, 256 * sizeof(float));
    cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice); // <-- mistake
    twice<<<1, 256>>>(d_x);
    cudaFree(d_x);
    free(h_x);
    return 0;
}
