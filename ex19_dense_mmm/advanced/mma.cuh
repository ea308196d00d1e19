/* What surrounds multiply() and multiplyThree() of ex19: tiles, fragments, the tensor cores'
 * instruction, the kernel and its launch. Given; nothing to fill in here. */
#ifndef MMA_CUH
#define MMA_CUH

#include "advanced/async.cuh"

#ifdef HAVE_TF32

/* 256 threads, 2 x 4 warps, make 128 x 4 WIDE elements of C, each warp 64 x WIDE of them. The rows
 * of the tiles are 8 words longer than they need be, so that the lanes of a warp, which read in
 * four rows at once, find different banks. */
template <int WIDE> struct mmaTiles {
    enum { HEIGHT = 128, WIDTH = 4 * WIDE, DEPTH = 32, STAGES = 3, THREADS = COPIERS };
    float left[STAGES][DEPTH][HEIGHT + 8], right[STAGES][DEPTH][WIDTH + 8];
};

/* What a lane, number 4 g + t, holds for a step of 8 along k. Which rows and columns of its warp's
 * part of C a fragment stands for is free, if only the sums are stored accordingly. With these a
 * lane reads its elements as float4:
 *     rows    4 g + 32 (i / 2) + 2 (i % 2) and the next one, for fragment i of the left tile
 *     columns 4 g + 32 (j / 4) + j % 4, for fragment j of the right tile
 * and elements t and t + 4 along k of each. */
template <int WIDE> struct fragments {
    float left[4][4], right[WIDE / 8][2];
};

template <int WIDE>
static __device__ __forceinline__ void loadFragments(struct fragments<WIDE> &to, const float *left,
                                                     const float *right)
{
    enum { LEFT = mmaTiles<WIDE>::HEIGHT + 8, RIGHT = mmaTiles<WIDE>::WIDTH + 8 };

#pragma unroll
    for (int h = 0; h < 2; h++) {
#pragma unroll
        for (int i = 0; i < 4; i += 2) {
            const float4 four = *(const float4 *)(left + 4 * h * LEFT + 16 * i);

            to.left[i][2 * h] = four.x;
            to.left[i][2 * h + 1] = four.y;
            to.left[i + 1][2 * h] = four.z;
            to.left[i + 1][2 * h + 1] = four.w;
        }
#pragma unroll
        for (int j = 0; j < WIDE / 8; j += 4) {
            const float4 four = *(const float4 *)(right + 4 * h * RIGHT + 8 * j);

            to.right[j][h] = four.x;
            to.right[j + 1][h] = four.y;
            to.right[j + 2][h] = four.z;
            to.right[j + 3][h] = four.w;
        }
    }
}

/* sum += left right for all pairs of fragments, 16 x 8 times 8 x 8 elements in a warp: of each sum
 * a lane has elements 2 t and 2 t + 1 of rows g and g + 8. The 13 last bits of the factors are
 * ignored. */
template <int COLUMNS>
static __device__ __forceinline__ void mma(float (&sum)[4][COLUMNS][4], const float (&left)[4][4],
                                           const float (&right)[COLUMNS][2])
{
#if __CUDA_ARCH__ >= 800
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                         "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]),
                           "+f"(sum[i][j][3])
                         : "r"(__float_as_uint(left[i][0])), "r"(__float_as_uint(left[i][1])),
                           "r"(__float_as_uint(left[i][2])), "r"(__float_as_uint(left[i][3])),
                           "r"(__float_as_uint(right[j][0])), "r"(__float_as_uint(right[j][1])));
#endif
}

/* sum += all fragments of the left tile by all of the right one, in one product of TF32 or in
 * three: TODO 11 and TODO 12 of template.cu. */
template <int WIDE>
static __device__ __forceinline__ void multiply(float (&sum)[4][WIDE / 8][4],
                                                struct fragments<WIDE> &f);
template <int WIDE>
static __device__ __forceinline__ void multiplyThree(float (&sum)[4][WIDE / 8][4],
                                                     const struct fragments<WIDE> &f);

/* Copies run two steps ahead, as in mmmAsync, and fragments are loaded one step ahead. A tensor
 * core cuts sums off where a float would be rounded. In a long sum these errors all have one sign
 * and add up; so with three products, which shall be as accurate as floats, it adds 32 products at
 * a time, and the rest is done by the ordinary units. `left` is the transpose of A. */
template <int WIDE, int PRODUCTS>
__global__ void __launch_bounds__(mmaTiles<WIDE>::THREADS, 1)
    mmmMma(const float *__restrict__ left, const float *__restrict__ right, float *__restrict__ c,
           int rows, int columns, int depth, int m, int n)
{
    typedef mmaTiles<WIDE> T;
    enum { DEPTH = T::DEPTH, STAGES = T::STAGES, COLUMNS = WIDE / 8 };
    extern __shared__ float4 memory[];
    mmaTiles<WIDE> *tiles = (mmaTiles<WIDE> *)memory;
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int y = warp / 4 * 64, x = warp % 4 * WIDE; /* the warp's part of the block's tile */
    const int row = blockIdx.y * T::HEIGHT, column = blockIdx.x * T::WIDTH;
    const float *fromLeft = firstOfTile<T::HEIGHT>(left + row, rows);
    const float *fromRight = firstOfTile<T::WIDTH>(right + column, columns);
    struct fragments<WIDE> f[2];
    float sum[4][COLUMNS][4] = {{{0.0f}}}, part[4][COLUMNS][4] = {{{0.0f}}};
    int now = 0, spare = STAGES - 1, started = 0;

#pragma unroll
    for (int stage = 0; stage < STAGES - 1; stage++, started += DEPTH) {
        if (started < depth)
            startPair<T::HEIGHT, T::WIDTH>(tiles->left[stage], tiles->right[stage], fromLeft,
                                           fromRight, rows, columns);
        endGroup();
    }
    waitForGroups<STAGES - 2>();
    __syncthreads();
    loadFragments(f[0], &tiles->left[0][t][y + 4 * g], &tiles->right[0][t][x + 4 * g]);
    for (int first = 0; first < depth; first += DEPTH, started += DEPTH) {
        const int next = now + 1 == STAGES ? 0 : now + 1;
        const int then = first + DEPTH < depth ? next : now; /* after the last tile, any will do */

#pragma unroll
        for (int k = 0; k < DEPTH; k += 8) {
            const int isLast = k == DEPTH - 8, stage = isLast ? then : now; /* of step k + 8 */
            const int after = (k + 8) % DEPTH;

            if (isLast) {
                waitForGroups<STAGES - 2>();
                __syncthreads();
            }
            loadFragments(f[(k / 8 + 1) % 2], &tiles->left[stage][after + t][y + 4 * g],
                          &tiles->right[stage][after + t][x + 4 * g]);
            if (k == 0) {
                if (started < depth)
                    startPair<T::HEIGHT, T::WIDTH>(tiles->left[spare], tiles->right[spare],
                                                   fromLeft, fromRight, rows, columns);
                endGroup();
            }
            if (PRODUCTS == 1)
                multiply(sum, f[k / 8 % 2]);
            else
                multiplyThree(part, f[k / 8 % 2]);
        }
#pragma unroll
        for (int e = 0; PRODUCTS > 1 && e < 16 * COLUMNS; e++) {
            sum[e / 4 / COLUMNS][e / 4 % COLUMNS][e % 4] +=
                part[e / 4 / COLUMNS][e / 4 % COLUMNS][e % 4];
            part[e / 4 / COLUMNS][e / 4 % COLUMNS][e % 4] = 0.0f;
        }
        now = next;
        spare = spare + 1 == STAGES ? 0 : spare + 1;
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j += 4)
#pragma unroll
            for (int e = 0; e < 4; e++)
                storeFour(c, m, n, row + y + 4 * g + i / 2 * 32 + i % 2 * 2 + e / 2,
                          column + x + 8 * t + 8 * j + e % 2 * 4,
                          make_float4(sum[i][j][e], sum[i][j + 1][e], sum[i][j + 2][e],
                                      sum[i][j + 3][e]));
}

template <int WIDE, int PRODUCTS> void launchMma(const struct padded *p)
{
    const size_t bytes = sizeof(mmaTiles<WIDE>);
    const dim3 grid(p->columns / mmaTiles<WIDE>::WIDTH, p->rows / mmaTiles<WIDE>::HEIGHT);

    cudaVerify(cudaFuncSetAttribute((const void *)mmmMma<WIDE, PRODUCTS>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaVerifyKernel((mmmMma<WIDE, PRODUCTS><<<grid, mmaTiles<WIDE>::THREADS, bytes>>>(
        p->a, p->b, p->c, p->rows, p->columns, p->depth, p->m, p->n)));
}

template <int WIDE, int PRODUCTS>
void mmaMmm(const float *a, const float *b, float *c, int m, int n, int k)
{
    typedef mmaTiles<WIDE> T;

    if (!hasTensorCores() || sharedMemoryOfABlock() < sizeof(T))
        rowSkip("needs compute capability 8.0, and %zu bytes of shared memory for a block",
                sizeof(T));
    else
        paddedMmm<launchMma<WIDE, PRODUCTS>, T::HEIGHT, T::WIDTH, T::DEPTH, TRANSPOSED>(a, b, c, m,
                                                                                        n, k);
}

#endif
#endif
