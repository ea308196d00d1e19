/* TASK     C = A B by the tensor cores of compute capability 9.0a: one product in TF32, or three of
 *          them.
 * TRAFFIC  4 (m k + k n + m n) bytes: A and B read once, C written once.
 * LIMIT    the tensor cores; before them the L2 cache, which feeds the tiles. */
#include "capability.h"
#include "cuda_utils.h"
#include "measure.h"
#include "advanced/padded.cuh"

#ifdef COURSE_SM_90A
#include "advanced/ptx.cuh"

/* A block makes ROWS x COLUMNS elements of C. Of its three warpgroups two multiply, each for 64 of
 * the columns, and a thread of the third one fetches tiles, DEPTH of k at a time, into a ring of
 * STAGES places. */
enum {
    WORKERS = 2,
    COLUMNS = 64 * WORKERS,
    DEPTH = 32,
    STAGES = 4,
    ADDED = 64, /* along k: see mmmWgmma */
    THREADS = 128 * (WORKERS + 1)
};

/* What is in shared memory. Rows of 32 floats, swizzled: see describe(). */
template <int PRODUCTS> struct wgmmaTiles {
    enum { ROWS = PRODUCTS == 1 ? 256 : 128, PARTS = PRODUCTS == 1 ? 1 : 2 };
    float a[STAGES][PARTS][ROWS][DEPTH];      /* with three products: the first bits, the others */
    float b[STAGES][COLUMNS / 32][DEPTH][32]; /* 32 columns beside one another */
    barrier isFull[STAGES], isEmpty[STAGES];
};

/* The first row and column of a block's tile. Eight tiles below one another, then the next ones to
 * the right: blocks that run at the same time need few rows of A and few columns of B, and find
 * them in the L2 cache. */
struct place {
    int row, column;
};

template <int ROWS> static __device__ struct place placeOf(int block, int m, int n)
{
    const int high = (m + ROWS - 1) / ROWS, wide = (n + COLUMNS - 1) / COLUMNS; /* in tiles */
    const int first = block / (8 * wide) * 8, together = min(8, high - first);
    const int within = block - first * wide;
    const struct place p = {(first + within % together) * ROWS, within / together * COLUMNS};

    return p;
}

/* One thread keeps the ring full. */
template <int PRODUCTS>
static __device__ void fetch(wgmmaTiles<PRODUCTS> *s, const CUtensorMap *a, const CUtensorMap *b,
                             struct place p, int depth, int m)
{
    for (int k = 0, turn = 0; k < depth; k += DEPTH, turn++) {
        const int stage = turn % STAGES;
        barrier *isFull = &s->isFull[stage];

        waitFor(&s->isEmpty[stage], turn / STAGES % 2 ^ 1);
        expectBytes(isFull, sizeof s->a[0] + sizeof s->b[0]);
        for (int part = 0; part < wgmmaTiles<PRODUCTS>::PARTS; part++)
            startTile(s->a[stage][part][0], a, k, p.row + part * m, isFull);
        for (int i = 0; i < COLUMNS / 32; i++)
            startTile(s->b[stage][i][0], b, p.column + 32 * i, k, isFull);
    }
}

/* What a lane has of a tile of B, DEPTH x 64, as left factors: of rows t and t + 4 of each 8 two
 * columns. */
struct leftParts {
    float2 x[DEPTH / 8][2];
};

static __device__ __forceinline__ void load(struct leftParts *to, const float (*b)[32], int column,
                                            int t)
{
#pragma unroll
    for (int i = 0; i < DEPTH / 8; i++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = 8 * i + 4 * h + t;

            to->x[i][h] = *(const float2 *)&b[row][column ^ row % 8 * 4];
        }
}

/* x as its first 11 bits and the rest, of which a product takes the first 11 again. */
static __device__ __forceinline__ void split(float x, uint32_t *high, uint32_t *low)
{
    const float first = cutOff(rounded(x));

    *high = __float_as_uint(first);
    *low = __float_as_uint(x - first);
}

/* Starts the products of a stage: those of the smaller parts first. */
template <int PRODUCTS, int ROWS, int PARTS>
static __device__ __forceinline__ void multiply(float (&sum)[ROWS / 2],
                                                const float (&a)[PARTS][ROWS][DEPTH],
                                                const struct leftParts *left, int isFirst)
{
    uint32_t high[DEPTH / 8][4], low[DEPTH / 8][4];

#pragma unroll
    for (int i = 0; i < DEPTH / 8; i++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const float2 pair = left->x[i][e / 2];

            split(e % 2 ? pair.y : pair.x, &high[i][e], &low[i][e]);
        }
    beginProducts();
#pragma unroll
    for (int i = 0; i < DEPTH / 8; i++) {
        const uint64_t right = describe(&a[0][0][8 * i]);

        if (PRODUCTS == 3) {
            product(sum, low[i], right, isFirst && i == 0);
            product(sum, high[i], describe(&a[PARTS - 1][0][8 * i]), 0);
        }
        product(sum, high[i], right, PRODUCTS == 1 && isFirst && i == 0);
    }
    endProducts();
}

/* Stores the transpose of what a warpgroup's threads have: see product(). A thread has two columns
 * of C. */
template <int SUMS>
static __device__ __forceinline__ void store(const float (&sum)[SUMS], float *c, struct place p,
                                             int m, int n)
{
#pragma unroll
    for (int e = 0; e < SUMS; e += e % 2 ? 3 : 1) {
        const int i = p.row + e / 4 * 8 + e % 2;
        float *to = c + (size_t)i * n + p.column;

        if (i >= m || p.column >= n)
            continue;
        if (n % 2 == 0) {
            *(float2 *)to = make_float2(sum[e], sum[e + 2]);
        } else {
            to[0] = sum[e];
            if (p.column + 1 < n)
                to[1] = sum[e + 2];
        }
    }
}

/* A warpgroup's 64 columns. They are rows of its left factor, in such an order that the lanes of
 * half a warp, which load at the same time, find 32 different banks. */
template <int PRODUCTS>
static __device__ void make(wgmmaTiles<PRODUCTS> *s, float *c, struct place p, int depth, int m,
                            int n)
{
    enum { SUMS = wgmmaTiles<PRODUCTS>::ROWS / 2 };
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int box = warp / 2; /* of 32 columns, and the lane's two of them */
    const int mine = warp % 2 * 8 + g / 4 * 4 + g / 2 % 2 * 16 + g % 2 * 2;
    float sum[SUMS], part[SUMS];
    struct leftParts left;

    waitFor(&s->isFull[0], 0);
    load(&left, s->b[0][box], mine, t);
    for (int k = 0, turn = 0; k < depth; k += DEPTH, turn++) {
        const int stage = turn % STAGES, next = (turn + 1) % STAGES, isLast = k + DEPTH >= depth;

        multiply<PRODUCTS>(part, s->a[stage], &left, PRODUCTS == 3 ? k % ADDED == 0 : k == 0);
        if (!isLast) { /* while the products run */
            waitFor(&s->isFull[next], (turn + 1) / STAGES % 2);
            load(&left, s->b[next][box], mine, t);
        }
        waitForProducts<0>();
        if (lane == 0)
            arriveAt(&s->isEmpty[stage]);
        if (PRODUCTS == 3 && (isLast || (k + DEPTH) % ADDED == 0))
#pragma unroll
            for (int e = 0; e < SUMS; e++)
                sum[e] = k < ADDED ? part[e] : sum[e] + part[e];
    }
    p.row += 2 * t;
    p.column += 32 * box + mine;
    store(PRODUCTS == 3 ? sum : part, c, p, m, n);
}

/* What was slow in mmmMma: each warp loaded fragments of A and B from shared memory, and its
 * instructions for that, for the copies and for the products took turns. Here one thread starts
 * copies of whole tiles, and a product reads its right factor from shared memory by itself, while
 * the next left one is loaded. That must lie along k, as A does, so it is the transpose of C that
 * is made: B's columns, in registers, times A's rows.
 *
 * A tensor core cuts its sums off; with three products, ADDED numbers along k are summed there, the
 * rest as floats. */
template <int PRODUCTS>
__global__ void __launch_bounds__(THREADS, 1)
    mmmWgmma(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             float *__restrict__ c, int depth, int m, int n)
{
    typedef wgmmaTiles<PRODUCTS> T;
    extern __shared__ __align__(1024) char memory[];
    T *s = (T *)memory;
    const struct place p = placeOf<T::ROWS>(blockIdx.x, m, n);

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            initBarrier(&s->isFull[i], 1);
            initBarrier(&s->isEmpty[i], WORKERS * 4); /* each of their warps */
        }
        showBarriers();
    }
    __syncthreads();
    if (threadIdx.x >= 128 * WORKERS) {
        keepRegisters<40>();
        if (threadIdx.x == 128 * WORKERS)
            fetch(s, &a, &b, p, depth, m);
    } else {
        takeRegisters<232>();
        make(s, c, p, depth, m, n);
    }
}

/* How TMA finds tiles of boxRows x 32 elements in a matrix; beyond its edges there are zeros. */
static CUtensorMap mapOf(const float *matrix, int rows, int columns, int boxRows)
{
    const cuuint64_t sizes[2] = {(cuuint64_t)columns, (cuuint64_t)rows};
    const cuuint64_t pitch[1] = {columns * sizeof(float)};
    const cuuint32_t box[2] = {32, (cuuint32_t)boxRows}, strides[2] = {1, 1};
    static decltype(cuTensorMapEncodeTiled) *const encode =
        (decltype(cuTensorMapEncodeTiled) *)driverFunction("cuTensorMapEncodeTiled");
    CUtensorMap map;

    if (encode == NULL || encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)matrix, sizes,
                                 pitch, box, strides, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        fprintf(stderr, "error: the driver makes no tensor map\n");
        exit(2);
    }
    return map;
}

template <int PRODUCTS> void launchWgmma(const struct padded *p)
{
    typedef wgmmaTiles<PRODUCTS> T;
    const CUtensorMap a = mapOf(p->a, T::PARTS * p->rows, p->depth, T::ROWS);
    const CUtensorMap b = mapOf(p->b, p->depth, p->columns, DEPTH);
    const int grid = roundedUp(p->m, T::ROWS) / T::ROWS * (roundedUp(p->n, COLUMNS) / COLUMNS);

    cudaVerify(cudaFuncSetAttribute((const void *)mmmWgmma<PRODUCTS>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(T)));
    cudaVerifyKernel(
        (mmmWgmma<PRODUCTS><<<grid, THREADS, sizeof(T)>>>(a, b, p->c, p->depth, p->m, p->n)));
}

/* 1 where this file's kernels can run; otherwise the row is skipped. */
static int canRun(void)
{
    const int can = majorCapability() == 9;

    if (!can)
        rowSkip("needs compute capability 9.0a: wgmma");
    return can;
}

void wgmmaMmm(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (canRun())
        paddedMmm<launchWgmma<1>, 1, 4, 4, AS_IT_IS>(a, b, c, m, n, k);
}

void wgmmaThreeMmm(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (canRun())
        paddedMmm<launchWgmma<3>, 1, 4, 4, SPLIT>(a, b, c, m, n, k);
}

#else
void wgmmaMmm(const float *, const float *, float *, int, int, int)
{
    rowSkip("needs compute capability 9.0a, and CUDA 12: wgmma");
}

void wgmmaThreeMmm(const float *, const float *, float *, int, int, int)
{
    rowSkip("needs compute capability 9.0a, and CUDA 12: wgmma");
}
#endif
