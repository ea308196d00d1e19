/* TASK     o = softmax(q k' / sqrt(size)) v by what compute capability 9.0a has: products of a
 *          whole warpgroup, and tiles fetched by the tensor memory accelerator.
 * TRAFFIC  2 heads size (2 queries + 2 keys) bytes: q, k and v read once, o written once.
 * LIMIT    the tensor cores, then the exponentials. */
#include "capability.h"
#include "cuda_utils.h"
#include "measure.h"
#include "advanced/halves.cuh"

#if defined COURSE_SM_90A || defined __CUDA_EMULATED__
#include "advanced/wgmma.cuh"

/* A block makes 64 queries for each of its WORKERS warpgroups; a thread of one more fetches KEYS
 * keys at a time, and their values, into a ring of STAGES places. */
enum { KEYS = 128, STAGES = 2 };

/* What is in shared memory: boxes of 64 columns, whose rows of 128 bytes are swizzled. */
template <int SIZE, int WORKERS> struct ring {
    enum { BOXES = SIZE / 64 };
    __half q[WORKERS][BOXES][64][64], k[STAGES][BOXES][KEYS][64], v[STAGES][BOXES][KEYS][64];
    barrier qIsFull, kIsFull[STAGES], vIsFull[STAGES], kIsEmpty[STAGES], vIsEmpty[STAGES];
};

template <int SIZE, int WORKERS>
static __device__ void fetch(ring<SIZE, WORKERS> *s, const CUtensorMap *q, const CUtensorMap *k,
                             const CUtensorMap *v, int first, int head, int steps)
{
    enum { BOXES = SIZE / 64 };

    expectBytes(&s->qIsFull, sizeof s->q);
    for (int i = 0; i < WORKERS * BOXES; i++)
        loadBox(s->q[i / BOXES][i % BOXES], q, i % BOXES * 64, first + i / BOXES * 64, head,
                &s->qIsFull);
    for (int step = 0; step < steps; step++) {
        const int stage = step % STAGES, parity = step / STAGES % 2 ^ 1;

        waitFor(&s->kIsEmpty[stage], parity);
        expectBytes(&s->kIsFull[stage], sizeof s->k[0]);
        for (int i = 0; i < BOXES; i++)
            loadBox(s->k[stage][i], k, i * 64, step * KEYS, head, &s->kIsFull[stage]);
        waitFor(&s->vIsEmpty[stage], parity);
        expectBytes(&s->vIsFull[stage], sizeof s->v[0]);
        for (int i = 0; i < BOXES; i++)
            loadBox(s->v[stage][i], v, i * 64, step * KEYS, head, &s->vIsFull[stage]);
    }
}

/* Starts the scores of a warpgroup's queries with KEYS keys. */
template <int BOXES>
static __device__ __forceinline__ void startScores(float (&score)[KEYS / 8][4],
                                                   const __half (&q)[BOXES][64][64],
                                                   const __half (&k)[BOXES][KEYS][64])
{
    beginProducts();
#pragma unroll
    for (int d = 0; d < 4 * BOXES; d++)
        multiplyTiles(score, describe(&q[d / 4][0][d % 4 * 16], 1),
                      describe(&k[d / 4][0][d % 4 * 16], 1), d > 0);
    endProducts();
}

/* Starts to add the weighted values: the weights come from registers, V is read by columns. */
template <int BOXES>
static __device__ __forceinline__ void startValues(float (&sum)[8 * BOXES][4],
                                                   const unsigned (&weight)[KEYS / 16][4],
                                                   const __half (&v)[BOXES][KEYS][64])
{
    beginProducts();
#pragma unroll
    for (int j = 0; j < KEYS / 16; j++)
        multiplyRegisters(sum, weight[j], describe(&v[0][16 * j][0], KEYS * 128 / 16));
    endProducts();
}

/* The largest scores so far, what the older weights are to be multiplied by, and the weights. Four
 * neighbouring lanes have a row. See newWeights() for rows without any key. */
static __device__ __forceinline__ void weigh(float (&score)[KEYS / 8][4], float (&most)[2],
                                             float (&total)[2], float (&smaller)[2], float scale)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float now = most[h], from;

#pragma unroll
        for (int j = 0; j < KEYS / 8; j++)
            now = fmaxf(now, fmaxf(score[j][2 * h], score[j][2 * h + 1]));
        now = fmaxf(now, shuffleFrom(now, threadIdx.x % 32 ^ 1));
        now = fmaxf(now, shuffleFrom(now, threadIdx.x % 32 ^ 2));
        from = now == -INFINITY ? 0.0f : now * scale;
        smaller[h] = power2(most[h] * scale - from);
        most[h] = now;
        total[h] *= smaller[h];
#pragma unroll
        for (int j = 0; j < KEYS / 8; j++)
#pragma unroll
            for (int e = 2 * h; e < 2 * h + 2; e++) {
                score[j][e] = power2(score[j][e] * scale - from);
                total[h] += score[j][e];
            }
    }
}

static __device__ __forceinline__ void pack(unsigned (&weight)[KEYS / 16][4],
                                            const float (&score)[KEYS / 8][4])
{
#pragma unroll
    for (int e = 0; e < KEYS / 4; e++)
        weight[e / 4][e % 4] = packHalves(score[e / 4 * 2 + e % 4 / 2][e % 2 * 2],
                                          score[e / 4 * 2 + e % 4 / 2][e % 2 * 2 + 1]);
}

/* A warpgroup's 64 queries, of which a lane has rows `row` and row + 8. The tensor cores make the
 * next scores and add the last values while the other units still make weights. */
template <int SIZE, int WORKERS>
static __device__ void work(ring<SIZE, WORKERS> *s, __half *o, int worker, int row, int queries,
                            int keys, int shift, int steps, float scale)
{
    const int t = threadIdx.x % 4, isFirst = threadIdx.x % 128 == 0;
    const int seen = min(keys, (row & ~63) + shift + 1); /* all rows of the warpgroup see these */
    float sum[SIZE / 8][4], score[KEYS / 8][4];
    float most[2] = {-INFINITY, -INFINITY}, total[2] = {0.0f, 0.0f}, smaller[2];
    unsigned weight[KEYS / 16][4];

#pragma unroll
    for (int e = 0; e < SIZE / 2; e++)
        sum[e / 4][e % 4] = 0.0f;
    if (steps > 0) {
        waitFor(&s->qIsFull, 0);
        waitFor(&s->kIsFull[0], 0);
        startScores(score, s->q[worker], s->k[0]);
        waitForProducts<0>();
        if (isFirst)
            arriveAt(&s->kIsEmpty[0]);
        if (KEYS > seen)
            maskScores(score, row + shift, keys, 2 * t);
        weigh(score, most, total, smaller, scale);
        pack(weight, score);
    }
    for (int step = 1; step < steps; step++) {
        const int stage = step % STAGES, last = (step - 1) % STAGES;

        waitFor(&s->kIsFull[stage], step / STAGES % 2);
        startScores(score, s->q[worker], s->k[stage]);
        waitFor(&s->vIsFull[last], (step - 1) / STAGES % 2);
        startValues(sum, weight, s->v[last]);
        waitForProducts<1>();
        if (isFirst)
            arriveAt(&s->kIsEmpty[stage]);
        if ((step + 1) * KEYS > seen)
            maskScores(score, row + shift, keys, step * KEYS + 2 * t);
        weigh(score, most, total, smaller, scale);
        waitForProducts<0>();
        if (isFirst)
            arriveAt(&s->vIsEmpty[last]);
#pragma unroll
        for (int e = 0; e < SIZE / 2; e++)
            sum[e / 4][e % 4] *= smaller[e % 4 / 2];
        pack(weight, score);
    }
    if (steps > 0) {
        waitFor(&s->vIsFull[(steps - 1) % STAGES], (steps - 1) / STAGES % 2);
        startValues(sum, weight, s->v[(steps - 1) % STAGES]);
        waitForProducts<0>();
    }
    storeRows<SIZE>(o, sum, total, row, queries, t);
}

/* What was slow in attentionMma: the warps spent instructions on copies and on loading fragments,
 * and the tensor cores waited while the weights were made. Here one thread starts copies of whole
 * boxes, the tensor cores read them from shared memory by themselves, and they run while the
 * weights of the next step are made. */
template <int SIZE, int WORKERS>
__global__ void __launch_bounds__(128 * (WORKERS + 1), 1)
    attentionWgmma(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
                   const __grid_constant__ CUtensorMap v, __half *__restrict__ o, int queries,
                   int keys, int shift, float scale)
{
    extern __shared__ __align__(1024) char memory[];
    ring<SIZE, WORKERS> *s = (ring<SIZE, WORKERS> *)memory;
    const int head = blockIdx.y, first = (gridDim.x - 1 - blockIdx.x) * 64 * WORKERS;
    const int end = min(keys, first + 64 * WORKERS + shift);
    const int steps = end > 0 ? (end + KEYS - 1) / KEYS : 0;
    const int worker = threadIdx.x / 128;

    if (threadIdx.x == 0) {
        initBarrier(&s->qIsFull, 1);
        for (int i = 0; i < STAGES; i++) {
            initBarrier(&s->kIsFull[i], 1);
            initBarrier(&s->vIsFull[i], 1);
            initBarrier(&s->kIsEmpty[i], WORKERS);
            initBarrier(&s->vIsEmpty[i], WORKERS);
        }
        showBarriers();
    }
    __syncthreads();
    if (worker == WORKERS) {
        keepRegisters<WORKERS == 2 ? 40 : 32>();
        if (threadIdx.x % 128 == 0 && steps > 0)
            fetch(s, &q, &k, &v, first, head, steps);
    } else {
        const int row = first + 64 * worker + threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4;

        takeRegisters<WORKERS == 2 ? 232 : 160>();
        work<SIZE, WORKERS>(s, o + (size_t)head * queries * SIZE, worker, row, queries, keys, shift,
                            steps, scale);
    }
}

/* How TMA finds boxes of boxRows x 64 halves in an array of heads x rows x size; beyond the rows of
 * a head there are zeros. */
static CUtensorMap mapOf(const __half *x, int heads, int rows, int size, int boxRows)
{
    const cuuint64_t sizes[3] = {(cuuint64_t)size, (cuuint64_t)rows, (cuuint64_t)heads};
    const cuuint64_t pitches[2] = {size * sizeof(__half), (cuuint64_t)rows * size * sizeof(__half)};
    const cuuint32_t box[3] = {64, (cuuint32_t)boxRows, 1}, strides[3] = {1, 1, 1};
    static encode_fn *const encode = (encode_fn *)driverFunction("cuTensorMapEncodeTiled");
    CUtensorMap map;

    if (encode == NULL || encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, (void *)x, sizes,
                                 pitches, box, strides, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        fprintf(stderr, "error: the driver makes no tensor map\n");
        exit(2);
    }
    return map;
}

template <int SIZE, int WORKERS>
void launchWgmmaTiles(const struct shape *s, const __half *q, const __half *k, const __half *v,
                      __half *o)
{
    const int bytes = (int)sizeof(ring<SIZE, WORKERS>), rows = 64 * WORKERS;
    const dim3 grid((s->queries + rows - 1) / rows, s->heads);
    const CUtensorMap mapQ = mapOf(q, s->heads, s->queries, SIZE, 64);
    const CUtensorMap mapK = mapOf(k, s->heads, s->keys, SIZE, KEYS);
    const CUtensorMap mapV = mapOf(v, s->heads, s->keys, SIZE, KEYS);

    cudaVerify(cudaFuncSetAttribute((const void *)attentionWgmma<SIZE, WORKERS>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaVerifyKernel((attentionWgmma<SIZE, WORKERS><<<grid, 128 * (WORKERS + 1), bytes>>>(
        mapQ, mapK, mapV, o, s->queries, s->keys, s->shift, scaleOf(s))));
}

/* 1 where this file's kernels can run; otherwise the row is skipped. */
static int canRun(void)
{
    const int can = majorCapability() == 9;

    if (!can)
        rowSkip("needs compute capability 9.0a: wgmma");
    return can;
}

void launchWgmma(const struct shape *s, const __half *q, const __half *k, const __half *v,
                 __half *o, __half *)
{
    if (!canRun())
        return;
    if (s->size == 64)
        launchWgmmaTiles<64, 3>(s, q, k, v, o);
    else
        launchWgmmaTiles<128, 2>(s, q, k, v, o);
}

#else
void launchWgmma(const struct shape *, const __half *, const __half *, const __half *, __half *,
                 __half *)
{
    rowSkip("needs compute capability 9.0a, and CUDA 12: wgmma");
}
#endif
