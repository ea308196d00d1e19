/* Attention by the tensor cores' own instructions, for compute capability 8.0 and later. The tiles
 * are swizzled in shared memory: piece p (16 bytes) of row r stands in place p ^ r % 8, so that the
 * eight rows that ldmatrix reads at once are in eight groups of banks, without any padding. */
#ifndef MMA_CUH
#define MMA_CUH

#include "advanced/halves.cuh"

#ifdef HAVE_MMA
#include <cuda_pipeline.h>

#if defined __CUDA_EMULATED__ || !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
#define MMA_ASM(...) asm volatile(__VA_ARGS__)
#else
#define MMA_ASM(...) /* the rows are skipped there */
#endif

/* Address of piece `piece` of a row in a swizzled tile whose rows have SIZE halves. */
template <int SIZE>
static __device__ __forceinline__ const __half *swizzled(const __half *tile, int row, int piece)
{
    return tile + row * SIZE + (piece ^ row % 8) * 8;
}

/* Starts to copy ROWS rows, row `first` and so on. Those from row `count` on become zeros. */
template <int SIZE, int ROWS, int THREADS>
static __device__ __forceinline__ void startTile(__half *tile, const __half *from, int first,
                                                 int count)
{
    enum { PIECES = SIZE / 8 };

#pragma unroll
    for (int e = threadIdx.x; e < ROWS * PIECES; e += THREADS) {
        const int row = e / PIECES, piece = e % PIECES, isInside = first + row < count;
        const __half *source = from + (size_t)(isInside ? first + row : 0) * SIZE + piece * 8;

        __pipeline_memcpy_async((void *)swizzled<SIZE>(tile, row, piece), source, 16,
                                isInside ? 0 : 16);
    }
    __pipeline_commit();
}

/* Four matrices of 8 x 8 halves; lane l gives the address of row l % 8 of matrix l / 8. Afterwards
 * a lane, number 4 g + t, has elements 2 t and 2 t + 1 of row g of each. */
static __device__ __forceinline__ void loadMatrices(unsigned (&to)[4], const __half *row)
{
    MMA_ASM("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
            : "r"((unsigned)__cvta_generic_to_shared(row))
            : "memory");
}

/* The same of the transposed matrices. */
static __device__ __forceinline__ void loadTransposed(unsigned (&to)[4], const __half *row)
{
    MMA_ASM("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
            : "r"((unsigned)__cvta_generic_to_shared(row))
            : "memory");
}

/* sum += left right, 16 x 16 by 16 x 8 halves; of the sum a lane has elements 2 t and 2 t + 1 of
 * rows g and g + 8. */
static __device__ __forceinline__ void multiply(float (&sum)[4], const unsigned (&left)[4],
                                                unsigned right0, unsigned right1)
{
    MMA_ASM("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}

/* What was slow in attentionOnline: no tensor core had any work. wmma hides which lane has which
 * element of a fragment, so a softmax between two products would go through shared memory. Here
 * they stay in registers: of a sum a lane has the very elements that the next product wants from
 * it as a left factor. A block has 16 TALL queries for each of WARPS warps. V arrives during the
 * first product, the next K during the second. */
template <int SIZE, int WARPS, int TALL, int KEYS>
__global__ void __launch_bounds__(32 * WARPS)
    attentionMma(const __half *__restrict__ q, const __half *__restrict__ k,
                 const __half *__restrict__ v, __half *__restrict__ o, int queries, int keys,
                 int shift, float scale)
{
    enum { THREADS = 32 * WARPS, QUERIES = 16 * TALL * WARPS };
    extern __shared__ uint4 memory[];
    __half *s_q = (__half *)memory, *s_k = s_q + QUERIES * SIZE, *s_v = s_k + KEYS * SIZE;
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int mine = threadIdx.x / 32 * 16 * TALL;            /* the warp's first row in the tile */
    const int first = (gridDim.x - 1 - blockIdx.x) * QUERIES; /* causal: the long ones first */
    const size_t fromQ = (size_t)blockIdx.y * queries * SIZE;
    const size_t fromK = (size_t)blockIdx.y * keys * SIZE;
    const int end = min(keys, first + QUERIES + shift); /* of the keys that the block needs */
    float sum[TALL][SIZE / 8][4] = {{{0.0f}}}, most[TALL][2], total[TALL][2];

#pragma unroll
    for (int e = 0; e < 2 * TALL; e++) {
        most[e / 2][e % 2] = -INFINITY;
        total[e / 2][e % 2] = 0.0f;
    }
    startTile<SIZE, QUERIES, THREADS>(s_q, q + fromQ, first, queries);
    startTile<SIZE, KEYS, THREADS>(s_k, k + fromK, 0, keys);
    for (int begin = 0; begin < end; begin += KEYS) {
        float score[TALL][KEYS / 8][4] = {{{0.0f}}};

        __pipeline_wait_prior(0);
        __syncthreads(); /* K is there, and nobody needs the last V */
        startTile<SIZE, KEYS, THREADS>(s_v, v + fromK, begin, keys);
#pragma unroll
        for (int d = 0; d < SIZE / 16; d++) {
            unsigned left[TALL][4], right[4];

#pragma unroll
            for (int r = 0; r < TALL; r++)
                loadMatrices(left[r],
                             swizzled<SIZE>(s_q, mine + 16 * r + lane % 16, 2 * d + lane / 16));
#pragma unroll
            for (int j = 0; j < KEYS / 16; j++) {
                loadMatrices(right, swizzled<SIZE>(s_k, 16 * j + lane / 16 * 8 + lane % 8,
                                                   2 * d + lane / 8 % 2));
#pragma unroll
                for (int r = 0; r < TALL; r++) {
                    multiply(score[r][2 * j], left[r], right[0], right[1]);
                    multiply(score[r][2 * j + 1], left[r], right[2], right[3]);
                }
            }
        }
        __pipeline_wait_prior(0);
        __syncthreads(); /* V is there, and nobody needs this K */
        if (begin + KEYS < end)
            startTile<SIZE, KEYS, THREADS>(s_k, k + fromK, begin + KEYS, keys);
#pragma unroll
        for (int r = 0; r < TALL; r++) {
            const int row = first + mine + 16 * r + g;

            if (begin + KEYS > min(keys, first + mine + shift + 1))
                maskScores(score[r], row + shift, min(keys, end), begin + 2 * t);
            newWeights(score[r], sum[r], most[r], total[r], scale);
        }
#pragma unroll
        for (int j = 0; j < KEYS / 16; j++) {
            unsigned left[TALL][4], right[4];

#pragma unroll
            for (int e = 0; e < 4 * TALL; e++)
                left[e / 4][e % 4] = packHalves(score[e / 4][2 * j + e % 4 / 2][e % 2 * 2],
                                                score[e / 4][2 * j + e % 4 / 2][e % 2 * 2 + 1]);
#pragma unroll
            for (int d = 0; d < SIZE / 16; d++) {
                loadTransposed(right, swizzled<SIZE>(s_v, 16 * j + lane % 16, 2 * d + lane / 16));
#pragma unroll
                for (int r = 0; r < TALL; r++) {
                    multiply(sum[r][2 * d], left[r], right[0], right[1]);
                    multiply(sum[r][2 * d + 1], left[r], right[2], right[3]);
                }
            }
        }
    }
    __pipeline_wait_prior(0); /* also where no key was seen */
#pragma unroll
    for (int r = 0; r < TALL; r++)
        storeRows<SIZE>(o + fromQ, sum[r], total[r], first + mine + 16 * r + g, queries, t);
}

template <int SIZE, int WARPS, int TALL, int KEYS>
void launchMmaTiles(const struct shape *s, const __half *q, const __half *k, const __half *v,
                    __half *o)
{
    const int rows = 16 * TALL * WARPS;
    const size_t bytes = (rows + 2 * KEYS) * SIZE * sizeof(__half);
    const dim3 grid((s->queries + rows - 1) / rows, s->heads);

    cudaVerify(cudaFuncSetAttribute((const void *)attentionMma<SIZE, WARPS, TALL, KEYS>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaVerifyKernel((attentionMma<SIZE, WARPS, TALL, KEYS><<<grid, 32 * WARPS, bytes>>>(
        q, k, v, o, s->queries, s->keys, s->shift, scaleOf(s))));
}

/* Four warps with 32 queries each: a fragment of K or V, once loaded, serves two products. */
void launchMma(const struct shape *s, const __half *q, const __half *k, const __half *v, __half *o,
               __half *)
{
    if (!hasTensorCores())
        rowSkip("needs compute capability 8.0: mma and asynchronous copies");
    else if (s->size == 64)
        launchMmaTiles<64, 4, 2, 64>(s, q, k, v, o);
    else
        launchMmaTiles<128, 4, 2, 64>(s, q, k, v, o);
}

#endif
#endif
