/* TASK     list the n particles of each grid cell: what one would call instead of writing a kernel,
 *          a radix sort of the particle numbers by cell.
 * TRAFFIC  n (2 sizeof(float) + sizeof(int)) + cells sizeof(int) bytes: coordinates read, lists and
 *          lengths written; the sort moves keys and values once more for every 8 bits of the key.
 * LIMIT    memory bandwidth. */
#include "cuda_utils.h"
#include "measure.h"
#include "particle_sort.h"

/* CUB came with toolkit 11. */
#if !defined __CUDA_EMULATED__ && defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11
#include <cub/device/device_radix_sort.cuh>

/* Particles outside the grid come last. */
__global__ void cellKeys(const float *x, const float *y, int n, struct grid grid, int *key,
                         int *value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        const int cell = cellOf(x[i], y[i], grid);

        key[i] = cell >= 0 ? cell : grid.nx * grid.ny;
        value[i] = i;
    }
}

/* A list begins where the sorted key changes; length and start must be 0 and -1 before. */
__global__ void findLists(const int *key, int n, int cells, int *length, int *start)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && key[i] < cells) {
        if (i == 0 || key[i] != key[i - 1])
            start[key[i]] = i;
        atomicAdd(&length[key[i]], 1);
    }
}

static void radixSort(const float *x, const float *y, size_t n, struct grid grid, int *length,
                      int *list, int *start)
{
    const int cells = grid.nx * grid.ny, count = (int)n, block = 256;
    const unsigned int blocks = (unsigned int)(n / block + 1);
    float *d_x = NULL, *d_y = NULL;
    int *d_key[2] = {NULL, NULL}, *d_value[2] = {NULL, NULL}, *d_length = NULL, *d_start = NULL;
    void *d_work = NULL;
    size_t workBytes = 0;
    int bits = 1;

    while (1 << bits <= cells)
        bits++;
    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_y, n * sizeof *d_y));
    for (int k = 0; k < 2; k++) {
        cudaVerify(cudaMalloc((void **)&d_key[k], n * sizeof(int)));
        cudaVerify(cudaMalloc((void **)&d_value[k], n * sizeof(int)));
    }
    cudaVerify(cudaMalloc((void **)&d_length, cells * sizeof(int)));
    cudaVerify(cudaMalloc((void **)&d_start, cells * sizeof(int)));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_y, y, n * sizeof *d_y, cudaMemcpyHostToDevice));
    cudaVerify(cub::DeviceRadixSort::SortPairs(NULL, workBytes, d_key[0], d_key[1], d_value[0],
                                               d_value[1], count, 0, bits));
    cudaVerify(cudaMalloc(&d_work, workBytes));
    MEASURE (run) {
        cudaVerifyKernel(
            (cellKeys<<<blocks, block>>>(d_x, d_y, count, grid, d_key[0], d_value[0])));
        cudaVerify(cub::DeviceRadixSort::SortPairs(d_work, workBytes, d_key[0], d_key[1],
                                                   d_value[0], d_value[1], count, 0, bits));
    }
    cudaVerify(cudaMemset(d_length, 0, cells * sizeof(int)));
    cudaVerify(cudaMemset(d_start, 0xff, cells * sizeof(int)));
    cudaVerifyKernel((findLists<<<blocks, block>>>(d_key[1], count, cells, d_length, d_start)));
    cudaVerify(cudaMemcpy(length, d_length, cells * sizeof(int), cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(start, d_start, cells * sizeof(int), cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(list, d_value[1], n * sizeof(int), cudaMemcpyDeviceToHost));
    start[0] = start[0] < 0 ? 0 : start[0]; /* an empty list begins anywhere */
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    for (int k = 0; k < 2; k++) {
        cudaVerify(cudaFree(d_key[k]));
        cudaVerify(cudaFree(d_value[k]));
    }
    cudaVerify(cudaFree(d_length));
    cudaVerify(cudaFree(d_start));
    cudaVerify(cudaFree(d_work));
}

extern "C" const struct variant libraryVariants[] = {
    {"CUB radix sort of the cell keys", radixSort},
    {NULL, NULL},
};

#else

extern "C" const struct variant libraryVariants[] = {{NULL, NULL}};

#endif
