// Histogram of bytes: one per block in shared memory, merged by atomics; and cooperative groups to aggregate within a warp.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

const int kBins = 256;

__global__ void histogram(const unsigned char *data, size_t n, unsigned int *bins)
{
    __shared__ unsigned int local[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    const size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x)
        if (local[b])
            atomicAdd(&bins[b], local[b]);
}

__device__ int atomicAggInc(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int warp_res = 0;
    if (active.thread_rank() == 0)
        warp_res = atomicAdd(counter, active.size());
    return active.shfl(warp_res, 0) + active.thread_rank();
}

__global__ void filterOdd(const unsigned char *data, int n, unsigned char *out, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && data[i] % 2 == 1)
        out[atomicAggInc(count)] = data[i];
}

int main(void)
{
    const int n = 50000;
    unsigned char *h = (unsigned char *)malloc(n), *d, *d_odd;
    unsigned int *d_bins, bins[kBins], want[kBins] = {0};
    int *d_count, count, odd = 0, wrong = 0;
    srand(3);
    for (int i = 0; i < n; i++) {
        h[i] = rand() % 250;
        want[h[i]]++;
        odd += h[i] % 2;
    }
    cudaMalloc((void **)&d, n);
    cudaMalloc((void **)&d_odd, n);
    cudaMalloc((void **)&d_bins, sizeof bins);
    cudaMalloc((void **)&d_count, sizeof count);
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof bins);
    cudaMemset(d_count, 0, sizeof count);
    histogram<<<8, 256>>>(d, n, d_bins);
    filterOdd<<<(n + 255) / 256, 256>>>(d, n, d_odd, d_count);
    cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    for (int b = 0; b < kBins; b++)
        wrong += bins[b] != want[b];
    wrong += count != odd;
    cudaMemcpy(h, d_odd, count, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        wrong += h[i] % 2 != 1;
    cudaFree(d); cudaFree(d_odd); cudaFree(d_bins); cudaFree(d_count);
    free(h);
    printf("histogram: %d wrong, %d odd of %d\n", wrong, count, odd);
    return wrong != 0;
}
