/* TASK     Softmax of rows of halves, and attention, o = softmax(q k' / sqrt(size)) v for each
 *          head: from a thread per row to one kernel on tensor cores that never stores a score.
 *          Layer norm of rows of bfloat16, and attention with one query a head.
 * TRAFFIC  rows: 4 bytes an element; attention: 4 heads size (queries + keys) bytes.
 * LIMIT    rows, decoding: memory; attention: 4 heads queries keys size operations. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "warp_utils.h"
#include "attention.h"
#include "advanced/halves.cuh" /* __half, HAVE_HALF2, HAVE_BFLOAT16, HAVE_MMA */
#include <float.h>

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
    for (int j = 0; j < seen; j++)
        most = fmaxf(most, __half2float(x[j]));
    for (int j = 0; j < seen; j++)
        total += __expf(__half2float(x[j]) - most);
    for (int j = 0; j < keys; j++)
        y[j] = __float2half_rn(j < seen ? __expf(__half2float(x[j]) - most) / total : 0.0f);
    // TODO 1 end
}

void launchThread(const struct shape *s, const __half *d_x, __half *d_y)
{
    const int block = blockSize(256), rows = s->heads * s->queries;

    cudaVerifyKernel((softmaxThread<<<blocksFor(rows, block), block>>>(d_x, d_y, rows, s->queries,
                                                                       s->keys, s->shift)));
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
    for (int j = 0; j < seen; j++) {
        const float now = __half2float(x[j]), larger = fmaxf(most, now);

        total = total * __expf(most - larger) + __expf(now - larger);
        most = larger;
    }
    for (int j = 0; j < keys; j++)
        y[j] = __float2half_rn(j < seen ? __expf(__half2float(x[j]) - most) / total : 0.0f);
    // TODO 2 end
}

void launchOnline(const struct shape *s, const __half *d_x, __half *d_y)
{
    const int block = blockSize(256), rows = s->heads * s->queries;

    cudaVerifyKernel((softmaxOnline<<<blocksFor(rows, block), block>>>(d_x, d_y, rows, s->queries,
                                                                       s->keys, s->shift)));
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
    for (int j = lane; j < seen; j += 32) {
        const float now = __half2float(x[j]), larger = fmaxf(most, now);

        total = total * __expf(most - larger) + __expf(now - larger);
        most = larger;
    }

    const float ofRow = mostOfWarp(most);

    total = sumOfWarp(total * __expf(most - ofRow));
    for (int j = lane; j < keys; j += 32)
        y[j] = __float2half_rn(j < seen ? __expf(__half2float(x[j]) - ofRow) / total : 0.0f);
    // TODO 3 end
}

void launchWarp(const struct shape *s, const __half *d_x, __half *d_y)
{
    const int block = (blockSize(256) + 31) / 32 * 32, rows = s->heads * s->queries;

    cudaVerifyKernel((softmaxWarp<<<blocksFor((size_t)rows * 32, block), block>>>(
        d_x, d_y, rows, s->queries, s->keys, s->shift)));
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
    __half2 larger = *(const __half2 *)&eight[0];

#pragma unroll
    for (int e = 1; e < 4 * PIECES; e++)
        larger = __hmax2(larger, ((const __half2 *)&eight[e / 4])[e % 4]);
    most = fmaxf(__low2float(larger), __high2float(larger));
    most = mostOfBlock(most);

    const float from = seen > 0 ? most * LOG2_E : 0.0f; /* -infinity - -infinity is a NaN */

#pragma unroll
    for (int e = 0; e < 4 * PIECES; e++) {
        const float2 both = __half22float2(((const __half2 *)&eight[e / 4])[e % 4]);

        total += power2(both.x * LOG2_E - from) + power2(both.y * LOG2_E - from);
    }
    total = sumOfBlock(total);

    const float factor = seen > 0 ? 1.0f / total : 0.0f;

#pragma unroll
    for (int p = 0; p < PIECES; p++) {
        const int piece = threadIdx.x + p * blockDim.x;

#pragma unroll
        for (int e = 0; e < 4; e++) {
            __half2 *two = (__half2 *)&eight[p] + e;
            const float2 both = __half22float2(*two);

            *two = __floats2half2_rn(power2(both.x * LOG2_E - from) * factor,
                                     power2(both.y * LOG2_E - from) * factor);
        }
        if (8 * piece < keys)
            __stcs((uint4 *)y + piece, eight[p]);
    }
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
        if (IS_TRANSPOSED) { /* columns of b' are rows of b, along which the lanes read */
            const int column = blockIdx.x * T + y;

            s_b[x][y] = column < n && first + x < depth
                            ? __half2float(b[(size_t)column * depth + first + x])
                            : 0.0f;
        } else {
            s_b[y][x] =
                j < n && first + y < depth ? __half2float(b[(size_t)(first + y) * n + j]) : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < T; p++)
            sum += s_a[y][p] * s_b[p][x];
        __syncthreads();
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
    launchProduct<1>(s->heads, d_q, d_k, d_scores, s->queries, s->keys, s->size, factor);
    launchWarp(s, d_scores, d_scores);
    launchProduct<0>(s->heads, d_scores, d_v, d_o, s->queries, s->size, s->keys, 1.0f);
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
        for (int p = 0; p < DEPTH; p += 16) {
            fragment<matrix_a, 16, 16, 16, __half, row_major> left[2];
            fragment<matrix_b, 16, 16, 16, __half, row_major> right[2];
            fragment<matrix_b, 16, 16, 16, __half, col_major> rightOfColumns[2];

            for (int r = 0; r < 2; r++) {
                load_matrix_sync(left[r], s_a + (wy + 16 * r) * PITCH + p, PITCH);
                if (IS_TRANSPOSED)
                    load_matrix_sync(rightOfColumns[r], s_b + (wx + 16 * r) * PITCH + p, PITCH);
                else
                    load_matrix_sync(right[r], s_b + p * PITCH_B + wx + 16 * r, PITCH_B);
            }
            for (int r = 0; r < 4; r++)
                if (IS_TRANSPOSED)
                    mma_sync(sum[r / 2][r % 2], left[r / 2], rightOfColumns[r % 2],
                             sum[r / 2][r % 2]);
                else
                    mma_sync(sum[r / 2][r % 2], left[r / 2], right[r % 2], sum[r / 2][r % 2]);
        }
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
            if (begin + j < keys && begin + j <= i + shift) {
                const float larger = fmaxf(most, score);
                const float smaller = __expf(most - larger), weight = __expf(score - larger);

                total = total * smaller + weight;
                for (int e = 0; e < SIZE / LANES; e++)
                    sum[e] = sum[e] * smaller + weight * s_v[j][lane + e * LANES];
                most = larger;
            }
            // TODO 8 end
        }
        __syncthreads();
    }
    // TODO 9 begin: the result, if there is such a query; 0 if it saw no key
    if (i < queries)
        for (int e = 0; e < SIZE / LANES; e++)
            o[lane + e * LANES] = __float2half_rn(total > 0.0f ? sum[e] / total : 0.0f);
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

/* The layer norm of rows of bfloat16: (x - mean) / sqrt(variance + EPSILON) gamma + beta. */
#ifdef HAVE_BFLOAT16
typedef __nv_bfloat16 bfloat16;
typedef void norm_fn(int rows, int columns, const bfloat16 *d_x, const bfloat16 *d_gamma,
                     const bfloat16 *d_beta, bfloat16 *d_y);

template <norm_fn launch>
static void norm(const struct shape *s, const half_bits *x, const half_bits *gamma,
                 const half_bits *beta, half_bits *y)
{
    const size_t n = (size_t)s->heads * s->queries * s->keys;
    bfloat16 *d_x = (bfloat16 *)newCopy(x, n), *d_gamma = (bfloat16 *)newCopy(gamma, s->keys);
    bfloat16 *d_beta = (bfloat16 *)newCopy(beta, s->keys), *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_y, n * sizeof *d_y));
    MEASURE (run) {
        launch(s->heads * s->queries, s->keys, d_x, d_gamma, d_beta, d_y);
    }
    cudaVerify(cudaMemcpy(y, d_y, n * sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_gamma));
    cudaVerify(cudaFree(d_beta));
    cudaVerify(cudaFree(d_y));
}

/* A warp per row, three times over it: the mean, the mean square of the distances from it, the
 * quotients. The mean of x^2 minus the square of the mean would save a pass. But where the mean is
 * hundreds of standard deviations, these two agree in all digits that a float has. */
__global__ void normTwoPasses(const bfloat16 *x, const bfloat16 *gamma, const bfloat16 *beta,
                              bfloat16 *y, int rows, int columns)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0.0f, squares = 0.0f;

    if (row >= rows)
        return;
    x += (size_t)row * columns;
    y += (size_t)row * columns;
    // TODO 10 begin: (advanced) the mean; the squares of the distances; the row
    for (int j = lane; j < columns; j += 32)
        sum += __bfloat162float(x[j]);

    const float mean = sumOfWarp(sum) / columns;

    for (int j = lane; j < columns; j += 32) {
        const float distance = __bfloat162float(x[j]) - mean;

        squares += distance * distance;
    }

    const float factor = rsqrtf(sumOfWarp(squares) / columns + EPSILON);

    for (int j = lane; j < columns; j += 32)
        y[j] = __float2bfloat16_rn((__bfloat162float(x[j]) - mean) * factor *
                                       __bfloat162float(gamma[j]) +
                                   __bfloat162float(beta[j]));
    // TODO 10 end
}

void launchTwoPasses(int rows, int columns, const bfloat16 *d_x, const bfloat16 *d_gamma,
                     const bfloat16 *d_beta, bfloat16 *d_y)
{
    const int block = (blockSize(256) + 31) / 32 * 32;

    cudaVerifyKernel((normTwoPasses<<<blocksFor((size_t)rows * 32, block), block>>>(
        d_x, d_gamma, d_beta, d_y, rows, columns)));
}

/* The first two passes become one, as those of the softmax did. Some numbers are known by how many
 * they are, by their mean, and by the sum of the squares of their distances from it. */
struct moments {
    float count, mean, squares;
};

/* Welford's step: x is one more number, `part` is 1 / count with it. */
static __device__ __forceinline__ void addNumber(struct moments *m, float x, float part)
{
    // TODO 11 begin: (advanced) the mean moves by a part of the distance; then the squares
    const float distance = x - m->mean;

    m->count += 1.0f;
    m->mean += distance * part;
    m->squares += distance * (x - m->mean);
    // TODO 11 end
}

/* Chan's formula: the moments of all numbers of the warp's lanes; every lane gets them. A lane may
 * have no number. */
static __device__ __forceinline__ struct moments momentsOfWarp(struct moments m)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = threadIdx.x % 32 ^ distance;
        const float count = shuffleFrom(m.count, other), mean = shuffleFrom(m.mean, other);
        const float squares = shuffleFrom(m.squares, other);

        // TODO 12 begin: (advanced) add the other lane's count, mean and squares to m
        const float all = m.count + count, apart = mean - m.mean;
        const float part = all > 0.0f ? count / all : 0.0f; /* 0 / 0 would be a NaN */

        m.squares += squares + apart * apart * m.count * part;
        m.mean += apart * part;
        m.count = all;
        // TODO 12 end
    }
    return m;
}

__global__ void normWelford(const bfloat16 *x, const bfloat16 *gamma, const bfloat16 *beta,
                            bfloat16 *y, int rows, int columns)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    struct moments m = {0.0f, 0.0f, 0.0f};

    if (row >= rows)
        return;
    x += (size_t)row * columns;
    y += (size_t)row * columns;
    for (int j = lane; j < columns; j += 32)
        addNumber(&m, __bfloat162float(x[j]), 1.0f / (m.count + 1.0f));
    m = momentsOfWarp(m);

    const float factor = rsqrtf(m.squares / columns + EPSILON);

    for (int j = lane; j < columns; j += 32)
        y[j] = __float2bfloat16_rn((__bfloat162float(x[j]) - m.mean) * factor *
                                       __bfloat162float(gamma[j]) +
                                   __bfloat162float(beta[j]));
}

void launchWelford(int rows, int columns, const bfloat16 *d_x, const bfloat16 *d_gamma,
                   const bfloat16 *d_beta, bfloat16 *d_y)
{
    const int block = (blockSize(256) + 31) / 32 * 32;

    cudaVerifyKernel((normWelford<<<blocksFor((size_t)rows * 32, block), block>>>(
        d_x, d_gamma, d_beta, d_y, rows, columns)));
}

/* The two numbers of a register. A bfloat16 is the upper half of a float, so a shift and a mask do
 * what __bfloat1622float2() does. But with that one, nvcc takes a register of two apart when it is
 * loaded, and keeps twice as many. */
static __device__ __forceinline__ float2 unpackBfloats(unsigned two)
{
    return make_float2(__uint_as_float(two << 16), __uint_as_float(two & 0xffff0000));
}

static __device__ __forceinline__ unsigned packBfloats(float low, float high)
{
    const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);

    return *(const unsigned *)&two;
}

/* The row was still read twice, 2 bytes a lane. Now a lane keeps N pieces of 8 numbers of it in
 * registers, from one wide load each. How many numbers a lane has had is known when the loops are
 * unrolled: no division is left. */
enum { WARPS = 4, MOST_PIECES = 16, MOST_COLUMNS = 32 * 8 * MOST_PIECES };

template <int N>
__global__ void __launch_bounds__(32 * WARPS, 5)
    normWide(const bfloat16 *x, const bfloat16 *gamma, const bfloat16 *beta, bfloat16 *y, int rows,
             int columns)
{
    const int row = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    struct moments m = {0.0f, 0.0f, 0.0f};
    uint4 eight[N];

    if (row >= rows)
        return;
    x += (size_t)row * columns;
    y += (size_t)row * columns;
#pragma unroll
    for (int p = 0; p < N; p++) {
        eight[p] = make_uint4(0, 0, 0, 0);
        if (8 * (lane + 32 * p) < columns)
            eight[p] = __ldcs((const uint4 *)x + lane + 32 * p);
    }
    // TODO 13 begin: (advanced) the lane's moments, of the pieces that are there
#pragma unroll
    for (int p = 0; p < N; p++)
        if (8 * (lane + 32 * p) < columns)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const float2 both = unpackBfloats(((const unsigned *)&eight[p])[e]);

                addNumber(&m, both.x, 1.0f / (8 * p + 2 * e + 1));
                addNumber(&m, both.y, 1.0f / (8 * p + 2 * e + 2));
            }
    // TODO 13 end
    m = momentsOfWarp(m);

    const float factor = rsqrtf(m.squares / columns + EPSILON);

#pragma unroll
    for (int p = 0; p < N; p++)
        if (8 * (lane + 32 * p) < columns) {
            const uint4 times = ((const uint4 *)gamma)[lane + 32 * p];
            const uint4 plus = ((const uint4 *)beta)[lane + 32 * p];

#pragma unroll
            for (int e = 0; e < 4; e++) {
                unsigned *two = (unsigned *)&eight[p] + e;
                const float2 both = unpackBfloats(*two),
                             g = unpackBfloats(((const unsigned *)&times)[e]);
                const float2 b = unpackBfloats(((const unsigned *)&plus)[e]);

                *two = packBfloats((both.x - m.mean) * factor * g.x + b.x,
                                   (both.y - m.mean) * factor * g.y + b.y);
            }
            __stcs((uint4 *)y + lane + 32 * p, eight[p]);
        }
}

/* The fewest registers that can hold a row. */
template <int N>
void launchPieces(int rows, int columns, const bfloat16 *d_x, const bfloat16 *d_gamma,
                  const bfloat16 *d_beta, bfloat16 *d_y)
{
    if (N < MOST_PIECES && columns > 32 * 8 * N)
        launchPieces<(N < MOST_PIECES ? 2 * N : MOST_PIECES)>(rows, columns, d_x, d_gamma, d_beta,
                                                              d_y);
    else
        cudaVerifyKernel((normWide<N><<<(rows + WARPS - 1) / WARPS, 32 * WARPS>>>(
            d_x, d_gamma, d_beta, d_y, rows, columns)));
}

void launchWide(int rows, int columns, const bfloat16 *d_x, const bfloat16 *d_gamma,
                const bfloat16 *d_beta, bfloat16 *d_y)
{
    if (columns % 8 == 0 && columns <= MOST_COLUMNS)
        launchPieces<1>(rows, columns, d_x, d_gamma, d_beta, d_y);
    else /* rows do not begin at multiples of 16 bytes, or are too long for a warp */
        launchWelford(rows, columns, d_x, d_gamma, d_beta, d_y);
}
#endif

/* A model that writes asks with one query per head: that of the last word, over the keys and values
 * of all words so far, which it has kept. No tile can be used twice: the limit is to read keys and
 * values once. */
#ifdef HAVE_HALF2
/* What is known of some of a head's keys: the largest score, the sum of the weights relative to it,
 * and, elsewhere, the weighted sum of the values. Scores are multiplied by log2(e), since the
 * hardware has powers of 2 only. */
struct part {
    float most, total;
};

/* Larger than -infinity, which stands for no score, and finite: LEAST - LEAST is 0, not a NaN. */
#define LEAST (-FLT_MAX)

/* The parts of each head, one for each of its blocks. With tickets, the last of these blocks joins
 * them; without, a second kernel does. */
struct split {
    int parts;
    struct part *d_part;
    float *d_sums;
    unsigned *d_tickets;
};
typedef void decode_fn(const struct shape *s, const __half *d_q, const __half *d_k,
                       const __half *d_v, __half *d_o, const struct split *split);

enum { DECODERS = 256, AT_ONCE = 4, BLOCKS_EACH = 4, FEWEST_KEYS = 32 };
enum { ONE_BLOCK, MANY_BLOCKS };

/* As many parts as give each multiprocessor the blocks that it can hold at a time. */
static int partsOf(const struct shape *s)
{
    const size_t most = (size_t)(s->keys + FEWEST_KEYS - 1) / FEWEST_KEYS;
    const size_t blocks = gridSize((size_t)BLOCKS_EACH * multiprocessors());
    const size_t parts = blocks / s->heads > 1 ? blocks / s->heads : 1;

    return (int)(parts < most ? parts : most);
}

template <decode_fn launch, int BLOCKS>
static void decoding(const struct shape *s, const half_bits *q, const half_bits *k,
                     const half_bits *v, half_bits *o)
{
    const size_t sizeQ = (size_t)s->heads * s->size, sizeK = sizeQ * s->keys;
    __half *d_q = newCopy(q, sizeQ), *d_k = newCopy(k, sizeK), *d_v = newCopy(v, sizeK);
    __half *d_o = NULL;
    struct split p = {BLOCKS == ONE_BLOCK ? 1 : partsOf(s), NULL, NULL, NULL};

    cudaVerify(cudaMalloc((void **)&d_o, sizeQ * sizeof *d_o));
    cudaVerify(cudaMalloc((void **)&p.d_part, (size_t)s->heads * p.parts * sizeof *p.d_part));
    cudaVerify(cudaMalloc((void **)&p.d_sums, sizeQ * p.parts * sizeof *p.d_sums));
    cudaVerify(cudaMalloc((void **)&p.d_tickets, s->heads * sizeof *p.d_tickets));
    cudaVerify(cudaMemset(p.d_tickets, 0, s->heads * sizeof *p.d_tickets));
    MEASURE (run) {
        launch(s, d_q, d_k, d_v, d_o, &p);
    }
    cudaVerify(cudaMemcpy(o, d_o, sizeQ * sizeof *d_o, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_q));
    cudaVerify(cudaFree(d_k));
    cudaVerify(cudaFree(d_v));
    cudaVerify(cudaFree(d_o));
    cudaVerify(cudaFree(p.d_part));
    cudaVerify(cudaFree(p.d_sums));
    cudaVerify(cudaFree(p.d_tickets));
}

static __device__ __forceinline__ void toFloats(float (&x)[8], const uint4 &eight)
{
#pragma unroll
    for (int e = 0; e < 4; e++) {
        const float2 both = __half22float2(((const __half2 *)&eight)[e]);

        x[2 * e] = both.x;
        x[2 * e + 1] = both.y;
    }
}

/* Number e of the sum of all parts, which are relative to largest scores of their own. */
template <int SIZE>
static __device__ __forceinline__ struct part joinParts(const struct part *part, const float *sums,
                                                        int parts, int e, float *sum)
{
    struct part all = {LEAST, 0.0f};

    *sum = 0.0f;
    // TODO 14 begin: (advanced) the largest score of all parts; then their totals and sums
#pragma unroll 8
    for (int p = 0; p < parts; p++)
        all.most = fmaxf(all.most, part[p].most);
#pragma unroll 8
    for (int p = 0; p < parts; p++) {
        const float weight = power2(part[p].most - all.most);

        all.total += weight * part[p].total;
        *sum += weight * sums[p * SIZE + e];
    }
    // TODO 14 end
    return all;
}

/* With tickets one kernel is enough: the last block of a head that has stored its part joins all
 * parts of the head. The parts are those of gridDim.x blocks. */
template <int SIZE>
static __device__ __forceinline__ void joinByTicket(const struct part *part, const float *sums,
                                                    unsigned *ticket, __half *o)
{
    // TODO 16 begin: (advanced) a ticket when the block's part is stored; the last one joins
    __shared__ int isLast;

    __syncthreads(); /* all threads have stored their numbers of the part */
    if (threadIdx.x == 0) {
        __threadfence(); /* whoever sees the ticket must see the part, too */
        isLast = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1; /* then it is 0 again */
        __threadfence(); /* and must not have read the parts before the ticket */
    }
    __syncthreads();
    if (isLast && threadIdx.x < SIZE) {
        float sum;
        const struct part all = joinParts<SIZE>(part, sums, gridDim.x, threadIdx.x, &sum);

        o[threadIdx.x] = __float2half_rn(sum / all.total);
    }
    // TODO 16 end
}

/* A part of a head's keys for each block. SIZE / 8 lanes have a key, 8 numbers each: one wide load.
 * AT_ONCE keys and as many values are under way before the first is used. Scores that are not there
 * are -infinity. */
template <int SIZE>
__global__ void __launch_bounds__(DECODERS, BLOCKS_EACH)
    decode(const __half *q, const __half *k, const __half *v, __half *o, struct part *parts,
           float *sums, unsigned *tickets, int keys, float scale)
{
    enum { LANES_A_KEY = SIZE / 8, GROUPS = DECODERS / LANES_A_KEY };
    __shared__ __align__(16) float s_sum[GROUPS * SIZE]; /* its numbers are stored by four */
    __shared__ struct part s_part[GROUPS];
    const int lane = threadIdx.x % LANES_A_KEY, group = threadIdx.x / LANES_A_KEY;
    const int head = blockIdx.y, count = gridDim.x, each = (keys + count - 1) / count;
    const int begin = blockIdx.x * each, end = min(keys, begin + each);
    const size_t at = ((size_t)head * keys + begin) * LANES_A_KEY + threadIdx.x;
    const uint4 *ofKeys = (const uint4 *)k + at, *ofValues = (const uint4 *)v + at;
    float mine[8], sum[8], joined;
    struct part part = {LEAST, 0.0f};

    toFloats(mine, ((const uint4 *)(q + (size_t)head * SIZE))[lane]);
    for (int e = 0; e < 8; e++) {
        mine[e] *= scale;
        sum[e] = 0.0f;
    }
    for (int first = begin; first < end; first += GROUPS * AT_ONCE) {
        const int left = end - first - group; /* keys from this group's first one to the end */
        uint4 key[AT_ONCE], value[AT_ONCE];
        float score[AT_ONCE], x[8];

#pragma unroll
        for (int a = 0; a < AT_ONCE; a++) {
            key[a] = value[a] = make_uint4(0, 0, 0, 0);
            if (a * GROUPS < left) {
                key[a] = __ldcs(ofKeys + a * DECODERS);
                value[a] = __ldcs(ofValues + a * DECODERS);
            }
        }
        ofKeys += AT_ONCE * DECODERS;
        ofValues += AT_ONCE * DECODERS;
#pragma unroll
        for (int a = 0; a < AT_ONCE; a++) {
            score[a] = 0.0f;
            toFloats(x, key[a]);
            for (int e = 0; e < 8; e++)
                score[a] += mine[e] * x[e];
            for (int distance = LANES_A_KEY / 2; distance > 0; distance /= 2)
                score[a] += shuffleFrom(score[a], threadIdx.x % 32 ^ distance);
            if (a * GROUPS >= left)
                score[a] = -INFINITY;
        }
        // TODO 15 begin: (advanced) part and sum[] with AT_ONCE scores, made smaller only once
        float larger = part.most;

        for (int a = 0; a < AT_ONCE; a++)
            larger = fmaxf(larger, score[a]);

        const float smaller = power2(part.most - larger);

        part.most = larger;
        part.total *= smaller;
        for (int e = 0; e < 8; e++)
            sum[e] *= smaller;
#pragma unroll
        for (int a = 0; a < AT_ONCE; a++) {
            const float weight = power2(score[a] - larger);

            toFloats(x, value[a]);
            part.total += weight;
            for (int e = 0; e < 8; e++)
                sum[e] += weight * x[e];
        }
        // TODO 15 end
    }
    /* So far each group of lanes has a part. The block joins them. */
    ((float4 *)s_sum)[2 * threadIdx.x] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    ((float4 *)s_sum)[2 * threadIdx.x + 1] = make_float4(sum[4], sum[5], sum[6], sum[7]);
    if (lane == 0)
        s_part[group] = part;
    __syncthreads();
    parts += (size_t)head * count;
    sums += (size_t)head * count * SIZE;
    if (threadIdx.x < SIZE) {
        part = joinParts<SIZE>(s_part, s_sum, GROUPS, threadIdx.x, &joined);
        sums[blockIdx.x * SIZE + threadIdx.x] = joined;
        if (threadIdx.x == 0)
            parts[blockIdx.x] = part;
    }
    if (tickets != NULL)
        joinByTicket<SIZE>(parts, sums, &tickets[head], o + (size_t)head * SIZE);
}

/* A block per head. */
template <int SIZE>
__global__ void joinHeads(const struct part *parts, const float *sums, __half *o, int count)
{
    const size_t head = blockIdx.x;
    float joined;
    const struct part all = joinParts<SIZE>(parts + head * count, sums + head * count * SIZE, count,
                                            threadIdx.x, &joined);

    o[head * SIZE + threadIdx.x] = __float2half_rn(joined / all.total);
}

template <int SIZE>
void launchParts(const struct shape *s, const __half *d_q, const __half *d_k, const __half *d_v,
                 __half *d_o, const struct split *p, unsigned *d_tickets)
{
    const dim3 grid(p->parts, s->heads);

    cudaVerifyKernel((decode<SIZE><<<grid, DECODERS>>>(d_q, d_k, d_v, d_o, p->d_part, p->d_sums,
                                                       d_tickets, s->keys, scaleOf(s))));
    if (d_tickets == NULL)
        cudaVerifyKernel(
            (joinHeads<SIZE><<<s->heads, SIZE>>>(p->d_part, p->d_sums, d_o, p->parts)));
}

void launchSplit(const struct shape *s, const __half *d_q, const __half *d_k, const __half *d_v,
                 __half *d_o, const struct split *p)
{
    if (s->size == 64)
        launchParts<64>(s, d_q, d_k, d_v, d_o, p, NULL);
    else
        launchParts<128>(s, d_q, d_k, d_v, d_o, p, NULL);
}

void launchTickets(const struct shape *s, const __half *d_q, const __half *d_k, const __half *d_v,
                   __half *d_o, const struct split *p)
{
    if (s->size == 64)
        launchParts<64>(s, d_q, d_k, d_v, d_o, p, p->d_tickets);
    else
        launchParts<128>(s, d_q, d_k, d_v, d_o, p, p->d_tickets);
}
#endif

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
#ifdef HAVE_BFLOAT16
    {"layer norm, two passes", norm<launchTwoPasses>},
    {"layer norm, Welford", norm<launchWelford>},
    {"layer norm, wide loads", norm<launchWide>},
#endif
#ifdef HAVE_HALF2
    {"decoding, a block per head", decoding<launchSplit, ONE_BLOCK>},
    {"decoding, split and joined", decoding<launchSplit, MANY_BLOCKS>},
    {"decoding, joined by tickets", decoding<launchTickets, MANY_BLOCKS>},
#endif
    {NULL, NULL},
};
