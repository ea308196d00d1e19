/* cuBLAS without handles, as programs before CUDA 4 call it. */
#include "expect.h"
#include <cublas.h>
#include <cuda_runtime.h>
#include <stdio.h>

#define BLAS(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

int main(void)
{
    const float a[6] = {1, 2, 3, 4, 5, 6}, x[3] = {1, -2, 3}; /* a by columns: [1 3 5; 2 4 6] */
    const double z[2] = {3, 4};
    float *d_a, *d_x, *d_y, *d_none, y[4] = {10, 20, 30, 40};
    double *d_z;
    BLAS(cublasInit());
    BLAS(cublasAlloc(6, sizeof *d_a, (void **)&d_a));
    BLAS(cublasAlloc(3, sizeof *d_x, (void **)&d_x));
    BLAS(cublasAlloc(4, sizeof *d_y, (void **)&d_y));
    BLAS(cublasAlloc(2, sizeof *d_z, (void **)&d_z));
    EXPECT(cublasAlloc(-1, sizeof *d_none, (void **)&d_none) == CUBLAS_STATUS_INVALID_VALUE);
    BLAS(cublasSetMatrix(2, 3, sizeof *a, a, 2, d_a, 2));
    BLAS(cublasSetVector(3, sizeof *x, x, 1, d_x, 1));
    BLAS(cublasSetVector(4, sizeof *y, y, 1, d_y, 1));
    BLAS(cublasSetVector(2, sizeof *z, z, 1, d_z, 1));

    EXPECT(cublasSdot(3, d_x, 1, d_x, 1) == 14);
    EXPECT(cublasDnrm2(2, d_z, 1) == 5);
    EXPECT(cublasSasum(3, d_x, 1) == 6);
    EXPECT(cublasIsamax(3, d_x, 1) == 3 && cublasIsamin(3, d_x, 1) == 1); /* counted from 1 */
    cublasSgemv('n', 2, 3, 2, d_a, 2, d_x, 1, 1, d_y, 1);                 /* 2 a x + y */
    cublasSaxpy(2, 0.5f, d_x, 1, d_y + 2, 1);
    cublasDscal(2, 2, d_z, 1);
    BLAS(cublasGetError());
    BLAS(cublasGetVector(4, sizeof *y, d_y, 1, y, 1));
    EXPECT(y[0] == 30 && y[1] == 44 && y[2] == 30.5f && y[3] == 39);
    EXPECT(cublasDasum(2, d_z, 1) == 14);
    cublasSgemm('T', 'N', 2, 2, 2, 1, d_a, 2, d_a + 2, 2, 0, d_y, 2); /* [1 2; 3 4] [3 5; 4 6] */
    BLAS(cublasGetMatrix(2, 2, sizeof *y, d_y, 2, y, 2));
    EXPECT(y[0] == 11 && y[1] == 25 && y[2] == 17 && y[3] == 39);

    cublasSgemm('n', 'n', -1, 2, 2, 1, d_a, 2, d_a, 2, 0, d_y, 2);
    EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
    BLAS(cublasGetError()); /* which has forgotten it */
    BLAS(cublasFree(d_a));
    BLAS(cublasFree(d_x));
    BLAS(cublasFree(d_y));
    BLAS(cublasFree(d_z));
    BLAS(cublasShutdown());
    printf("%d failed\n", failures);
    return failures != 0;
}
