/* Counts random bytes in shared memory, with 1, 8 or 32 counters for each
 * value: lane l adds to counter l % COPIES. */
#include "../common/cuda_utils.h"

enum { BINS = 256, BLOCK = 128, N = 32 * BLOCK };

template <int COPIES>
__global__ void count(const unsigned char *x, int *count)
{
    __shared__ int own[BINS][COPIES];

    for (int k = (int)threadIdx.x; k < BINS * COPIES; k += BLOCK)
        own[k / COPIES][k % COPIES] = 0;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < N; i += BLOCK)
        atomicAdd(&own[x[i]][threadIdx.x % COPIES], 1);
    __syncthreads();
    for (int v = (int)threadIdx.x; v < BINS; v += BLOCK) {
        int sum = 0;

        for (int c = 0; c < COPIES; c++)
            sum += own[v][(v + c) % COPIES];
        count[v] = sum;
    }
}

int main(void)
{
    static unsigned char x[N];
    static int counts[3][BINS];
    unsigned char *d_x = NULL;
    int *d_count = NULL;
    unsigned int random = 1;

    for (int i = 0; i < N; i++) {
        random = random * 1664525u + 1013904223u;
        x[i] = (unsigned char)(random >> 24);
    }
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_count, sizeof counts));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((count<1><<<1, BLOCK>>>(d_x, d_count)));
    cudaVerifyKernel((count<8><<<1, BLOCK>>>(d_x, d_count + BINS)));
    cudaVerifyKernel((count<32><<<1, BLOCK>>>(d_x, d_count + 2 * BINS)));
    cudaVerify(
        cudaMemcpy(counts, d_count, sizeof counts, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_count));
    for (int k = 0; k < 3; k++)
        printf("77 occurs %d times, 200 %d times\n", counts[k][77],
               counts[k][200]);
    return 0;
}
