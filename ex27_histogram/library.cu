/* TASK     how often each value occurs among n bytes, x: what one would call instead of writing a
 *          kernel, and a kernel that only reads to compare with.
 * TRAFFIC  n bytes: x read.
 * LIMIT    memory bandwidth. */
#include "cuda_utils.h"
#include "measure.h"
#include "histogram.h"

/* CUB came with toolkit 11. */
#if !defined __CUDA_EMULATED__ && defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11
#define HAVE_CUB
#include <cub/device/device_histogram.cuh>

/* `bins` bins of the same width between 0 and `bins`: one for each value. */
template <typename value, int bins> static void cubHistogram(const struct histogram *h)
{
    const int n = (int)(h->n / sizeof(value));
    value *d_x = NULL;
    int *d_counts = NULL;
    void *d_work = NULL;
    size_t workBytes = 0;

    cudaVerify(cudaMalloc((void **)&d_x, h->n));
    cudaVerify(cudaMalloc((void **)&d_counts, bins * sizeof *d_counts));
    cudaVerify(cudaMemcpy(d_x, h->x, h->n, cudaMemcpyHostToDevice));
    cudaVerify(
        cub::DeviceHistogram::HistogramEven(NULL, workBytes, d_x, d_counts, bins + 1, 0, bins, n));
    cudaVerify(cudaMalloc(&d_work, workBytes));
    MEASURE (run) {
        cudaVerify(cub::DeviceHistogram::HistogramEven(d_work, workBytes, d_x, d_counts, bins + 1,
                                                       0, bins, n));
    }
    cudaVerify(cudaMemcpy(h->counts, d_counts, bins * sizeof *d_counts, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_counts));
    cudaVerify(cudaFree(d_work));
}
#endif

/* No histogram: the exclusive or of all vectors, which is stored if it is a number that hardly
 * occurs. */
__global__ void readAll(const uint4 *x, size_t vectors, int *counts)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned int all = 0;

#pragma unroll 4
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += stride) {
        const uint4 v = x[i];

        all ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    if (all == 0x9e3779b9)
        counts[0] = 1;
}

static void onlyRead(const struct histogram *h)
{
    const int block = blockSize(512);
    const unsigned int grid = (unsigned int)gridSize((size_t)multiprocessors() * 4);
    unsigned char *d_x = NULL;
    int *d_counts = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, h->n));
    cudaVerify(cudaMalloc((void **)&d_counts, sizeof *d_counts));
    cudaVerify(cudaMemcpy(d_x, h->x, h->n, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cudaVerifyKernel((readAll<<<grid, block>>>((const uint4 *)d_x, h->n / 16, d_counts)));
    }
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_counts));
}

extern "C" const struct variant libraryVariants[] = {
#ifdef HAVE_CUB
    {"CUB HistogramEven", cubHistogram<unsigned char, BINS>},
    {"CUB HistogramEven, 16 bits", cubHistogram<unsigned short, SHORT_BINS>, SHORTS | OTHER_WORK},
#endif
    {"only read (no histogram)", onlyRead, OTHER_WORK | READ_ONLY},
    {NULL, NULL},
};
