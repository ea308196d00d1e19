/* TASK     n keys of 32 bits in ascending order, with their values: what one would call instead of
 *          writing a kernel. Unsigned keys here.
 * TRAFFIC  8 n bytes, of pairs 16 n: keys read and written.
 * LIMIT    memory bandwidth, times the number of passes. */
#include "cuda_utils.h"
#include "measure.h"
#include "sort.h"

/* CUB came with toolkit 11, its merge sort during that series. */
#if !defined __CUDA_EMULATED__ && defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 12
#include <cub/block/block_radix_sort.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

struct arrays {
    unsigned int *key, *value;
};

/* A call of CUB: with work NULL it only says how many bytes of it are needed. */
typedef cudaError_t call_fn(void *work, size_t *bytes, struct arrays in, struct arrays out, int n);

static cudaError_t radixKeys(void *work, size_t *bytes, struct arrays in, struct arrays out, int n)
{
    return cub::DeviceRadixSort::SortKeys(work, *bytes, in.key, out.key, n);
}

static cudaError_t radixPairs(void *work, size_t *bytes, struct arrays in, struct arrays out, int n)
{
    return cub::DeviceRadixSort::SortPairs(work, *bytes, in.key, out.key, in.value, out.value, n);
}

/* CUB compares by a function object. */
struct less {
    __device__ bool operator()(unsigned int a, unsigned int b) const { return a < b; }
};

static cudaError_t mergeKeys(void *work, size_t *bytes, struct arrays in, struct arrays out, int n)
{
    return cub::DeviceMergeSort::StableSortKeysCopy(work, *bytes, in.key, out.key, n, less());
}

/* Each block sorts a tile: 128 threads with 4 keys each. */
__global__ void blockRadixTiles(const unsigned int *from, unsigned int *to, int n)
{
    enum { BLOCK = TILE / 4, PER = 4 };
    typedef cub::BlockRadixSort<unsigned int, BLOCK, PER> block_sort;
    __shared__ typename block_sort::TempStorage shared;
    const int first = (int)blockIdx.x * TILE;
    unsigned int key[PER];

    for (int k = 0; k < PER; k++) {
        const int i = first + k * BLOCK + (int)threadIdx.x;

        key[k] = i < n ? from[i] : 0xffffffffu;
    }
    block_sort(shared).SortBlockedToStriped(key);
    for (int k = 0; k < PER; k++) {
        const int i = first + k * BLOCK + (int)threadIdx.x;

        if (i < n)
            to[i] = key[k];
    }
}

static cudaError_t blockKeys(void *work, size_t *bytes, struct arrays in, struct arrays out, int n)
{
    *bytes = 1;
    if (work != NULL && n > 0)
        blockRadixTiles<<<(n + TILE - 1) / TILE, TILE / 4>>>(in.key, out.key, n);
    return cudaGetLastError();
}

/* Stands for a sort of pairs that has no row here. */
static cudaError_t noPairs(void *, size_t *, struct arrays, struct arrays, int)
{
    return cudaErrorNotSupported;
}

static void allocate(struct arrays *a, size_t n, int hasValues)
{
    a->key = a->value = NULL;
    cudaVerify(cudaMalloc((void **)&a->key, n * sizeof *a->key));
    if (hasValues)
        cudaVerify(cudaMalloc((void **)&a->value, n * sizeof *a->value));
}

template <call_fn keys, call_fn pairs>
static void sortBy(const unsigned int *key, const unsigned int *value, unsigned int *sortedKey,
                   unsigned int *sortedValue, size_t n, enum key_type type)
{
    const size_t bytes = n * sizeof *key;
    call_fn *call = value != NULL ? pairs : keys;
    struct arrays in, out;
    void *work = NULL;
    size_t workBytes = 0;

    if (type != UNSIGNED_KEYS || call == noPairs) {
        rowSkip("this row sorts unsigned keys%s", call == noPairs ? " without values" : "");
        return;
    }
    allocate(&in, n, value != NULL);
    allocate(&out, n, value != NULL);
    cudaVerify(cudaMemcpy(in.key, key, bytes, cudaMemcpyHostToDevice));
    if (value != NULL)
        cudaVerify(cudaMemcpy(in.value, value, bytes, cudaMemcpyHostToDevice));
    cudaVerify(call(NULL, &workBytes, in, out, (int)n));
    cudaVerify(cudaMalloc(&work, workBytes));
    MEASURE (run) {
        cudaVerify(call(work, &workBytes, in, out, (int)n));
    }
    cudaVerify(cudaMemcpy(sortedKey, out.key, bytes, cudaMemcpyDeviceToHost));
    if (value != NULL)
        cudaVerify(cudaMemcpy(sortedValue, out.value, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(in.key));
    cudaVerify(cudaFree(in.value));
    cudaVerify(cudaFree(out.key));
    cudaVerify(cudaFree(out.value));
    cudaVerify(cudaFree(work));
}

extern "C" const struct variant libraryVariants[] = {
    {"CUB block radix sort, tiles", sortBy<blockKeys, noPairs>, TILES_ONLY | OTHER_WORK | MAY_SKIP},
    {"CUB merge sort", sortBy<mergeKeys, noPairs>, MAY_SKIP},
    {"CUB radix sort", sortBy<radixKeys, radixPairs>, MAY_SKIP},
    {NULL, NULL},
};

#else

extern "C" const struct variant libraryVariants[] = {{NULL, NULL}};

#endif
