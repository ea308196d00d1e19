/* The rung of ex19 with float4 and double buffering, for every device. */
#ifndef DOUBLE_BUFFER_CUH
#define DOUBLE_BUFFER_CUH

#include "advanced/padded.cuh"

/* 256 threads make 128 x 128 elements of C, each thread 8 x 8, as 2 x 2 pieces of 4 x 4. */
struct doubleBuffer {
    enum { SIDE = 128, DEPTH = 8, THREADS = 256, PITCH = SIDE + 4, R = 8 };
    float left[2][DEPTH][PITCH], right[2][DEPTH][SIDE]; /* 16.6 KB of shared memory */
};

/* A float4 of either tile by each thread: of the left one along k, which is stored transposed. */
static __device__ __forceinline__ void storeTiles(struct doubleBuffer *tiles, int buffer,
                                                  float4 left, float4 right)
{
    const int i = threadIdx.x / 2, k = threadIdx.x % 2 * 4;

    tiles->left[buffer][k][i] = left.x;
    tiles->left[buffer][k + 1][i] = left.y;
    tiles->left[buffer][k + 2][i] = left.z;
    tiles->left[buffer][k + 3][i] = left.w;
    *(float4 *)&tiles->right[buffer][threadIdx.x / 32][threadIdx.x % 32 * 4] = right;
}

/* What was slow: four loads of a word where one of 16 bytes does, two barriers for each pair of
 * tiles, and nothing to do while the next pair is on its way. The left tile now lies in shared
 * memory by columns, so that a thread reads its numbers of either tile as float4. The next tiles
 * come into registers while these are multiplied, and are stored to the other buffer; the first
 * numbers of a tile are read while the last ones of the tile before are multiplied. */
__global__ void __launch_bounds__(doubleBuffer::THREADS, 2)
    mmmDoubleBuffer(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                    int columns, int depth, int m, int n)
{
    enum { SIDE = doubleBuffer::SIDE, DEPTH = doubleBuffer::DEPTH, R = doubleBuffer::R };
    __shared__ __align__(16) struct doubleBuffer tiles;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    /* a warp makes 64 x 32 elements, its lanes 8 x 4 pieces at a time; neighbouring lanes are in
     * one row */
    const int y = warp / 4 * 64 + lane / 2 % 8 * 4,
              x = warp % 4 * 32 + (lane % 2 + lane / 16 * 2) * 4;
    const int row = blockIdx.y * SIDE, column = blockIdx.x * SIDE;
    const float *fromA = a + (size_t)(row + t / 2) * depth + t % 2 * 4;
    const float *fromB = b + (size_t)(t / 32) * columns + column + t % 32 * 4;
    float4 nextA = *(const float4 *)fromA, nextB = *(const float4 *)fromB;
    float left[2][R], right[2][R], sum[R][R] = {{0.0f}};
    int now = 0;

    storeTiles(&tiles, 0, nextA, nextB);
    __syncthreads();
    loadNumbers<R, 8>(left[0], &tiles.left[0][0][y]);
    loadNumbers<R, 4>(right[0], &tiles.right[0][0][x]);
    for (int first = 0; first < depth; first += DEPTH) {
        const int isLast = first + DEPTH >= depth;

#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            /* of row k + 1; after the last tile, either buffer will do */
            const int buffer = k == DEPTH - 1 && !isLast ? 1 - now : now;

            if (k == DEPTH - 1 && !isLast) {
                storeTiles(&tiles, buffer, nextA, nextB);
                __syncthreads();
            }
            loadNumbers<R, 8>(left[(k + 1) % 2], &tiles.left[buffer][(k + 1) % DEPTH][y]);
            loadNumbers<R, 4>(right[(k + 1) % 2], &tiles.right[buffer][(k + 1) % DEPTH][x]);
            if (k == 0 && !isLast) {
                nextA = *(const float4 *)(fromA += DEPTH);
                nextB = *(const float4 *)(fromB += (size_t)DEPTH * columns);
            }
            multiplyAdd(sum, left[k % 2], right[k % 2]);
        }
        now = 1 - now;
    }
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int s = 0; s < R; s += 4)
            storeFour(c, m, n, row + y + r / 4 * 32 + r % 4, column + x + s * 4,
                      make_float4(sum[r][s], sum[r][s + 1], sum[r][s + 2], sum[r][s + 3]));
}

void launchDoubleBuffer(const struct padded *p)
{
    const dim3 grid(p->columns / doubleBuffer::SIDE, p->rows / doubleBuffer::SIDE);

    cudaVerifyKernel((mmmDoubleBuffer<<<grid, doubleBuffer::THREADS>>>(p->a, p->b, p->c, p->columns,
                                                                       p->depth, p->m, p->n)));
}

void doubleBufferMmm(const float *a, const float *b, float *c, int m, int n, int k)
{
    paddedMmm<launchDoubleBuffer, doubleBuffer::SIDE, doubleBuffer::SIDE, doubleBuffer::DEPTH,
              AS_IT_IS>(a, b, c, m, n, k);
}

#endif
