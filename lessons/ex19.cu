/* C = A B for 32 x 32 matrices by one block, whose threads make R x R
 * elements of C each: 1, 4 or 16. */
#include "../common/cuda_utils.h"

enum { SIZE = 32 };

template <int R>
__global__ void product(const float *a, const float *b, float *c)
{
    __shared__ float s_a[SIZE][SIZE + 1], s_b[SIZE][SIZE];
    const int side = SIZE / R; /* threads in a row of the block */
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;
    float sum[R][R] = {{0.0f}};

    for (int i = y * side + x; i < SIZE * SIZE; i += side * side) {
        s_a[i / SIZE][i % SIZE] = a[i];
        s_b[i / SIZE][i % SIZE] = b[i];
    }
    __syncthreads();
    for (int p = 0; p < SIZE; p++) {
        float left[R], right[R];

        for (int r = 0; r < R; r++) {
            left[r] = s_a[y + r * side][p];
            right[r] = s_b[p][x + r * side];
        }
        for (int r = 0; r < R; r++)
            for (int s = 0; s < R; s++)
                sum[r][s] += left[r] * right[s];
    }
    for (int r = 0; r < R; r++)
        for (int s = 0; s < R; s++)
            c[(y + r * side) * SIZE + x + s * side] = sum[r][s];
}

int main(void)
{
    static float a[SIZE * SIZE], b[SIZE * SIZE], c[3][SIZE * SIZE];
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    for (int i = 0; i < SIZE * SIZE; i++) {
        a[i] = (float)(i % 7);
        b[i] = (float)(i % 5);
    }
    cudaVerify(cudaMalloc((void **)&d_a, sizeof a));
    cudaVerify(cudaMalloc((void **)&d_b, sizeof b));
    cudaVerify(cudaMalloc((void **)&d_c, sizeof c));
    cudaVerify(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
    cudaVerifyKernel((product<1><<<1, dim3(32, 32)>>>(d_a, d_b, d_c)));
    cudaVerifyKernel(
        (product<2><<<1, dim3(16, 16)>>>(d_a, d_b, d_c + SIZE * SIZE)));
    cudaVerifyKernel(
        (product<4><<<1, dim3(8, 8)>>>(d_a, d_b, d_c + 2 * SIZE * SIZE)));
    cudaVerify(cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
    printf("c[3][5] = %g, %g and %g\n", c[0][3 * SIZE + 5],
           c[1][3 * SIZE + 5], c[2][3 * SIZE + 5]);
    return 0;
}
