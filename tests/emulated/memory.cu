/* The emulated device's knowledge of each byte of memory, and of the device that owns it. */
#include "cases.h"

static unsigned char *d_bytes; /* 256 bytes, all 1 */
static float *d_f;             /* 64 floats, all 0 */
static int *d_n;               /* 64 ints, all 0 */

/* ---- neighbouring bytes ---------------------------------------------------------------------- */
__global__ void invert(unsigned char *p) { p[threadIdx.x] = 255 - p[threadIdx.x]; }
static void bytesInPlace(void) { invert<<<1, 256>>>(d_bytes); }
__global__ void invertPairs(unsigned short *p, int shared)
{
    __shared__ short s[64];
    if (shared) {
        s[threadIdx.x] = (short)p[threadIdx.x];
        s[threadIdx.x] = (short)(s[threadIdx.x] + 1);
        __syncthreads();
        p[threadIdx.x] = (unsigned short)s[63 - threadIdx.x];
    } else
        p[threadIdx.x] = (unsigned short)(65535 - p[threadIdx.x]);
}
static void shortsInPlace(void) { invertPairs<<<1, 64>>>((unsigned short *)d_bytes, 0); }
static void shortsInShared(void) { invertPairs<<<1, 64>>>((unsigned short *)d_bytes, 1); }
__global__ void visit(bool *mask, int *cost)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (mask[i]) {
        mask[i] = false;
        cost[i % 64] = 1;
    }
}
static void boolsOfTwoBlocks(void) { visit<<<2, 6>>>((bool *)d_bytes, d_n); }
__global__ void shiftBytes(unsigned char *p)
{
    p[threadIdx.x + 1] = (unsigned char)(p[threadIdx.x] + threadIdx.x);
}
static void bytesShifted(void) { shiftBytes<<<1, 64>>>(d_bytes); }
/* A byte and the whole word around it */
__global__ void bytesAndWords(unsigned char *p, int words, int barrier)
{
    p[threadIdx.x] = (unsigned char)threadIdx.x;
    if (barrier)
        __syncthreads();
    if (words && threadIdx.x < 16)
        ((unsigned *)p)[15 - threadIdx.x] += 1;
}
static void wordOverBytes(void) { bytesAndWords<<<1, 64>>>(d_bytes, 1, 0); }
static void wordAfterBytes(void) { bytesAndWords<<<1, 64>>>(d_bytes, 1, 1); }
__global__ void wordThenBytes(unsigned char *p, int barrier)
{
    if (threadIdx.x < 16)
        ((unsigned *)p)[threadIdx.x] = threadIdx.x;
    if (barrier)
        __syncthreads();
    p[threadIdx.x] = 1;
}
static void bytesOverWord(void) { wordThenBytes<<<1, 64>>>(d_bytes, 0); }
static void bytesAfterWord(void)
{
    wordThenBytes<<<1, 64>>>(d_bytes, 1);
    wordThenBytes<<<1, 64>>>(d_bytes, 1); /* the same words again: whole, then by bytes */
}
/* A warp uses 32 words side by side, each lane its own; then somebody uses one of them in another
 * way. */
enum rows { READ_OTHERS, WRITE_OTHERS, WRITE_TWICE };
__global__ void useRows(enum rows how, int *p, int *out, int barrier)
{
    const int i = threadIdx.x, other = 63 - i;
    int value = 0;
    if (how == READ_OTHERS)
        p[i] = i + (int)blockIdx.x;
    else if (how == WRITE_OTHERS && i < 32)
        value = p[i];
    else if (i < 32)
        p[i] = 10;
    if (barrier)
        __syncthreads();
    if (how == READ_OTHERS)
        value = p[other];
    else if (how == WRITE_OTHERS && i >= 32)
        p[other] = 5 * i;
    else if (i >= 32)
        p[i - 32] = 20;
    out[i] = value;
}
static void rowReadByOthers(void) { useRows<<<1, 64>>>(READ_OTHERS, (int *)d_bytes, d_n, 0); }
static void rowReadLater(void) { useRows<<<1, 64>>>(READ_OTHERS, (int *)d_bytes, d_n, 1); }
static void rowWrittenByOthers(void) { useRows<<<1, 64>>>(WRITE_OTHERS, (int *)d_bytes, d_n, 0); }
static void rowWrittenLater(void) { useRows<<<1, 64>>>(WRITE_OTHERS, (int *)d_bytes, d_n, 1); }
static void rowOfTwoWarps(void) { useRows<<<1, 64>>>(WRITE_TWICE, (int *)d_bytes, d_n, 0); }
static void rowOfTwoWarpsInTurn(void) { useRows<<<1, 64>>>(WRITE_TWICE, (int *)d_bytes, d_n, 1); }
static void rowOfTwoBlocks(void) { useRows<<<2, 32>>>(READ_OTHERS, (int *)d_bytes, d_n, 1); }
static void rowThatWasBytes(void) /* in an earlier launch */
{
    invert<<<1, 256>>>(d_bytes);
    useRows<<<1, 64>>>(WRITE_OTHERS, (int *)d_bytes, d_n, 0);
}
static void rowThatWasUsed(void) /* likewise: nothing of that counts */
{
    invert<<<1, 256>>>(d_bytes);
    useRows<<<1, 64>>>(WRITE_OTHERS, (int *)d_bytes, d_n, 1);
    useRows<<<1, 64>>>(WRITE_TWICE, (int *)d_bytes, d_n, 1);
    bytesAndWords<<<1, 64>>>(d_bytes, 1, 1);
}
/* One block waits while another runs: the bytes of shared memory are put aside and come back. */
__global__ void bytesPutAside(volatile int *turn, unsigned char *out)
{
    __shared__ unsigned char s[32];
    s[threadIdx.x] = (unsigned char)(threadIdx.x + blockIdx.x);
    __syncwarp();
    if (blockIdx.x == 0)
        while (*turn == 0)
            ;
    else if (threadIdx.x == 0)
        *turn = 1;
    s[threadIdx.x] = (unsigned char)(s[threadIdx.x] + 1);
    __syncwarp();
    out[32 * blockIdx.x + threadIdx.x] = s[31 - threadIdx.x];
}
static void sharedBytesPutAside(void) { bytesPutAside<<<2, 32>>>(d_n, d_bytes); }

/* ---- the device's heap ----------------------------------------------------------------------- */
__global__ void takeAndGive(int *out, int mistake)
{
    int *p = (int *)malloc(4 * sizeof *p);
    p[1] = 8;
    if (mistake == 1)
        p[4] = 1;
    out[0] = p[1] + (mistake == 2 ? p[2] : 0);
    if (mistake == 3)
        free(out);
    free(p);
    if (mistake == 4)
        free(p);
    if (mistake == 5)
        out[1] = p[1];
}
static void deviceMalloc(void) { takeAndGive<<<1, 1>>>(d_n, 0); }
static void deviceMallocOverrun(void) { takeAndGive<<<1, 1>>>(d_n, 1); }
static void deviceMallocUninitialised(void) { takeAndGive<<<1, 1>>>(d_n, 2); }
static void deviceFreeOfAnother(void) { takeAndGive<<<1, 1>>>(d_n, 3); }
static void deviceFreeTwice(void) { takeAndGive<<<1, 1>>>(d_n, 4); }
static void deviceUseAfterFree(void) { takeAndGive<<<1, 1>>>(d_n, 5); }
__global__ void manyPieces(int **list, int *failed, int give)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = (int *)malloc(1000);
    if (!p) {
        atomicAdd(failed, 1);
        return;
    }
    p[0] = i;
    if (give)
        free(p);
    else
        list[i] = p;
}
#ifdef __CUDA_EMULATED__
#define ON_GPU(there, here) (here)
#else
#define ON_GPU(there, here) (there)
#endif
static int howManyFail(size_t heap, int blocks, int give)
{
    int **list, failed;
    if (heap)
        CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap));
    CHECK(cudaMalloc(&list, 8192 * sizeof *list));
    manyPieces<<<blocks, 128>>>(list, d_n, give);
    CHECK(cudaMemcpy(&failed, d_n, sizeof failed, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(list));
    if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 << 20) != cudaErrorInvalidValue)
        printf("a heap that is in use changes its size\n"), exit(1);
    (void)cudaGetLastError();
    return failed;
}
/* Pieces of 1000 bytes: 1024 fit 16 MB; the smallest heap, of 4 MB, gives NULL to many of 8192. How
 * much a piece takes besides is not documented: on an H200 it is 1220 bytes, and 8192 are too many
 * for 16 MB. */
static void heapLimit(void)
{
    size_t bytes = 0;
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    if (bytes != 8 << 20)
        printf("heapLimit: %zu\n", bytes), exit(1);
    int failed = howManyFail(16 << 20, 8, 0);
    if (failed != 0)
        printf("heapLimit: %d of 1024 fail\n", failed), exit(1);
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&d_n, 256));
    CHECK(cudaMemset(d_n, 0, 256));
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    if (bytes != 4 << 20)
        printf("heapLimit: of 1 MB %zu\n", bytes), exit(1);
    failed = howManyFail(1 << 20, 64, 0);
    if (failed < 4000 || failed > ON_GPU(8191, 4200))
        printf("heapLimit: %d of 8192 fail\n", failed), exit(1);
}
/* Given back, they fit again and again: 128 at a time. */
static void heapUsedAgain(void)
{
    for (int round = 0; round < 64; round++)
        if (howManyFail(round ? 0 : 1 << 20, 1, 1) != 0)
            printf("heapUsedAgain: round %d\n", round), exit(1);
}
#ifdef __CUDA_EMULATED__ /* on a GPU the linker wants -rdc=true for this */
/* Each thread has its own memory, though others have given theirs back at that address. */
__global__ void cudaMallocInKernel(int *sums, int n, int what)
{
    __shared__ int *ofBlock;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        cudaMalloc(&ofBlock, n * sizeof(int));
    __syncthreads();
    ofBlock[threadIdx.x] = i;
    if (i % 3) {
        int *own;
        cudaMalloc(&own, 3 * sizeof(int));
        own[0] = own[1] = i;
        own[2] = what == 1 ? own[3] : 1;
        sums[i] = own[0] + own[1] + own[2];
        cudaFree(own);
    } else {
        sums[i] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cudaFree(what == 2 ? sums : ofBlock);
}
static void runCudaMalloc(int what)
{
    int *sums, h_sums[256];
    CHECK(cudaMalloc(&sums, sizeof h_sums));
    cudaMallocInKernel<<<2, 128>>>(sums, 128, what);
    CHECK(cudaMemcpy(h_sums, sums, sizeof h_sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256 && what == 0; i++)
        if (h_sums[i] != (i % 3 ? 2 * i + 1 : 0))
            printf("cudaMallocInKernel: %d\n", i), exit(1);
    CHECK(cudaFree(sums));
}
static void kernelCudaMalloc(void) { runCudaMalloc(0); }
static void kernelCudaMallocPastTheEnd(void) { runCudaMalloc(1); }
static void kernelCudaFreeOfHosts(void) { runCudaMalloc(2); }
#endif
static void heapFreedByHost(void)
{
    int **list, *p;
    CHECK(cudaMalloc(&list, 8192 * sizeof *list));
    manyPieces<<<1, 1>>>(list, d_n, 0);
    CHECK(cudaMemcpy(&p, list, sizeof p, cudaMemcpyDeviceToHost));
    cudaFree(p);
    CHECK(cudaFree(list));
}
static void heapCopiedByHost(void)
{
    int **list, *p, value;
    CHECK(cudaMalloc(&list, 8192 * sizeof *list));
    manyPieces<<<1, 1>>>(list, d_n, 0);
    CHECK(cudaMemcpy(&p, list, sizeof p, cudaMemcpyDeviceToHost));
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    CHECK(cudaFree(list));
}
struct Vec {
    int *p;
    __device__ Vec(int n) { p = new int[n]; }
    __device__ ~Vec() { delete[] p; }
};
template <class T> struct Box {
    T *p;
    __device__ Box() { p = new T(7); }
    __device__ ~Box() { delete p; }
};
__global__ void constructors(int *out)
{
    Vec v(4);
    Box<int> *b = new Box<int>;
    v.p[3] = *b->p;
    delete b;
    *out = v.p[3];
}
static void deviceNew(void) { constructors<<<1, 1>>>(d_n); }

/* ---- a kernel's arguments -------------------------------------------------------------------- */
static int destroyed;
struct Guard {
    int *p, *count;
    Guard(int *p) : p(p), count(&destroyed) {}
    ~Guard() { ++*count; }
};
__global__ void byValue(Guard g) { atomicAdd(g.p, 1); }
template <class T> __global__ void byValueTemplate(T g, int n) { atomicAdd(g.p, n); }
static void expectDestroyed(int n)
{
    if (destroyed != n)
        printf("destroyed: %d instead of %d\n", destroyed, n), exit(1);
    destroyed = 0;
}
/* The host copies the argument for the launch, and destroys that copy. */
static void argumentDestructor(void)
{
    Guard g(d_n);
    byValue<<<2, 40>>>(g);
    expectDestroyed(1);
    byValueTemplate<<<2, 40>>>(g, 1);
    expectDestroyed(1);
    int n;
    CHECK(cudaMemcpy(&n, d_n, sizeof n, cudaMemcpyDeviceToHost));
    if (n != 160)
        printf("argumentDestructor: %d\n", n), exit(1);
}

/* ---- warp operations ------------------------------------------------------------------------- */
/* The compiler may not make two shuffles out of one, one for either way of the `if` before. */
__global__ void swapAndShuffle(int *out, const int *in)
{
    int v[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
    const bool even = threadIdx.x % 2 == 0;
    if (even) {
        int t = v[0];
        v[0] = v[1];
        v[1] = t;
    }
    v[1] = __shfl_xor_sync(0xffff, v[1], 1, 16);
    if (even) {
        int t = v[0];
        v[0] = v[1];
        v[1] = t;
    }
    out[2 * threadIdx.x] = v[0];
    out[2 * threadIdx.x + 1] = v[1];
}
static void shuffleAfterIf(void)
{
    int h[32];
    for (int i = 0; i < 32; i++)
        h[i] = i;
    CHECK(cudaMemcpy(d_n, h, sizeof h, cudaMemcpyHostToDevice));
    swapAndShuffle<<<1, 16>>>((int *)d_f, d_n);
    CHECK(cudaMemcpy(h, d_f, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) { /* lanes 2k and 2k+1 have exchanged one number each */
        const int expected = i % 4 == 0 ? i + 3 : i % 4 == 3 ? i - 3 : i;
        if (h[i] != expected)
            printf("shuffleAfterIf: %d is %d\n", i, h[i]), exit(1);
    }
}
__global__ void shuffleBy(int *out, int by)
{
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, by, 16);
}
/* Five bits of the lane mask count; a partner in the other half of the warp is none, and the lane
 * keeps its value. */
static void shuffleByNegative(void)
{
    int h[32];
    shuffleBy<<<1, 32>>>(d_n, -8);
    CHECK(cudaMemcpy(h, d_n, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        if (h[i] != (i < 16 ? i : i ^ 24))
            printf("shuffleByNegative: lane %d has %d\n", i, h[i]), exit(1);
}

/* ---- variables ------------------------------------------------------------------------------- */
__device__ int i;
__device__ int n[8];
__device__ int after[8];
__constant__ float c[8];
__managed__ int m;
__global__ void countPlainly(void) { i = i + 1; }
static void nameOfOneLetter(void) { countPlainly<<<2, 32>>>(); }
__global__ void readConstants(float *out, const float *from, int k) { *out = (from ? from : c)[k]; }
static void constantsOverrun(void) { readConstants<<<1, 1>>>(d_f, NULL, 8); }
static void constantsFit(void) { readConstants<<<1, 1>>>(d_f, NULL, 7); }
__global__ void writeNumbers(int *p, int k)
{
    if (!p)
        p = n;
    p[k] = after[0];
}
static void variableOverrunByOne(void) { writeNumbers<<<1, 1>>>(NULL, 8); }
static void variableUnderrunByOne(void) { writeNumbers<<<1, 1>>>(NULL, -1); }
static void variableLast(void) { writeNumbers<<<1, 1>>>(NULL, 7); }
static void hostReadsVariable(void)
{
    if (after[1] != 0)
        printf("hostReadsVariable\n"), exit(1);
}
static void hostWritesConstant(void) { c[0] = 1; }
static void hostUsesManaged(void) { m = m + 1; }

__constant__ int partly[8], inTwoPieces[8], initialised[8] = {0, 0, 0, 0, 0, 0, 0, 9};
__global__ void readConstants(int *x, int which)
{
    x[threadIdx.x] = which == 0   ? partly[threadIdx.x]
                     : which == 1 ? inTwoPieces[threadIdx.x]
                                  : initialised[threadIdx.x];
}
static void constantCopiedPartly(void)
{
    const int h[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    CHECK(cudaMemcpyToSymbol(partly, h, 16));
    readConstants<<<1, 8>>>(d_n, 0);
}
static void constantsCopied(void)
{
    const int h[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    CHECK(cudaMemcpyToSymbol(inTwoPieces, h, 16));
    CHECK(cudaMemcpyToSymbol(inTwoPieces, h + 4, 16, 16));
    CHECK(cudaMemcpyToSymbol(initialised, h, 16));
    readConstants<<<1, 8>>>(d_n, 1);
    readConstants<<<1, 8>>>(d_n, 2);
}

/* ---- copies of what nothing has written ------------------------------------------------------ */
enum { WRITTEN = 96, COPIED = 128 };
__global__ void writeSome(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
static void copySome(int *h)
{
    int *d;

    CHECK(cudaMalloc((void **)&d, COPIED * sizeof(int)));
    writeSome<<<WRITTEN / 32, 32>>>(d);
    CHECK(cudaMemcpy(h, d, COPIED * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
}
static int hostSum(const int *h, int from, int to)
{
    int sum = 0;

    for (int i = from; i < to; i++)
        sum += h[i];
    return sum;
}
static void hostReadsUnwritten(void)
{
    int h[COPIED];

    copySome(h);
    if (hostSum(h, 0, COPIED) == WRITTEN)
        printf("hostReadsUnwritten\n"), exit(1);
}
static void hostReadsWhatIsWritten(void)
{
    int h[COPIED];

    copySome(h);
    if (hostSum(h, 0, WRITTEN) != WRITTEN)
        printf("hostReadsWhatIsWritten\n"), exit(1);
}
static void hostWritesTheRest(void)
{
    int h[COPIED];

    copySome(h);
    for (int i = WRITTEN; i < COPIED; i++)
        h[i] = -1;
    if (hostSum(h, 0, COPIED) != 2 * WRITTEN - COPIED)
        printf("hostWritesTheRest\n"), exit(1);
}
/* As many bytes as there are elements are a fourth of them. */
static void copyFourth(int *h)
{
    int *d;

    CHECK(cudaMalloc((void **)&d, COPIED * sizeof(int)));
    writeSome<<<COPIED / 32, 32>>>(d);
    CHECK(cudaMemcpy(h, d, COPIED, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
}
static void hostReadsTheRest(void)
{
    int h[COPIED] = {0};

    copyFourth(h);
    if (hostSum(h, 0, COPIED) != COPIED / 4)
        printf("hostReadsTheRest\n"), exit(1);
}
static void hostReadsTheFourth(void)
{
    int h[COPIED] = {0};

    copyFourth(h);
    if (hostSum(h, 0, COPIED / 4) != COPIED / 4)
        printf("hostReadsTheFourth\n"), exit(1);
}
static void restIsFilled(void)
{
    int h[COPIED];

    for (int i = 0; i < COPIED; i++)
        h[i] = 2;
    copyFourth(h);
    memset(h + COPIED / 4, 0, sizeof h - COPIED);
    if (hostSum(h, 0, COPIED) != COPIED / 4)
        printf("restIsFilled\n"), exit(1);
}
static void arrayOfAFourth(void)
{
    int *h = (int *)malloc(COPIED), *next = (int *)malloc(COPIED);

    for (int i = 0; i < COPIED / 4; i++)
        next[i] = 2;
    copyFourth(h);
    if (hostSum(next, 0, COPIED / 4) != COPIED / 2)
        printf("arrayOfAFourth\n"), exit(1);
    free(next);
    free(h);
}
/* Another array in that memory has the bits of what is unwritten, from the C library. */
static void hostUsesItAgain(void)
{
    char ones[COPIED * sizeof(int)];
    int *h = (int *)malloc(sizeof ones), *again;

    copySome(h);
    free(h);
    again = (int *)malloc(sizeof ones);
    for (size_t i = 0; i < sizeof ones; i++)
        ones[i] = i + 1 < sizeof ones ? '\xff' : '\0';
    if (again == NULL || snprintf((char *)again, sizeof ones, "%s", ones) < 0 ||
        hostSum(again, 0, COPIED - 1) != 1 - COPIED)
        printf("hostUsesItAgain\n"), exit(1);
    free(again);
}

/* ---- arrays whose length the compiler knows -------------------------------------------------- */
struct P {
    float x[4], y[4];
};
__global__ void localArray(int *out, int k)
{
    int a[8];
    for (int j = 0; j < 8; j++)
        a[j] = j;
    a[k] = 9;
    out[threadIdx.x] = a[3];
}
static void localArrayOverrun(void) { localArray<<<1, 32>>>(d_n, 8); }
static void localArrayNegative(void) { localArray<<<1, 32>>>(d_n, -1); }
static void hostArrayOverrun(void)
{
    volatile int bound = 5;
    float numbers[bound], more[8] = {0};
    for (int i = 0; i < 5; i++)
        numbers[i] = more[i];
    if (numbers[bound] == 1)
        printf("%g\n", (double)numbers[0]);
}
static void localArrayFits(void) { localArray<<<1, 32>>>(d_n, 7); }
__global__ void memberArray(P *p, int k) { p->x[k] = 1; }
static void memberOverrun(void) { memberArray<<<1, 1>>>((P *)d_f, 4); }
static void memberFits(void) { memberArray<<<1, 1>>>((P *)d_f, 3); }
__global__ void flattened(float *out)
{
    __shared__ float tile[4][8];
    tile[0][threadIdx.x] = threadIdx.x; /* all rows by the first one's name, as much code does */
    __syncthreads();
    out[threadIdx.x] = *(&tile[0][0] + threadIdx.x) + (&tile[4][0] - &tile[0][0]);
}
static void flattenedTile(void) { flattened<<<1, 32>>>(d_f); }

/* ---- local variables ------------------------------------------------------------------------- */
__global__ void pointerToLocal(int **where, int *out)
{
    int mine = (int)threadIdx.x;
    where[0] = &mine;
    __syncthreads();
    out[threadIdx.x] = *where[0] + mine;
}
static void localOfAnother(void)
{
    pointerToLocal<<<1, 1>>>((int **)d_f, d_n), pointerToLocal<<<1, 2>>>((int **)d_f, d_n);
}
__device__ int *lost(int k) /* recursive, so that it is called */
{
    int gone[4] = {k, k, k, k};
    int *volatile p = gone;
    return k < 3 ? lost(k + 1) : p;
}
__global__ void useLost(int *out) { *out = *lost(3); }
static void localThatIsGone(void) { useLost<<<1, 1>>>(d_n); }

/* ---- copies ---------------------------------------------------------------------------------- */
static int host_global[8];
static void hostGlobalOverrun(void)
{
    cudaMemcpy(d_n, host_global, 9 * sizeof(int), cudaMemcpyHostToDevice);
}
static void hostGlobalFits(void)
{
    cudaMemcpy(d_n, host_global + 4, 4 * sizeof(int), cudaMemcpyHostToDevice);
}
static void hostHeap(size_t bytes, int to_host)
{
    char *h = (char *)calloc(64, 1), *g = new char[64];
    cudaMemcpy(to_host ? (void *)(h + 8) : d_n, to_host ? (void *)d_n : h + 8, bytes,
               cudaMemcpyDefault);
    g[0] = 0;
    cudaMemcpy(d_n, g, 1, cudaMemcpyHostToDevice);
    delete[] g;
    free(h);
}
static void hostHeapOverrun(void) { hostHeap(57, 0); }
static void hostHeapOverwritten(void) { hostHeap(57, 1); }
static void hostHeapFits(void) { hostHeap(56, 0); }
static void hostNewOverrun(void)
{
    int *h = new int[4]();
    cudaMemcpy(d_n, h, 5 * sizeof *h, cudaMemcpyHostToDevice);
    delete[] h;
}
static void negativeSize(void)
{
    int h[8], count = -2;
    cudaMemcpy(d_n, h, count * sizeof(int), cudaMemcpyHostToDevice);
}
static void negativeMemset(void) { cudaMemset(d_n, 0, (size_t)-8); }
static void overlappingCopy(void) { cudaMemcpy(d_n + 4, d_n, 32, cudaMemcpyDeviceToDevice); }
static void adjacentCopy(void) { cudaMemcpy(d_n + 8, d_n, 32, cudaMemcpyDeviceToDevice); }

/* ---- values ---------------------------------------------------------------------------------- */
__global__ void addOne(float *p) { atomicAdd(p, 1.0f); }
static void atomicOnPart(void)
{
    float *p;
    CHECK(cudaMalloc(&p, sizeof *p));
    CHECK(cudaMemset(p, 0, 1));
    addOne<<<1, 32>>>(p);
    CHECK(cudaFree(p));
}
__global__ void sumOf(int *out, const int *p, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += p[k];
    *out = sum;
}
static void pinnedUploaded(int written, int read)
{
    int *h, *d;
    CHECK(cudaMallocHost(&h, 256));
    CHECK(cudaMalloc(&d, 256));
    for (int k = 0; k < written; k++)
        h[k] = -1;
    CHECK(cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice));
    sumOf<<<1, 1>>>(d_n, d, read);
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
}
static void pinnedNeverWritten(void) { pinnedUploaded(0, 1); }
static void pinnedPartlyWritten(void) { pinnedUploaded(32, 33); }
static void pinnedWritten(void) { pinnedUploaded(64, 64); }
static void pinnedReadInPlace(void)
{
    int *h;
    CHECK(cudaMallocHost(&h, 256));
    sumOf<<<1, 1>>>(d_n, h, 1);
    CHECK(cudaFreeHost(h));
}

/* A query does not wait: only one that answers cudaSuccess says that the copy has ended. */
static void asks(int untilDone)
{
    int *h;
    cudaStream_t s;
    CHECK(cudaMallocHost(&h, 256));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMemcpyAsync(h, d_n, 256, cudaMemcpyDeviceToHost, s));
    while (cudaStreamQuery(s) != cudaSuccess && untilDone) {}
    if (hostSum(h, 0, 64) != 0 && untilDone)
        printf("asks\n"), exit(1);
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFreeHost(h));
}
static void asksOnce(void) { asks(0); }
static void asksUntilDone(void) { asks(1); }

/* ---- compare-and-swap loops, as textbooks have them ------------------------------------------ */
__device__ double addByCompare(double *address, double value)
{
    unsigned long long *a = (unsigned long long *)address, old = *a, assumed;
    do {
        assumed = old;
        old = atomicCAS(a, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void sumByCompare(double *sum, const float *x)
{
    __shared__ double s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    addByCompare(&s, 1 + x[threadIdx.x]);
    addByCompare(sum, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        addByCompare(sum, s);
}
static void addByCompareAndSwap(void) { sumByCompare<<<4, 64>>>((double *)d_n, d_f); }
__device__ int lock;
__global__ void countLocked(int *n, int how)
{
    if (threadIdx.x != 0)
        return;
    volatile int *look = &lock; /* on an H200 a plain look is made once, and the loop never ends */
    while ((how == 2 && *look != 0) || atomicCAS(&lock, 0, 1) != 0) /* looks first, or not */
        ;
    __threadfence();
    *n += 1;
    __threadfence();
    if (how == 0)
        lock = 0;
    else
        atomicExch(&lock, 0);
}
static void lockFreedPlainly(void) { countLocked<<<4, 32>>>(d_n, 0); }
static void lockFreedByAtomic(void) { countLocked<<<4, 32>>>(d_n, 1); }
static void lockLookedAtFirst(void) { countLocked<<<4, 32>>>(d_n, 2); }

/* ---- names ----------------------------------------------------------------------------------- */
template <int N, class T> __global__ void fillFrom(T *p, int k)
{
    for (int j = 0; j < N; j++)
        p[k + j] = 1;
}
static void nameOfPointer(void)
{
    float *d_row[2];
    double *d_cast;
    CHECK(cudaMalloc(&d_row[1], 40 * sizeof *d_row[1]));
    CHECK(cudaMalloc((void **)&d_cast, 40 * sizeof *d_cast));
    fillFrom<1><<<1, 1>>>(d_cast, 7);
    fillFrom<1><<<1, 1>>>(d_row[1], 43);
    CHECK(cudaFree(d_row[1]));
    CHECK(cudaFree(d_cast));
}
static void nameOfCastPointer(void)
{
    double *d_cast;
    CHECK(cudaMalloc((void **)&d_cast, 40 * sizeof *d_cast));
    fillFrom<1><<<1, 1>>>(d_cast, -2);
    CHECK(cudaFree(d_cast));
}
static void nameOfRow(void)
{
    int *d_rows;
    size_t pitch;
    CHECK(cudaMallocPitch(&d_rows, &pitch, 40, 4));
    sumOf<<<1, 1>>>(d_n, (int *)((char *)d_rows + 2 * pitch) + 3, 1);
    CHECK(cudaFree(d_rows));
}
static void nameOfInstance(void) { fillFrom<16><<<1, 1>>>(d_f, 60); }
__global__ void writeFirst(float *p, int k) { p[k] = 1; }
static void nameOfFunctionPointer(void)
{
    void (*kernel)(float *, int) = writeFirst;
    kernel<<<1, 1>>>(d_f, 64);
}

/* ---- calls that are refused ------------------------------------------------------------------ */
static __device__ int number;
static void copyToSymbol(int asked)
{
    int one = 1;
    void *address = &number;
    if (asked)
        CHECK(cudaGetSymbolAddress(&address, number));
    const cudaError_t error = cudaMemcpy(address, &one, sizeof one, cudaMemcpyHostToDevice);
    if ((error == cudaSuccess) != asked)
        printf("    FAILED: error %d\n", (int)error);
    (void)cudaGetLastError();
}
static void symbolByName(void) { copyToSymbol(0); } /* before its address is asked for */
static void symbolByAddress(void) { copyToSymbol(1); }
#if CUDART_VERSION >= 13000
static const cudaMemLocation firstDevice = {cudaMemLocationTypeDevice, {0}};
#define PREFETCH(p, bytes) cudaMemPrefetchAsync(p, bytes, firstDevice, 0, 0)
#else
#define PREFETCH(p, bytes) cudaMemPrefetchAsync(p, bytes, 0, 0)
#endif
static void prefetchOfManaged(void)
{
    float *p;
    CHECK(cudaMallocManaged(&p, 64));
    CHECK(PREFETCH(p, 64));
    CHECK(cudaFree(p));
}
static void prefetchOfPlain(void) { (void)PREFETCH(d_f, 64); }
static void surfaceOf(unsigned flags)
{
    cudaChannelFormatDesc oneFloat = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaResourceDesc resource;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaMallocArray(&array, &oneFloat, 16, 16, flags));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    if (cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess)
        CHECK(cudaDestroySurfaceObject(surface));
    (void)cudaGetLastError();
    CHECK(cudaFreeArray(array));
}
static void surfaceOfPlainArray(void) { surfaceOf(0); }
static void surfaceOfArray(void) { surfaceOf(cudaArraySurfaceLoadStore); }
static void timeOf(unsigned flags, int records, int waits)
{
    cudaEvent_t begin, end;
    float milliseconds;
    CHECK(cudaEventCreateWithFlags(&begin, flags));
    CHECK(cudaEventCreate(&end));
    if (records)
        CHECK(cudaEventRecord(begin, 0));
    sumOf<<<1, 1>>>(d_n, d_n, 1);
    CHECK(cudaEventRecord(end, 0));
    if (waits)
        CHECK(cudaEventSynchronize(end));
    (void)cudaEventElapsedTime(&milliseconds, begin, end);
    (void)cudaGetLastError();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
}
/* From an event of one stream to one of another, and what the host waits for between them. */
enum wait {
    FOR_SECOND,
    FOR_BOTH,
    FOR_STREAMS,
    FOR_DEVICE,
    BY_QUERY,
    BY_COPY,
    BY_THIRD_STREAM,
    KERNEL_LATER
};
static void timeAcross(enum wait how)
{
    cudaStream_t stream[3];
    cudaEvent_t begin, end;
    float milliseconds = 0;
    int n;
    for (int k = 0; k < 3; k++)
        CHECK(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaDeviceSynchronize());
    if (how != KERNEL_LATER)
        sumOf<<<1, 1, 0, stream[0]>>>(d_n, d_n + 1, 1);
    CHECK(cudaEventRecord(begin, stream[0]));
    sumOf<<<1, 1, 0, stream[1]>>>(d_n + 2, d_n + 3, 1);
    CHECK(cudaEventRecord(end, stream[1]));
    switch (how) {
    case FOR_BOTH: CHECK(cudaEventSynchronize(begin)); /* and */
    case FOR_SECOND: CHECK(cudaEventSynchronize(end)); break;
    case FOR_STREAMS:
        CHECK(cudaStreamSynchronize(stream[1]));
        CHECK(cudaStreamSynchronize(stream[0]));
        break;
    case FOR_DEVICE: CHECK(cudaDeviceSynchronize()); break;
    case BY_QUERY:
        while (cudaEventQuery(end) != cudaSuccess || cudaStreamQuery(stream[0]) != cudaSuccess) {}
        (void)cudaGetLastError();
        break;
    case BY_COPY:
        CHECK(cudaStreamWaitEvent(0, begin, 0));
        CHECK(cudaStreamWaitEvent(0, end, 0));
        CHECK(cudaMemcpy(&n, d_n, sizeof n, cudaMemcpyDeviceToHost));
        break;
    case BY_THIRD_STREAM:
        CHECK(cudaStreamWaitEvent(stream[2], begin, 0));
        CHECK(cudaStreamWaitEvent(stream[2], end, 0));
        CHECK(cudaStreamSynchronize(stream[2]));
        break;
    case KERNEL_LATER:
        /* behind the event, which need not wait for it */
        sumOf<<<1, 1, 0, stream[0]>>>(d_n, d_n + 1, 1);
        CHECK(cudaEventSynchronize(end));
        break;
    }
    const cudaError_t error = cudaEventElapsedTime(&milliseconds, begin, end);
    if ((error != cudaSuccess && how != FOR_SECOND) ||
        (error != cudaErrorNotReady && ON_GPU(0, how == FOR_SECOND)))
        printf("timeAcross: %d: %s\n", how, cudaGetErrorName(error)), exit(1);
    (void)cudaGetLastError();
    CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < 3; k++)
        CHECK(cudaStreamDestroy(stream[k]));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
}
static void timeSinceAnotherStream(void) { timeAcross(FOR_SECOND); }
static void timeAcrossStreams(void)
{
    for (int how = FOR_BOTH; how < ON_GPU(KERNEL_LATER, KERNEL_LATER + 1); how++)
        timeAcross((enum wait)how);
}
static void timeBetween(void) { timeOf(cudaEventDefault, 1, 1); }
static void timeTooEarly(void) { timeOf(cudaEventDefault, 1, 0); }
static void timeSinceNothing(void) { timeOf(cudaEventDefault, 0, 1); }
static void timeDisabled(void) { timeOf(cudaEventDisableTiming, 1, 1); }

static void recordOfNoEvent(void) { cudaEventRecord(NULL); }
static void pointerForItsAddress(void)
{
    float *d_x = NULL;
    cudaMalloc((void **)d_x, 4);
}
static void hostMemoryFreed(void)
{
    int here;
    cudaFreeHost(&here);
}
static void freedAsIfOnTheHost(void)
{
    void *d_x;
    CHECK(cudaMalloc(&d_x, 4));
    cudaFreeHost(d_x);
    CHECK(cudaFree(d_x));
}
static void freedAsIfOnTheDevice(void)
{
    void *h_x;
    CHECK(cudaMallocHost(&h_x, 4));
    cudaFree(h_x);
    CHECK(cudaFreeHost(h_x));
}

/* The host's own use of memory that it shares with the device */
static void managedPastTheEnd(void)
{
    char *x;
    CHECK(cudaMallocManaged((void **)&x, 10));
    for (volatile int i = 0; i <= 10; i++)
        x[i] = 1;
    CHECK(cudaFree(x));
}
static void managedToTheEnd(void)
{
    char *x;
    CHECK(cudaMallocManaged((void **)&x, 10));
    for (volatile int i = 0; i < 10; i++)
        x[i] = 1;
    CHECK(cudaFree(x));
}
static void lockedAfterFree(void)
{
    volatile int *x;
    CHECK(cudaMallocHost((void **)&x, 40));
    x[3] = 1;
    CHECK(cudaFreeHost((void *)x));
    if (x[3] == 2)
        printf("reused\n");
}

/* Managed and page-locked memory has no value before somebody has given it one: the host by a loop
 * or by the C library, a kernel, a copy. */
__global__ void addOneToEach(int *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i]++;
}
__global__ void writeEach(int *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = i;
}
static int *shared(int locked, size_t bytes)
{
    void *p;
    CHECK(locked ? cudaMallocHost(&p, bytes) : cudaMallocManaged(&p, bytes));
    return (int *)p;
}
static void release(int locked, int *x) { CHECK(locked ? cudaFreeHost(x) : cudaFree(x)); }
static void giveTo(int locked, int given)
{
    int *x = shared(locked, 1000 * sizeof *x);
    for (int i = 0; i < given; i++)
        x[i] = i;
    addOneToEach<<<4, 256>>>(x, 1000);
    CHECK(cudaDeviceSynchronize());
    if (x[given - 1] != given)
        printf("FAILED: not %d\n", given), exit(2);
    release(locked, x);
}
static void managedGivenPartly(void) { giveTo(0, 500); }
static void managedGiven(void) { giveTo(0, 1000); }
static void lockedGivenPartly(void) { giveTo(1, 500); }
static void lockedGiven(void) { giveTo(1, 1000); }
static void readAfter(int locked, int blocks)
{
    int *x = shared(locked, 1000 * sizeof *x);
    writeEach<<<blocks, 256>>>(x, 1000);
    CHECK(cudaDeviceSynchronize());
    volatile int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum = sum + x[i];
    release(locked, x);
}
static void managedWrittenPartly(void) { readAfter(0, 3); }
static void managedWritten(void) { readAfter(0, 4); }
static void lockedWrittenPartly(void) { readAfter(1, 3); }
static void lockedWritten(void) { readAfter(1, 4); }
static void managedByTheLibrary(void)
{
    int *x = shared(0, 40);
    if (snprintf((char *)x, 16, "%d %d %d", 111, 222, 333) != 11)
        exit(2);
    memset(x + 4, 0, 12);
    CHECK(cudaMemset(x + 7, 0, 12));
    addOneToEach<<<1, 32>>>(x + 4, 6);
    CHECK(cudaDeviceSynchronize());
    if (((char *)x)[9] != '3' || x[4] != 1 || x[9] != 1)
        printf("FAILED: lost\n"), exit(2);
    release(0, x);
}

/* The host has given the value that the atomic adds to. */
static void atomicOnLocked(void)
{
    float *x;
    CHECK(cudaMallocHost((void **)&x, 4));
    *(volatile float *)x = 5;
    addOne<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize());
    if (*(volatile float *)x != 37)
        printf("FAILED: not 37\n"), exit(2);
    CHECK(cudaFreeHost(x));
}
/* A loop that stays behind the end of its array for hours */
__global__ void straysOn(unsigned *x, unsigned n)
{
    for (unsigned i = 0; i != ~0u; i++)
        x[n + i % 8] = i;
}
static void strayForever(void)
{
    unsigned *x;
    CHECK(cudaMalloc((void **)&x, 400));
    straysOn<<<1, 1>>>(x, 100);
    (void)cudaDeviceSynchronize();
    (void)cudaFree(x);
}

static const struct test tests[] = {
    FINDS(rowReadByOthers, "race", "no __syncthreads() between them"),
    CLEAN(rowReadLater),
    FINDS(rowWrittenByOthers, "race", "no __syncthreads() between them"),
    CLEAN(rowWrittenLater),
    FINDS(rowOfTwoWarps, "race", "no __syncthreads() between them"),
    CLEAN(rowOfTwoWarpsInTurn),
    FINDS(rowOfTwoBlocks, "race", "both write it at this line"),
    FINDS(rowThatWasBytes, "race", "no __syncthreads() between them"),
    CLEAN(rowThatWasUsed),
    FINDS(symbolByName, "bad-copy", "Use cudaMemcpyToSymbol"),
    CLEAN(symbolByAddress),
    CLEAN(prefetchOfManaged),
    FINDS(prefetchOfPlain, "bad-call", "moves managed memory"),
    FINDS(surfaceOfPlainArray, "bad-call", "without cudaArraySurfaceLoadStore"),
    CLEAN(surfaceOfArray),
    CLEAN(timeBetween),
    CLEAN(timeAcrossStreams),
    FINDS(timeSinceAnotherStream, "bad-call", "has not waited for the first event"),
    FINDS(timeTooEarly, "bad-call", "the host has not waited for the second event"),
    FINDS(timeSinceNothing, "bad-call", "the first event has not been recorded"),
    FINDS(timeDisabled, "bad-call", "cudaEventDisableTiming"),
    FINDS(recordOfNoEvent, "bad-call", "cudaEventCreate(&event) first"),
    FINDS(pointerForItsAddress, "bad-call", "the address of the pointer is wanted"),
    FINDS(hostMemoryFreed, "invalid-address", "cudaMallocHost allocates what it frees"),
    FINDS(freedAsIfOnTheHost, "invalid-address", "not of the device: "),
    FINDS(freedAsIfOnTheDevice, "invalid-address", "not of the host (cudaFreeHost): "),
    CLEAN(bytesInPlace),
    CLEAN(shortsInPlace),
    CLEAN(shortsInShared),
    CLEAN(boolsOfTwoBlocks),
    FINDS(bytesShifted, "race", "byte 2 of the 256-byte"),
    FINDS(wordOverBytes, "race", "of the 256-byte"),
    CLEAN(wordAfterBytes),
    FINDS(bytesOverWord, "race", "of the 256-byte"),
    CLEAN(bytesAfterWord),
    CLEAN(sharedBytesPutAside),
    CLEAN(deviceMalloc),
    FINDS(deviceMallocOverrun, "out-of-bounds", "0 bytes past the end of the 16-byte allocation"),
    FINDS(deviceMallocUninitialised, "uninitialised-read", "byte 8 of the 16-byte"),
    FINDS(deviceFreeOfAnother, "bad-free", "cudaFree"),
    FINDS(deviceFreeTwice, "bad-free", "freed before"),
    FINDS(deviceUseAfterFree, "out-of-bounds", "has been freed"),
    CLEAN(heapLimit),
    CLEAN(heapUsedAgain),
#ifdef __CUDA_EMULATED__
    CLEAN(kernelCudaMalloc),
    FINDS(kernelCudaMallocPastTheEnd, "out-of-bounds", "at own[3]"),
    FINDS(kernelCudaFreeOfHosts, "bad-free", "the host frees it"),
#endif
    FINDS(heapFreedByHost, "invalid-address", "only a kernel can free"),
    FINDS(heapCopiedByHost, "bad-copy", "only kernels can use"),
    CLEAN(deviceNew),
    CLEAN(argumentDestructor),
    CLEAN(shuffleAfterIf),
    CLEAN(shuffleByNegative),
    FINDS(nameOfOneLetter, "race", "device variable i,"),
    FINDS(constantsOverrun, "out-of-bounds", "0 bytes past the end of constant variable c"),
    CLEAN(constantsFit),
    FINDS(variableOverrunByOne, "out-of-bounds", "0 bytes past the end of device variable n"),
    FINDS(variableUnderrunByOne, "out-of-bounds", ""),
    CLEAN(variableLast),
    FINDS(managedPastTheEnd, "host-dereference", "x[10] (0 bytes past the end"),
    CLEAN(managedToTheEnd),
    FINDS(managedGivenPartly, "uninitialised-read", "reads p (byte 2000"),
    CLEAN(managedGiven),
    FINDS(lockedGivenPartly, "uninitialised-read", "reads p (byte 2000"),
    CLEAN(lockedGiven),
    FINDS(managedWrittenPartly, "uninitialised-read", "host code reads p (byte 3072"),
    CLEAN(managedWritten),
    FINDS(lockedWrittenPartly, "uninitialised-read", "host code reads p (byte 3072"),
    CLEAN(lockedWritten),
    CLEAN(managedByTheLibrary),
    CLEAN(atomicOnLocked),
    FINDS(strayForever, "out-of-bounds", "x[100] (0 bytes past the end"),
    FINDS(lockedAfterFree, "host-dereference", "which has been freed at"),
    FINDS(hostReadsVariable, "host-dereference", "cudaMemcpyFromSymbol"),
    FINDS(hostWritesConstant, "host-dereference", "cudaMemcpyToSymbol"),
    CLEAN(hostUsesManaged),
    FINDS(constantCopiedPartly, "uninitialised-read", "byte 16 of constant variable partly"),
    CLEAN(constantsCopied),
    FINDS(hostReadsUnwritten, "uninitialised-read", "its first unwritten word is "),
    CLEAN(hostReadsWhatIsWritten),
    CLEAN(hostWritesTheRest),
    FINDS(hostReadsTheRest, "uninitialised-read", "has not brought"),
    CLEAN(hostReadsTheFourth),
    CLEAN(restIsFilled),
    CLEAN(arrayOfAFourth),
    CLEAN(hostUsesItAgain),
    FINDS(localArrayOverrun, "out-of-bounds", "uses a[8], but a is 'int [8]'"),
    FINDS(hostArrayOverrun, "out-of-bounds",
          "host code uses numbers[5], but numbers has fewer elements"),
    FINDS(localArrayNegative, "out-of-bounds", "uses a[-1]"),
    CLEAN(localArrayFits),
    FINDS(memberOverrun, "out-of-bounds", "[4]"),
    CLEAN(memberFits),
    CLEAN(flattenedTile),
    FINDS(localOfAnother, "invalid-address", "a local variable of another thread"),
    FINDS(localThatIsGone, "invalid-address", "function that has returned"),
    FINDS(hostGlobalOverrun, "bad-copy", "past the end of the host variable host_global"),
    CLEAN(hostGlobalFits),
    FINDS(hostHeapOverrun, "bad-copy", "57 bytes at byte 8 of an array of 64"),
    FINDS(hostHeapOverwritten, "bad-copy", "57 bytes at byte 8 of an array of 64"),
    CLEAN(hostHeapFits),
    FINDS(hostNewOverrun, "bad-copy", "20 bytes at byte 0 of an array of 16"),
    FINDS(negativeSize, "bad-copy", "which is -8 as a signed number"),
    FINDS(negativeMemset, "bad-copy", "which is -8 as a signed number"),
    FINDS(overlappingCopy, "bad-copy", "overlap"),
    CLEAN(adjacentCopy),
    FINDS(atomicOnPart, "uninitialised-read", "updates"),
    FINDS(pinnedNeverWritten, "uninitialised-read", ""),
    FINDS(pinnedPartlyWritten, "uninitialised-read", "byte 128"),
    CLEAN(pinnedWritten),
    FINDS(pinnedReadInPlace, "uninitialised-read", ""),
    FINDS(asksOnce, "race", "the host has not waited for that"),
    CLEAN(asksUntilDone),
    CLEAN(addByCompareAndSwap),
    FINDS(lockFreedPlainly, "race", "an atomicExch(), where it frees a lock"),
    CLEAN(lockFreedByAtomic),
    CLEAN(lockLookedAtFirst),
    FINDS(nameOfPointer, "out-of-bounds",
          "writes 4 bytes at d_row[1][43] (12 bytes past the end of the 160-byte"),
    FINDS(nameOfCastPointer, "out-of-bounds",
          "writes 8 bytes at d_cast[-2] (16 bytes before the start"),
    FINDS(nameOfRow, "uninitialised-read", "row 2, element 3 of d_rows (byte"),
    FINDS(nameOfInstance, "out-of-bounds", "kernel fillFrom<16, float>, "),
    FINDS(nameOfFunctionPointer, "out-of-bounds", "kernel writeFirst, "),
};

static void prepare(void)
{
    CHECK(cudaMalloc(&d_bytes, 256));
    CHECK(cudaMalloc(&d_f, 256));
    CHECK(cudaMalloc(&d_n, 256));
    CHECK(cudaMemset(d_bytes, 1, 256));
    CHECK(cudaMemset(d_f, 0, 256));
    CHECK(cudaMemset(d_n, 0, 256));
}

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
