/* TASK     what solvers have ready before they begin: the libraries and their descriptors, and the
 *          coarser systems of the multigrid preconditioner. No kernels.
 * TRAFFIC  none that is measured.
 * LIMIT    none. */
#include "hierarchy.h"
#include "precision.h"
#include <math.h>
#include <stdlib.h>

#ifdef GENERIC_SPARSE
static cudaDataType dataType(const float *) { return CUDA_R_32F; }
static cudaDataType dataType(const double *) { return CUDA_R_64F; }
#endif

/* All pointers are device pointers and stay the caller's. */
template <typename real>
struct library libraryOpen(int n, int nonzeros, int *rowStart, int *column, real *value, real *p,
                           real *q)
{
    struct library library;

    cublasVerify(cublasCreate(&library.blas));
    cusparseVerify(cusparseCreate(&library.sparse));
#ifdef GENERIC_SPARSE
    const real one = 1, zero = 0;
    size_t bytes = 0;

    library.type = dataType(value);
    library.buffer = NULL;
    cusparseVerify(cusparseCreateCsr(&library.matrix, n, n, nonzeros, rowStart, column, value,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, library.type));
    cusparseVerify(cusparseCreateDnVec(&library.p, n, p, library.type));
    cusparseVerify(cusparseCreateDnVec(&library.q, n, q, library.type));
    cusparseVerify(cusparseSpMV_bufferSize(library.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                           library.matrix, library.p, &zero, library.q,
                                           library.type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    cudaVerify(cudaMalloc(&library.buffer, bytes > 0 ? bytes : 1));
#else
    (void)n, (void)nonzeros, (void)rowStart, (void)column, (void)value, (void)p, (void)q;
    cusparseVerify(cusparseCreateMatDescr(&library.matrix)); /* general, indices from 0 */
#endif
    return library;
}

void libraryClose(struct library *library)
{
#ifdef GENERIC_SPARSE
    cusparseVerify(cusparseDestroySpMat(library->matrix));
    cusparseVerify(cusparseDestroyDnVec(library->p));
    cusparseVerify(cusparseDestroyDnVec(library->q));
    cudaVerify(cudaFree(library->buffer));
#else
    cusparseVerify(cusparseDestroyMatDescr(library->matrix));
#endif
    cusparseVerify(cusparseDestroy(library->sparse));
    cublasVerify(cublasDestroy(library->blas));
}

template <typename real> static real *deviceReals(const double *from, size_t count)
{
    real *rounded = (real *)malloc((count > 0 ? count : 1) * sizeof *rounded), *d_array;
    size_t i;

    if (rounded == NULL) {
        fprintf(stderr, "not enough memory for the coarser systems\n");
        exit(2);
    }
    for (i = 0; i < count; i++)
        rounded[i] = (real)from[i];
    d_array = deviceCopy<real>(rounded, count);
    free(rounded);
    return d_array;
}

/* 1 / (sum of the absolute values) of every row, on the device. */
template <typename real> static real *deviceInverse(const struct csr_matrix *a)
{
    const size_t rows = a->rows > 0 ? a->rows : 0;
    double *inverse = (double *)malloc((rows + 1) * sizeof *inverse);
    real *d_inverse;
    int i, k;

    if (inverse == NULL) {
        fprintf(stderr, "not enough memory for the coarser systems\n");
        exit(2);
    }
    for (i = 0; i < a->rows; i++) {
        double sum = 0.0;

        for (k = a->rowStart[i]; k < a->rowStart[i + 1]; k++)
            sum += fabs(a->value[k]);
        inverse[i] = 1.0 / sum;
    }
    d_inverse = deviceReals<real>(inverse, rows);
    free(inverse);
    return d_inverse;
}

template <typename real>
struct hierarchy<real> buildHierarchy(const struct csr_matrix *matrix, struct arrays<real> d) {
    struct hierarchy<real> h;
    struct level level[LEVELS];
    int l;

    h.count = levelsBuild(level, matrix);
    if (h.count < 0) {
        fprintf(stderr, "not enough memory for the coarser systems\n");
        exit(2);
    }
    for (l = 0; l < h.count; l++) {
        const struct csr_matrix *a = &level[l].matrix;
        struct device_level<real> *to = &h.level[l];

        to->rows = a->rows;
        to->rowStart = l == 0 ? d.rowStart : deviceCopy<int>(a->rowStart, a->rows + 1);
        to->column = l == 0 ? d.column : deviceCopy<int>(a->column, a->nonzeros);
        to->value = l == 0 ? d.value : deviceReals<real>(a->value, a->nonzeros);
        to->r = l == 0 ? d.r : deviceArray<real>(a->rows);
        to->z = l == 0 ? d.z : deviceArray<real>(a->rows);
        to->y = deviceArray<real>(a->rows);
        to->inverse = deviceInverse<real>(a);
        to->aggregate = to->memberStart = to->member = NULL;
        if (l < h.count - 1) {
            to->aggregate = deviceCopy<int>(level[l].aggregate, a->rows);
            to->memberStart = deviceCopy<int>(level[l].memberStart, level[l].coarseRows + 1);
            to->member = deviceCopy<int>(level[l].member, a->rows);
        }
    }
    levelsFree(level, h.count);
    return h;
}

template <typename real>
void freeHierarchy(struct hierarchy<real> *h)
{
    int l;

    for (l = 0; l < h->count; l++) {
        struct device_level<real> *level = &h->level[l];

        if (l > 0) {
            cudaVerify(cudaFree(level->rowStart));
            cudaVerify(cudaFree(level->column));
            cudaVerify(cudaFree(level->value));
            cudaVerify(cudaFree(level->r));
            cudaVerify(cudaFree(level->z));
        }
        cudaVerify(cudaFree(level->y));
        cudaVerify(cudaFree(level->inverse));
        cudaVerify(cudaFree(level->aggregate));
        cudaVerify(cudaFree(level->memberStart));
        cudaVerify(cudaFree(level->member));
    }
}

#define INSTANCES(real)                                                                            \
    template struct library libraryOpen<real>(int, int, int *, int *, real *, real *, real *);     \
    template struct hierarchy<real> buildHierarchy<real>(const struct csr_matrix *,                \
                                                         struct arrays<real>);                     \
    template void freeHierarchy<real>(struct hierarchy<real> *);
INSTANCES(float)
INSTANCES(double)
