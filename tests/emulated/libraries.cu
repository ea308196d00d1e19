/* The emulated cuBLAS and cuSPARSE against sums by hand, in both pointer modes, float and
 * double. */
#include "expect.h"
#include <cublas_v2.h>
#include <cusparse.h>
#include <math.h>
#include <stdio.h>

#define BLAS(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#define SPARSE(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)

/* C = 2 A B + C, and A written out; A is [2 0 1; 0 3 0], in COO as well, with indices from 1 */
static void sparseTimesDense(cusparseHandle_t sparse, cusparseSpMatDescr_t csr, double *dvalues)
{
    const int rows[3] = {1, 1, 2}, columns[3] = {1, 3, 2};
    const double two = 2, one = 1, b[6] = {1, 2, 3, 4, 5, 6}, c[4] = {10, 20, 30, 40};
    int *drows, *dcolumns;
    double *db, *dc, *dout, got[8];
    int64_t m, n, count;
    size_t bytes, more;
    void *buffer;
    cusparseSpMatDescr_t coo;
    cusparseDnMatDescr_t byRow, byColumn, result, written;
    cudaMalloc(&drows, sizeof rows);
    cudaMalloc(&dcolumns, sizeof columns);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof c);
    cudaMalloc(&dout, 8 * sizeof *dout);
    cudaMemcpy(drows, rows, sizeof rows, cudaMemcpyHostToDevice);
    cudaMemcpy(dcolumns, columns, sizeof columns, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemset(dout, 0, 8 * sizeof *dout);
    SPARSE(cusparseCreateCoo(&coo, 2, 3, 3, drows, dcolumns, dvalues, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F));
    SPARSE(cusparseSpMatGetSize(coo, &m, &n, &count));
    EXPECT(m == 2 && n == 3 && count == 3);
    SPARSE(cusparseCreateDnMat(&byRow, 3, 2, 2, db, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    /* the same, transposed */
    SPARSE(cusparseCreateDnMat(&byColumn, 2, 3, 2, db, CUDA_R_64F, CUSPARSE_ORDER_COL));
    SPARSE(cusparseCreateDnMat(&result, 2, 2, 2, dc, CUDA_R_64F, CUSPARSE_ORDER_COL));
    SPARSE(cusparseCreateDnMat(&written, 2, 3, 4, dout, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    SPARSE(cusparseSpMM_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                   CUSPARSE_OPERATION_NON_TRANSPOSE, &two, coo, byRow, &one, result,
                                   CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    SPARSE(cusparseSparseToDense_bufferSize(sparse, csr, written,
                                            CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &more));
    cudaMalloc(&buffer, bytes + more + 8);
    for (int pass = 0; pass < 2; pass++) {
        cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
        SPARSE(cusparseSpMM(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE,
                            pass ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE,
                            &two, pass ? csr : coo, pass ? byColumn : byRow, &one, result,
                            CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, buffer));
        cudaMemcpy(got, dc, sizeof c, cudaMemcpyDeviceToHost);
        /* A B = [7 10; 9 12] */
        EXPECT(got[0] == 10 + 14 && got[1] == 20 + 18 && got[2] == 30 + 20 && got[3] == 40 + 24);
    }
    EXPECT(cusparseSpMM(sparse, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                        &two, csr, byRow, &one, result, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT,
                        buffer) == CUSPARSE_STATUS_INVALID_VALUE);
    SPARSE(cusparseSparseToDense(sparse, csr, written, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
    cudaMemcpy(got, dout, sizeof got, cudaMemcpyDeviceToHost);
    EXPECT(got[0] == 2 && got[1] == 0 && got[2] == 1 && got[3] == 0 && got[4] == 0 && got[5] == 3 &&
           got[6] == 0);
    SPARSE(cusparseDestroySpMat(coo));
    SPARSE(cusparseDestroyDnMat(byRow));
    SPARSE(cusparseDestroyDnMat(byColumn));
    SPARSE(cusparseDestroyDnMat(result));
    SPARSE(cusparseDestroyDnMat(written));
    cudaFree(buffer);
    cudaFree(drows);
    cudaFree(dcolumns);
    cudaFree(db);
    cudaFree(dc);
    cudaFree(dout);
}

/* C = 2 A B by all steps, in one index base and the other; an element that cancels out stays. B is
 * [1 0 0 5; 0 2 0 0; -2 4 0 0] */
static void sparseTimesSparse(cusparseHandle_t sparse, cusparseSpMatDescr_t a)
{
    const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int offsets[4] = {0, 2, 3, 5}, columns[5] = {0, 3, 1, 0, 1};
    const double values[5] = {1, 5, 2, -2, 4}, two = 2, zero = 0;
    const double product[4] = {0, 8, 20, 12};
    int *doffsets, *dcolumns, *doutOffsets, *doutColumns, gotOffsets[3], gotColumns[4];
    double *dvalues, *dout, got[4];
    cusparseSpMatDescr_t b, c;
    cusparseSpGEMMDescr_t step;
    size_t bytes;
    int64_t rows, width, count, products;
    void *first, *second;
    cudaMalloc(&doffsets, sizeof offsets);
    cudaMalloc(&dcolumns, sizeof columns);
    cudaMalloc(&dvalues, sizeof values);
    cudaMalloc(&doutOffsets, sizeof gotOffsets);
    cudaMalloc(&doutColumns, sizeof gotColumns);
    cudaMalloc(&dout, sizeof got);
    cudaMemcpy(doffsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    cudaMemcpy(dcolumns, columns, sizeof columns, cudaMemcpyHostToDevice);
    cudaMemcpy(dvalues, values, sizeof values, cudaMemcpyHostToDevice);
    SPARSE(cusparseCreateCsr(&b, 3, 4, 5, doffsets, dcolumns, dvalues, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    SPARSE(cusparseCreateCsr(&c, 2, 4, 0, doutOffsets, NULL, NULL, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    SPARSE(cusparseSpGEMM_createDescr(&step));
    SPARSE(cusparseSpGEMM_workEstimation(sparse, plain, plain, &two, a, b, &zero, c, CUDA_R_64F,
                                         CUSPARSE_SPGEMM_DEFAULT, step, &bytes, NULL));
    cudaMalloc(&first, bytes + 8);
    SPARSE(cusparseSpGEMM_workEstimation(sparse, plain, plain, &two, a, b, &zero, c, CUDA_R_64F,
                                         CUSPARSE_SPGEMM_DEFAULT, step, &bytes, first));
    SPARSE(cusparseSpGEMM_getNumProducts(step, &products));
    EXPECT(products == 5);
    SPARSE(cusparseSpGEMM_compute(sparse, plain, plain, &two, a, b, &zero, c, CUDA_R_64F,
                                  CUSPARSE_SPGEMM_DEFAULT, step, &bytes, NULL));
    cudaMalloc(&second, bytes + 8);
    SPARSE(cusparseSpGEMM_compute(sparse, plain, plain, &two, a, b, &zero, c, CUDA_R_64F,
                                  CUSPARSE_SPGEMM_DEFAULT, step, &bytes, second));
    SPARSE(cusparseSpMatGetSize(c, &rows, &width, &count));
    EXPECT(rows == 2 && width == 4 && count == 4);
    SPARSE(cusparseCsrSetPointers(c, doutOffsets, doutColumns, dout));
    SPARSE(cusparseSpGEMM_copy(sparse, plain, plain, &two, a, b, &zero, c, CUDA_R_64F,
                               CUSPARSE_SPGEMM_DEFAULT, step));
    cudaMemcpy(gotOffsets, doutOffsets, sizeof gotOffsets, cudaMemcpyDeviceToHost);
    cudaMemcpy(gotColumns, doutColumns, sizeof gotColumns, cudaMemcpyDeviceToHost);
    cudaMemcpy(got, dout, sizeof got, cudaMemcpyDeviceToHost);
    EXPECT(gotOffsets[0] == 0 && gotOffsets[1] == 3 && gotOffsets[2] == 4);
    EXPECT(gotColumns[0] == 0 && gotColumns[1] == 1 && gotColumns[2] == 3 && gotColumns[3] == 1);
    for (int k = 0; k < 4; k++)
        EXPECT(got[k] == product[k]);
    EXPECT(cusparseSpGEMM_compute(sparse, plain, plain, &two, b, a, &zero, c, CUDA_R_64F,
                                  CUSPARSE_SPGEMM_DEFAULT, step, &bytes,
                                  NULL) == CUSPARSE_STATUS_INVALID_VALUE);
    SPARSE(cusparseSpGEMM_destroyDescr(step));
    SPARSE(cusparseDestroySpMat(b));
    SPARSE(cusparseDestroySpMat(c));
    cudaFree(doffsets);
    cudaFree(dcolumns);
    cudaFree(dvalues);
    cudaFree(doutOffsets);
    cudaFree(doutColumns);
    cudaFree(dout);
    cudaFree(first);
    cudaFree(second);
}

int main(void)
{
    double x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {2, 0, 1, -1, 3, 1}, r, back[9], alpha = 2, beta = 1,
           *dx, *dy, *dr;
    float fx[4] = {3, 4, 0, 0}, fr, *dfx;
    cublasHandle_t blas;
    BLAS(cublasCreate(&blas));
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof y);
    cudaMalloc(&dr, 9 * sizeof r);
    cudaMalloc(&dfx, sizeof fx);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
    cudaMemcpy(dfx, fx, sizeof fx, cudaMemcpyHostToDevice);

    BLAS(cublasDdot(blas, 6, dx, 1, dy, 1, &r));
    EXPECT(r == 2 + 3 - 4 + 15 + 6);
    BLAS(cublasDdot(blas, 3, dx, 2, dy, 2, &r));
    EXPECT(r == 2 + 3 + 15);
    BLAS(cublasSnrm2(blas, 4, dfx, 1, &fr));
    EXPECT(fr == 5);
    BLAS(cublasDasum(blas, 6, dy, 1, &r));
    EXPECT(r == 8);
    int largest;
    BLAS(cublasIdamax(blas, 6, dy, 1, &largest));
    EXPECT(largest == 5);
    BLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasDdot(blas, 6, dx, 1, dx, 1, dr));
    cudaMemcpy(&r, dr, sizeof r, cudaMemcpyDeviceToHost);
    EXPECT(r == 91);
    BLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
    BLAS(cublasDaxpy(blas, 6, &alpha, dx, 1, dy, 1));
    BLAS(cublasDscal(blas, 2, &alpha, dy, 1));
    cudaMemcpy(back, dy, sizeof y, cudaMemcpyDeviceToHost);
    EXPECT(back[0] == 8 && back[1] == 8 && back[2] == 7 && back[5] == 13);

    /* A = [1 3 5; 2 4 6] by columns */
    BLAS(cublasDgemv(blas, CUBLAS_OP_N, 2, 3, &beta, dx, 2, dx, 1, &beta, dy, 1));
    cudaMemcpy(back, dy, sizeof y, cudaMemcpyDeviceToHost);
    EXPECT(back[0] == 8 + 22 && back[1] == 8 + 28 && back[2] == 7);
    r = 0;
    BLAS(cublasDgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, 2, &beta, dx, 2, dx, 2, &r, dr, 3));
    cudaMemcpy(back, dr, 9 * sizeof r, cudaMemcpyDeviceToHost);
    EXPECT(back[0] == 5 && back[1] == 11 && back[3] == 11 && back[8] == 61);
    BLAS(cublasDgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &beta, dx, 1, 1, dx, 1,
                                   1, &r, dr, 1, 1, 6));
    cudaMemcpy(back, dr, 6 * sizeof r, cudaMemcpyDeviceToHost);
    EXPECT(back[0] == 1 && back[5] == 36);
    BLAS(cublasDestroy(blas));
#ifdef __CUDA_EMULATED__ /* NVIDIA's library frees it twice */
    EXPECT(cublasDestroy(blas) == CUBLAS_STATUS_NOT_INITIALIZED);
#endif
    EXPECT(cublasSetPointerMode(NULL, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasDdot(NULL, 1, dx, 1, dy, 1, &r) == CUBLAS_STATUS_NOT_INITIALIZED);
    /* cuSPARSE has another word for it; only what it calls a descriptor is "not initialised". */
    cusparseDnVecDescr_t tooShort;
    cusparseSpMatDescr_t tooMany;
    int version;
    EXPECT(cusparseSetPointerMode(NULL, CUSPARSE_POINTER_MODE_HOST) ==
           CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSetStream(NULL, 0) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseGetVersion(NULL, &version) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseCreate(NULL) == CUSPARSE_STATUS_INVALID_VALUE);
    SPARSE(cusparseDestroy(NULL));
    SPARSE(cusparseDestroyDnVec(NULL));
    SPARSE(cusparseDestroySpMat(NULL));
    EXPECT(cusparseDnVecSetValues(NULL, dx) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseCreateDnVec(NULL, 3, dx, CUDA_R_64F) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseCreateDnVec(&tooShort, -3, dx, CUDA_R_64F) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseCreateCsr(NULL, 3, 3, 3, NULL, NULL, dx, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_64F) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseCreateCsr(&tooMany, 3, 3, 10, NULL, NULL, dx, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_64F) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSpMV(NULL, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, NULL, NULL, &r, NULL,
                        CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                        NULL) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseCreateMatDescr(NULL) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSetMatType(NULL, CUSPARSE_MATRIX_TYPE_GENERAL) ==
           CUSPARSE_STATUS_NOT_INITIALIZED);

    /* [2 0 1; 0 3 0] */
    int offsets[3] = {0, 2, 3}, columns[3] = {0, 2, 1}, *doffsets, *dcolumns;
    double values[3] = {2, 1, 3}, *dvalues;
    cusparseHandle_t sparse;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vy;
    size_t bytes;
    void *buffer;
    cudaMalloc(&doffsets, sizeof offsets);
    cudaMalloc(&dcolumns, sizeof columns);
    cudaMalloc(&dvalues, sizeof values);
    cudaMemcpy(doffsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    cudaMemcpy(dcolumns, columns, sizeof columns, cudaMemcpyHostToDevice);
    cudaMemcpy(dvalues, values, sizeof values, cudaMemcpyHostToDevice);
    SPARSE(cusparseCreate(&sparse));
    SPARSE(cusparseCreateCsr(&a, 2, 3, 3, doffsets, dcolumns, dvalues, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&vx, 3, dx, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&vy, 2, dr, CUDA_R_64F));
    SPARSE(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vx, &r, vy,
                                   CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    cudaMalloc(&buffer, bytes);
    SPARSE(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vx, &r, vy, CUDA_R_64F,
                        CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    cudaMemcpy(back, dr, 2 * sizeof r, cudaMemcpyDeviceToHost);
    EXPECT(back[0] == 2 * 5 && back[1] == 2 * 6);
    SPARSE(cusparseDestroyDnVec(vx));
    SPARSE(cusparseDestroyDnVec(vy));
    sparseTimesSparse(sparse, a);
    sparseTimesDense(sparse, a, dvalues);
    SPARSE(cusparseDestroySpMat(a));
    SPARSE(cusparseDestroy(sparse));
    cudaFree(buffer);
    cudaFree(doffsets);
    cudaFree(dcolumns);
    cudaFree(dvalues);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dr);
    cudaFree(dfx);
    printf("%d failed\n", failures);
    return failures != 0;
}
