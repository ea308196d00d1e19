/* The rung of ex19 with asynchronous copies, for devices of compute capability 8.0 and newer. */
#ifndef ASYNC_CUH
#define ASYNC_CUH

#include "advanced/padded.cuh"
#include "advanced/tensor_cores.cuh"

#if defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11 || defined __CUDA_EMULATED__
#include <cuda_pipeline_primitives.h>
#define HAVE_ASYNCHRONOUS_COPIES
#endif

/* Starts to copy four floats to shared memory; the older way waits for them. */
static __device__ __forceinline__ void startCopy(float *to, const float *from)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_memcpy_async(to, from, sizeof(float4));
#else
    *(float4 *)to = *(const float4 *)from;
#endif
}

/* The copies started since the last call are a group, even if there are none. */
static __device__ __forceinline__ void endGroup(void)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_commit();
#endif
}

/* Waits for this thread's copies but those of the last `groups` groups. */
template <int groups> static __device__ __forceinline__ void waitForGroups(void)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_wait_prior(groups);
#endif
}

enum { COPIERS = 256 }; /* threads of a block, which copy together */

/* Where the thread's first float4 of a tile of WIDTH columns lies, seen from the tile's first
 * element. */
template <int WIDTH>
static __device__ __forceinline__ const float *firstOfTile(const float *tile, int pitch)
{
    return tile + (size_t)(threadIdx.x / (WIDTH / 4)) * pitch + threadIdx.x % (WIDTH / 4) * 4;
}

/* Starts to copy a tile of DEPTH x WIDTH numbers, whose rows are PITCH long in shared memory;
 * `from` is firstOfTile(). */
template <int WIDTH, int DEPTH, int PITCH>
static __device__ __forceinline__ void startTile(float (&to)[DEPTH][PITCH], const float *from,
                                                 int pitch)
{
    enum { ROWS = COPIERS * 4 / WIDTH }; /* that all threads copy at a time */

#pragma unroll
    for (int k = 0; k < DEPTH; k += ROWS)
        startCopy(&to[k + threadIdx.x / (WIDTH / 4)][threadIdx.x % (WIDTH / 4) * 4],
                  from + (size_t)k * pitch);
}

/* 256 threads make 128 x 256 elements of a product, each thread 8 x 16. Three pairs of tiles: 73.7
 * KB of shared memory. */
struct async {
    enum { HEIGHT = 128, WIDTH = 256, DEPTH = 16, STAGES = 3, THREADS = COPIERS, R = 8, S = 16 };
    float left[STAGES][DEPTH][HEIGHT], right[STAGES][DEPTH][WIDTH];
};

/* A tile that passed through registers took instructions to load and to store, and registers that
 * sums could use. With asynchronous copies a thread has room for 8 x 16 sums, 24 reads of shared
 * memory for 128 multiply-adds, and two pairs of tiles are on their way while one is multiplied.
 * Such copies transpose nothing: `left` is the transpose of A (depth x rows), and with SWAPPED,
 * where the block's tile shall be 256 x 128, the transpose of A is `right`, and B is `left`. */
template <int SWAPPED>
__global__ void __launch_bounds__(async::THREADS, 1)
    mmmAsync(const float *__restrict__ left, const float *__restrict__ right, float *__restrict__ c,
             int rows, int columns, int depth, int m, int n)
{
    enum { DEPTH = async::DEPTH, STAGES = async::STAGES, R = async::R, S = async::S };
    extern __shared__ float4 memory[];
    struct async *tiles = (struct async *)memory;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    /* a warp makes 64 x 64 elements, its lanes 8 x 4 float4 at a time */
    const int y = warp / 4 * 64 + lane % 8 * 4, x = warp % 4 * 64 + lane / 8 * 4;
    const int row = (SWAPPED ? blockIdx.x : blockIdx.y) * async::HEIGHT;
    const int column = (SWAPPED ? blockIdx.y : blockIdx.x) * async::WIDTH;
    const float *fromLeft = firstOfTile<async::HEIGHT>(left + row, rows);
    const float *fromRight = firstOfTile<async::WIDTH>(right + column, columns);
    float p[2][R], q[2][S], sum[R][S] = {{0.0f}};
    int now = 0, spare = STAGES - 1, started = 0;

#pragma unroll
    for (int stage = 0; stage < STAGES - 1; stage++, started += DEPTH) {
        if (started < depth) {
            startTile<async::HEIGHT>(tiles->left[stage], fromLeft, rows);
            startTile<async::WIDTH>(tiles->right[stage], fromRight, columns);
            fromLeft += (size_t)DEPTH * rows;
            fromRight += (size_t)DEPTH * columns;
        }
        endGroup();
    }
    waitForGroups<STAGES - 2>();
    __syncthreads();
    loadNumbers<R, 8>(p[0], &tiles->left[0][0][y]);
    loadNumbers<S, 4>(q[0], &tiles->right[0][0][x]);
    for (int first = 0; first < depth; first += DEPTH, started += DEPTH) {
        const int next = now + 1 == STAGES ? 0 : now + 1;
        const int then = first + DEPTH < depth ? next : now; /* after the last tile, any will do */

#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            const int stage = k == DEPTH - 1 ? then : now; /* of row k + 1 */

            if (k == DEPTH - 1) {
                waitForGroups<STAGES - 2>();
                __syncthreads();
            }
            loadNumbers<R, 8>(p[(k + 1) % 2], &tiles->left[stage][(k + 1) % DEPTH][y]);
            loadNumbers<S, 4>(q[(k + 1) % 2], &tiles->right[stage][(k + 1) % DEPTH][x]);
            if (k == 0) {
                if (started < depth) {
                    startTile<async::HEIGHT>(tiles->left[spare], fromLeft, rows);
                    startTile<async::WIDTH>(tiles->right[spare], fromRight, columns);
                    fromLeft += (size_t)DEPTH * rows;
                    fromRight += (size_t)DEPTH * columns;
                }
                endGroup();
            }
            multiplyAdd(sum, p[k % 2], q[k % 2]);
        }
        now = next;
        spare = spare + 1 == STAGES ? 0 : spare + 1;
    }
    if (SWAPPED) {
#pragma unroll
        for (int r = 0; r < R; r += 4)
#pragma unroll
            for (int s = 0; s < S; s++)
                storeFour(c, m, n, column + x + s / 4 * 16 + s % 4, row + y + r * 8,
                          make_float4(sum[r][s], sum[r + 1][s], sum[r + 2][s], sum[r + 3][s]));
    } else {
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int s = 0; s < S; s += 4)
                storeFour(c, m, n, row + y + r / 4 * 32 + r % 4, column + x + s * 4,
                          make_float4(sum[r][s], sum[r][s + 1], sum[r][s + 2], sum[r][s + 3]));
    }
}

#ifdef HAVE_TF32 /* the same toolkits and devices */
void launchAsync(const struct padded *p)
{
    const size_t bytes = sizeof(struct async);
    const dim3 grid(p->columns / async::WIDTH, p->rows / async::HEIGHT);

    cudaVerify(cudaFuncSetAttribute((const void *)mmmAsync<0>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaVerifyKernel((mmmAsync<0><<<grid, async::THREADS, bytes>>>(
        p->a, p->b, p->c, p->rows, p->columns, p->depth, p->m, p->n)));
}

void launchAsyncSwapped(const struct padded *p)
{
    const size_t bytes = sizeof(struct async);
    const dim3 grid(p->columns / async::HEIGHT, p->rows / async::WIDTH);

    cudaVerify(cudaFuncSetAttribute((const void *)mmmAsync<1>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaVerifyKernel((mmmAsync<1><<<grid, async::THREADS, bytes>>>(p->b, p->a, p->c, p->columns,
                                                                   p->rows, p->depth, p->m, p->n)));
}

/* 1 if tiles of WIDTH x HEIGHT suit an m x n product better than HEIGHT x WIDTH: each
 * multiprocessor gets a block less often, where the last time, in which not all may have one,
 * counts as a whole; or there are fewer blocks. */
static int isBetterSwapped(int m, int n)
{
    const int units = multiprocessors();
    const int straight =
        roundedUp(m, async::HEIGHT) / async::HEIGHT * (roundedUp(n, async::WIDTH) / async::WIDTH);
    const int swapped =
        roundedUp(m, async::WIDTH) / async::WIDTH * (roundedUp(n, async::HEIGHT) / async::HEIGHT);
    const int difference = roundedUp(swapped, units) - roundedUp(straight, units);

    return difference < 0 || (difference == 0 && swapped < straight);
}

void asyncMmm(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (!hasTensorCores() || sharedMemoryOfABlock() < sizeof(struct async))
        rowSkip("needs compute capability 8.0: asynchronous copies");
    else if (isBetterSwapped(m, n))
        paddedMmm<launchAsyncSwapped, async::WIDTH, async::HEIGHT, async::DEPTH, TRANSPOSED>(
            a, b, c, m, n, k);
    else
        paddedMmm<launchAsync, async::HEIGHT, async::WIDTH, async::DEPTH, TRANSPOSED>(a, b, c, m, n,
                                                                                      k);
}
#endif

#endif
