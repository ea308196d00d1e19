/* Shared memory, read as other types than float: how many passes over the
 * banks does a request need beyond those that its bytes need anyway? */
#include "../common/cuda_utils.h"

enum { N = 64 };

typedef struct {
    float x, y, z;
} three;

typedef struct {
    float x, y;
} two;

/* Thread t reads element N - 1 - t of each array. */
__global__ void backwards(double *out)
{
    __shared__ char c[N];
    __shared__ double d[N];
    __shared__ two pair[N];
    __shared__ three triple[N];
    const int t = (int)threadIdx.x, from = N - 1 - t;

    c[t] = 1;
    d[t] = 2.0;
    pair[t].x = 3.0f;
    triple[t].x = 4.0f;
    __syncthreads();
    const char own = c[from];
    const double wide = d[from];
    const float ofTwo = pair[from].x;
    const float ofThree = triple[from].x;
    out[t] = own + wide + ofTwo + ofThree;
}

int main(void)
{
    double *d_out = NULL;

    cudaVerify(cudaMalloc((void **)&d_out, N * sizeof *d_out));
    cudaVerifyKernel((backwards<<<1, N>>>(d_out)));
    cudaVerify(cudaDeviceSynchronize());
    cudaVerify(cudaFree(d_out));
    return 0;
}
