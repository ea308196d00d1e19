/* Cooperative groups of every kind, as one type and as their own; reductions, scans, partitions, asynchronous copies. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#if CUDART_VERSION < 13000
#include <nvToolsExt.h>
#include <nvToolsExtCudaRt.h>
#else
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#endif
#include <stdio.h>

namespace cg = cooperative_groups;

/* The classic function for any group, with the sum in thread 0. */
__device__ int sumOfGroup(cg::thread_group g, int *work, int value)
{
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        work[rank] = value;
        g.sync();
        if (rank < i)
            value += work[rank + i];
        g.sync();
    }
    return g.thread_rank() == 0 ? value : -1;
}

__global__ void sums(int *out)
{
    __shared__ int work[64];
    cg::thread_block block = cg::this_thread_block();
    int all = sumOfGroup(block, work, threadIdx.x);
    cg::thread_group tile = cg::tiled_partition(block, 16);
    int part = sumOfGroup(tile, work + threadIdx.x / 16 * 16, threadIdx.x);
    if (threadIdx.x == 0)
        out[0] = all;
    if (tile.thread_rank() == 0)
        out[1 + threadIdx.x / 16] = part;
}
__global__ void scans(int *out)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    out[t] = cg::inclusive_scan(tile, t);
    out[32 + t] = cg::exclusive_scan(tile, t);
    out[64 + t] = cg::reduce(tile, t, cg::greater<int>());
    cg::coalesced_group third = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), t % 3 == 0);
    out[96 + t] = (int)third.size() * 100 + (int)third.thread_rank();
}
/* Objects of up to 32 bytes move as one */
__global__ void moved(double4 *out)
{
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    const double t = threadIdx.x;
    double4 v = {t, t + 100, t + 200, t + 300};
    v = tile.shfl_xor(v, 5);
    cg::coalesced_group all = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), true);
    out[threadIdx.x] = all.shfl(v, threadIdx.x ^ 1);
}
__global__ void copied(const int *in, int *out)
{
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[block.thread_rank()] = tile[63 - block.thread_rank()];
}

int main(void)
{
    int *d, h[128], wrong = 0, blocks = 0, grid = 0, size = 0;
    nvtxRangePush("groups");
    nvtxNameCudaDeviceA(0, "the device");
    nvtxNameCudaStreamA(0, "the default stream");
    cudaMalloc(&d, sizeof h);
    sums<<<1, 64>>>(d);
    cudaMemcpy(h, d, 5 * sizeof *h, cudaMemcpyDeviceToHost);
    wrong += h[0] != 64 * 63 / 2;
    for (int i = 0; i < 4; i++)
        wrong += h[1 + i] != 16 * 16 * i + 120;
    scans<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int t = 0, sum = 0; t < 32; t++) {
        sum = t % 8 ? sum : 0;
        wrong += h[32 + t] != sum;
        sum += t;
        wrong += h[t] != sum || h[64 + t] != t / 8 * 8 + 7;
        wrong += h[96 + t] != (t % 3 ? 2100 + t - t / 3 - 1 : 1100 + t / 3);
    }
    double4 *d_v, v[32];
    cudaMalloc(&d_v, sizeof v);
    moved<<<1, 32>>>(d_v);
    cudaMemcpy(v, d_v, sizeof v, cudaMemcpyDeviceToHost);
    cudaFree(d_v);
    for (int t = 0; t < 32; t++)
        wrong += v[t].x != (t ^ 4) || v[t].w != (t ^ 4) + 300;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMemcpy(d, h, 64 * sizeof *h, cudaMemcpyHostToDevice);
    copied<<<1, 64>>>(d, d + 64);
    cudaMemcpy(h, d + 64, 64 * sizeof *h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        wrong += h[i] != 63 - i;
    const void *kernel = (const void *)sums;
    wrong += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0) != cudaSuccess || blocks != 32;
    wrong += cudaOccupancyMaxPotentialBlockSize(&grid, &size, kernel, 0, 0) != cudaSuccess || size != 1024;
    const auto shared = [](int threads) { return threads > 128 ? 1 << 20 : 0; }; // more than any has
    wrong += cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &size, sums, shared) != cudaSuccess;
    wrong += size != 128;
    cudaFree(d);
    nvtxRangePop();
    printf("groups: %s\n", wrong ? "FAILED" : "ok");
    return wrong != 0;
}
