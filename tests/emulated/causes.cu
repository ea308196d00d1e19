/* causes.cu: what is said first of a program, by name. Each mistake stands beside one that looks
 * alike and is another, of which the same sentence would be false. */
#include "cases.h"

enum { N = 1000, BLOCK = 256, BLOCKS = (N + BLOCK - 1) / BLOCK };
static float h[4 * N];

__global__ void clear(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 0;
}
__global__ void clearAll(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

/* ---- bytes and elements ---------------------------------------------------------------------- */
static void elementsForBytes(void)
{
    float *d_x;
    CHECK(cudaMalloc((void **)&d_x, N));
    clear<<<BLOCKS, BLOCK>>>(d_x, N);
}
static void bytesForElements(void) /* as n */
{
    float *d_x;
    const size_t bytes = N * sizeof *d_x;
    CHECK(cudaMalloc((void **)&d_x, bytes));
    clear<<<4 * BLOCKS, BLOCK>>>(d_x, (int)bytes);
}
__global__ void reverse(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
static float *newFloats(size_t n)
{
    float *d_x;
    CHECK(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    CHECK(cudaMemset(d_x, 0, n * sizeof *d_x));
    return d_x;
}
static void sharedElements(void) { reverse<<<1, BLOCK, BLOCK>>>(newFloats(BLOCK)); }
static void sharedTooSmall(void)
{
    reverse<<<1, BLOCK, BLOCK / 4 * sizeof(float)>>>(newFloats(BLOCK));
}

/* ---- copies ---------------------------------------------------------------------------------- */
__global__ void twice(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
static float *d_raw; /* 4 N floats that nothing has written */
static void copyInElements(void)
{
    CHECK(cudaMemcpy(d_raw, h, 4 * N, cudaMemcpyHostToDevice));
    twice<<<4 * BLOCKS, BLOCK>>>(d_raw, 4 * N);
}
static void copyOfOneQuarter(void)
{
    CHECK(cudaMemcpy(d_raw, h, N * sizeof *h, cudaMemcpyHostToDevice));
    twice<<<4 * BLOCKS, BLOCK>>>(d_raw, 4 * N);
}
static void copyBeforeOffset(void)
{
    CHECK(cudaMemcpy(d_raw, h, 2 * N * sizeof *h, cudaMemcpyHostToDevice));
    twice<<<2 * BLOCKS, BLOCK>>>(d_raw + 1, 2 * N);
}
static void copyOfFirstHalf(void)
{
    CHECK(cudaMemcpy(d_raw, h, 2 * N * sizeof *h, cudaMemcpyHostToDevice));
    twice<<<2 * BLOCKS, BLOCK>>>(d_raw + 2 * N, 2 * N);
}
static void copyOfNothing(void)
{
    float *d_x = newFloats(N);
    CHECK(cudaMemcpy(d_x, d_raw, N * sizeof *d_x, cudaMemcpyDeviceToDevice));
    twice<<<BLOCKS, BLOCK>>>(d_x, N);
}
static void nullAfterSearch(void)
{
    size_t bytes = (size_t)1 << 50;
    float *d_x;
    while (cudaMalloc((void **)&d_x, bytes) != cudaSuccess)
        bytes /= 1024;
    (void)cudaGetLastError();
    clear<<<1, 1>>>(NULL, 1);
}
static void nullAfterFailure(void)
{
    float *d_x;
    (void)cudaMalloc((void **)&d_x, (size_t)1 << 50);
    clear<<<1, 1>>>(d_x, 1);
}

__global__ void scaleRows(float **rows) { rows[blockIdx.x][threadIdx.x] *= 2; }
static void tableHalfCopied(void) /* thread 1 reads near a null pointer */
{
    float **d_rows, *rows[] = {newFloats(32), newFloats(32), newFloats(32), newFloats(32)};
    CHECK(cudaMalloc((void **)&d_rows, sizeof rows));
    CHECK(cudaMemcpy(d_rows, rows, sizeof rows / 2, cudaMemcpyHostToDevice));
    scaleRows<<<4, 32>>>(d_rows);
}
static void pointerToNowhere(void) { clear<<<1, 1>>>((float *)0x123456789000, 1); }

/* ---- guards ---------------------------------------------------------------------------------- */
static void noGuard(void) { clearAll<<<BLOCKS, BLOCK>>>(newFloats(N)); }
static void oneTooMany(void) { clear<<<BLOCKS, BLOCK>>>(newFloats(N), N + 1); }
static void twoTooMany(void) { clear<<<BLOCKS, BLOCK>>>(newFloats(N), N + 2); }
static void pastAnyType(void) /* whose elements have no known size */
{
    void *d_any;
    CHECK(cudaMalloc(&d_any, N * sizeof(float)));
    clear<<<BLOCKS, BLOCK>>>((float *)d_any, N + 2);
}
__global__ void addShifted(float *y, const float *x) { y[threadIdx.x] += x[threadIdx.x + 3 * N]; }
static void farFromBoth(void) /* which is nearer tells nothing */
{
    float *d_y = newFloats(N), *d_x = newFloats(N);
    addShifted<<<1, 32>>>(d_y, d_x);
}
__global__ void writePerBlock(float *x) { x[blockIdx.x] = 0; }
static void tooManyBlocks(void) /* the second kernel looks like one without a guard */
{
    float *d_x = newFloats(256);
    writePerBlock<<<300, 32>>>(d_x);
    clearAll<<<2, BLOCK>>>(d_x);
}

/* ---- which elements -------------------------------------------------------------------------- */
__global__ void addToAll(float *sums) { sums[threadIdx.x] += 1; }
static void addsOfAllBlocks(void) { addToAll<<<BLOCKS, BLOCK>>>(newFloats(N)); }
__global__ void strides(float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        x[i] = (float)blockIdx.x;
}
static void strideOfBlock(void) { strides<<<BLOCKS, BLOCK>>>(newFloats(N), N); }
__global__ void scroll(float *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i + blockDim.x] + 1;
}
static void scrollInPlace(void) { scroll<<<BLOCKS, BLOCK>>>(newFloats(2 * N)); }
__global__ void places(float *x, int width)
{
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        x[blockIdx.x * width + i] = (float)blockIdx.x;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        x[7 * width + 9] = -1;
}
static void asManyBlocksAsColumns(void) { places<<<32, 16>>>(newFloats(2 * N), 32); }
__global__ void fourRows(float *x, size_t pitch)
{
    for (int k = 0; k < 4; k++)
        ((float *)((char *)x + (4 * (blockIdx.y * blockDim.y + threadIdx.y) + k) * pitch))[0] = 0;
}
static void pitchedTooFar(void)
{
    float *d_x;
    size_t pitch;
    CHECK(cudaMallocPitch((void **)&d_x, &pitch, 100 * sizeof *d_x, 64));
    fourRows<<<dim3(1, 8), dim3(1, 8)>>>(d_x, pitch);
}
__global__ void farAway(const float *x, float *y, int far)
{
    y[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] += x[threadIdx.x + (threadIdx.x == 31 ? far : 0)];
}
static void pastTheNext(void) /* what lies nearer is no array of this kernel */
{
    float *d_first = newFloats(64), *d_other = newFloats(64);
    const int between = (int)(d_other - d_first);
    farAway<<<1, 32>>>(d_first, newFloats(64), between > 0 ? between - 64 : between + 96);
}

/* ---- shared memory and barriers -------------------------------------------------------------- */
__global__ void belowZero(float *x)
{
    extern __shared__ float s[];
    const unsigned before = threadIdx.x - 1;
    s[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[before];
}
static void indexBelowZero(void) { belowZero<<<1, 32, 32 * sizeof(float)>>>(newFloats(32)); }
__global__ void barrierInBranch(float *x, int n)
{
    __shared__ float s[BLOCK];
    if ((int)threadIdx.x < n) {
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
    }
    x[threadIdx.x] = s[BLOCK - 1 - threadIdx.x];
}
static void someAtBarrier(void) { barrierInBranch<<<1, BLOCK>>>(newFloats(BLOCK), 100); }
__global__ void zeroAndCount(int *x)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    atomicAdd(&sum, 1);
    __syncthreads();
    x[threadIdx.x] = sum;
}
enum { ZEROED_AT = __LINE__ - 5 };
static char zeroedAt[64];
static void zeroedTooLate(void) { zeroAndCount<<<1, BLOCK>>>((int *)newFloats(BLOCK)); }
__global__ void sameRow(float *x, int width)
{
    x[threadIdx.y * width / 2 + threadIdx.x + (threadIdx.y == 3 ? 2 * width : 0)] =
        (float)threadIdx.y;
}
static void rowsOverlap(void) { sameRow<<<1, dim3(32, 4)>>>(newFloats(100), 32); }
__global__ void undo(int *x)
{
    if (blockIdx.x != 0)
        atomicAdd(&x[0], 1);
    else if (threadIdx.x == 0)
        x[0] = 5;
}
static void storeAmongAtomics(void) { undo<<<4, 32>>>((int *)newFloats(32)); }

/* ---- two steps ------------------------------------------------------------------------------- */
__global__ void insert(int *head, int *next)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    next[i] = head[i % 7];
    head[i % 7] = i;
}
static void headsOfLists(void) { insert<<<4, 64>>>((int *)newFloats(7), (int *)newFloats(256)); }
__global__ void exchangePairs(int *x) /* thread t has elements t and t + 1: the next one's, too */
{
    const int low = x[threadIdx.x], high = x[threadIdx.x + 1];
    if (low >= high) {
        x[threadIdx.x] = high + 1;
        x[threadIdx.x + 1] = low;
    }
}
static void overlappingPairs(void) { exchangePairs<<<1, 64>>>((int *)newFloats(65)); }
__global__ void take(int *count, int *slot)
{
    atomicAdd(&count[threadIdx.x % 4], 1);
    slot[threadIdx.x] = count[threadIdx.x % 4];
}
static void countReadAgain(void) { take<<<1, 64>>>((int *)newFloats(4), (int *)newFloats(64)); }
__global__ void smooth(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        x[i] = x[i - 1] + x[i + 1] + 1;
}
static void smoothInPlace(void) { smooth<<<BLOCKS, BLOCK>>>(newFloats(N), N); }
__global__ void writeShifted(int *x) /* each block half of the next one's part */
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.x < 32)
        x[i] = i;
    else
        x[i] = -i;
}
static void blocksOverlap(void) { writeShifted<<<4, 64>>>((int *)newFloats(N)); }

/* ---- indices that come of something else ----------------------------------------------------- */
__global__ void pick(float *y, const float *x, const int *index)
{
    y[threadIdx.x] = x[index[threadIdx.x]];
}
static void indicesOfNothing(void)
{
    pick<<<1, 32>>>(newFloats(32), newFloats(32), (const int *)d_raw);
}
__global__ void window(float *y, const float *x)
{
    const unsigned int i = threadIdx.x;
    y[i] = x[i - 16];
}
static void windowBeforeAll(void) { window<<<1, 32>>>(newFloats(32), newFloats(32)); }

/* ---- calls ----------------------------------------------------------------------------------- */
__global__ void fillOwn(int **arrays, int n)
{
    arrays[threadIdx.x] = (int *)malloc(n * sizeof(int));
    arrays[threadIdx.x][0] = 1;
}
static void heapTooSmall(void) { fillOwn<<<1, 1>>>((int **)d_raw, 16 << 20); }
static void copyOfAPiece(void) /* the launch is given too much */
{
    float *d_x;
    CHECK(cudaMalloc((void **)&d_x, 4 * N * sizeof *d_x));
    CHECK(cudaMemcpyAsync(d_x, h, N * sizeof *d_x, cudaMemcpyHostToDevice));
    twice<<<4 * BLOCKS, BLOCK>>>(d_x, 4 * N);
}
static cudaStream_t a, b;
static float *floatsOfA(void)
{
    float *d_x;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMallocAsync((void **)&d_x, N * sizeof *d_x, a));
    return d_x;
}
static void allocatedInOtherStream(void)
{
    float *d_x = floatsOfA();
    clear<<<BLOCKS, BLOCK, 0, b>>>(d_x, N);
}
static void freedInOtherStream(void)
{
    float *d_x = floatsOfA();
    clear<<<BLOCKS, BLOCK, 0, a>>>(d_x, N);
    CHECK(cudaFreeAsync(d_x, b));
}
static void kindForgotten(void)
{
    struct cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(h, 40, 10, 10);
    p.dstPtr = make_cudaPitchedPtr(d_raw, 40, 10, 10);
    p.extent = make_cudaExtent(40, 10, 1);
    cudaMemcpy3D(&p);
}

static const struct {
    const char *name;
    void (*run)(void);
    const char *says, *not_this; /* NULL: anything else */
    int in_hint;
} cases[] = {
#define SAYS(function, text)                                                                       \
    {                                                                                              \
#function, function, text, NULL, 0                                                         \
    }
#define SAYS_NOT(function, text, not_this)                                                         \
    {                                                                                              \
#function, function, text, not_this, 0                                                     \
    }
#define HINTS(function, text)                                                                      \
    {                                                                                              \
#function, function, text, NULL, 1                                                         \
    }
    SAYS(elementsForBytes, "cudaMalloc takes bytes, elements * sizeof the element"),
    SAYS(bytesForElements, "out-of-bounds"),
    SAYS(sharedElements, "the third value of <<<>>> counts bytes"),
    SAYS(sharedTooSmall, "bytes past the end of the 256 bytes of dynamic shared memory"),
    SAYS(copyInElements, "the size is in bytes, elements * sizeof the element"),
    SAYS(copyOfOneQuarter, "which has 16000: the rest has not been written"),
    SAYS(copyBeforeOffset, "copy to there"),
    SAYS(copyOfFirstHalf, "which has 16000: the rest has not been written"),
    SAYS(copyOfNothing, "cudaMemcpy copies to d_x what nothing has written: d_raw[0]"),
    SAYS(nullAfterSearch, "invalid-address"),
    SAYS(nullAfterFailure, "cudaMalloc has failed, asked for"),
    SAYS(tableHalfCopied, "cudaMemcpy copies 16 bytes to d_rows, which has 32"),
    SAYS(pointerToNowhere, "where no memory of the program is"),
    SAYS(noGuard, "threads beyond them must not use it, if (i < 1000)"),
    SAYS(oneTooMany, "thread 1000 of the grid uses element 1000 of d_x, whose last one is 999"),
    SAYS(twoTooMany, "out-of-bounds"),
    SAYS_NOT(pastAnyType, "at d_any (0 bytes past the end", "d_any["),
    SAYS_NOT(farFromBoth, "past the end of the 4000-byte allocation", "["),
    SAYS(tooManyBlocks, "kernel writePerBlock, thread (0,0,0) of block (256,0,0)"),
    SAYS(addsOfAllBlocks, "(or an atomicAdd(), if all blocks are to add to it)"),
    SAYS(strideOfBlock, "a loop over all blocks goes on by gridDim.x * blockDim.x"),
    SAYS(scrollInPlace, "nothing orders the two"),
    SAYS(asManyBlocksAsColumns, "nothing orders the two, and only one of the values remains"),
    SAYS(pitchedTooFar, "out-of-bounds"),
    SAYS(pastTheNext, "of the 256-byte allocation"),
    SAYS(indexBelowZero, "an unsigned index of 32 bits that goes below 0 leads there"),
    SAYS(someAtBarrier, "barrier-divergence"),
    SAYS(zeroedTooLate, zeroedAt),
    SAYS(rowsOverlap, "out-of-bounds"),
    SAYS(storeAmongAtomics, "it may undo what they have added"),
    HINTS(headsOfLists, "one atomic for causes.cu:"),
    HINTS(overlappingPairs,
          "if both are to use it: __syncthreads() between them; if not, an index"),
    HINTS(countReadAgain, "the value that the atomic returns"),
    SAYS(smoothInPlace, "nothing orders the two"),
    SAYS_NOT(blocksOverlap, "only one of the values remains", "two launches"),
    SAYS(indicesOfNothing, "uninitialised-read"),
    SAYS(windowBeforeAll, "an index that is negative, or overflows in 32 bits, leads there"),
    SAYS(heapTooSmall, "the heap for malloc() in kernels is full"),
    SAYS(copyOfAPiece, "uninitialised-read"),
    SAYS_NOT(allocatedInOtherStream, ", allocates in another stream", "overlap"),
    SAYS_NOT(freedInOtherStream, "cudaFreeAsync frees d_x[0]", "overlap"),
    SAYS(kindForgotten, "bad-copy: cudaMemcpy3D copies to the host"),
};

int main(void)
{
    int failed = 0;

    snprintf(zeroedAt, sizeof zeroedAt, "wrote at causes.cu:%d: ", ZEROED_AT);
    emulatedSilence(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(cudaMalloc((void **)&d_raw, sizeof h));
        emulatedFindingsReset();
        cases[i].run();
        cudaDeviceSynchronize();
        const char *first = cases[i].in_hint  ? emulatedFindingHint(0)
                            : emulatedCause() ? emulatedCause()
                                              : emulatedFindingLine(0);
        const int wrong = !first || !strstr(first, cases[i].says) ||
                          (cases[i].not_this && strstr(first, cases[i].not_this));
        failed += wrong;
        printf("%-24s %s%s\n", cases[i].name, wrong ? "FAILED: " : "ok: ", first ? first : "");
        CHECK(cudaDeviceReset());
    }
    return failed != 0;
}
