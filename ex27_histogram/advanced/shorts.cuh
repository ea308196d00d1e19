/* 65,536 bins: counters of 4 bytes for all of them would need 256 KB of shared memory, and no block
 * has that much. */
#ifndef SHORTS_CUH
#define SHORTS_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "histogram.h"

static unsigned int gridFor(size_t threads, int block, int each);

/* In memory there are as many queues as counters. */
__global__ void shortsInMemory(const unsigned short *x, size_t n, int *counts)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&counts[x[i]], 1);
}

void launchShortsInMemory(const struct histogram *d)
{
    const int block = blockSize(256);
    const unsigned short *x = (const unsigned short *)d->x;

    cudaVerifyKernel(
        (shortsInMemory<<<gridFor(d->n / 2, block, 8), block>>>(x, d->n / 2, d->counts)));
}

/* In several passes: block (., p) reads all that is block (., 0)'s, too, but counts only the `bins`
 * values from p * bins on. */
__device__ void addInRange(int *own, unsigned int bin, unsigned int bins)
{
    if (bin < bins) /* a value below the range is a large number */
        atomicAdd(&own[bin], 1);
}

__global__ void passes(const unsigned char *x, size_t n, int *counts, unsigned int bins)
{
    extern __shared__ int ownOfPass[];
    const unsigned int from = blockIdx.y * bins;
    const size_t stride = (size_t)gridDim.x * blockDim.x, vectors = n / 16;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint4 *x16 = (const uint4 *)x;

    for (unsigned int k = threadIdx.x; k < bins; k += blockDim.x)
        ownOfPass[k] = 0;
    __syncthreads();
    for (size_t i = first; i < vectors; i += stride) {
        const uint4 four = x16[i];
        const unsigned int word[4] = {four.x, four.y, four.z, four.w};

#pragma unroll
        for (int k = 0; k < 4; k++) {
            addInRange(ownOfPass, (word[k] & 65535) - from, bins);
            addInRange(ownOfPass, (word[k] >> 16) - from, bins);
        }
    }
    for (size_t i = 8 * vectors + first; i < n / 2; i += stride)
        addInRange(ownOfPass, ((const unsigned short *)x)[i] - from, bins);
    __syncthreads();
    for (unsigned int k = threadIdx.x; k < bins && from + k < SHORT_BINS; k += blockDim.x)
        if (ownOfPass[k] > 0)
            atomicAdd(&counts[from + k], ownOfPass[k]);
}

/* The most shared memory that a block can have. More than 48 KB must be asked for, since Volta. */
static size_t sharedForPasses(void)
{
    int bytes = 48 << 10;

#if CUDART_VERSION >= 9000
    int device;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    cudaVerify(cudaFuncSetAttribute(passes, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
#endif
    return bytes;
}

/* On an H200 two passes of 128 KB: a block on each multiprocessor. */
void launchPasses(const struct histogram *d)
{
    const int block = blockSize(1024);
    const size_t all = SHORT_BINS * sizeof(int), most = sharedForPasses();
    const unsigned int count = (unsigned int)((all + most - 1) / most);
    const unsigned int bins = (SHORT_BINS + count - 1) / count;
    const dim3 grid(gridFor(d->n / 16, block, 1), count);

    cudaVerifyKernel((passes<<<grid, block, bins * sizeof(int)>>>(d->x, d->n, d->counts, bins)));
}

#endif
