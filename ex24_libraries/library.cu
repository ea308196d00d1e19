/* TASK     particles in cells by Thrust; and the calls of CUB that the other files make
 *          (cells.cuh).
 * TRAFFIC  8 bytes for each particle and 8 for each cell; a sort passes over the particles several
 *          times.
 * LIMIT    memory bandwidth. */
#include "cells.cuh"

/* CUB came with toolkit 11. */
#if CUDART_VERSION >= 11000
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/device_ptr.h>
#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/system/cuda/execution_policy.h>

cudaError_t sortPairs(void *workspace, size_t *bytes, const struct cells *c, cudaStream_t stream)
{
    int bits = 1;

    while (1 << bits < c->cells)
        bits++;
    return cub::DeviceRadixSort::SortPairs(workspace, *bytes, c->d_cell, c->d_key, c->d_weight,
                                           c->d_value, c->n, 0, bits, stream);
}

/* How CUB is to add: cub::Sum is gone from its newest versions, and what replaces it is not in old
 * ones. */
struct addition {
    __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

cudaError_t reduceByKey(void *workspace, size_t *bytes, const struct cells *c, const int *values,
                        cudaStream_t stream)
{
    const addition add = addition();

    if (values == NULL)
        return cub::DeviceReduce::ReduceByKey(workspace, *bytes, c->d_key, c->d_unique,
                                              thrust::constant_iterator<int>(1), c->d_sum,
                                              c->d_groups, add, c->n, stream);
    return cub::DeviceReduce::ReduceByKey(workspace, *bytes, c->d_key, c->d_unique, values,
                                          c->d_sum, c->d_groups, add, c->n, stream);
}

cudaError_t scanCounts(void *workspace, size_t *bytes, const struct cells *c, cudaStream_t stream)
{
    return cub::DeviceScan::ExclusiveSum(workspace, *bytes, c->d_count, c->d_first, c->cells + 1,
                                         stream);
}

int haveCub(void) { return 1; }

/* A Thrust algorithm allocates what it needs, frees it, and waits: the host gets the number of
 * groups. */
void byThrust(struct cells *c)
{
    typedef thrust::device_ptr<int> pointer;
    const pointer cell(c->d_cell), weight(c->d_weight), key(c->d_key), value(c->d_value);
    const pointer unique(c->d_unique), sum(c->d_sum), count(c->d_count), first(c->d_first);
    const pointer total(c->d_total);
    pointer end;

    thrust::copy(thrust::cuda::par.on(c->stream), cell, cell + c->n, key);
    thrust::copy(thrust::cuda::par.on(c->stream), weight, weight + c->n, value);
    thrust::fill(thrust::cuda::par.on(c->stream), total, total + c->cells, 0);
    thrust::fill(thrust::cuda::par.on(c->stream), count, count + c->cells + 1, 0);
    thrust::sort_by_key(thrust::cuda::par.on(c->stream), key, key + c->n, value);
    end =
        thrust::reduce_by_key(thrust::cuda::par.on(c->stream), key, key + c->n, value, unique, sum)
            .second;
    thrust::scatter(thrust::cuda::par.on(c->stream), sum, end, unique, total);
    end = thrust::reduce_by_key(thrust::cuda::par.on(c->stream), key, key + c->n,
                                thrust::constant_iterator<int>(1), unique, sum)
              .second;
    thrust::scatter(thrust::cuda::par.on(c->stream), sum, end, unique, count);
    thrust::exclusive_scan(thrust::cuda::par.on(c->stream), count, count + c->cells + 1, first);
}

void nothing(struct cells *c) { (void)c; }

extern "C" const struct variant libraryVariants[] = {
    {"cells: Thrust", inCells<nothing, byThrust>, CELLS | OTHER_WORK | ASKS_FOR_MORE},
    {NULL, NULL},
};

#else

cudaError_t sortPairs(void *, size_t *, const struct cells *, cudaStream_t)
{
    return cudaErrorNotSupported;
}

cudaError_t reduceByKey(void *, size_t *, const struct cells *, const int *, cudaStream_t)
{
    return cudaErrorNotSupported;
}

cudaError_t scanCounts(void *, size_t *, const struct cells *, cudaStream_t)
{
    return cudaErrorNotSupported;
}

int haveCub(void) { return 0; }

extern "C" const struct variant libraryVariants[] = {{NULL, NULL}};

#endif
