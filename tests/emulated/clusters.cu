/* Clusters of blocks: their barrier, the shared memory of other blocks, and the mistakes made with
 * them. Each result is compared with a loop on the host. */
#include <cooperative_groups.h>
#include <utility>

namespace cg = cooperative_groups;
enum { N = 1024, THREADS = 64, SIZE = 4, BINS = 64 };
#include "int_arrays.h"

enum mistake { NONE, NO_FIRST_SYNC, NO_SYNC, NO_LAST_SYNC, WRONG_RANK, SOME_MISS, TWICE };

/* ---- each block reads what its neighbour has stored ------------------------------------------ */
template <mistake Wrong>
__global__ void __cluster_dims__(SIZE, 1, 1) neighbour(int *y, const int *x)
{
    __shared__ int mine[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t, rank = cluster.block_rank();
    if (Wrong == SOME_MISS && t >= 32 && rank == 0) {
        __syncthreads();
        return;
    }
    mine[t] = x[i];
    if (Wrong != NO_FIRST_SYNC)
        cluster.sync();
    const int *other =
        cluster.map_shared_rank(mine, (rank + 1) % SIZE + (Wrong == WRONG_RANK) * SIZE);
    y[i] = other[t ^ 1];
    if (Wrong == TWICE && t == 0 && rank == 0)
        cluster.sync();
    if (Wrong != NO_LAST_SYNC)
        cluster.sync();
    if (Wrong == NO_LAST_SYNC)
        return;
    mine[t] = 0;
}
template <mistake Wrong> static void neighbours(void)
{
    neighbour<Wrong><<<N / THREADS, THREADS>>>(d_y, d_x);
}
static void right(void)
{
    for (int b = 0; b < N / THREADS; b++)
        for (int t = 0; t < THREADS; t++)
            wanted[b * THREADS + t] = x[(b / SIZE * SIZE + (b + 1) % SIZE) * THREADS + (t ^ 1)];
    neighbours<NONE>();
    expectWanted(N);
}
static void noFirstSync(void) { neighbours<NO_FIRST_SYNC>(); }
static void noLastSync(void) { neighbours<NO_LAST_SYNC>(); }
static void wrongRank(void) { neighbours<WRONG_RANK>(); }
static void someMiss(void) { neighbours<SOME_MISS>(); }

/* ---- a kernel that is no template, with static and dynamic shared memory, in two dimensions -- */
__global__ void places(int *y, int rows)
{
    extern __shared__ int told[];
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    const dim3 in = cluster.block_index(), size = cluster.dim_blocks();
    const unsigned rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0)
        sum = 0;
    cluster.sync();
    /* every block tells every block who it is */
    for (unsigned to = t; to < cluster.num_blocks(); to += blockDim.x) {
        cluster.map_shared_rank(told, to)[rank] =
            (int)(in.x + 10 * in.y + 100 * size.x + 1000 * size.y);
        atomicAdd(cluster.map_shared_rank(&sum, to), (int)rank + 1);
    }
    cluster.sync();
    if (t < cluster.num_blocks())
        y[(blockIdx.y * rows + blockIdx.x) * 8 + t] =
            told[t] + 10000 * sum + (cluster.query_shared_rank(&sum) == rank ? 0 : 1);
}
static void twoDimensions(void)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = 3;
    attribute.val.clusterDim.z = 1;
    config.gridDim = dim3(4, 6);
    config.blockDim = 32;
    config.dynamicSmemBytes = 8 * sizeof(int);
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = 0;
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, places, &config));
    if (clusters < 1) {
        printf("FAILED: no cluster fits\n");
        exit(2);
    }
    CHECK(cudaLaunchKernelEx(&config, places, d_y, 4));
    for (int b = 0; b < 24; b++)
        for (int k = 0; k < 6; k++)
            wanted[b * 8 + k] = k % 2 + 10 * (k / 2) + 200 + 3000 + 10000 * 21;
    expectWanted(24 * 8);
    CHECK(cudaMemset(d_y, 0, 24 * 8 * sizeof(int)));
    int four = 4;
    void *arguments[] = {&d_y, &four};
    CHECK(cudaLaunchKernelExC(&config, (const void *)places, arguments));
    expectWanted(24 * 8);
}

/* ---- a histogram whose bins are spread over the blocks of a cluster -------------------------- */
template <mistake Wrong> __global__ void histogram(int *bins, const int *x, int n)
{
    __shared__ int part[BINS / SIZE];
    cg::cluster_group cluster = cg::this_cluster();
    for (unsigned i = threadIdx.x; i < BINS / SIZE; i += blockDim.x)
        part[i] = 0;
    cluster.sync();
    for (unsigned i = cluster.thread_rank(); i < (unsigned)n; i += cluster.num_threads()) {
        const int bin = x[i] % BINS;
        int *there = cluster.map_shared_rank(part, bin / (BINS / SIZE)) + bin % (BINS / SIZE);
        if (Wrong == NO_SYNC)
            *there = *there + 1;
        else
            atomicAdd(there, 1);
    }
    cluster.sync();
    for (unsigned i = threadIdx.x; i < BINS / SIZE; i += blockDim.x)
        bins[cluster.block_rank() * (BINS / SIZE) + i] = part[i];
}
template <mistake Wrong> static void histograms(void)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = SIZE;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = SIZE;
    config.blockDim = THREADS;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, histogram<Wrong>, d_y, (const int *)d_x, (int)N));
}
static void spreadBins(void)
{
    for (int i = 0; i < N; i++)
        wanted[x[i] % BINS]++;
    histograms<NONE>();
    expectWanted(BINS);
}
static void noAtomic(void) { histograms<NO_SYNC>(); }

/* ---- arriving and waiting apart, in C and in PTX --------------------------------------------- */
template <mistake Wrong> __global__ void __cluster_dims__(2) apart(int *y, const int *x)
{
    __shared__ int mine[THREADS], own[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    mine[t] = x[i];
    auto token = cluster.barrier_arrive();
    own[t] = 2 * x[i]; /* nobody else's affair */
    if (Wrong == TWICE)
        (void)cluster.barrier_arrive();
    if (Wrong == NO_SYNC)
        mine[t] = 3;
    cluster.barrier_wait(std::move(token));
    unsigned there, value, rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"((unsigned)__cvta_generic_to_shared(&mine[t])), "r"(rank ^ 1));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there) : "memory");
    y[i] = (int)value + own[t];
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(value + rank) : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    y[i] += 1000 * (mine[t] - x[i]);
}
static void arriveAndWait(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = x[i ^ THREADS] + 2 * x[i] + 1000 * (1 - i / THREADS % 2);
    apart<NONE><<<N / THREADS, THREADS>>>(d_y, d_x);
    expectWanted(N);
}
static void arrivesTwice(void) { apart<TWICE><<<2, THREADS>>>(d_y, d_x); }
static void storesAfterArrival(void) { apart<NO_SYNC><<<2, THREADS>>>(d_y, d_x); }

/* ---- global memory: the barrier orders that too ---------------------------------------------- */
template <mistake Wrong> __global__ void __cluster_dims__(2, 1, 1) through(int *y, int *x)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    x[i] = (int)i;
    if (Wrong == NO_SYNC)
        __syncthreads();
    else
        cg::this_cluster().sync();
    y[i] = x[i ^ THREADS];
}
static void globalMemory(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = i ^ THREADS;
    through<NONE><<<N / THREADS, THREADS>>>(d_y, d_x);
    expectWanted(N);
}
static void blockBarrierOnly(void) { through<NO_SYNC><<<2, THREADS>>>(d_y, d_x); }

/* ---- without a cluster each block is one by itself ------------------------------------------- */
__global__ void alone(int *y)
{
    __shared__ int mine[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    y[blockIdx.x * THREADS + threadIdx.x] =
        *cluster.map_shared_rank(&mine[THREADS - 1 - threadIdx.x], 0) +
        100 * (int)cluster.num_blocks() + 1000 * (int)cluster.block_rank();
}
static void noCluster(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = THREADS - 1 - i % THREADS + 100;
    alone<<<N / THREADS, THREADS>>>(d_y);
    expectWanted(N);
}

/* ---- what the device refuses ----------------------------------------------------------------- */
static void gridNoMultiple(void)
{
    neighbour<NONE><<<SIZE + 1, THREADS>>>(d_y, d_x);
    (void)cudaGetLastError();
}
static void tooLarge(void)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 16;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = 16;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, alone, d_y);
    (void)cudaGetLastError();
}

/* ---- a launch that may begin before the one in front of it has ended ------------------------- */
__global__ void before(int *y, const int *x)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    y[i] = x[i] + 1;
    cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void after(int *y)
{
    cudaGridDependencySynchronize();
    y[blockIdx.x * THREADS + threadIdx.x] *= 2;
}
static void dependentLaunch(void)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute;
    cudaStream_t stream;
    for (int i = 0; i < N; i++)
        wanted[i] = 2 * (x[i] + 1);
    CHECK(cudaStreamCreate(&stream));
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = N / THREADS;
    config.blockDim = THREADS;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    before<<<N / THREADS, THREADS, 0, stream>>>(d_y, d_x);
    CHECK(cudaLaunchKernelEx(&config, after, d_y));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    expectWanted(N);
}

static const struct test tests[] = {
    CLEAN(right),
    CLEAN(twoDimensions),
    CLEAN(spreadBins),
    CLEAN(arriveAndWait),
    CLEAN(dependentLaunch),
    CLEAN(globalMemory),
    CLEAN(noCluster),
    FINDS(noFirstSync, "cluster-lifetime", "may not have begun"),
    FINDS(noLastSync, "cluster-lifetime", "may have ended"),
    FINDS(wrongRank, "invalid-address", "of a cluster of 4"),
    FINDS(someMiss, "barrier-divergence", "cluster's barrier"),
    FINDS(noAtomic, "race", "shared variable part of block"),
    FINDS(arrivesTwice, "barrier-divergence", "again without having waited"),
    FINDS(storesAfterArrival, "race", "no cluster.sync() between them"),
    FINDS(blockBarrierOnly, "race", "nothing orders the two"),
    FINDS(gridNoMultiple, "invalid-launch", "no multiple of the cluster"),
    FINDS(tooLarge, "invalid-launch", "at most 8"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
