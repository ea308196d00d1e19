/* Stores of whole sectors, and of sectors of which some words are left
 * out; with a number of floats as the argument, how long they take. */
#include "../common/cuda_utils.h"

enum { BLOCK = 256 };

/* The first lanes of each warp store nothing. */
template <int leftOut> __global__ void store(float *x, float value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if ((int)(threadIdx.x & 31) >= leftOut)
        x[i] = value;
}

typedef void kernel_fn(float *x, float value);

static void measure(const char *name, kernel_fn *kernel, float *d_x,
                    size_t n, int timed)
{
    const unsigned int blocks = (unsigned int)(n / BLOCK);
    float warp[32], milliseconds = 0.0f;
    cudaEvent_t begin, end;
    int stored = 0;

    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaEventCreate(&end));
    cudaVerify(cudaMemset(d_x, 0, n * sizeof *d_x));
    for (int run = 0; run < 2; run++) { /* the first one warms up */
        cudaVerify(cudaEventRecord(begin, 0));
        cudaVerifyKernel((kernel<<<blocks, BLOCK>>>(d_x, 1.0f)));
        cudaVerify(cudaEventRecord(end, 0));
    }
    cudaVerify(cudaMemcpy(warp, d_x + n - 32, sizeof warp,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));
    for (int lane = 0; lane < 32; lane++)
        stored += warp[lane] == 1.0f;
    printf("%-20s a warp stores %d words", name, stored);
    if (timed)
        printf(" in %.4g ms", milliseconds);
    printf("\n");
    cudaVerify(cudaEventDestroy(begin));
    cudaVerify(cudaEventDestroy(end));
}

int main(int argc, char **argv)
{
    const int timed = argc > 1;
    const size_t n = timed ? (size_t)atol(argv[1]) / BLOCK * BLOCK : 1024;
    float *d_x = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    measure("all", store<0>, d_x, n, timed);
    measure("all but one", store<1>, d_x, n, timed);
    measure("all but eight", store<8>, d_x, n, timed);
    cudaVerify(cudaFree(d_x));
    return 0;
}
