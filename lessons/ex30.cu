/* Weighted sums down the columns of an image, with a thread for each column.
 * In one kernel the elements wait for their last use, in the other the sums
 * wait for their last element. */
#include "../common/cuda_utils.h"

enum { COLUMNS = 64, ROWS = 8, RADIUS = 2, COUNT = 2 * RADIUS + 1 };

__constant__ int weight[COUNT] = {1, 2, 3, 4, 5};

__device__ int at(const int *x, int row)
{
    return row < ROWS ? x[row * COLUMNS + (int)threadIdx.x] : 0;
}

/* queue[k] is element row + k - RADIUS. */
__global__ void elementsWait(const int *x, int *y)
{
    int queue[COUNT] = {0};

    for (int row = -RADIUS; row < ROWS; row++) {
        int sum = 0;

#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            queue[k] = k < COUNT - 1 ? queue[k + 1] : at(x, row + RADIUS);
            sum += weight[k] * queue[k];
        }
        if (row >= 0)
            y[row * COLUMNS + (int)threadIdx.x] = sum;
    }
}

/* sum[k] is the sum of row + k - RADIUS. */
__global__ void sumsWait(const int *x, int *y)
{
    int sum[COUNT] = {0};

    for (int row = 0; row < ROWS + RADIUS; row++) {
        const int element = at(x, row);

#pragma unroll
        for (int k = 0; k < COUNT; k++)
            sum[k] += weight[COUNT - 1 - k] * element;
        if (row >= RADIUS)
            y[(row - RADIUS) * COLUMNS + (int)threadIdx.x] = sum[0];
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            sum[k] = k < COUNT - 1 ? sum[k + 1] : 0;
    }
}

int main(void)
{
    enum { SIZE = ROWS * COLUMNS };
    static int x[SIZE], y[2][SIZE];
    int *d = NULL;

    for (int column = 0; column < COLUMNS; column++)
        x[4 * COLUMNS + column] = column;
    cudaVerify(cudaMalloc((void **)&d, 3 * sizeof x));
    cudaVerify(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((elementsWait<<<1, COLUMNS>>>(d, d + SIZE)));
    cudaVerifyKernel((sumsWait<<<1, COLUMNS>>>(d, d + 2 * SIZE)));
    cudaVerify(cudaMemcpy(y, d + SIZE, sizeof y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d));
    for (int row = 0; row < ROWS; row++)
        printf("row %d: %2d and %2d\n", row, y[0][row * COLUMNS + 10],
               y[1][row * COLUMNS + 10]);
    return 0;
}
