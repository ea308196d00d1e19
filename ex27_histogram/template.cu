/* TASK     how often each value occurs among n bytes, x, by kernels that differ in whose counters
 *          the threads add to; and an image equalised by its histogram.
 * TRAFFIC  n bytes: x read. Equalised: 3 n, x read twice and y written.
 * LIMIT    memory bandwidth, once the lanes of a warp add in different banks. */
#include "cuda_utils.h"
#include "measure.h"
#include "histogram.h"
#include "advanced/same.cuh" /* sameInWarp */

enum { WARP = 32, VECTOR = 16 }; /* a vector: as many bytes as a load can have */

/* d: the problem, with its arrays on the device. */
typedef void launch_fn(const struct histogram *d);

/* The code around every kernel that counts: memory on the device, the copies there, zeroes, the
 * launch, the copy back. */
template <launch_fn launch, int bins> static void count(const struct histogram *h)
{
    const size_t edgeBytes = (BINS + 1) * sizeof(int), countBytes = bins * sizeof(int);
    unsigned char *d_x = NULL;
    int *d_edge = NULL;
    struct histogram d = *h;

    cudaVerify(cudaMalloc((void **)&d_x, h->n));
    cudaVerify(cudaMalloc((void **)&d_edge, edgeBytes));
    cudaVerify(cudaMalloc((void **)&d.counts, countBytes));
    cudaVerify(cudaMemcpy(d_x, h->x, h->n, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_edge, h->edge, edgeBytes, cudaMemcpyHostToDevice));
    d.x = d_x;
    d.edge = d_edge;
    MEASURE (run) {
        cudaVerify(cudaMemset(d.counts, 0, countBytes));
        launch(&d);
    }
    cudaVerify(cudaMemcpy(h->counts, d.counts, countBytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_edge));
    cudaVerify(cudaFree(d.counts));
}

/* Blocks for so many threads, but no more than `each` for every multiprocessor. */
static unsigned int gridFor(size_t threads, int block, int each)
{
    const size_t all = (threads + block - 1) / block, most = (size_t)multiprocessors() * each;
    const size_t own = all < most ? all : most;

    return (unsigned int)gridSize(own > 0 ? own : 1);
}

/* Adds every value to its counter. */
__device__ void addEach(const unsigned char *x, size_t n, int *counter)
{
    // TODO 1 begin: atomicAdd() to the counter of x[i], for any grid
    NOT_IMPLEMENTED(1);
    // TODO 1 end
}

/* The counters are in memory, and all threads of the device share them. */
__global__ void inMemory(const unsigned char *x, size_t n, int *counts) { addEach(x, n, counts); }

void launchInMemory(const struct histogram *d)
{
    const int block = blockSize(256);

    cudaVerifyKernel((inMemory<<<gridFor(d->n, block, 8), block>>>(d->x, d->n, d->counts)));
}

/* Every addition went to the L2 cache, and there into one of 256 queues. Here a block has counters
 * of its own in shared memory, and adds to those in memory at the end: as many queues as blocks. */
typedef void add_all_fn(const unsigned char *x, size_t n, int *counter);

template <add_all_fn addAll>
__global__ void ownOfBlock(const unsigned char *x, size_t n, int *counts)
{
    // TODO 2 begin: zero the block's counters, addAll(x, n, own), add them to counts; two barriers
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

template <add_all_fn addAll> static void launchBlocks(const struct histogram *d, size_t threads)
{
    const int block = blockSize(256);

    cudaVerifyKernel(
        (ownOfBlock<addAll><<<gridFor(threads, block, 8), block>>>(d->x, d->n, d->counts)));
}

void launchOwnOfBlock(const struct histogram *d) { launchBlocks<addEach>(d, d->n); }

/* A thread waited for its byte before it loaded the next one. So there was a byte on its way for
 * each thread, too little to keep memory busy. Here a load brings 16 bytes, and there are two at a
 * time. add() adds one value; the next but one rung has use for a STEP between counters. */
typedef void add_fn(int place, int *counter);

__device__ void addOne(int place, int *counter) { atomicAdd(&counter[place], 1); }

template <add_fn add, int STEP> __device__ void addFour(unsigned int word, int *counter)
{
    add(STEP * (word & 255), counter);
    add(STEP * (word >> 8 & 255), counter);
    add(STEP * (word >> 16 & 255), counter);
    add(STEP * (word >> 24), counter);
}

template <add_fn add, int STEP> __device__ void addVector(uint4 v, int *counter)
{
    addFour<add, STEP>(v.x, counter);
    addFour<add, STEP>(v.y, counter);
    addFour<add, STEP>(v.z, counter);
    addFour<add, STEP>(v.w, counter);
}

template <add_fn add, int STEP>
__device__ void addSixteen(const unsigned char *x, size_t n, int *counter)
{
    // TODO 3 begin: load vectors i and i + stride, then addVector<add, STEP>() both; at last bytes
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

__device__ void addOnes(const unsigned char *x, size_t n, int *counter)
{
    addSixteen<addOne, 1>(x, n, counter);
}

void launchOwnOfBlockSixteen(const struct histogram *d) { launchBlocks<addOnes>(d, d->n / VECTOR); }

/* All warps of a block add to the same counters. Here each warp has its own. */
__global__ void ownOfWarp(const unsigned char *x, size_t n, int *counts)
{
    // TODO 4 begin: as TODO 2, with addOnes() to own[w] in warp w; at the end add up the warps'
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

void launchOwnOfWarp(const struct histogram *d)
{
    const int block = blockSize(256), warps = (block + WARP - 1) / WARP;
    const size_t shared = warps * BINS * sizeof(int);

    cudaVerifyKernel(
        (ownOfWarp<<<gridFor(d->n / VECTOR, block, 8), block, shared>>>(d->x, d->n, d->counts)));
}

/* That gained little. It is the banks that the lanes of a warp wait for: of 32 random values three
 * or so have their counters in the same bank, and the addition takes as many passes. Here there are
 * COPIES counters for a value, one beside the other, and lane l adds to copy l % COPIES. With 32
 * each lane has a bank to itself: one pass, whatever the values. */
template <add_fn add, int COPIES>
__global__ void ownOfLane(const unsigned char *x, size_t n, int *counts)
{
    // TODO 5 begin: own[BINS][COPIES]; addSixteen<add, COPIES>() to a column; add up the rows
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

template <add_fn add, int COPIES> static void launchLanes(const struct histogram *d)
{
    const int block = blockSize(1024);

    cudaVerifyKernel((ownOfLane<add, COPIES>
                      <<<gridFor(d->n / VECTOR, block, 2), block>>>(d->x, d->n, d->counts)));
}

void launchOwnOfLane(const struct histogram *d)
{
    switch (d->copies) {
    case 1: launchLanes<addOne, 1>(d); break;
    case 2: launchLanes<addOne, 2>(d); break;
    case 4: launchLanes<addOne, 4>(d); break;
    case 8: launchLanes<addOne, 8>(d); break;
    case 16: launchLanes<addOne, 16>(d); break;
    default: launchLanes<addOne, 32>(d);
    }
}

/* What a histogram is good for: an image is pale if its pixels crowd in few levels. To spread them,
 * level v becomes 255 times the part of the pixels that are no brighter. A thread for each
 * level: */
__global__ void levels(const int *counts, size_t n, unsigned char *level)
{
    // TODO 6 begin: 255 times the number of pixels that are at most threadIdx.x, over n
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

/* Each pixel is looked up, 16 of them a load. */
__device__ unsigned int lookUpFour(const unsigned char *level, unsigned int word)
{
    return level[word & 255] | level[word >> 8 & 255] << 8 | level[word >> 16 & 255] << 16 |
           level[word >> 24] << 24;
}

__global__ void lookUp(const unsigned char *x, size_t n, const unsigned char *level,
                       unsigned char *y)
{
    // TODO 7 begin: the levels into shared memory; lookUpFour() for each word; the last bytes
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

static void equalise(const struct histogram *h)
{
    const int block = blockSize(256);
    unsigned char *d_x = NULL, *d_level = NULL;
    struct histogram d = *h;

    cudaVerify(cudaMalloc((void **)&d_x, h->n));
    cudaVerify(cudaMalloc((void **)&d.y, h->n));
    cudaVerify(cudaMalloc((void **)&d_level, BINS));
    cudaVerify(cudaMalloc((void **)&d.counts, BINS * sizeof *d.counts));
    cudaVerify(cudaMemcpy(d_x, h->x, h->n, cudaMemcpyHostToDevice));
    d.x = d_x;
    MEASURE (run) {
        cudaVerify(cudaMemset(d.counts, 0, BINS * sizeof *d.counts));
        launchOwnOfLane(&d);
        cudaVerifyKernel((levels<<<1, BINS>>>(d.counts, d.n, d_level)));
        cudaVerifyKernel(
            (lookUp<<<gridFor(d.n / VECTOR, block, 8), block>>>(d.x, d.n, d_level, d.y)));
    }
    cudaVerify(cudaMemcpy(h->y, d.y, h->n, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(h->counts, d.counts, BINS * sizeof *d.counts, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d.y));
    cudaVerify(cudaFree(d_level));
    cudaVerify(cudaFree(d.counts));
}

/* Atomic additions were needed because threads shared their counters. A counter that no other
 * thread knows may be loaded, raised and stored. 256 counters for each thread leave room for few
 * threads, so they are bytes. That of value v is byte v % 4 of the thread's word in row v / 4: the
 * words of a row, one for each thread, are in different banks. */
enum { THREADS = 64, ROUND = 15 }; /* as many threads as rows; vectors until a byte is full */

__device__ void raiseFour(unsigned int word, unsigned char *own)
{
    // TODO 8 begin: (advanced) own is byte 0 of the thread's word in row 0
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

/* Adds the words of a row to the sums of its four values, two at a time, and zeroes the words. */
__device__ void emptyRow(unsigned int *row, int *sum)
{
    unsigned int even = 0, odd = 0;

    // TODO 8 begin: (advanced) add bytes 0 and 2 to even, 1 and 3 to odd, 16 bits for each
    NOT_IMPLEMENTED(8);
    // TODO 8 end
    sum[0] += even & 0xffff;
    sum[1] += odd & 0xffff;
    sum[2] += even >> 16;
    sum[3] += odd >> 16;
}

__global__ void ownOfThread(const unsigned char *x, size_t n, int *counts)
{
    __shared__ unsigned int own[BINS / 4][THREADS];
    const size_t stride = (size_t)gridDim.x * THREADS, vectors = n / VECTOR;
    const uint4 *x16 = (const uint4 *)x;
    unsigned char *mine = (unsigned char *)&own[0][threadIdx.x];
    int sum[4] = {0, 0, 0, 0}; /* of the values of row threadIdx.x */

    for (int row = 0; row < BINS / 4; row++)
        own[row][threadIdx.x] = 0;
    for (size_t i = (size_t)blockIdx.x * THREADS; i < vectors;) {
        for (int k = 0; k < ROUND && i < vectors; k++, i += stride)
            if (i + threadIdx.x < vectors) {
                const uint4 v = x16[i + threadIdx.x];

                raiseFour(v.x, mine);
                raiseFour(v.y, mine);
                raiseFour(v.z, mine);
                raiseFour(v.w, mine);
            }
        __syncthreads();
        emptyRow(own[threadIdx.x], sum);
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        atomicAdd(&counts[4 * threadIdx.x + j], sum[j]);
    for (size_t i = VECTOR * vectors + blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        atomicAdd(&counts[x[i]], 1);
}

void launchOwnOfThread(const struct histogram *d)
{
    const unsigned int grid = gridFor(d->n / VECTOR, THREADS, 12);

    cudaVerifyKernel((ownOfThread<<<grid, THREADS>>>(d->x, d->n, d->counts)));
}

/* So far each value counted 1, and for that the hardware has a special addition: it counts the
 * lanes that have the same address, and adds their number. For an amount that the compiler does not
 * know, such as a weight, there is none, and equal values queue. */
__constant__ int c_amount = 1; /* the host might change it */

__device__ void addAmount(int place, int *counter) { atomicAdd(&counter[place], c_amount); }

__device__ void addAmounts(const unsigned char *x, size_t n, int *counter)
{
    addSixteen<addAmount, 1>(x, n, counter);
}

void launchAmountsOfBlock(const struct histogram *d) { launchBlocks<addAmounts>(d, d->n / VECTOR); }

/* The lanes can do the same themselves: sameInWarp(value) says, as bits, which lanes have the same
 * value, and one of them adds for all. */
__device__ void addTogether(int value, int *counter)
{
    // TODO 9 begin: (advanced) the lowest of the lanes with this value adds for all of them
    NOT_IMPLEMENTED(9);
    // TODO 9 end
}

__device__ void addAmountsTogether(const unsigned char *x, size_t n, int *counter)
{
    addSixteen<addTogether, 1>(x, n, counter);
}

void launchAmountsTogether(const struct histogram *d)
{
    launchBlocks<addAmountsTogether>(d, d->n / VECTOR);
}

/* Lanes with counters of their own meet nobody, whatever the amount. */
void launchAmountsOfLane(const struct histogram *d) { launchLanes<addAmount, WARP>(d); }

/* Bins need not have the same width: those of incomes or distances are narrow where many values
 * are. The bin of a value is found by halving: 8 questions decide between 256 bins. */
__device__ int binByHalving(int value, const int *edge)
{
    int bin = 0;

    // TODO 10 begin: (advanced) is value in bin + 128 or above? in bin + 64? ... in bin + 1?
    NOT_IMPLEMENTED_VALUE(10, 0);
    // TODO 10 end
    return bin;
}

__device__ int asSorted(int k) { return k; }

/* place(k): which edge is kept in place k. find(): the bin of a value, by the edges so kept. */
typedef int place_fn(int k);
typedef int find_fn(int value, const int *edge);

template <place_fn place, find_fn find>
__global__ void byEdges(const unsigned short *x, size_t n, const int *edge, int *counts)
{
    // TODO 10 begin: (advanced) as TODO 5, one value a load; edge place(k) to place k before that
    NOT_IMPLEMENTED(10);
    // TODO 10 end
}

template <place_fn place, find_fn find> static void launchEdges(const struct histogram *d)
{
    const int block = blockSize(1024);
    const unsigned int grid = gridFor(d->n / 2, block, 2);
    const unsigned short *x = (const unsigned short *)d->x;

    cudaVerifyKernel((byEdges<place, find><<<grid, block>>>(x, d->n / 2, d->edge, d->counts)));
}

void launchByHalving(const struct histogram *d) { launchEdges<asSorted, binByHalving>(d); }

/* The edges of the first questions are a multiple of 32 words apart: all in one bank. In the order
 * of a tree those that are asked for at the same time are side by side. Node 1 has the edge of the
 * first question, nodes 2 and 3 those of the second, and so on: after node k comes node 2 k if
 * the value is below its edge, otherwise node 2 k + 1. */
__device__ int asTree(int node)
{
    const int level = 31 - __clz(node); /* its nodes: from 2^level on */

    return node > 0 ? (2 * (node - (1 << level)) + 1) * (BINS >> (level + 1)) : 0;
}

__device__ int binByTree(int value, const int *edge)
{
    int node = 1;

    // TODO 11 begin: (advanced) go down; below the last level are the bins, as nodes BINS and up
    NOT_IMPLEMENTED_VALUE(11, 0);
    // TODO 11 end
    return node - BINS;
}

void launchByTree(const struct histogram *d) { launchEdges<asTree, binByTree>(d); }

#include "advanced/shorts.cuh" /* launchShortsInMemory, launchPasses */

extern "C" const struct variant deviceVariants[] = {
    {"in memory", count<launchInMemory, BINS>},
    {"per block", count<launchOwnOfBlock, BINS>},
    {"per block, 16 a load", count<launchOwnOfBlockSixteen, BINS>},
    {"per warp, 16 a load", count<launchOwnOfWarp, BINS>},
    {"per lane, 16 a load", count<launchOwnOfLane, BINS>},
    {"an image equalised", equalise},
    {"per thread, no atomics", count<launchOwnOfThread, BINS>},
    {"any amount: per block", count<launchAmountsOfBlock, BINS>},
    {"any amount: warps first", count<launchAmountsTogether, BINS>},
    {"any amount: per lane", count<launchAmountsOfLane, BINS>},
    {"16 bits, edges by halving", count<launchByHalving, BINS>},
    {"16 bits, edges in a tree", count<launchByTree, BINS>},
    {"16 bits, in memory", count<launchShortsInMemory, SHORT_BINS>},
    {"16 bits, in passes", count<launchPasses, SHORT_BINS>},
    {NULL, NULL},
};
