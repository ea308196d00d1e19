/* TASK     C = A B, dense matrices of floats of any shape: from one element per thread to the
 *          tensor cores.
 * TRAFFIC  4 (m k + k n + m n) bytes: A and B read once, C written once.
 * LIMIT    2 m n k operations; on the way there global memory, then shared memory, then
 *          instructions. */
#include "cuda_utils.h"
#include "measure.h"
#include "dense_mmm.h"
#include "advanced/async.cuh"
#include "advanced/mma.cuh"
#include "advanced/padded.cuh"
#include "advanced/tensor_cores.cuh" /* HAVE_TF32, hasTensorCores */

typedef void launch_fn(const float *d_a, const float *d_b, float *d_c, int m, int n, int k);

/* The code around every kernel: memory on the device, the copies there and back. */
template <launch_fn launch>
static void denseMmm(const float *a, const float *b, float *c, int m, int n, int k)
{
    const size_t bytesA = (size_t)m * k * sizeof(float), bytesB = (size_t)k * n * sizeof(float);
    const size_t bytesC = (size_t)m * n * sizeof(float);
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    cudaVerify(cudaMalloc((void **)&d_a, bytesA));
    cudaVerify(cudaMalloc((void **)&d_b, bytesB));
    cudaVerify(cudaMalloc((void **)&d_c, bytesC));
    cudaVerify(cudaMemcpy(d_a, a, bytesA, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, bytesB, cudaMemcpyHostToDevice));

    MEASURE (run) {
        launch(d_a, d_b, d_c, m, n, k);
    }

    cudaVerify(cudaMemcpy(c, d_c, bytesC, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
}

/* The blocks of a grid that covers C with tiles of height x width elements. */
static dim3 blocksFor(int m, int n, int height, int width)
{
    return dim3((n + width - 1) / width, (m + height - 1) / height);
}

/* One element of C per thread, in square blocks: --block 64 makes them 8 x 8. */
__global__ void mmmElement(const float *a, const float *b, float *c, int m, int n, int k)
{
    // TODO 1 begin: the thread's row i and column j; the sum over k, where there is an element
    NOT_IMPLEMENTED(1);
    // TODO 1 end
}

void launchElement(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    const int side = (int)sqrtf((float)blockSize(256)); /* --block overrides this choice */

    cudaVerifyKernel(
        (mmmElement<<<blocksFor(m, n, side, side), dim3(side, side)>>>(d_a, d_b, d_c, m, n, k)));
}

enum { T = 16 }; /* the kernels with tiles work in blocks of T x T threads */

/* A block of T x T threads reads T rows of A, each T times. Here it reads them once, T columns at a
 * time, into a tile in shared memory. B stays where it is: neighbouring threads read neighbouring
 * elements of it. */
__global__ void mmmTileOfA(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float s_a[T][T];
    const int i = blockIdx.y * T + threadIdx.y, j = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < k; first += T) {
        // TODO 2 begin: one element of the tile per thread, 0 outside A; wait; its products; wait
        NOT_IMPLEMENTED(2);
        // TODO 2 end
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = sum;
}

void launchTileOfA(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    cudaVerifyKernel((mmmTileOfA<<<blocksFor(m, n, T, T), dim3(T, T)>>>(d_a, d_b, d_c, m, n, k)));
}

/* B was still read from global memory for every product. With a tile of each, a block loads 2 T^2
 * elements for T^3 multiply-adds: each element of A and B is read by a T-th of the threads. */
__global__ void mmmTiles(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float s_a[T][T], s_b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.y * T + y, j = blockIdx.x * T + x;
    float sum = 0.0f;

    for (int first = 0; first < k; first += T) {
        // TODO 3 begin: element (y, x) of both tiles, 0 outside of A and B; wait
        NOT_IMPLEMENTED(3);
        // TODO 3 end

        // TODO 4 begin: T products, from shared memory; wait, before the next tiles arrive
        NOT_IMPLEMENTED(4);
        // TODO 4 end
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = sum;
}

void launchTiles(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    cudaVerifyKernel((mmmTiles<<<blocksFor(m, n, T, T), dim3(T, T)>>>(d_a, d_b, d_c, m, n, k)));
}

/* Two reads of shared memory for each multiply-add. A thread with R x R elements reads 2 R values
 * for R^2 of them. Its elements lie T rows and T columns apart, so that the lanes of a warp read
 * neighbouring words. */
template <int R>
__global__ void mmmRegisters(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float s_a[R * T][T], s_b[T][R * T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * (R * T),
              column = blockIdx.x * (R * T); /* of the block's tile of C */
    float sum[R][R] = {{0.0f}};

    for (int first = 0; first < k; first += T) {
        // TODO 5 begin: (advanced) R elements of each tile per thread, 0 outside of A and B; wait
        NOT_IMPLEMENTED(5);
        // TODO 5 end

        // TODO 6 begin: (advanced) for each q: R values of both tiles to registers, R^2 products
        NOT_IMPLEMENTED(6);
        // TODO 6 end
    }
    // TODO 7 begin: (advanced) store those of the R x R elements that C has
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

template <int R>
void launchRegisters(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    cudaVerifyKernel(
        (mmmRegisters<R><<<blocksFor(m, n, R * T, R * T), dim3(T, T)>>>(d_a, d_b, d_c, m, n, k)));
}

void launch2x2(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    launchRegisters<2>(d_a, d_b, d_c, m, n, k);
}

void launch4x4(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    launchRegisters<4>(d_a, d_b, d_c, m, n, k);
}

void launch8x8(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    launchRegisters<8>(d_a, d_b, d_c, m, n, k);
}

/* An instruction made one product per lane. A tensor core multiplies 16 x 8 by 8 x 16 elements in a
 * call of the whole warp, with factors in TF32. Four warps make SIDE x SIDE elements of C, each of
 * them 2 x 2 fragments of 16 x 16. */
#ifdef HAVE_TF32
/* rows end later, against bank conflicts */
enum { SIDE = 64, PITCH_A = T + 4, PITCH_B = SIDE + 8 };

__global__ void mmmTensor(const float *a, const float *b, float *c, int m, int n, int k)
{
#if __CUDA_ARCH__ >= 800
    using namespace nvcuda::wmma;
    __shared__ __align__(32) float s_a[SIDE * PITCH_A], s_b[T * PITCH_B], s_c[SIDE * SIDE];
    const int x = threadIdx.x, warp = x / 32;
    const int row = blockIdx.y * SIDE, column = blockIdx.x * SIDE;
    const int wy = warp / 2 * 32, wx = warp % 2 * 32; /* the warp's part of the tile of C */
    fragment<accumulator, 16, 16, 8, float> sum[2][2];

    for (int r = 0; r < 4; r++)
        fill_fragment(sum[r / 2][r % 2], 0.0f);
    for (int first = 0; first < k; first += T) {
        for (int e = x; e < SIDE * T; e += blockDim.x) {
            const int i = e / T, p = e % T;       /* row and column in the tile of A */
            const int q = e / SIDE, j = e % SIDE; /* and in the tile of B */

            s_a[i * PITCH_A + p] =
                row + i < m && first + p < k ? a[(size_t)(row + i) * k + first + p] : 0.0f;
            s_b[q * PITCH_B + j] =
                first + q < k && column + j < n ? b[(size_t)(first + q) * n + column + j] : 0.0f;
        }
        __syncthreads();
        // TODO 8 begin: (advanced) per 8 columns of s_a: 2 rounded fragments of each, 4 products
        NOT_IMPLEMENTED(8);
        // TODO 8 end
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        store_matrix_sync(s_c + (wy + r / 2 * 16) * SIDE + wx + r % 2 * 16, sum[r / 2][r % 2], SIDE,
                          mem_row_major);
    __syncthreads();
    for (int e = x; e < SIDE * SIDE; e += blockDim.x)
        if (row + e / SIDE < m && column + e % SIDE < n)
            c[(size_t)(row + e / SIDE) * n + column + e % SIDE] = s_c[e];
#endif
}

void launchTensor(const float *d_a, const float *d_b, float *d_c, int m, int n, int k)
{
    cudaVerifyKernel((mmmTensor<<<blocksFor(m, n, SIDE, SIDE), 128>>>(d_a, d_b, d_c, m, n, k)));
}

static void tensor(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (hasTensorCores())
        denseMmm<launchTensor>(a, b, c, m, n, k);
    else
        rowSkip("needs compute capability 8.0: tensor cores that take TF32");
}
#endif

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

/* In floats the ordinary units have to do it, 8 x 8 elements per thread. What was slow there: four
 * loads of a word where one of 16 bytes does, two barriers for each pair of tiles, and nothing to
 * do while the next pair is on its way. The left tile now lies in shared memory by columns, so that
 * a thread reads its numbers of either tile as float4. The next tiles come into registers while
 * these are multiplied, and are stored to the other buffer; the first numbers of a tile are read
 * while the last ones of the tile before are multiplied. */
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

            // TODO 9 begin: (advanced) with the last k: nextA and nextB to `buffer`; barrier
            NOT_IMPLEMENTED(9);
            // TODO 9 end
            loadNumbers<R, 8>(left[(k + 1) % 2], &tiles.left[buffer][(k + 1) % DEPTH][y]);
            loadNumbers<R, 4>(right[(k + 1) % 2], &tiles.right[buffer][(k + 1) % DEPTH][x]);
            // TODO 9 begin: (advanced) with the first k: nextA and nextB of the next tiles, if any
            NOT_IMPLEMENTED(9);
            // TODO 9 end
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

#ifdef HAVE_TF32 /* the same toolkits and devices */
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
        if (started < depth)
            startPair<async::HEIGHT, async::WIDTH>(tiles->left[stage], tiles->right[stage],
                                                   fromLeft, fromRight, rows, columns);
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

            // TODO 10 begin: (advanced) with the last k: wait for all groups but one; barrier
            NOT_IMPLEMENTED(10);
            // TODO 10 end
            loadNumbers<R, 8>(p[(k + 1) % 2], &tiles->left[stage][(k + 1) % DEPTH][y]);
            loadNumbers<S, 4>(q[(k + 1) % 2], &tiles->right[stage][(k + 1) % DEPTH][x]);
            // TODO 10 begin: (advanced) with the first k: a group of copies to `spare`, if needed
            NOT_IMPLEMENTED(10);
            // TODO 10 end
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

/* What was slow in mmmTensor: copies and products took turns, and every fragment was loaded for two
 * products. mmmMma in advanced/mma.cuh copies ahead as mmmAsync does, and a warp has 64 x 64
 * elements of C, so that it uses a fragment of B four times, and one of A eight times. Its heart is
 * this function. mma() multiplies all pairs of fragments, but ignores the last 13 bits of what it
 * is given: with factors that are cut off, all errors have one sign. */
template <int WIDE>
static __device__ __forceinline__ void multiply(float (&sum)[4][WIDE / 8][4],
                                                struct fragments<WIDE> &f)
{
    // TODO 11 begin: (advanced) round every element of both kinds of fragments; multiply them
    NOT_IMPLEMENTED(11);
    // TODO 11 end
}

/* What was lost: 13 of 24 digits of each factor, and with them the accuracy of a float. A factor is
 * the sum of its first 11 digits and the rest. Of the four products of such sums that of the rests
 * is too small to count. The other three cost three times the work of one, on units that are more
 * than three times as fast as the multiply-adds of floats. The small ones come first, while the sum
 * is small and little of them is cut off. */
template <int WIDE>
static __device__ __forceinline__ void multiplyThree(float (&sum)[4][WIDE / 8][4],
                                                     const struct fragments<WIDE> &f)
{
    struct fragments<WIDE> high, low;

    // TODO 12 begin: (advanced) each element as high + low; three products, the largest one last
    NOT_IMPLEMENTED(12);
    // TODO 12 end
}
#endif

/* Rungs that no student edits, which are compiled by themselves: advanced/wgmma.cu, for compute
 * capability 9.0a only. Other devices skip these rows, and so does the emulated one. */
variant_fn wgmmaMmm, wgmmaThreeMmm;

extern "C" const struct variant deviceVariants[] = {
    {"one element per thread", denseMmm<launchElement>},
    {"tile of A", denseMmm<launchTileOfA>},
    {"tiles of A and B", denseMmm<launchTiles>},
    {"2 x 2 per thread", denseMmm<launch2x2>},
    {"4 x 4 per thread", denseMmm<launch4x4>},
    {"8 x 8 per thread", denseMmm<launch8x8>},
    {"float4 and double buffering", doubleBufferMmm},
#ifdef HAVE_TF32
    {"asynchronous copies", asyncMmm},
    {"tensor cores with TF32", tensor},
    {"TF32 with copies ahead", mmaMmm<64, 1>},
    {"three products in TF32", mmaMmm<32, 3>},
#endif
    {"TF32 by warpgroups", wgmmaMmm},
    {"three of them by warpgroups", wgmmaThreeMmm},
    {NULL, NULL},
};
