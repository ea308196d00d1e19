/* Every check of the emulated device: a kernel that must trigger it, and a close relative that must
 * not.
 *
 *     checks [CASE]      on the emulated device: runs all cases, or one, and compares
 *                        on a GPU: runs the one, for compute-sanitizer to judge (sanitise.sh) */
#include "cases.h"

static float *d_x, *d_y; /* 1024 floats each; x is initialised */
static int *d_n;         /* 1024 ints, zero */

/* ---- the read-only cache: what a launch reads by __ldg() it must not write, in whatever order
 * -------------- */
__global__ void ldgThenWrite(float *x) { x[threadIdx.x] = 2 * __ldg(&x[threadIdx.x]); }
__global__ void writeThenLdg(float *y, float *x)
{
    x[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = __ldg(&x[(threadIdx.x + 1) % blockDim.x]);
}
__global__ void ldgAndLaterWrite(float *y, float *x)
{
    y[threadIdx.x] = __ldg(&x[(threadIdx.x + 1) % blockDim.x]);
    __syncthreads();
    x[threadIdx.x] = 1;
}
/* of one array, one half read and one written */
__global__ void ldgOfHalves(float4 *y, const float4 *x)
{
    const float4 v = __ldg(&x[threadIdx.x]);
    y[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}
__global__ void ldgOfBytes(char *x) /* two bytes of each word read, the others written */
{
    x[4 * threadIdx.x + 2] = __ldg(&x[4 * threadIdx.x]) + 1;
    x[4 * threadIdx.x + 3] = __ldg((const signed char *)&x[4 * threadIdx.x + 1]);
}
static void ldgInPlace(void) { ldgThenWrite<<<1, 64>>>(d_x); }
static void ldgAfterWrite(void) { writeThenLdg<<<1, 64>>>(d_y, d_x); }
static void ldgBeforeWrite(void) { ldgAndLaterWrite<<<1, 64>>>(d_y, d_x); }
static void ldgApart(void) { ldgOfHalves<<<1, 64>>>((float4 *)d_x + 64, (float4 *)d_x); }
static void ldgOfOtherBytes(void) { ldgOfBytes<<<1, 32>>>((char *)d_x); }
static void ldgOfOtherLaunch(void)
{
    ldgOfHalves<<<1, 64>>>((float4 *)d_x + 64, (float4 *)d_x);
    ldgOfHalves<<<1, 64>>>((float4 *)d_x, (float4 *)d_x + 64);
}

/* ---- bounds ---------------------------------------------------------------------------------- */
__global__ void copyTo(float *y, const float *x, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i + offset];
}
static void pastTheEnd(void) { copyTo<<<4, 256>>>(d_y, d_x, 1024, 1); }
static void beforeTheStart(void) { copyTo<<<4, 256>>>(d_y, d_x, 1024, -1); }
static void withinBounds(void) { copyTo<<<4, 256>>>(d_y, d_x, 1024, 0); }
static void noTailGuard(void) { copyTo<<<5, 256>>>(d_y, d_x, 1025, 0); }
static void freedMemory(void)
{
    float *p;
    CHECK(cudaMalloc(&p, 4096));
    CHECK(cudaMemset(p, 0, 4096));
    CHECK(cudaFree(p));
    copyTo<<<1, 32>>>(d_y, p, 32, 0);
}
__global__ void dynamicShared(float *y, int n)
{
    extern __shared__ float s[];
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[(threadIdx.x + n) % 64];
}
static void dynamicSharedTooSmall(void) { dynamicShared<<<1, 64, 63 * sizeof(float)>>>(d_y, 0); }
static void dynamicSharedFits(void) { dynamicShared<<<1, 64, 64 * sizeof(float)>>>(d_y, 1); }
__global__ void zeroThenAdd(int *n, int barrier)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    if (barrier)
        __syncthreads();
    atomicAdd(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        *n = s;
}
static void zeroWithoutBarrier(void) { zeroThenAdd<<<1, 64>>>(d_n, 0); }
static void zeroWithBarrier(void) { zeroThenAdd<<<2, 64>>>(d_n, 1); }
__global__ void staticShared(float *y, int n)
{
    __shared__ float first[32], second[32];
    __shared__ struct {
        float a[32], b[32];
    } third;
    first[threadIdx.x] = second[threadIdx.x] = 1;
    third.b[threadIdx.x] = 2;
    if (threadIdx.x == 31)
        third.b[31 + n] = 3;
    __syncthreads();
    y[threadIdx.x] = first[31 - threadIdx.x] + second[31 - threadIdx.x] + third.b[31 - threadIdx.x];
}
static void staticSharedOverrun(void) { staticShared<<<1, 32>>>(d_y, 1); }
static void staticSharedFits(void) { staticShared<<<1, 32>>>(d_y, 0); }
__device__ float d_table[16];
__global__ void readTable(float *y, int n) { y[threadIdx.x] = d_table[threadIdx.x + n]; }
static void variableOverrun(void) { readTable<<<1, 16>>>(d_y, 1000); }
static void variableFits(void) { readTable<<<1, 16>>>(d_y, 0); }
static void nullPointer(void) { copyTo<<<1, 32>>>(d_y, (const float *)NULL, 32, 0); }
static void hostPointer(void)
{
    static float host[32];
    copyTo<<<1, 32>>>(d_y, host, 32, 0);
}
static void hostMalloc(void)
{
    float *host = (float *)calloc(32, sizeof *host);
    copyTo<<<1, 32>>>(d_y, host, 32, 0);
    free(host);
}
static void pinnedPointer(void)
{
    float *pinned;
    CHECK(cudaMallocHost(&pinned, 32 * sizeof *pinned));
    for (int i = 0; i < 32; i++)
        pinned[i] = i;
    copyTo<<<1, 32>>>(d_y, pinned, 32, 0);
    CHECK(cudaFreeHost(pinned));
}
static void registeredPointer(void)
{
    float *host = (float *)calloc(32, sizeof *host);
    CHECK(cudaHostRegister(host, 32 * sizeof *host, cudaHostRegisterMapped));
    copyTo<<<1, 32>>>(d_y, host, 32, 0);
    CHECK(cudaHostUnregister(host));
    free(host);
}
__global__ void asFloat4(float4 *y, const char *x)
{
    y[threadIdx.x] = *(const float4 *)(x + 16 * threadIdx.x);
}
static void misaligned(void) { asFloat4<<<1, 16>>>((float4 *)d_y, (const char *)(d_x + 2)); }
static void aligned(void) { asFloat4<<<1, 16>>>((float4 *)d_y, (const char *)(d_x + 4)); }
__constant__ float c_factor[4];
__global__ void useConstant(float *y) { y[threadIdx.x] = c_factor[threadIdx.x % 4]; }
__global__ void writeConstant(const float *x)
{
    *(float *)&c_factor[threadIdx.x % 4] = x[threadIdx.x];
}
static void constantRead(void) { useConstant<<<1, 32>>>(d_y); }
static void constantWritten(void) { writeConstant<<<1, 32>>>(d_x); }

/* ---- initialisation -------------------------------------------------------------------------- */
static void uninitialisedGlobal(void)
{
    float *p;
    CHECK(cudaMalloc(&p, 4096));
    copyTo<<<1, 32>>>(d_y, p, 32, 0);
    CHECK(cudaFree(p));
}
static void poisonedGlobal(void)
{
    float *p;
    CHECK(cudaMalloc(&p, 4096));
    CHECK(cudaMemset(p, 0xff, 4096));
    copyTo<<<1, 32>>>(d_y, p, 32, 0);
    CHECK(cudaFree(p));
}
static void partlyWritten(void)
{
    float *p, *q;
    CHECK(cudaMalloc(&p, 256));
    CHECK(cudaMalloc(&q, 256));
    CHECK(cudaMemset(p, 0, 64));
    /* copying the unknown is no mistake yet */
    CHECK(cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice));
    copyTo<<<1, 16>>>(d_y, q, 16, 0);
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
}
static void copiedUnknown(void)
{
    float *p, *q;
    CHECK(cudaMalloc(&p, 256));
    CHECK(cudaMalloc(&q, 256));
    CHECK(cudaMemset(p, 0, 64));
    CHECK(cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice));
    copyTo<<<1, 17>>>(d_y, q, 17, 0);
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
}
__global__ void sharedUnset(float *y, int all)
{
    __shared__ float s[64];
    if (all || threadIdx.x < 63)
        s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
static void uninitialisedShared(void) { sharedUnset<<<1, 64>>>(d_y, 0); }
static void initialisedShared(void) { sharedUnset<<<1, 64>>>(d_y, 1); }
/* Each block has its own shared memory: what block 0 wrote is not there for block 1. */
__global__ void onlyBlockZeroWrites(float *y)
{
    __shared__ float s[32];
    if (blockIdx.x == 0)
        s[threadIdx.x] = 1;
    __syncthreads();
    y[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
}
static void sharedOfAnotherBlock(void) { onlyBlockZeroWrites<<<2, 32>>>(d_y); }
/* A pointer into a block's shared memory outlives neither the block nor its kernel. */
__device__ float *leftTable;
__global__ void leaveTable(void)
{
    __shared__ float table[32];
    table[threadIdx.x] = 1;
    leftTable = table;
}
__global__ void readTable(float *y) { y[threadIdx.x] = leftTable[threadIdx.x]; }
static void sharedOfAnotherKernel(void)
{
    leaveTable<<<1, 32>>>();
    readTable<<<1, 32>>>(d_y);
}
struct padded {
    char tag;
    double value;
};
struct large {
    char tag;
    double value;
    int list[5];
};
__global__ void copyStructures(struct padded *p, struct large *l)
{
    int i = threadIdx.x;
    struct padded a;
    a.tag = 1;
    a.value = i;
    p[i] = a;
    struct padded b = p[i];
    l[i].tag = b.tag;
    l[i].value = b.value;
    l[i].list[0] = i;
    struct large c = l[i]; /* list[1..4] and the padding have no value */
    l[i + 32] = c;
}
static void structures(void)
{
    struct padded *p;
    struct large *l;
    CHECK(cudaMalloc(&p, 32 * sizeof *p));
    CHECK(cudaMalloc(&l, 64 * sizeof *l));
    copyStructures<<<1, 32>>>(p, l);
    CHECK(cudaFree(p));
    CHECK(cudaFree(l));
}
/* A structure that a function returns straight into an array: by an instruction of the call itself,
 * which is not instrumented, if the function is not inlined. */
struct moments {
    double sum, squares, cubes;
};
__device__ __noinline__ moments momentsOf(float x)
{
    moments m = {x, x * x, x * x * x};
    return m;
}
__noinline__ __device__ float2 pairOf(float x) { return make_float2(x, 2 * x); }
__global__ void storeReturned(moments *m, float2 *pairs, float x)
{
    m[threadIdx.x] = momentsOf(x + threadIdx.x);
    pairs[threadIdx.x] = pairOf(x);
}
__global__ void sumReturned(float *y, const moments *m, const float2 *pairs)
{
    y[threadIdx.x] = (float)m[threadIdx.x].cubes + pairs[31 - threadIdx.x].y;
}
static void structureReturned(void)
{
    moments *d_moments;
    CHECK(cudaMalloc(&d_moments, 32 * sizeof(moments)));
    storeReturned<<<1, 32>>>(d_moments, (float2 *)d_y, 1);
    sumReturned<<<1, 32>>>(d_x, d_moments, (float2 *)d_y);
    CHECK(cudaFree(d_moments));
}
static void structureReturnedTooFar(void)
{
    storeReturned<<<1, 32>>>((moments *)(d_y + 1024 - 31 * 6), (float2 *)d_x, 1);
}

/* ---- races in a block ------------------------------------------------------------------------ */
__global__ void treeSum(const float *x, float *y, int barrier)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        if (barrier)
            __syncthreads();
    }
    if (t == 0)
        *y = s[0];
}
static void treeWithoutBarrier(void) { treeSum<<<1, 256>>>(d_x, d_y, 0); }
static void treeWithBarrier(void) { treeSum<<<1, 256>>>(d_x, d_y, 1); }
__global__ void reverse(float *y, int barrier)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    if (barrier)
        __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
static void noBarrier(void) { reverse<<<1, 64>>>(d_y, 0); }
static void withBarrier(void) { reverse<<<1, 64>>>(d_y, 1); }
/* The barrier after the last use is missing: the next round overwrites what others still read. */
__global__ void rounds(float *y, int second)
{
    __shared__ float s[64];
    float sum = 0;
    for (int round = 0; round < 4; round++) {
        s[threadIdx.x] = round * threadIdx.x + 1;
        __syncthreads();
        sum += s[63 - threadIdx.x];
        if (second)
            __syncthreads();
    }
    y[threadIdx.x] = sum;
}
static void oneBarrierARound(void) { rounds<<<1, 64>>>(d_y, 0); }
static void twoBarriersARound(void) { rounds<<<1, 64>>>(d_y, 1); }
__global__ void warpExchange(float *y, int sync)
{
    __shared__ float s[32];
    s[threadIdx.x] = threadIdx.x;
    if (sync)
        __syncwarp();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
static void noSyncwarp(void) { warpExchange<<<1, 32>>>(d_y, 0); }
static void withSyncwarp(void) { warpExchange<<<1, 32>>>(d_y, 1); }
/* NVIDIA's way to end a reduction within a warp */
__global__ void warpTail(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int offset = 16; offset > 0; offset /= 2) {
            s[t] = v;
            __syncwarp();
            v += s[t ^ offset];
            __syncwarp();
        }
        if (t == 0)
            *y = v;
    }
}
static void warpSynchronous(void) { warpTail<<<1, 64>>>(d_x, d_y); }
/* As programs for Fermi and Kepler did it: volatile, lockstep taken for granted */
__global__ void volatileTail(const float *x, float *y)
{
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        if (t < 16) {
            s[t] += s[t + 16];
            s[t] += s[t + 8];
            s[t] += s[t + 4];
            s[t] += s[t + 2];
            s[t] += s[t + 1];
        }
    }
    if (t == 0)
        *y = s[0];
}
static void volatileWarp(void) { volatileTail<<<1, 64>>>(d_x, d_y); }

/* One lane has a long way, which the compiler puts behind the rest, to where the others wait. */
__global__ void volatileAfterLongWay(const float *x, float *y)
{
    __shared__ volatile int s[32];
    const int t = threadIdx.x;
    int n = (int)x[t] + 5, steps = 0;

    if (__builtin_expect(t == 10, 0))
        for (; steps < 100; steps++)
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    s[t] = n;
    y[t] = (float)s[t < 31 ? t + 1 : t];
}
static void volatileLongWay(void) { volatileAfterLongWay<<<1, 32>>>(d_x, d_y); }
__global__ void sameValue(int *flag, const float *x, int own)
{
    if (x[threadIdx.x] >= 0)
        *flag = own ? (int)threadIdx.x : 1;
}
static void sameValueWritten(void) { sameValue<<<4, 256>>>(d_n, d_x, 0); }
static void differentValuesWritten(void) { sameValue<<<1, 256>>>(d_n, d_x, 1); }
/* One of many readers writes, the one that is remembered: it must not be named as its own
 * opponent. */
__global__ void readerWrites(int *n, float *y, int which)
{
    int seen = *n;
    y[threadIdx.x] = seen;
    if ((int)threadIdx.x == which)
        *n = seen + 1;
}
static void readingLaneWrites(void) { readerWrites<<<1, 32>>>(d_n, d_y, 0); }
static void readingWarpWrites(void) { readerWrites<<<1, 64>>>(d_n, d_y, 32); }
__global__ void bytes(unsigned char *y)
{
    __shared__ unsigned char s[128];
    s[threadIdx.x] = (unsigned char)threadIdx.x; /* neighbours share a word, not a byte */
    y[threadIdx.x] = s[threadIdx.x];
}
static void bytesOfOneWord(void) { bytes<<<1, 128>>>((unsigned char *)d_y); }

/* ---- races between blocks -------------------------------------------------------------------- */
__global__ void plainIncrement(int *n) { *n += 1; }
__global__ void atomicIncrement(int *n) { atomicAdd(n, 1); }
static void plainCount(void) { plainIncrement<<<4, 1>>>(d_n); }
static void atomicCount(void) { atomicIncrement<<<4, 64>>>(d_n); }
__global__ void shiftInPlace(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i + 1] + i;
}
static void inPlaceAcrossBlocks(void) { shiftInPlace<<<3, 32>>>(d_y); }
static void twoLaunches(void)
{
    copyTo<<<4, 256>>>(d_y, d_x, 1023, 1);
    copyTo<<<4, 256>>>(d_x, d_y, 1023, 0);
}
/* The last block to finish adds up the others' sums. */
__global__ void lastBlock(const float *x, float *partial, float *y, unsigned *count, int fenced)
{
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        if (fenced)
            __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        if (fenced > 1)
            __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += partial[i];
        *y = sum;
        *count = 0;
    }
}
static void lastBlockFenced(void)
{
    lastBlock<<<8, 64>>>(d_x, d_y + 8, d_y, (unsigned *)d_n, 2);
    lastBlock<<<8, 64>>>(d_x, d_y + 8, d_y, (unsigned *)d_n, 2);
}
static void lastBlockUnfenced(void) { lastBlock<<<8, 64>>>(d_x, d_y + 8, d_y, (unsigned *)d_n, 0); }
static void lastBlockNoSecondFence(void)
{
    lastBlock<<<8, 64>>>(d_x, d_y + 8, d_y, (unsigned *)d_n, 1);
}
/* The same where all threads write, all fence, and one counts after the barrier. */
__global__ void lastBlockAll(const float *x, float *copy, float *y, unsigned *count)
{
    __shared__ bool last;
    int i = blockIdx.x * 64 + threadIdx.x;
    copy[i] = x[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        y[threadIdx.x] = copy[threadIdx.x] + copy[(gridDim.x - 1) * 64 + threadIdx.x];
    }
}
static void lastBlockAllFence(void)
{
    lastBlockAll<<<4, 64>>>(d_x, d_y + 64, d_y, (unsigned *)d_n);
}
__device__ void gridBarrier(volatile int *arrived, int goal, int fenced)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fenced)
            __threadfence();
        atomicAdd((int *)arrived, 1);
        while (*arrived < goal)
            ;
        if (fenced > 1)
            __threadfence();
    }
    __syncthreads();
}
__global__ void neighbours(float *a, float *b, int *arrived, int fenced)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int step = 1; step <= 3; step++) {
        b[i] = a[(i + 1) % n] + step;
        gridBarrier(arrived, gridDim.x * step, fenced);
        float *t = a;
        a = b;
        b = t;
    }
}
static void barrierWithFence(void) { neighbours<<<8, 64>>>(d_x, d_y, d_n, 2); }
static void barrierWithoutAcquire(void) { neighbours<<<8, 64>>>(d_x, d_y, d_n, 1); }
static void barrierWithoutFence(void) { neighbours<<<8, 64>>>(d_x, d_y, d_n, 0); }
/* Data behind a lock, across blocks and within one */
__global__ void locked(int *lock, int *sum, int fenced)
{
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            if (fenced > 1)
                __threadfence();
            *sum += 1;
            if (fenced)
                __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
static void lockWithFence(void) { locked<<<4, 64>>>(d_n, d_n + 1, 2); }
static void lockWithoutAcquire(void) { locked<<<4, 64>>>(d_n, d_n + 1, 1); }
static void lockWithoutFence(void) { locked<<<4, 64>>>(d_n, d_n + 1, 0); }
/* Producer and consumer by flag */
__global__ void handOver(float *data, int *flag, float *y, int fenced)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        if (fenced)
            __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *(volatile int *)flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*(volatile int *)flag == 0)
                ;
        if (fenced > 1)
            __threadfence();
        __syncthreads();
        y[threadIdx.x] = data[31 - threadIdx.x];
    }
}
static void flagWithFence(void) { handOver<<<2, 32>>>(d_y, d_n, d_y + 64, 2); }
static void flagWithoutAcquire(void) { handOver<<<2, 32>>>(d_y, d_n, d_y + 64, 1); }
static void flagWithoutFence(void) { handOver<<<2, 32>>>(d_y, d_n, d_y + 64, 0); }
__device__ float atomicMaxFloat(float *p, float value)
{
    /* a plain read that only feeds the compare-and-swap */
    int *bits = (int *)p, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (old != assumed);
    return __int_as_float(old);
}
__global__ void largest(const float *x, float *y)
{
    atomicMaxFloat(y, x[blockIdx.x * blockDim.x + threadIdx.x]);
}
static void compareAndSwap(void) { largest<<<4, 64>>>(d_x, d_y); }
__global__ void plainNextToAtomic(int *n, float *y)
{
    atomicAdd(n, 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = *n;
}
static void plainReadOfCounter(void) { plainNextToAtomic<<<4, 64>>>(d_n, d_y); }
/* Breadth-first search: a plain look at the level, a compare-and-swap to claim the next vertex */
__global__ void claim(int *level, int current)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (level[v] == current)
        atomicCAS(&level[(v + 1) % 256], 0, current + 1);
}
static void claimByCompare(void)
{
    claim<<<4, 64>>>(d_n, 0);
    claim<<<4, 64>>>(d_n, 1);
}
__global__ void sharedLargest(const float *x, float *y, int barrier)
{
    __shared__ int largest;
    if (threadIdx.x == 0)
        largest = 0;
    __syncthreads();
    atomicMax(&largest, (int)x[threadIdx.x]);
    if (barrier)
        __syncthreads();
    y[threadIdx.x] = largest;
}
static void sharedLargestUnsynchronised(void) { sharedLargest<<<1, 64>>>(d_x, d_y, 0); }
static void sharedLargestSynchronised(void) { sharedLargest<<<1, 64>>>(d_x, d_y, 1); }
__global__ void quotients(int *y, int divisor)
{
    y[threadIdx.x] = 100 / (divisor - (int)threadIdx.x);
}
static void dividesByZero(void) { quotients<<<1, 32>>>(d_n, 0); }
static void dividesByOthers(void) { quotients<<<1, 32>>>(d_n, 40); }
__global__ void uniqueSlots(int *count, float *list)
{
    int slot = atomicAdd(count, 1);
    list[slot] = threadIdx.x;
}
static void slotsByAtomic(void) { uniqueSlots<<<4, 64>>>(d_n, d_y); }

/* ---- barriers and warps ---------------------------------------------------------------------- */
__global__ void divergentBarrier(float *y, int n)
{
    if ((int)threadIdx.x < n) {
        y[threadIdx.x] = 1;
        __syncthreads();
    }
}
static void halfAtBarrier(void) { divergentBarrier<<<1, 64>>>(d_y, 40); }
static void allAtBarrier(void) { divergentBarrier<<<1, 64>>>(d_y, 64); }
__global__ void twoBarriers(float *y, int split)
{
    if ((int)threadIdx.x < split)
        __syncthreads();
    else
        __syncthreads();
    y[threadIdx.x] = 1;
}
static void differentBarriers(void) { twoBarriers<<<1, 64>>>(d_y, 32); }
static void sameBarrier(void) { twoBarriers<<<1, 64>>>(d_y, 0); }
__global__ void shuffle(float *y, int lanes, unsigned mask)
{
    float v = threadIdx.x;
    if ((int)threadIdx.x < lanes)
        v = __shfl_sync(mask, v, (threadIdx.x + 1) % 32);
    y[threadIdx.x] = v;
}
static void shuffleFromInactive(void) { shuffle<<<1, 32>>>(d_y, 16, 0xffff); }
static void shuffleAll(void) { shuffle<<<1, 32>>>(d_y, 32, 0xffffffffu); }
static void shuffleWaitsForNobody(void) { shuffle<<<1, 48>>>(d_y, 33, 0xffffffffu); }
__global__ void shuffleInMask(float *y)
{
    y[threadIdx.x] =
        __shfl_down_sync(threadIdx.x < 16 ? 0xffff : 0xffff0000u, (float)threadIdx.x, 1, 16);
}
static void shuffleHalves(void) { shuffleInMask<<<1, 32>>>(d_y); }
__global__ void wrongMask(float *y) { y[threadIdx.x] = __shfl_sync(0xffff, (float)threadIdx.x, 0); }
static void maskWithoutSelf(void) { wrongMask<<<1, 32>>>(d_y); }

/* ---- launches, ends -------------------------------------------------------------------------- */
static void tooManyThreads(void) { copyTo<<<1, 1025>>>(d_y, d_x, 32, 0); }
template <void Started(void)> static void start(void) { Started<<<1, 1>>>(); }
static void onTheHost(void) {}
static void functionOfTheHost(void) { start<onTheHost>(); }
static void emptyGrid(void) { copyTo<<<0, 32>>>(d_y, d_x, 32, 0); }
static void tooMuchShared(void) { dynamicShared<<<1, 64, 64 << 10>>>(d_y, 0); }
static void sharedOnRequest(void)
{
    CHECK(cudaFuncSetAttribute((const void *)dynamicShared,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    dynamicShared<<<1, 64, 64 << 10>>>(d_y, 0);
}
__global__ void cooperate(float *y) { y[blockIdx.x] = 1; }
static void launchCooperative(int blocks)
{
    void *arguments[] = {&d_y};
    cudaLaunchCooperativeKernel((void *)cooperate, dim3(blocks), dim3(1024), arguments, 0, 0);
}
static void cooperativeTooLarge(void) { launchCooperative(2 * 16 + 1); }
static void cooperativeFits(void) { launchCooperative(2 * 16); }
__device__ int recurse(int n, const float *x) { return n == 0 ? (int)x[0] : recurse(n - 1, x) + n; }
__global__ void deep(float *y, const float *x, int n) { y[threadIdx.x] = recurse(n, x); }
static void stackOverflow(void) { deep<<<1, 32>>>(d_y, d_x, 1 << 20); }
__global__ void largeArray(float *y, const float *x, int n)
{
    float local[40000];
    for (int i = 0; i < n; i++)
        local[i % 40000] = x[i % 1024];
    y[threadIdx.x] = local[threadIdx.x];
}
static void largeLocalArray(void) { largeArray<<<1, 32>>>(d_y, d_x, 1024); }
static void largeLocalArrayAllowed(void)
{
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 200 << 10));
    largeArray<<<1, 32>>>(d_y, d_x, 1024);
}
static void someRecursion(void) { deep<<<1, 32>>>(d_y, d_x, 20); }
__global__ void waitForever(volatile int *flag)
{
    while (*flag == 0)
        ;
}
static void neverEnds(void) { waitForever<<<1, 32>>>(d_n); }
__global__ void waitForOthers(int *arrived)
{
    atomicAdd(arrived, 1);
    while (*(volatile int *)arrived < (int)gridDim.x)
        ;
}
static void tooManyBlocks(void) { waitForOthers<<<32 * 16 + 1, 1>>>(d_n); }
static void asManyAsFit(void) { waitForOthers<<<32 * 16, 1>>>(d_n); }
/* Block 1 writes what block 0 waits for, whatever it waits with. */
enum poll { BARRIER, VOTE, ADD, SWAP, COUNT_DOWN, TIMED, EVERY_THREAD, PLAIN };
__global__ void waitBy(enum poll how, int *flag, float *y)
{
    __shared__ int found;
    int seen = 0;

    if (blockIdx.x == 1) {
        if (threadIdx.x == 0)
            atomicExch(flag, 1);
        return;
    }
    for (int polls = 1; !seen; polls++) {
        if (how == BARRIER) {
            if (threadIdx.x == 0)
                found = *(volatile int *)flag;
            __syncthreads();
            seen = found;
            __syncthreads();
        } else if (how == VOTE)
            seen = __any_sync(0xffffffffu, threadIdx.x % 32 == 0 && *(volatile int *)flag);
        else if (how == ADD)
            seen = atomicAdd(flag, 0);
        else if (how == SWAP)
            seen = atomicCAS(flag, 1, 1);
        else if (how == COUNT_DOWN) {
            seen = *(volatile int *)flag;
            y[threadIdx.x] = -polls;
        } else if (how == TIMED) {
            for (long long begin = clock64(); clock64() - begin < 100;)
                ;
            seen = *(volatile int *)flag;
        } else if (how == EVERY_THREAD)
            seen = __syncthreads_or(*(volatile int *)flag);
        else { /* read again each time, for y might be where flag points */
            seen = *flag;
            y[threadIdx.x] = -polls;
        }
    }
    y[threadIdx.x] = 1;
}
static void pollWithBarrier(void) { waitBy<<<2, 128>>>(BARRIER, d_n, d_y); }
static void pollWithVote(void) { waitBy<<<2, 128>>>(VOTE, d_n, d_y); }
static void pollByAdd(void) { waitBy<<<2, 128>>>(ADD, d_n, d_y); }
static void pollBySwap(void) { waitBy<<<2, 128>>>(SWAP, d_n, d_y); }
static void pollAndWrite(void) { waitBy<<<2, 128>>>(COUNT_DOWN, d_n, d_y); }
static void pollByClock(void) { waitBy<<<2, 128>>>(TIMED, d_n, d_y); }
static void pollByCounting(void) { waitBy<<<2, 128>>>(EVERY_THREAD, d_n, d_y); }
static void pollPlainly(void) { waitBy<<<2, 128>>>(PLAIN, d_n, d_y); }
/* One thread looks at the flags of all blocks in turn. */
__global__ void allFlags(int *flags, float *y)
{
    if (threadIdx.x == 0) {
        *(volatile int *)&flags[blockIdx.x] = 1;
        for (unsigned raised = 0; raised < gridDim.x;) {
            raised = 0;
            for (unsigned i = 0; i < gridDim.x; i++)
                raised += *(volatile int *)&flags[i];
        }
    }
    __syncthreads();
    y[blockIdx.x] = 1;
}
static void pollFlagsInTurn(void) { allFlags<<<100, 64>>>(d_n, d_y); }
/* Many atomics that change nothing are no waiting. */
__global__ void largestOfMany(const float *x, int *largest)
{
    for (int i = 0; i < 20000; i++)
        atomicMax(largest, x[i % 1024] < 0);
}
static void unchangedMaximum(void) { largestOfMany<<<1, 32>>>(d_x, d_n); }
/* Past all shared variables lies the device's own data. */
__global__ void fillShared(float *y, int n)
{
    __shared__ float tile[256];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        tile[i] = 7;
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x];
}
static void sharedFarOverrun(void) { fillShared<<<1, 128>>>(d_y, 20000); }
__global__ void endlessCount(int *n)
{
    for (;;)
        atomicAdd(n, 1);
}
static void countsForever(void) { endlessCount<<<1, 32>>>(d_n); }
/* A structure's pieces are stored from one place in the code, which some lanes reach from a read
 * that others skip. */
struct sums {
    float a, b, c;
};
__global__ void structureAfterRead(const float *x, float *y)
{
    __shared__ struct sums s[64];
    __syncthreads();
    const float f = threadIdx.x % 3 ? x[threadIdx.x] : 0;
    const struct sums mine = {f, 2 * f, 3 * f};
    s[threadIdx.x] = mine;
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x].a + s[63 - threadIdx.x].b + s[63 - threadIdx.x].c;
}
static void structureStored(void)
{
    float y[64];
    structureAfterRead<<<1, 64>>>(d_x, d_y);
    CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++)
        if (y[t] != ((63 - t) % 3 ? 3.0f * (63 - t) : 0)) {
            printf("y[%d] is %g\n", t, (double)y[t]);
            exit(2);
        }
}
/* Threads that run for long, but always come to memory that they have not touched yet: only to read
 * it, or to write it. */
__global__ void muchWork(float *x, int lines, int writes)
{
    __shared__ float s[32];
    float sum = s[threadIdx.x] = 0;
    for (int i = 0; i < lines; i++) {
        for (int k = 0; k < 500; k++)
            s[threadIdx.x] += k;
        if (writes)
            x[i * 32 + threadIdx.x] = s[threadIdx.x];
        else
            sum += x[i * 32 + threadIdx.x];
    }
    x[threadIdx.x] = sum;
}
static void worksForLong(void)
{
    const size_t bytes = 300 * 128;
    float *d_much;
    CHECK(cudaMalloc(&d_much, bytes));
    CHECK(cudaMemset(d_much, 0, bytes));
    muchWork<<<1, 32>>>(d_much, 150, 0);
    muchWork<<<1, 32>>>(d_much, 300, 1);
    CHECK(cudaFree(d_much));
}
/* The same variables each time round, but not the same memory. */
__global__ void countDown(int *n)
{
    while (--n[threadIdx.x] > 0)
        ;
}
static void countsDown(void)
{
    int n[32];
    for (int i = 0; i < 32; i++)
        n[i] = 50000 + i;
    CHECK(cudaMemcpy(d_n, n, sizeof n, cudaMemcpyHostToDevice));
    countDown<<<1, 32>>>(d_n);
}
/* A loop that waits for a time comes back to where it was, and ends. Each of the waits takes a
 * small part of the patience, so that a machine of any speed has enough. */
__global__ void waitForTime(int *n)
{
    for (int i = 0; i < 5; i++) {
        const long long begin = clock64();
        while (clock64() < begin + 6000)
            ;
        n[threadIdx.x] = i;
    }
}
static void waitsForTime(void) { waitForTime<<<1, 32>>>(d_n); }
/* The same, which goes over its memory again and again. */
__global__ void sameWork(int *n)
{
    for (unsigned i = 0;; i++)
        n[i % 1024]++;
}
static void sweepsForever(void) { sameWork<<<1, 1>>>(d_n); }
__global__ void endlessBarriers(int *flag)
{
    while (!__syncthreads_or(*(volatile int *)flag))
        ;
}
static void barriersForever(void) { endlessBarriers<<<2, 64>>>(d_n); }
__global__ void arithmeticForever(float *y, int n)
{
    unsigned v = 1;
    while (v != (unsigned)n)
        v = v * 5;
    *y = v;
}
static void computesForever(void) { arithmeticForever<<<1, 32>>>(d_y, 0); }
__global__ void longButFinite(float *y)
{
    float v = threadIdx.x;
    for (int i = 0; i < 100000; i++)
        v = v * 0.5f + 1;
    y[threadIdx.x] = v;
}
static void longKernel(void) { longButFinite<<<2, 32>>>(d_y); }

/* ---- copies ---------------------------------------------------------------------------------- */
static float host_array[1024];
static void wrongDirection(void) { cudaMemcpy(d_x, host_array, 64, cudaMemcpyDeviceToHost); }
static void rightDirection(void) { cudaMemcpy(host_array, d_x, 64, cudaMemcpyDeviceToHost); }
static void copyTooMuch(void) { cudaMemcpy(host_array, d_x + 1, 4096, cudaMemcpyDeviceToHost); }
static void hostAsDevice(void)
{
    cudaMemcpy(host_array, host_array + 512, 64, cudaMemcpyHostToDevice);
}
static void copyToNull(void) { cudaMemcpy((void *)NULL, host_array, 4, cudaMemcpyHostToDevice); }
static void byDefault(void) { cudaMemcpy(host_array, d_x, 64, cudaMemcpyDefault); }
static void memsetTooMuch(void) { cudaMemset(d_y, 0, 4097); }
static void memsetHost(void) { cudaMemset(host_array, 0, 64); }
static void freeTwice(void)
{
    float *p;
    CHECK(cudaMalloc(&p, 64));
    CHECK(cudaFree(p));
    cudaFree(p);
}
static void symbolTooMuch(void) { cudaMemcpyToSymbol(c_factor, host_array, 5 * sizeof(float)); }
static void symbolFits(void) { cudaMemcpyToSymbol(c_factor, host_array, 4 * sizeof(float)); }

static const struct test tests[] = {
    FINDS(pastTheEnd, "out-of-bounds",
          "0 bytes past the end of the 4096-byte allocation made at checks.cu:"),
    FINDS(beforeTheStart, "out-of-bounds", "4 bytes before the start of the 4096-byte allocation"),
    FINDS(noTailGuard, "out-of-bounds", "thread (0,0,0) of block (4,0,0)"),
    CLEAN(withinBounds),
    FINDS(freedMemory, "out-of-bounds", "which has been freed"),
    FINDS(dynamicSharedTooSmall, "out-of-bounds",
          "past the end of the 252 bytes of dynamic shared memory"),
    CLEAN(dynamicSharedFits),
    FINDS(zeroWithoutBarrier, "race", "shared variable s"),
    CLEAN(zeroWithBarrier),
    FINDS(staticSharedOverrun, "out-of-bounds", "third.b[32], but third.b is 'float [32]'"),
    CLEAN(staticSharedFits),
    FINDS(variableOverrun, NULL, ""),
    CLEAN(variableFits),
    FINDS(nullPointer, "invalid-address", "null pointer"),
    FINDS(hostPointer, "invalid-address", "host variable"),
    FINDS(hostMalloc, "invalid-address", "host address"),
    CLEAN(pinnedPointer),
    CLEAN(registeredPointer),
    FINDS(misaligned, "misaligned", "no multiple of 16"),
    CLEAN(aligned),
    CLEAN(constantRead),
    FINDS(constantWritten, "invalid-address", "__constant__"),
    FINDS(uninitialisedGlobal, "uninitialised-read", "byte 0 of the 4096-byte allocation"),
    CLEAN(poisonedGlobal),
    CLEAN(partlyWritten),
    FINDS(copiedUnknown, "uninitialised-read", "byte 64 of the 256-byte"),
    FINDS(uninitialisedShared, "uninitialised-read", "shared variable s"),
    CLEAN(initialisedShared),
    FINDS(sharedOfAnotherBlock, "uninitialised-read", "block (1,0,0)"),
    FINDS(sharedOfAnotherKernel, "uninitialised-read", "which kernel leaveTable declares"),
    CLEAN(structures),
    CLEAN(structureReturned),
    FINDS(structureReturnedTooFar, "out-of-bounds", "past the end of the 4096-byte allocation"),
    FINDS(treeWithoutBarrier, "race", "shared variable s"),
    CLEAN(treeWithBarrier),
    FINDS(noBarrier, "race", "no __syncthreads()"),
    CLEAN(withBarrier),
    FINDS(oneBarrierARound, "race", "no __syncthreads()"),
    CLEAN(twoBarriersARound),
    FINDS(noSyncwarp, "race", "no __syncwarp()"),
    CLEAN(withSyncwarp),
    CLEAN(warpSynchronous),
    CLEAN(volatileWarp),
    CLEAN(volatileLongWay),
    CLEAN(sameValueWritten),
    FINDS(differentValuesWritten, "race", "writes"),
    FINDS(readingLaneWrites, "race", "another thread of its warp read"),
    FINDS(readingWarpWrites, "race", "another warp of its block read"),
    CLEAN(bytesOfOneWord),
    FINDS(plainCount, "race", "nothing orders the two"),
    CLEAN(atomicCount),
    FINDS(inPlaceAcrossBlocks, "race", ""),
    CLEAN(twoLaunches),
    CLEAN(lastBlockFenced),
    FINDS(lastBlockUnfenced, "race", "nothing orders the two"),
    FINDS(lastBlockNoSecondFence, "race", "no __threadfence() of its own"),
    CLEAN(lastBlockAllFence),
    CLEAN(barrierWithFence),
    FINDS(barrierWithoutFence, "race", "nothing orders the two"),
    FINDS(barrierWithoutAcquire, "race", "no __threadfence() of its own"),
    CLEAN(lockWithFence),
    FINDS(lockWithoutFence, "race", ""),
    FINDS(lockWithoutAcquire, "race", ""),
    CLEAN(flagWithFence),
    FINDS(flagWithoutFence, "race", "nothing orders the two"),
    FINDS(flagWithoutAcquire, "race", "no __threadfence() of its own"),
    CLEAN(compareAndSwap),
    FINDS(plainReadOfCounter, "race", "the value that the atomic returns"),
    CLEAN(slotsByAtomic),
    CLEAN(claimByCompare),
    FINDS(sharedLargestUnsynchronised, "race", "atomic"),
    CLEAN(sharedLargestSynchronised),
    FINDS(halfAtBarrier, "barrier-divergence", "24 threads"),
    CLEAN(allAtBarrier),
    FINDS(differentBarriers, "barrier-divergence", "another one"),
    CLEAN(sameBarrier),
    FINDS(dividesByZero, "division-by-zero", "thread (0,0,0) of block (0,0,0) divides an integer"),
    FINDS(shuffleFromInactive, "shuffle-inactive", "lane 16"),
    CLEAN(dividesByOthers),
    CLEAN(shuffleAll),
    FINDS(shuffleWaitsForNobody, "shuffle-inactive", ""),
    CLEAN(shuffleHalves),
    FINDS(maskWithoutSelf, "shuffle-inactive", "does not name its own lane 16"),
    FINDS(tooManyThreads, "invalid-launch", "1025 threads per block"),
    FINDS(functionOfTheHost, "invalid-launch", "a function of the host: __global__ is missing"),
    FINDS(emptyGrid, "invalid-launch", "gridDim.x is 0"),
    FINDS(tooMuchShared, "invalid-launch", "65536 bytes of shared memory"),
    CLEAN(sharedOnRequest),
    FINDS(cooperativeTooLarge, "invalid-launch", "holds only"),
    CLEAN(cooperativeFits),
    FINDS(stackOverflow, "stack-overflow", "64 KB"),
    CLEAN(someRecursion),
    FINDS(largeLocalArray, "stack-overflow", "64 KB"),
    CLEAN(largeLocalArrayAllowed),
    FINDS(neverEnds, "endless-kernel", "no thread will ever do"),
    FINDS(ldgInPlace, "read-only", "writes d_x[0]"),
    FINDS(ldgAfterWrite, "read-only", "by __ldg(), and this kernel writes there, at checks.cu:"),
    FINDS(ldgBeforeWrite, "read-only", "and this kernel reads that by __ldg(), at checks.cu:"),
    CLEAN(ldgApart),
    CLEAN(ldgOfOtherBytes),
    CLEAN(ldgOfOtherLaunch),
    FINDS(tooManyBlocks, "blocks-not-resident", "1 blocks have not begun"),
    CLEAN(asManyAsFit),
    CLEAN(longKernel),
    CLEAN(pollWithBarrier),
    CLEAN(pollWithVote),
    CLEAN(pollByAdd),
    CLEAN(pollBySwap),
    CLEAN(pollAndWrite),
    CLEAN(pollByClock),
    CLEAN(pollByCounting),
    FINDS(pollPlainly, "race", "updates"),
    CLEAN(pollFlagsInTurn),
    CLEAN(unchangedMaximum),
    CLEAN(structureStored),
    CLEAN(worksForLong),
    CLEAN(countsDown),
    CLEAN(waitsForTime),
    FINDS(sharedFarOverrun, "out-of-bounds", "tile"),
    FINDS(countsForever, "endless-kernel", "no thread has ended"),
    FINDS(sweepsForever, "endless-kernel", "no thread has ended"),
    FINDS(barriersForever, "endless-kernel", "without changing anything"),
    FINDS(computesForever, "endless-kernel", "has run for 0.5 s without"),
    FINDS(wrongDirection, "bad-copy",
          "the source is host memory and the destination device memory"),
    CLEAN(rightDirection),
    FINDS(copyTooMuch, "bad-copy", "runs past the end"),
    FINDS(hostAsDevice, "bad-copy", "the destination is host memory"),
    FINDS(copyToNull, "bad-copy", "destination is a null pointer"),
    CLEAN(byDefault),
    FINDS(memsetTooMuch, "bad-copy", "runs past the end"),
    FINDS(memsetHost, "bad-copy", "not device memory"),
    FINDS(freeTwice, "invalid-address", "freed before"),
    FINDS(symbolTooMuch, "bad-copy", "c_factor"),
    CLEAN(symbolFits),
};

static void prepare(void)
{
    CHECK(cudaMalloc(&d_x, 1024 * sizeof *d_x));
    CHECK(cudaMalloc(&d_y, 1024 * sizeof *d_y));
    CHECK(cudaMalloc(&d_n, 1024 * sizeof *d_n));
    for (int i = 0; i < 1024; i++)
        host_array[i] = 0.5f * i;
    CHECK(cudaMemcpy(d_x, host_array, sizeof host_array, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, 0, sizeof host_array));
    CHECK(cudaMemset(d_n, 0, sizeof host_array));
}

#ifdef __CUDA_EMULATED__
int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
#else
int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(argv[1], tests[i].name) == 0) {
            prepare();
            tests[i].run();
            cudaDeviceSynchronize();
            cudaFree(d_x);
            cudaFree(d_y);
            cudaFree(d_n);
            return 0;
        }
    fprintf(stderr, "usage: checks CASE\n");
    return 2;
}
#endif
