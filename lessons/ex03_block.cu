/* Vector addition in one block: thread i adds element i, and no block has
 * more than 1024 threads. The argument is the number of elements. */
#include "../common/cuda_utils.h"

__global__ void add(const float *a, const float *b, float *c)
{
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

int main(int argc, char **argv)
{
    enum { MOST = 2048 };
    const unsigned int n = argc > 1 ? (unsigned int)atoi(argv[1]) : 1024;
    float x[MOST], *d_x = NULL;

    if (n < 1 || n > MOST) {
        fprintf(stderr, "usage: a.out [1 to %d elements]\n", MOST);
        return 2;
    }
    for (unsigned int i = 0; i < n; i++)
        x[i] = (float)i;
    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice));
    add<<<1, n>>>(d_x, d_x, d_x);
    printf("%u threads: %s\n", n, cudaGetErrorString(cudaGetLastError()));
    cudaVerify(cudaMemcpy(x, d_x, n * sizeof *x, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    printf("the last sum: %g\n", x[n - 1]);
    return 0;
}
