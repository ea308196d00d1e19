// A scalar of the host for a cuBLAS handle that takes scalars from the device
// says: host-dereference: cublasDdot: the result is host memory
#include <cublas_v2.h>
int main(void)
{
    double *d_x, product;
    cublasHandle_t blas;
    cudaMalloc((void **)&d_x, 16 * sizeof(double));
    cudaMemset(d_x, 0, 16 * sizeof(double));
    cublasCreate(&blas);
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    cublasDdot(blas, 16, d_x, 1, d_x, 1, &product); // <-- mistake
    cublasDestroy(blas);
    cudaFree(d_x);
    return 0;
}
