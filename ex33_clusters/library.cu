/* TASK     counts[k]: how many of the n keys are k: what one would call instead of writing a
 *          kernel.
 * TRAFFIC  4 n bytes: the keys read.
 * LIMIT    atomic additions in the L2 cache. */
#include "cuda_utils.h"
#include "measure.h"
#include "clusters.h"

/* CUB came with toolkit 11. */
#if !defined __CUDA_EMULATED__ && defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11
#define HAVE_CUB
#include <cub/device/device_histogram.cuh>

static void cubHistogram(const struct problem *p)
{
    const int n = (int)p->n;
    unsigned int *d_keys = NULL;
    int *d_counts = NULL;
    void *d_work = NULL;
    size_t workBytes = 0;

    cudaVerify(cudaMalloc((void **)&d_keys, p->n * sizeof *d_keys));
    cudaVerify(cudaMalloc((void **)&d_counts, BINS * sizeof *d_counts));
    cudaVerify(cudaMemcpy(d_keys, p->keys, p->n * sizeof *d_keys, cudaMemcpyHostToDevice));
    cudaVerify(cub::DeviceHistogram::HistogramEven(NULL, workBytes, d_keys, d_counts, BINS + 1, 0u,
                                                   (unsigned int)BINS, n));
    cudaVerify(cudaMalloc(&d_work, workBytes));
    MEASURE (run) {
        cudaVerify(cub::DeviceHistogram::HistogramEven(d_work, workBytes, d_keys, d_counts,
                                                       BINS + 1, 0u, (unsigned int)BINS, n));
    }
    cudaVerify(cudaMemcpy(p->counts, d_counts, BINS * sizeof *d_counts, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_keys));
    cudaVerify(cudaFree(d_counts));
    cudaVerify(cudaFree(d_work));
}
#endif

extern "C" const struct variant libraryVariants[] = {
#ifdef HAVE_CUB
    {"counted: CUB HistogramEven", cubHistogram, COUNTED},
#endif
    {NULL, NULL},
};
