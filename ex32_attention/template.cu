/* TASK     Softmax of rows of halves, and attention, o = softmax(q k' / sqrt(size)) v for each
 *          head: from a thread per row to one kernel on tensor cores that never stores a score.
 * TRAFFIC  softmax: 4 bytes an element; attention: 4 heads size (queries + keys) bytes.
 * LIMIT    softmax: memory; attention: 4 heads queries keys size operations. */
#include "cuda_utils.h"
#include "measure.h"
#include "warp_utils.h"
#include "attention.h"
#include "advanced/halves.cuh" /* __half, HAVE_HALF2, HAVE_MMA */

typedef void softmax_fn(const struct shape *s, const __half *d_x, __half *d_y);
/* d_scores: heads x queries x keys halves, for those that keep them */
typedef void attention_fn(const struct shape *s, const __half *d_q, const __half *d_k,
                          const __half *d_v, __half *d_o, __half *d_scores);
enum { KEEPS_NO_SCORES, KEEPS_SCORES };

static __half *newCopy(const half_bits *x, size_t n)
{
    __half *d_x = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyHostToDevice));
    return d_x;
}

/* The code around every softmax: memory on the device, the copies there and back. */
template <softmax_fn launch>
static void softmax(const struct shape *s, const half_bits *x, const half_bits *, const half_bits *,
                    half_bits *y)
{
    const size_t n = (size_t)s->heads * s->queries * s->keys;
    __half *d_x = newCopy(x, n), *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_y, n * sizeof *d_y));
    MEASURE (run) {
        launch(s, d_x, d_y);
    }
    cudaVerify(cudaMemcpy(y, d_y, n * sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

/* The code around every attention. */
template <attention_fn launch, int KEEPS>
static void attention(const struct shape *s, const half_bits *q, const half_bits *k,
                      const half_bits *v, half_bits *o)
{
    const size_t sizeQ = (size_t)s->heads * s->queries * s->size;
    const size_t sizeK = (size_t)s->heads * s->keys * s->size;
    __half *d_q = newCopy(q, sizeQ), *d_k = newCopy(k, sizeK), *d_v = newCopy(v, sizeK);
    const size_t scores = KEEPS == KEEPS_SCORES ? (size_t)s->heads * s->queries * s->keys : 0;
    __half *d_o = NULL, *d_scores = NULL;

    cudaVerify(cudaMalloc((void **)&d_o, sizeQ * sizeof *d_o));
    if (scores > 0)
        cudaVerify(cudaMalloc((void **)&d_scores, scores * sizeof *d_scores));
    MEASURE (run) {
        launch(s, d_q, d_k, d_v, d_o, d_scores);
    }
    cudaVerify(cudaMemcpy(o, d_o, sizeQ * sizeof *d_o, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_q));
    cudaVerify(cudaFree(d_k));
    cudaVerify(cudaFree(d_v));
    cudaVerify(cudaFree(d_o));
    cudaVerify(cudaFree(d_scores));
}

/* How many of its keys the query of row `row` sees. */
static __device__ int keysSeen(int row, int queries, int keys, int shift)
{
    return max(0, min(keys, row % queries + shift + 1));
}

/* A thread per row, three passes: the largest element, the sum of the exponentials, the quotients.
 * Without the largest element exp() would overflow from 89 on; in a half, from 11 on. */
__global__ void softmaxThread(const __half *x, __half *y, int rows, int queries, int keys,
                              int shift)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -INFINITY, total = 0.0f;

    if (row >= rows)
        return;
    x += (size_t)row * keys;
    y += (size_t)row * keys;

    const int seen = keysSeen(row, queries, keys, shift);

    // TODO 1 begin: the largest of the elements seen, the sum, the quotients; zeros behind them
    NOT_IMPLEMENTED(1);
    // TODO 1 end
}

void launchThread(const struct shape *s, const __half *d_x, __half *d_y)
{
    const int block = blockSize(256), rows = s->heads * s->queries;

    cudaVerifyKernel((softmaxThread<<<(rows + block - 1) / block, block>>>(
        d_x, d_y, rows, s->queries, s->keys, s->shift)));
}

/* The row was read three times. The first two passes become one: when an element is larger than all
 * before, the sum so far, which is relative to the old largest one, is made smaller by
 * exp(old - new). */
__global__ void softmaxOnline(const __half *x, __half *y, int rows, int queries, int keys,
                              int shift)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -INFINITY, total = 0.0f;

    if (row >= rows)
        return;
    x += (size_t)row * keys;
    y += (size_t)row * keys;

    const int seen = keysSeen(row, queries, keys, shift);

    // TODO 2 begin: largest element and sum in one pass; then the quotients and zeros
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

void launchOnline(const struct shape *s, const __half *d_x, __half *d_y)
{
    const int block = blockSize(256), rows = s->heads * s->queries;

    cudaVerifyKernel((softmaxOnline<<<(rows + block - 1) / block, block>>>(
        d_x, d_y, rows, s->queries, s->keys, s->shift)));
}

/* What all lanes of a warp have at most, and together; every lane gets it. */
static __device__ __forceinline__ float mostOfWarp(float x)
{
    for (int distance = 16; distance > 0; distance /= 2)
        x = fmaxf(x, shuffleFrom(x, threadIdx.x % 32 ^ distance));
    return x;
}

static __device__ __forceinline__ float sumOfWarp(float x)
{
    for (int distance = 16; distance > 0; distance /= 2)
        x += shuffleFrom(x, threadIdx.x % 32 ^ distance);
    return x;
}

/* The lanes of a warp read elements of 32 rows, far apart. Now a warp has one row, so that they
 * read neighbours. Each lane has a largest element and a sum of its own; before they can be added,
 * all sums must be relative to the largest element of the row. A lane that has seen nothing adds
 * 0, for exp(-infinity) is 0. */
__global__ void softmaxWarp(const __half *x, __half *y, int rows, int queries, int keys, int shift)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float most = -INFINITY, total = 0.0f;

    if (row >= rows)
        return;
    x += (size_t)row * keys;
    y += (size_t)row * keys;

    const int seen = keysSeen(row, queries, keys, shift);

    // TODO 3 begin: the lane's elements online; the row's largest element and sum; the quotients
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

void launchWarp(const struct shape *s, const __half *d_x, __half *d_y)
{
    const int block = (blockSize(256) + 31) / 32 * 32, rows = s->heads * s->queries;
    const int grid = (int)(((size_t)rows * 32 + block - 1) / block);

    cudaVerifyKernel((softmaxWarp<<<grid, block>>>(d_x, d_y, rows, s->queries, s->keys, s->shift)));
}

/* The row was still read twice, 2 bytes a lane. Now a block has a row, and a thread keeps up to
 * PIECES times 8 halves of it in registers: one wide load, one wide store, two halves to a
 * conversion. They stay halves, which takes 16 registers instead of 32. Nobody reads the row
 * again: __ldcs() and __stcs() tell the caches so. */
#ifdef HAVE_HALF2
enum { PIECES = 4, MOST_KEYS = 1024 * 8 * PIECES };

/* The same of all threads of a block, by way of a word of shared memory for each warp. */
static __device__ __forceinline__ float mostOfBlock(float x)
{
    __shared__ float s_part[32];

    x = mostOfWarp(x);
    if (threadIdx.x % 32 == 0)
        s_part[threadIdx.x / 32] = x;
    __syncthreads();
    return mostOfWarp(threadIdx.x % 32 < blockDim.x / 32 ? s_part[threadIdx.x % 32] : -INFINITY);
}

static __device__ __forceinline__ float sumOfBlock(float x)
{
    __shared__ float s_part[32];

    x = sumOfWarp(x);
    if (threadIdx.x % 32 == 0)
        s_part[threadIdx.x / 32] = x;
    __syncthreads();
    return sumOfWarp(threadIdx.x % 32 < blockDim.x / 32 ? s_part[threadIdx.x % 32] : 0.0f);
}

#define NONE 0xfc00fc00u /* two halves: -infinity */

/* Of two halves the first `left`, and -infinity for the others. */
static __device__ __forceinline__ unsigned hideAfter(unsigned two, int left)
{
    return left >= 2 ? two : left == 1 ? (two & 0xffff) | (NONE & 0xffff0000) : NONE;
}

/* Makes the halves of a piece that a query does not see -infinity; `left` of them it sees. */
static __device__ __forceinline__ void hideAfter(uint4 *eight, int left)
{
    eight->x = hideAfter(eight->x, left);
    eight->y = hideAfter(eight->y, left - 2);
    eight->z = hideAfter(eight->z, left - 4);
    eight->w = hideAfter(eight->w, left - 6);
}

template <int WIDE>
__global__ void __launch_bounds__(WIDE)
    softmaxBlock(const __half *x, __half *y, int queries, int keys, int shift)
{
    const int seen = keysSeen(blockIdx.x, queries, keys, shift);
    float most = -INFINITY, total = 0.0f;
    uint4 eight[PIECES];

    x += (size_t)blockIdx.x * keys;
    y += (size_t)blockIdx.x * keys;
#pragma unroll
    for (int p = 0; p < PIECES; p++) {
        const int piece = threadIdx.x + p * blockDim.x;

        eight[p] = make_uint4(NONE, NONE, NONE, NONE);
        if (8 * piece < keys)
            eight[p] = __ldcs((const uint4 *)x + piece);
    }
    if (seen < keys) {
#pragma unroll
        for (int p = 0; p < PIECES; p++)
            hideAfter(&eight[p], seen - 8 * (int)(threadIdx.x + p * blockDim.x));
    }
    // TODO 4 begin: the largest half in eight[]; the sum; the quotients into eight[]; store
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

/* The smallest block that can hold a row. */
template <int WIDE> void launchRows(const struct shape *s, const __half *d_x, __half *d_y)
{
    if (WIDE < 1024 && s->keys > WIDE * 8 * PIECES)
        launchRows<(WIDE < 1024 ? 2 * WIDE : 1024)>(s, d_x, d_y);
    else
        cudaVerifyKernel((softmaxBlock<WIDE><<<s->heads * s->queries, WIDE>>>(d_x, d_y, s->queries,
                                                                              s->keys, s->shift)));
}

void launchBlock(const struct shape *s, const __half *d_x, __half *d_y)
{
    if (s->keys % 8 == 0 && s->keys <= MOST_KEYS)
        launchRows<64>(s, d_x, d_y);
    else /* rows do not begin at multiples of 16 bytes, or are too long for a block */
        launchWarp(s, d_x, d_y);
}
#endif

enum { T = 16 }; /* the products work with tiles of T x T elements */

/* c = factor a b for each head, or factor a b' if IS_TRANSPOSED, a is m x depth and c m x n; an
 * element of c for each thread. Halves are read and stored, but added as floats. */
template <int IS_TRANSPOSED>
__global__ void product(const __half *a, const __half *b, __half *c, int m, int n, int depth,
                        float factor)
{
    __shared__ float s_a[T][T], s_b[T][T + 1];
    const int x = threadIdx.x, y = threadIdx.y, head = blockIdx.z;
    const int i = blockIdx.y * T + y, j = blockIdx.x * T + x;
    float sum = 0.0f;

    a += (size_t)head * m * depth;
    b += (size_t)head * n * depth;
    c += (size_t)head * m * n;
    for (int first = 0; first < depth; first += T) {
        s_a[y][x] =
            i < m && first + x < depth ? __half2float(a[(size_t)i * depth + first + x]) : 0.0f;
        // TODO 5 begin: an element of s_b, which has the T rows of b at `first`; sum T products
        NOT_IMPLEMENTED(5);
        // TODO 5 end
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = __float2half_rn(sum * factor);
}

template <int IS_TRANSPOSED>
void launchProduct(int heads, const __half *a, const __half *b, __half *c, int m, int n, int depth,
                   float factor)
{
    const dim3 grid((n + T - 1) / T, (m + T - 1) / T, heads);

    cudaVerifyKernel((product<IS_TRANSPOSED><<<grid, dim3(T, T)>>>(a, b, c, m, n, depth, factor)));
}

/* Attention as the formula says it: the scores of all keys for all queries, the softmax of each
 * row, the weighted sums of the values. */
void launchThree(const struct shape *s, const __half *d_q, const __half *d_k, const __half *d_v,
                 __half *d_o, __half *d_scores)
{
    const float factor = 1.0f / sqrtf((float)s->size);

    // TODO 6 begin: scores from q and k, their softmax in place by launchWarp(), o from them and v
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

/* Nearly all of the time went into the two products. A tensor core multiplies 16 x 16 halves by
 * 16 x 16 in a call of the whole warp, and adds floats. Four warps make SIDE x SIDE elements of c,
 * each of them 2 x 2 fragments. */
#ifdef HAVE_MMA
/* rows end later, against bank conflicts */
enum { SIDE = 64, DEPTH = 32, PITCH = DEPTH + 8, PITCH_B = SIDE + 8 };

template <int IS_TRANSPOSED>
__global__ void productTensor(const __half *a, const __half *b, __half *c, int m, int n, int depth,
                              float factor)
{
#if __CUDA_ARCH__ >= 700
    using namespace nvcuda::wmma;
    __shared__ __align__(32) __half s_a[SIDE * PITCH], s_b[SIDE * PITCH];
    __shared__ __align__(32) float s_c[SIDE * SIDE];
    const int warp = threadIdx.x / 32, head = blockIdx.z;
    const int row = blockIdx.y * SIDE, column = blockIdx.x * SIDE;
    const int wy = warp / 2 * 32, wx = warp % 2 * 32; /* the warp's part of the tile of c */
    const __half zero = __float2half_rn(0.0f);
    fragment<accumulator, 16, 16, 16, float> sum[2][2];

    a += (size_t)head * m * depth;
    b += (size_t)head * n * depth;
    c += (size_t)head * m * n;
    for (int r = 0; r < 4; r++)
        fill_fragment(sum[r / 2][r % 2], 0.0f);
    for (int first = 0; first < depth; first += DEPTH) {
        for (int e = threadIdx.x; e < SIDE * DEPTH; e += blockDim.x) {
            const int i = e / DEPTH, p = e % DEPTH; /* row and column in the tile of a, or of b' */
            const int q = e / SIDE, j = e % SIDE;   /* and in the tile of b */

            s_a[i * PITCH + p] =
                row + i < m && first + p < depth ? a[(size_t)(row + i) * depth + first + p] : zero;
            if (IS_TRANSPOSED)
                s_b[i * PITCH + p] = column + i < n && first + p < depth
                                         ? b[(size_t)(column + i) * depth + first + p]
                                         : zero;
            else
                s_b[q * PITCH_B + j] = first + q < depth && column + j < n
                                           ? b[(size_t)(first + q) * n + column + j]
                                           : zero;
        }
        __syncthreads();
        // TODO 7 begin: (advanced) per 16 columns of s_a: 2 fragments of each tile, 4 products
        NOT_IMPLEMENTED(7);
        // TODO 7 end
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        store_matrix_sync(s_c + (wy + r / 2 * 16) * SIDE + wx + r % 2 * 16, sum[r / 2][r % 2], SIDE,
                          mem_row_major);
    __syncthreads();
    for (int e = threadIdx.x; e < SIDE * SIDE; e += blockDim.x)
        if (row + e / SIDE < m && column + e % SIDE < n)
            c[(size_t)(row + e / SIDE) * n + column + e % SIDE] = __float2half_rn(s_c[e] * factor);
#endif
}

template <int IS_TRANSPOSED>
void launchProductTensor(int heads, const __half *a, const __half *b, __half *c, int m, int n,
                         int depth, float factor)
{
    const dim3 grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE, heads);

    cudaVerifyKernel((productTensor<IS_TRANSPOSED><<<grid, 128>>>(a, b, c, m, n, depth, factor)));
}

void launchThreeTensor(const struct shape *s, const __half *d_q, const __half *d_k,
                       const __half *d_v, __half *d_o, __half *d_scores)
{
    if (!hasTensorCores()) {
        rowSkip("needs compute capability 8.0: tensor cores");
        return;
    }
    launchProductTensor<1>(s->heads, d_q, d_k, d_scores, s->queries, s->keys, s->size,
                           1.0f / sqrtf((float)s->size));
    launchBlock(s, d_scores, d_scores);
    launchProductTensor<0>(s->heads, d_scores, d_v, d_o, s->queries, s->size, s->keys, 1.0f);
}
#endif

/* Now the scores are the time: they are written once, read, written and read again, and they are
 * keys / size times as large as q. The online softmax makes one kernel of the three: LANES lanes
 * have a query and, in registers, the weighted sum of the values so far, relative to the largest
 * score so far. Keys and values come tile by tile. Memory no longer grows with queries x keys. */
enum { LANES = 8, TILE = 16, THREADS = 256 };

template <int SIZE>
__global__ void attentionOnline(const __half *q, const __half *k, const __half *v, __half *o,
                                int queries, int keys, int shift, float factor)
{
    __shared__ float s_k[TILE][SIZE], s_v[TILE][SIZE];
    const int lane = threadIdx.x % LANES, first = blockIdx.x * (THREADS / LANES);
    const int i = first + threadIdx.x / LANES; /* the query */
    const int end = min(keys, first + THREADS / LANES + shift);
    float mine[SIZE / LANES], sum[SIZE / LANES], most = -INFINITY, total = 0.0f;

    q += ((size_t)blockIdx.y * queries + i) * SIZE;
    o += ((size_t)blockIdx.y * queries + i) * SIZE;
    k += (size_t)blockIdx.y * keys * SIZE;
    v += (size_t)blockIdx.y * keys * SIZE;
    for (int e = 0; e < SIZE / LANES; e++) {
        mine[e] = i < queries ? __half2float(q[lane + e * LANES]) * factor : 0.0f;
        sum[e] = 0.0f;
    }
    for (int begin = 0; begin < end; begin += TILE) {
        for (int e = threadIdx.x; e < TILE * SIZE; e += THREADS) {
            const int isThere = begin + e / SIZE < keys;
            const size_t at = (size_t)begin * SIZE + e;

            s_k[e / SIZE][e % SIZE] = isThere ? __half2float(k[at]) : 0.0f;
            s_v[e / SIZE][e % SIZE] = isThere ? __half2float(v[at]) : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float score = 0.0f;

            for (int e = 0; e < SIZE / LANES; e++)
                score += mine[e] * s_k[j][lane + e * LANES];
            for (int distance = LANES / 2; distance > 0; distance /= 2)
                score += shuffleFrom(score, threadIdx.x % 32 ^ distance);
            // TODO 8 begin: if query i sees key begin + j: most, total and sum[] with it
            NOT_IMPLEMENTED(8);
            // TODO 8 end
        }
        __syncthreads();
    }
    // TODO 9 begin: the result, if there is such a query; 0 if it saw no key
    NOT_IMPLEMENTED(9);
    // TODO 9 end
}

void launchFused(const struct shape *s, const __half *d_q, const __half *d_k, const __half *d_v,
                 __half *d_o, __half *)
{
    const dim3 grid((s->queries + THREADS / LANES - 1) / (THREADS / LANES), s->heads);
    const float factor = 1.0f / sqrtf((float)s->size);

    if (s->size == 64)
        cudaVerifyKernel((attentionOnline<64><<<grid, THREADS>>>(d_q, d_k, d_v, d_o, s->queries,
                                                                 s->keys, s->shift, factor)));
    else
        cudaVerifyKernel((attentionOnline<128><<<grid, THREADS>>>(d_q, d_k, d_v, d_o, s->queries,
                                                                  s->keys, s->shift, factor)));
}

/* The same on tensor cores. No student edits these rungs. */
#include "advanced/mma.cuh"

attention_fn launchWgmma; /* advanced/wgmma.cu, for compute capability 9.0a */

extern "C" const struct variant deviceVariants[] = {
    {"softmax, a thread per row", softmax<launchThread>},
    {"softmax, online", softmax<launchOnline>},
    {"softmax, a warp per row", softmax<launchWarp>},
#ifdef HAVE_HALF2
    {"softmax, a block per row", softmax<launchBlock>},
#endif
    {"three kernels", attention<launchThree, KEEPS_SCORES>},
#ifdef HAVE_MMA
    {"three kernels on tensor cores", attention<launchThreeTensor, KEEPS_SCORES>},
#endif
    {"fused, 8 lanes per query", attention<launchFused, KEEPS_NO_SCORES>},
#ifdef HAVE_MMA
    {"fused, mma", attention<launchMma, KEEPS_NO_SCORES>},
#endif
    {"fused, warpgroups", attention<launchWgmma, KEEPS_NO_SCORES>},
    {NULL, NULL},
};
