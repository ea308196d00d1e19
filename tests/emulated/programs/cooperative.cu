// Conjugate-gradient-like iteration in one cooperative launch: grid synchronisation, tiles, occupancy calls, and cuBLAS
// for comparison.
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <stdio.h>
#include <math.h>
namespace cg = cooperative_groups;

// A function with the name of one in cooperative_groups/reduce.h, which is not included.
using namespace cooperative_groups;
__device__ int reduce(thread_group g, int *x, int value) {
    const int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[rank] = value;
        g.sync();
        if (rank < i) value += x[rank + i];
        g.sync();
    }
    return value;
}
__global__ void sumOfRanks(int *sum)
{
    __shared__ int x[64];
    thread_block_tile<16> tile = tiled_partition<16>(this_thread_block());
    const int value = reduce(tile, x + threadIdx.x / 16 * 16, tile.thread_rank());
    if (tile.thread_rank() == 0) sum[threadIdx.x / 16] = value;
}

__device__ double tileSum(cg::thread_block_tile<32> tile, double v)
{
    for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
    return v;
}

__global__ void powerIteration(const double *x, double *y, double *sums, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    for (int r = 0; r < rounds; r++) {
        double sum = 0;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            y[i] = r == 0 ? x[i] : y[i] / sqrt(sums[r - 1]);
            sum += y[i] * y[i];
        }
        sum = tileSum(tile, sum);
        if (tile.thread_rank() == 0) atomicAdd(&sums[r], sum);
        grid.sync();
    }
}

int main()
{
    int n = 5000, rounds = 3, device = 0, perSm = 0, threads = 128, wrong = 0, minGrid, best;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, powerIteration, threads, 0);
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &best, powerIteration, 0, 0);
    printf("%d blocks per multiprocessor, best block size %d\n", perSm, best);
    double *x, *y, *sums, h[8], norm;
    cudaMallocManaged(&x, n * sizeof(double));
    cudaMalloc(&y, n * sizeof(double));
    cudaMalloc(&sums, sizeof h);
    cudaMemset(sums, 0, sizeof h);
    double want = 0;
    for (int i = 0; i < n; i++) { x[i] = 1 + i % 3; want += x[i] * x[i]; }
    void *args[] = {&x, &y, &sums, &n, &rounds};
    cudaError_t error = cudaLaunchCooperativeKernel((void *)powerIteration, dim3(4), dim3(threads), args, 0, 0);
    wrong += error != cudaSuccess;
    cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
    wrong += fabs(h[0] - want) > 1e-9 * want || fabs(h[1] - 1) > 1e-9 || fabs(h[2] - 1) > 1e-9;
    cublasHandle_t handle;
    wrong += cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS;
    wrong += cublasDnrm2(handle, n, x, 1, &norm) != CUBLAS_STATUS_SUCCESS;
    wrong += fabs(norm * norm - want) > 1e-9 * want;
    cublasDestroy(handle);
    int *d_ranks, ranks[4];
    cudaMalloc(&d_ranks, sizeof ranks);
    sumOfRanks<<<1, 64>>>(d_ranks);
    cudaMemcpy(ranks, d_ranks, sizeof ranks, cudaMemcpyDeviceToHost);
    wrong += ranks[0] != 120 || ranks[3] != 120;
    cudaFree(d_ranks);
    cudaFree(x); cudaFree(y); cudaFree(sums);
    printf("cooperative: %d wrong\n", wrong);
    return wrong != 0;
}
