/* TASK     rows less their means, a histogram with 2^17 bins, rods after many steps, a scaled copy:
 *          what clusters of blocks, and warps with different tasks, do for each.
 * TRAFFIC  8 bytes an element: x read, y written, once for each step. 4 bytes a key.
 * LIMIT    memory bandwidth; additions in shared memory for the histogram, instructions for rods
 *          that stay on the multiprocessors. */
#include "cuda_utils.h"
#include "measure.h"
#include "clusters.h"
#include "warp_utils.h"
#include "advanced/clusters.cuh"

enum { WARP = 32 };

/* d: the problem, with its arrays on the device. Those of x and y are filled up to whole quads, x
 * with zeros. */
typedef void launch_fn(const struct problem *d);

static size_t quadsOf(const struct problem *p) { return (p->n + 3) / 4; }

/* At least one, so that there is something to launch. */
static unsigned int rowsOf(const struct problem *p)
{
    return p->n > 0 ? (unsigned int)((p->n + p->row - 1) / p->row) : 1;
}

/* The code around the kernels that make y of x: memory on the device, the copies there, the launch,
 * the copy back. */
template <launch_fn launch> static void fromX(const struct problem *p)
{
    const size_t bytes = quadsOf(p) * sizeof(float4);
    float *d_x = NULL;
    struct problem d = *p;

    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d.y, bytes));
    cudaVerify(cudaMemset(d_x, 0, bytes));
    cudaVerify(cudaMemcpy(d_x, p->x, p->n * sizeof *d_x, cudaMemcpyHostToDevice));
    d.x = d_x;
    MEASURE (run) {
        launch(&d);
    }
    cudaVerify(cudaMemcpy(p->y, d.y, p->n * sizeof *d.y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d.y));
}

/* The code around the kernels that count. */
template <launch_fn launch> static void count(const struct problem *p)
{
    unsigned int *d_keys = NULL;
    struct problem d = *p;

    cudaVerify(cudaMalloc((void **)&d_keys, p->n * sizeof *d_keys));
    cudaVerify(cudaMalloc((void **)&d.counts, BINS * sizeof *d.counts));
    cudaVerify(cudaMemcpy(d_keys, p->keys, p->n * sizeof *d_keys, cudaMemcpyHostToDevice));
    d.keys = d_keys;
    MEASURE (run) {
        cudaVerify(cudaMemset(d.counts, 0, BINS * sizeof *d.counts));
        launch(&d);
    }
    cudaVerify(cudaMemcpy(p->counts, d.counts, BINS * sizeof *d.counts, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_keys));
    cudaVerify(cudaFree(d.counts));
}

/* 1 where clusters are there; otherwise the row says what it needs. */
static int canLaunchClusters(void)
{
#ifdef HAVE_CLUSTERS
    const int can = hasClusters();

    if (!can)
        rowSkip("needs compute capability 9.0: clusters");
    return can;
#else
    rowSkip("needs CUDA 12: clusters");
    return 0;
#endif
}

template <launch_fn launch> static void fromXInClusters(const struct problem *p)
{
    if (canLaunchClusters())
        fromX<launch>(p);
}

template <launch_fn launch> static void countInClusters(const struct problem *p)
{
    if (canLaunchClusters())
        count<launch>(p);
}

#ifdef HAVE_CLUSTERS
/* What each launch of a kernel in clusters states: the blocks of a cluster, and what they need. */
template <typename kernel_fn>
static cudaLaunchConfig_t configOf(kernel_fn *kernel, cudaLaunchAttribute *size,
                                   unsigned int clusters, int blocks, int threads, int bytes)
{
    cudaLaunchConfig_t config = {};

    config.gridDim = dim3(clusters * blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    cudaVerify(cudaFuncSetAttribute((const void *)kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    if (blocks > 8) /* not every device offers so many */
        cudaVerify(cudaFuncSetAttribute((const void *)kernel,
                                        cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    // TODO 1 begin: *size: a cluster of blocks x 1 x 1; config has this one attribute
    NOT_IMPLEMENTED_VALUE(1, config);
    // TODO 1 end
    return config;
}

template <typename... parameters, typename... arguments>
static void launchClusters(void (*kernel)(parameters...), unsigned int clusters, int blocks,
                           int threads, int bytes, arguments... values)
{
    cudaLaunchAttribute size;
    const cudaLaunchConfig_t config = configOf(kernel, &size, clusters, blocks, threads, bytes);

    if (config.numAttrs > 0)
        cudaVerify(cudaLaunchKernelEx(&config, kernel, values...));
}

/* The number of clusters that the device runs at the same time, at least 1. The blocks of a cluster
 * are neighbours, so some multiprocessors may be left over. */
template <typename kernel_fn>
static int clustersAtOnce(kernel_fn *kernel, int blocks, int threads, int bytes)
{
    cudaLaunchAttribute size;
    const cudaLaunchConfig_t config = configOf(kernel, &size, 1, blocks, threads, bytes);
    int clusters = 0;

    if (config.numAttrs > 0)
        cudaVerify(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
    return clusters > 0 ? clusters : 1;
}
#endif

/* ---- rows less their means ------------------------------------------------------------------- */

/* A row is divided among PARTS blocks, or the blocks of a cluster. */
enum { PARTS = 8 };

struct row {
    size_t first; /* in quads */
    int length;   /* in elements */
};

__device__ struct row rowNumber(size_t number, size_t n, int length)
{
    const size_t first = number * length, rest = first < n ? n - first : 0;
    const struct row r = {first / 4, rest < (size_t)length ? (int)rest : length};

    return r;
}

__device__ float sumOfQuad(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__device__ float4 quadLess(float4 v, float mean)
{
    return make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
}

/* The sum of `v` over the block, in all of its threads. `parts` has room for a number a warp. */
__device__ float sumOfBlock(float v, float *parts)
{
    float sum = 0.0f;

    for (int distance = WARP / 2; distance > 0; distance /= 2)
        v += shuffleDown(v, distance);
    if (threadIdx.x % WARP == 0)
        parts[threadIdx.x / WARP] = v;
    __syncthreads();
    for (int w = 0; w < blockDim.x / WARP; w++)
        sum += parts[w];
    return sum;
}

/* A row is too long for a block. So its blocks add up their parts in memory, and a second kernel
 * reads x again, since only then the sum is complete. */
__global__ void addRows(const float4 *x, float *sums, size_t n, int length)
{
    __shared__ float parts[WARP];
    const struct row r = rowNumber(blockIdx.x / PARTS, n, length);
    float sum = 0.0f;

    for (int i = blockIdx.x % PARTS * blockDim.x + threadIdx.x; 4 * i < r.length;
         i += PARTS * blockDim.x)
        sum += sumOfQuad(x[r.first + i]);
    sum = sumOfBlock(sum, parts);
    if (threadIdx.x == 0)
        atomicAdd(&sums[blockIdx.x / PARTS], sum);
}

__global__ void subtractMeans(const float4 *x, float4 *y, const float *sums, size_t n, int length)
{
    const struct row r = rowNumber(blockIdx.x / PARTS, n, length);
    const float mean = sums[blockIdx.x / PARTS] / r.length;

    for (int i = blockIdx.x % PARTS * blockDim.x + threadIdx.x; 4 * i < r.length;
         i += PARTS * blockDim.x)
        y[r.first + i] = quadLess(x[r.first + i], mean);
}

static float *d_sums;

void launchTwoKernels(const struct problem *d)
{
    const unsigned int rows = rowsOf(d);
    const int block = blockSize(256);

    cudaVerify(cudaMemset(d_sums, 0, rows * sizeof *d_sums));
    cudaVerifyKernel(
        (addRows<<<rows * PARTS, block>>>((const float4 *)d->x, d_sums, d->n, d->row)));
    cudaVerifyKernel((subtractMeans<<<rows * PARTS, block>>>((const float4 *)d->x, (float4 *)d->y,
                                                             d_sums, d->n, d->row)));
}

static void centreByTwoKernels(const struct problem *p)
{
    cudaVerify(cudaMalloc((void **)&d_sums, rowsOf(p) * sizeof *d_sums));
    fromX<launchTwoKernels>(p);
    cudaVerify(cudaFree(d_sums));
}

#ifdef HAVE_CLUSTERS
/* The second kernel reads what the first one had on the multiprocessors. The blocks of a cluster
 * run at the same time, and read each other's shared memory. So a row stays in the registers of
 * a cluster until its sum is known: it is read once, and nothing but sums is exchanged. */
enum { CLUSTER_THREADS = 2048, QUADS = MOST_OF_ROW / CLUSTER_THREADS / 4 /* of a thread */ };

/* The sum over the cluster of what the blocks have, in all of its threads. */
__device__ float sumOfCluster(float sumOfBlock)
{
    float sum = 0.0f;

    // TODO 2 begin: show the block's sum in shared memory; fetch those of all; two clusterSync()
    NOT_IMPLEMENTED_VALUE(2, sum);
    // TODO 2 end
    return sum;
}

__global__ void centre(const float4 *x, float4 *y, size_t n, int length)
{
    __shared__ float parts[WARP];
    const struct row r = rowNumber(blockIdx.x / clusterBlocks(), n, length);
    const int first = clusterRank() * QUADS * blockDim.x + threadIdx.x;
    float4 v[QUADS];
    float sum = 0.0f;

#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        const int i = first + k * blockDim.x;

        v[k] = 4 * i < r.length ? x[r.first + i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        sum += sumOfQuad(v[k]);
    const float mean = sumOfCluster(sumOfBlock(sum, parts)) / r.length;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        const int i = first + k * blockDim.x;

        if (4 * i < r.length)
            y[r.first + i] = quadLess(v[k], mean);
    }
}

void launchCentre(const struct problem *d)
{
    const int blocks = d->blocks > 0 ? d->blocks : 8;

    launchClusters(centre, rowsOf(d), blocks, CLUSTER_THREADS / blocks, 0, (const float4 *)d->x,
                   (float4 *)d->y, d->n, d->row);
}
#else
void launchCentre(const struct problem *) {}
#endif

/* ---- a histogram with 2^17 bins -------------------------------------------------------------- */

/* Adds a key. `counter` are all bins, or those that lie in this block: `bins` of them. */
typedef void add_fn(unsigned int key, int *counter, unsigned int bins);

template <add_fn add> __device__ void addFour(uint4 keys, int *counter, unsigned int bins)
{
    add(keys.x, counter, bins);
    add(keys.y, counter, bins);
    add(keys.z, counter, bins);
    add(keys.w, counter, bins);
}

/* Adds the keys of a thread, the one with this number among `threads`. There are AHEAD loads on
 * their way before the first key is added. */
template <add_fn add>
__device__ void addKeys(const unsigned int *keys, size_t n, size_t number, size_t threads,
                        int *counter, unsigned int bins)
{
    enum { AHEAD = 8 };
    const uint4 *quads = (const uint4 *)keys;
    size_t i = number;

    for (; i + (AHEAD - 1) * threads < n / 4; i += AHEAD * threads) {
        uint4 four[AHEAD];

#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            four[k] = quads[i + k * threads];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            addFour<add>(four[k], counter, bins);
    }
    for (; i < n / 4; i += threads)
        addFour<add>(quads[i], counter, bins);
    if (number < n % 4)
        add(keys[n - 1 - number], counter, bins);
}

/* All bins take 512 KiB, more than a block's shared memory. So the plain kernel adds in the L2
 * cache. */
__device__ void addInMemory(unsigned int key, int *counts, unsigned int)
{
    atomicAdd(&counts[key], 1);
}

__global__ void inMemory(const unsigned int *keys, size_t n, int *counts)
{
    addKeys<addInMemory>(keys, n, (size_t)blockIdx.x * blockDim.x + threadIdx.x,
                         (size_t)gridDim.x * blockDim.x, counts, BINS);
}

void launchInMemory(const struct problem *d)
{
    const int block = blockSize(256);
    const size_t all = d->n / 4 / block + 1, most = (size_t)multiprocessors() * 8;

    cudaVerifyKernel((inMemory<<<(unsigned int)gridSize(all < most ? all : most), block>>>(
        d->keys, d->n, d->counts)));
}

#ifdef HAVE_CLUSTERS
/* The shared memory of a cluster has room for all bins: those of a key lie in block key / bins. But
 * the addition crosses the network between the multiprocessors, and that takes no more additions
 * than the L2 cache does. */
__device__ void addInCluster(unsigned int key, int *own, unsigned int bins)
{
    // TODO 3 begin: add to the key's bin, in the block that has it; bins is a power of two
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

/* Rather than each addition, the keys go to all blocks: each block of a cluster reads all keys
 * of the cluster and counts those whose bins it has. Four times as many keys come out of the L2
 * cache, in full sectors, and all additions stay at home. */
__device__ void addIfOwn(unsigned int key, int *own, unsigned int bins)
{
    // TODO 4 begin: add to the key's bin, if this block has it
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

/* EACH_READS_ALL: the same keys for all blocks of a cluster, otherwise keys of its own for each. */
template <add_fn add, int EACH_READS_ALL>
__global__ void __launch_bounds__(1024)
    binsInCluster(const unsigned int *keys, size_t n, int *counts)
{
    extern __shared__ int own[];
    const unsigned int bins = BINS / clusterBlocks(), first = clusterRank() * bins;
    const unsigned int team = EACH_READS_ALL ? blockIdx.x / clusterBlocks() : blockIdx.x;
    const unsigned int teams = EACH_READS_ALL ? gridDim.x / clusterBlocks() : gridDim.x;

    for (unsigned int k = threadIdx.x; k < bins; k += blockDim.x)
        own[k] = 0;
    clusterSync();
    addKeys<add>(keys, n, (size_t)team * blockDim.x + threadIdx.x, (size_t)teams * blockDim.x, own,
                 bins);
    clusterSync();
    for (unsigned int k = threadIdx.x; k < bins; k += blockDim.x)
        if (own[k] != 0)
            atomicAdd(&counts[first + k], own[k]);
}

/* As many clusters as the device holds at once, but none for fewer keys than half of the bins. */
template <add_fn add, int EACH_READS_ALL> static void launchBins(const struct problem *d)
{
    void (*const kernel)(const unsigned int *, size_t, int *) = binsInCluster<add, EACH_READS_ALL>;
    const int blocks = d->blocks > 0 ? d->blocks : 4, threads = 1024;
    const int bytes = BINS / blocks * (int)sizeof(int), enough = (int)(d->n / (BINS / 2)) + 1;
    const int most = clustersAtOnce(kernel, blocks, threads, bytes);

    launchClusters(kernel, enough < most ? enough : most, blocks, threads, bytes, d->keys, d->n,
                   d->counts);
}

void launchBinsInCluster(const struct problem *d) { launchBins<addInCluster, 0>(d); }

void launchOwnBins(const struct problem *d) { launchBins<addIfOwn, 1>(d); }
#else
void launchBinsInCluster(const struct problem *) {}

void launchOwnBins(const struct problem *) {}
#endif

/* ---- rods ------------------------------------------------------------------------------------ */

/* One step, out of memory and into it. All steps need both ways once more. */
__global__ void smearOnce(const float4 *x, float4 *y, size_t n, int length)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, quads = (size_t)length / 4;
    const size_t last = (n - 1) / 4, inRow = i % quads;

    if (4 * i >= n)
        return;
    const float4 v = x[i];
    const float left = inRow > 0 ? x[i - 1].w : 0.0f;
    const float right = inRow + 1 < quads && i < last ? x[i + 1].x : 0.0f;
    float4 sum =
        make_float4(LEFT * left + OWN * v.x + RIGHT * v.y, LEFT * v.x + OWN * v.y + RIGHT * v.z,
                    LEFT * v.y + OWN * v.z + RIGHT * v.w, LEFT * v.z + OWN * v.w + RIGHT * right);

    if (i == last) { /* what fills up the last quad stays zero */
        sum.y = 4 * i + 1 < n ? sum.y : 0.0f;
        sum.z = 4 * i + 2 < n ? sum.z : 0.0f;
        sum.w = 4 * i + 3 < n ? sum.w : 0.0f;
    }
    y[i] = sum;
}

static float *d_other;

void launchSmearOnce(const struct problem *d)
{
    const int block = blockSize(256);
    const unsigned int grid = (unsigned int)(quadsOf(d) / block + 1);
    const float *from = d->x;

    for (int step = 0; step < d->steps; step++) {
        float *to = (d->steps - step) % 2 ? d->y : d_other; /* the last step leads to y */

        cudaVerifyKernel(
            (smearOnce<<<grid, block>>>((const float4 *)from, (float4 *)to, d->n, d->row)));
        from = to;
    }
}

static void smearByLaunches(const struct problem *p)
{
    cudaVerify(cudaMalloc((void **)&d_other, quadsOf(p) * sizeof(float4)));
    fromX<launchSmearOnce>(p);
    cudaVerify(cudaFree(d_other));
}

/* A thread keeps RUN consecutive elements of a rod in registers for all steps. v[0] is element i of
 * the rod, which may stick out of it on both sides. */
enum { RUN = 32 };

__device__ __forceinline__ void loadRun(float *v, const float4 *rod, int i, int length)
{
#pragma unroll
    for (int k = 0; k < RUN; k += 4) {
        const float4 q =
            i + k >= 0 && i + k < length ? rod[(i + k) / 4] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);

        v[k] = q.x;
        v[k + 1] = q.y;
        v[k + 2] = q.z;
        v[k + 3] = q.w;
    }
}

/* From element `from` up to `to`. */
__device__ __forceinline__ void storeRun(float4 *rod, const float *v, int i, int from, int to)
{
#pragma unroll
    for (int k = 0; k < RUN; k += 4)
        if (i + k >= from && i + k < to)
            rod[(i + k) / 4] = make_float4(v[k], v[k + 1], v[k + 2], v[k + 3]);
}

__device__ __forceinline__ void stepRun(float *v, float left, float right, int i, int length)
{
#pragma unroll
    for (int k = 0; k < RUN; k++) {
        const float own = v[k];

        v[k] = LEFT * left + OWN * own + RIGHT * (k + 1 < RUN ? v[k + 1] : right);
        left = own;
    }
    if (i < 0 || i + RUN > length)
#pragma unroll
        for (int k = 0; k < RUN; k++)
            if (i + k < 0 || i + k >= length)
                v[k] = 0.0f;
}

/* A step of the whole block. The threads show each other the ends of their runs. What would be
 * beyond the block counts as zero, and is wrong. */
enum { MOST_THREADS = 544 }; /* of a block: one of a cluster of four has most */

struct ends {
    float first[MOST_THREADS], last[MOST_THREADS];
};

__device__ __forceinline__ void stepBlock(float *v, struct ends *e, int i, int length)
{
    const int t = threadIdx.x;

    e->first[t] = v[0];
    e->last[t] = v[RUN - 1];
    __syncthreads();
    stepRun(v, t > 0 ? e->last[t - 1] : 0.0f, t + 1 < blockDim.x ? e->first[t + 1] : 0.0f, i,
            length);
}

/* Here a block does all steps of its part of a rod. It reads a halo of as many elements as there
 * are steps, which its neighbours read and compute, too: after each step one more of them is
 * wrong. */
enum { ROD_THREADS = 128 };

__global__ void smearWithHalos(const float4 *x, float4 *y, size_t n, int length, int steps,
                               int tiles)
{
    __shared__ struct ends ends[2]; /* in turn, so that one barrier a step is enough */
    const struct row r = rowNumber(blockIdx.x / tiles, n, length);
    const int halo = (steps + 3) / 4 * 4, own = RUN * ROD_THREADS - 2 * halo;
    const int begin = blockIdx.x % tiles * own, i = begin - halo + (int)threadIdx.x * RUN;
    float v[RUN];

    loadRun(v, x + r.first, i, r.length);
    for (int step = 0; step < steps; step++)
        stepBlock(v, &ends[step % 2], i, r.length);
    storeRun(y + r.first, v, i, begin, min(begin + own, r.length));
}

void launchSmearWithHalos(const struct problem *d)
{
    const int own = RUN * ROD_THREADS - 2 * ((d->steps + 3) / 4 * 4);
    const int tiles = (d->row + own - 1) / own;

    cudaVerifyKernel((smearWithHalos<<<rowsOf(d) * tiles, ROD_THREADS>>>(
        (const float4 *)d->x, (float4 *)d->y, d->n, d->row, d->steps, tiles)));
}

#ifdef HAVE_CLUSTERS
/* The more steps, the wider the halo, until most of the work is done twice. The blocks of a cluster
 * hold a whole rod. The first and the last thread of a block have a run of its neighbours, which is
 * good for RUN steps; then the neighbours send it anew. */
struct halos {
    float4 before[RUN / 4], after[RUN / 4];
};

__device__ __forceinline__ void sendRun(float4 *to, const float *v)
{
#pragma unroll
    for (int k = 0; k < RUN; k += 4)
        to[k / 4] = make_float4(v[k], v[k + 1], v[k + 2], v[k + 3]);
}

__global__ void SINCE_HOPPER(__launch_bounds__(MOST_THREADS, 2))
    smearInCluster(const float4 *x, float4 *y, size_t n, int length, int steps)
{
    __shared__ struct ends ends[2];
    __shared__ struct halos halos[2];
    const struct row r = rowNumber(blockIdx.x / clusterBlocks(), n, length);
    const int rank = clusterRank(), blocks = clusterBlocks(), t = threadIdx.x;
    const int lastThread = blockDim.x - 1, own = (blockDim.x - 2) * RUN;
    const int begin = rank * own, i = begin + (t - 1) * RUN;
    float v[RUN];

    loadRun(v, x + r.first, i, r.length);
    clusterSync(); /* all blocks have begun */
    for (int step = 0; step < steps; step++) {
        struct halos *h = &halos[step / RUN % 2];

        if (step > 0 && step % RUN == 0) {
            // TODO 5 begin: threads 1 and lastThread - 1 send; threads 0 and lastThread load
            NOT_IMPLEMENTED(5);
            // TODO 5 end
        }
        stepBlock(v, &ends[step % 2], i, r.length);
    }
    storeRun(y + r.first, v, i, begin, min(begin + own, r.length));
}

void launchSmearInCluster(const struct problem *d)
{
    const int blocks = d->blocks > 0 ? d->blocks : 4;

    launchClusters(smearInCluster, rowsOf(d), blocks, CLUSTER_THREADS / blocks + WARP, 0,
                   (const float4 *)d->x, (float4 *)d->y, d->n, d->row, d->steps);
}
#else
void launchSmearInCluster(const struct problem *) {}
#endif

/* ---- a scaled copy --------------------------------------------------------------------------- */

__device__ float4 scaledQuad(float4 v)
{
    return make_float4(FACTOR * v.x, FACTOR * v.y, FACTOR * v.z, FACTOR * v.w);
}

/* Each thread loads, computes and stores: thousands of them wait at the same time. */
__global__ void scaleQuads(const float4 *x, float4 *y, size_t quads)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < quads)
        y[i] = scaledQuad(x[i]);
}

void launchScaleQuads(const struct problem *d)
{
    const int block = blockSize(256);

    cudaVerifyKernel((scaleQuads<<<(unsigned int)(quadsOf(d) / block + 1), block>>>(
        (const float4 *)d->x, (float4 *)d->y, quadsOf(d))));
}

#ifdef HAVE_CLUSTERS
/* Here one lane of a block loads for all: it asks for whole chunks, and a barrier counts their
 * bytes as they arrive. The other warps compute. Two barriers a stage pass it to and fro: `full`
 * when its chunk has arrived, `empty` when all consumers are done with it. */
enum { CHUNK = 128 /* quads */, STAGES = 3, EACH = 16 /* chunks a block */, CONSUMERS = 4 };

struct stages {
    float4 chunk[STAGES][CHUNK];
    barrier full[STAGES], empty[STAGES];
};

__device__ unsigned int quadsOfChunk(size_t chunk, size_t quads)
{
    const size_t rest = quads - chunk * CHUNK;

    return rest < CHUNK ? (unsigned int)rest : CHUNK;
}

__global__ void scaleByRoles(const float4 *x, float4 *y, size_t quads)
{
    extern __shared__ __align__(128) unsigned char shared[];
    struct stages *s = (struct stages *)shared;
    const size_t all = (quads + CHUNK - 1) / CHUNK, first = (size_t)blockIdx.x * EACH;
    const size_t end = min(first + EACH, all);

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            initBarrier(&s->full[stage], 1);
            initBarrier(&s->empty[stage], CONSUMERS * WARP);
        }
        showBarriers();
    }
    __syncthreads();
    // TODO 6 begin: warp 0 fills stages, the others scale them; chunk k has stage k % STAGES
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

void launchScaleByRoles(const struct problem *d)
{
    launchClusters(scaleByRoles, (unsigned int)(quadsOf(d) / (CHUNK * EACH)) + 1, 1,
                   (1 + CONSUMERS) * WARP, (int)sizeof(struct stages), (const float4 *)d->x,
                   (float4 *)d->y, quadsOf(d));
}
#else
void launchScaleByRoles(const struct problem *) {}
#endif

extern "C" const struct variant deviceVariants[] = {
    {"centred: two kernels", centreByTwoKernels},
    {"centred: a cluster a row", fromXInClusters<launchCentre>},
    {"counted: in memory", count<launchInMemory>},
    {"counted: bins in a cluster", countInClusters<launchBinsInCluster>},
    {"counted: each block its bins", countInClusters<launchOwnBins>},
    {"smeared: a launch a step", smearByLaunches},
    {"smeared: halos from memory", fromX<launchSmearWithHalos>},
    {"smeared: halos of neighbours", fromXInClusters<launchSmearInCluster>},
    {"scaled: a quad a thread", fromX<launchScaleQuads>},
    {"scaled: producer, consumers", fromXInClusters<launchScaleByRoles>},
    {NULL, NULL},
};
