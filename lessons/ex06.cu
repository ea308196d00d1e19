/* The largest of a block's values by a tree in shared memory; then a
 * shuffle, lane by lane. */
#include "../common/cuda_utils.h"

enum { BLOCK = 64 };

/* The largest of the block's x, in thread 0. BLOCK is a power of two. */
__global__ void largest(const float *x, float *result)
{
    __shared__ float s[BLOCK];
    const int t = (int)threadIdx.x;

    s[t] = x[t];
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s[t] = fmaxf(s[t], s[t + half]);
    }
    if (t == 0)
        *result = s[0];
}

/* Each lane gets the value of the lane four further up. */
__global__ void shift(int *y)
{
    const int lane = (int)threadIdx.x, own = 100 + lane;

    y[lane] = __shfl_down_sync(0xffffffffu, own, 4);
}

int main(void)
{
    float x[BLOCK], result, *d_x = NULL, *d_result = NULL;
    int y[32], *d_y = NULL;

    for (int i = 0; i < BLOCK; i++)
        x[i] = (float)(i * 37 % BLOCK);
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_result, sizeof result));
    cudaVerify(cudaMalloc((void **)&d_y, sizeof y));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((largest<<<1, BLOCK>>>(d_x, d_result)));
    cudaVerifyKernel((shift<<<1, 32>>>(d_y)));
    cudaVerify(cudaMemcpy(&result, d_result, sizeof result,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_result));
    cudaVerify(cudaFree(d_y));
    printf("largest: %g\n", result);
    printf("lane 0 got %d, lane 27 %d, lane 28 %d\n", y[0], y[27], y[28]);
    return 0;
}
