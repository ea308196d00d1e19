/* Transposes a 32 x 32 matrix through shared memory, whose rows are 32 or
 * 33 words long. */
#include "../common/cuda_utils.h"

enum { SIZE = 32, ROWS = 8 };

template <int PADDING> __global__ void transpose(const float *m, float *t)
{
    __shared__ float s[SIZE][SIZE + PADDING];
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;

    for (int row = y; row < SIZE; row += ROWS)
        s[row][x] = m[row * SIZE + x];
    __syncthreads();
    for (int row = y; row < SIZE; row += ROWS)
        t[row * SIZE + x] = s[x][row];
}

int main(void)
{
    static float m[SIZE * SIZE], t[2][SIZE * SIZE];
    float *d_m = NULL, *d_t = NULL;
    const dim3 block(SIZE, ROWS);

    for (int i = 0; i < SIZE * SIZE; i++)
        m[i] = (float)i;
    cudaVerify(cudaMalloc((void **)&d_m, sizeof m));
    cudaVerify(cudaMalloc((void **)&d_t, sizeof t));
    cudaVerify(cudaMemcpy(d_m, m, sizeof m, cudaMemcpyHostToDevice));
    cudaVerifyKernel((transpose<0><<<1, block>>>(d_m, d_t)));
    cudaVerifyKernel((transpose<1><<<1, block>>>(d_m, d_t + SIZE * SIZE)));
    cudaVerify(cudaMemcpy(t, d_t, sizeof t, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_m));
    cudaVerify(cudaFree(d_t));
    printf("m[3][5] = %g, t[5][3] = %g and %g\n", m[3 * SIZE + 5],
           t[0][5 * SIZE + 3], t[1][5 * SIZE + 3]);
    return 0;
}
