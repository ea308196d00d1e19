/* TASK     y[i] = the sum of x[0] to x[i - 1], and the odd elements of x: what one would call
 *          instead of writing a kernel.
 * TRAFFIC  2 n sizeof(T) bytes: x read, y written; a selection writes only what it keeps.
 * LIMIT    memory bandwidth for long arrays, the latency of the launches for short ones. */
#include "cuda_utils.h"
#include "measure.h"
#include "scan.h"

/* CUB came with toolkit 11. */
#if !defined __CUDA_EMULATED__ && __CUDACC_VER_MAJOR__ >= 11
#include <cub/device/device_partition.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

struct is_kept {
    __host__ __device__ bool operator()(unsigned int x) const { return isKept(x); }
};

/* A call of CUB: with d_work NULL it only says how many bytes it needs there. */
template <typename T>
static cudaError_t scanSum(void *d_work, size_t *bytes, const T *d_x, T *d_y, unsigned int *, int n)
{
    return cub::DeviceScan::ExclusiveSum(d_work, *bytes, d_x, d_y, n);
}

static cudaError_t selectIf(void *d_work, size_t *bytes, const unsigned int *d_x, unsigned int *d_y,
                            unsigned int *d_kept, int n)
{
    return cub::DeviceSelect::If(d_work, *bytes, d_x, d_y, d_kept, n, is_kept());
}

static cudaError_t partitionIf(void *d_work, size_t *bytes, const unsigned int *d_x,
                               unsigned int *d_y, unsigned int *d_kept, int n)
{
    return cub::DevicePartition::If(d_work, *bytes, d_x, d_y, d_kept, n, is_kept());
}

template <typename T, cudaError_t call(void *, size_t *, const T *, T *, unsigned int *, int)>
static void library(const T *x, T *y, size_t n, unsigned int *kept)
{
    T *d_x = NULL, *d_y = NULL;
    unsigned int *d_kept = NULL;
    void *d_work = NULL;
    size_t bytes = 0;

    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof(T)));
    cudaVerify(cudaMalloc((void **)&d_y, n * sizeof(T)));
    cudaVerify(cudaMalloc((void **)&d_kept, sizeof *d_kept));
    cudaVerify(cudaMemset(d_kept, 0, sizeof *d_kept));
    cudaVerify(call(NULL, &bytes, d_x, d_y, d_kept, (int)n));
    cudaVerify(cudaMalloc(&d_work, bytes));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof(T), cudaMemcpyHostToDevice));
    MEASURE (run) {
        T *d_from = d_x;

        if (inPlace) {
            cudaVerify(cudaMemcpyAsync(d_y, d_x, n * sizeof(T), cudaMemcpyDeviceToDevice));
            d_from = d_y;
        }
        cudaVerify(call(d_work, &bytes, d_from, d_y, d_kept, (int)n));
    }
    cudaVerify(cudaMemcpy(y, d_y, n * sizeof(T), cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(kept, d_kept, sizeof *kept, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_kept));
    cudaVerify(cudaFree(d_work));
}
#endif

extern "C" const struct variant libraryVariants[] = {
#if !defined __CUDA_EMULATED__ && __CUDACC_VER_MAJOR__ >= 11
    {"CUB scan", library<unsigned int, scanSum>, library<double, scanSum>},
    {"CUB selection", library<unsigned int, selectIf>, NULL, SELECTS | OTHER_WORK},
    {"CUB partition", library<unsigned int, partitionIf>, NULL, PARTITIONS | OTHER_WORK},
#endif
    {NULL, NULL, NULL},
};
