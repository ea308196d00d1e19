/* TASK     puts a matrix into slices.
 * TRAFFIC  12 bytes an entry of A (8 in float) read, the same with padding written.
 * LIMIT    the host, which looks for the longest row of each slice. */
#include "slices.h"
#include "measure.h"
#include <stdlib.h>

enum { MOST_ENTRIES = 0x7fff0000 }; /* a loop may step past the end */

/* From CSR; padding is an entry 0 on the diagonal. */
template <typename real>
__global__ void sliceRows(int n, const int *rowStart, const int *column, const real *value,
                          const int *sliceStart, int *slicedColumn, real *slicedValue)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    int from, to;

    if (row >= n)
        return;
    from = rowStart[row];
    for (to = sliceStart[row / SLICE] + row % SLICE; to < sliceStart[row / SLICE + 1];
         to += SLICE) {
        slicedColumn[to] = from < rowStart[row + 1] ? column[from] : row;
        slicedValue[to] = from < rowStart[row + 1] ? value[from] : 0;
        from++;
    }
}

template <typename real>
int sliceMatrix(const struct csr_matrix *matrix, struct arrays<real> d, struct slices<real> *a)
{
    const int count = (matrix->rows + SLICE - 1) / SLICE;
    int *start = (int *)malloc((count + 1) * sizeof *start);
    size_t entries = 0;
    int i, row;

    if (start == NULL) {
        fprintf(stderr, "not enough memory for %d slices\n", count);
        exit(2);
    }
    for (i = 0; i < count && entries < MOST_ENTRIES; i++) {
        int width = 0;

        for (row = i * SLICE; row < (i + 1) * SLICE && row < matrix->rows; row++)
            if (matrix->rowStart[row + 1] - matrix->rowStart[row] > width)
                width = matrix->rowStart[row + 1] - matrix->rowStart[row];
        start[i] = (int)entries;
        entries += (size_t)width * SLICE;
    }
    if (entries < MOST_ENTRIES) {
        start[count] = (int)entries;
        a->start = deviceCopy<int>(start, count + 1);
        a->column = deviceArray<int>(entries);
        a->value = deviceArray<real>(entries);
        cudaVerifyKernel((sliceRows<<<(d.n + BLOCK - 1) / BLOCK, BLOCK>>>(
            d.n, d.rowStart, d.column, d.value, a->start, a->column, a->value)));
        if (entries > 2 * (size_t)matrix->nonzeros)
            harnessRemark("%.1f times as many entries as CSR: padding",
                          (double)entries / matrix->nonzeros);
    } else {
        rowSkip("rows of too different lengths: padding makes 2^31 entries");
    }
    free(start);
    return entries < MOST_ENTRIES;
}

template <typename real> void freeSlices(struct slices<real> *a)
{
    cudaVerify(cudaFree(a->start));
    cudaVerify(cudaFree(a->column));
    cudaVerify(cudaFree(a->value));
}

template int sliceMatrix(const struct csr_matrix *matrix, struct arrays<float> d,
                         struct slices<float> *a);
template int sliceMatrix(const struct csr_matrix *matrix, struct arrays<double> d,
                         struct slices<double> *a);
template void freeSlices(struct slices<float> *a);
template void freeSlices(struct slices<double> *a);
