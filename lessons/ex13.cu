/* The sums of the rows of a sparse matrix in CSR by a kernel; their length
 * and their largest by cuBLAS. */
#include "../common/cuda_utils.h"
#include "../common/cublas_utils.h"

enum { ROWS = 4, ENTRIES = 8 };

static const int start[ROWS + 1] = {0, 2, 3, 6, 8};
static const double value[ENTRIES] = {4, 1, 5, 2, 6, 3, 7, 8};

__global__ void rowSums(const int *rowStart, const double *entry,
                        double *sum)
{
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    double s = 0.0;

    if (row < ROWS) {
        for (int k = rowStart[row]; k < rowStart[row + 1]; k++)
            s += entry[k];
        sum[row] = s;
    }
}

int main(void)
{
    double sum[ROWS], length = 0.0, *d_value = NULL, *d_sum = NULL;
    int largest = 0, *d_start = NULL;
    cublasHandle_t handle;

    cudaVerify(cudaMalloc((void **)&d_start, sizeof start));
    cudaVerify(cudaMalloc((void **)&d_value, sizeof value));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof sum));
    cudaVerify(
        cudaMemcpy(d_start, start, sizeof start, cudaMemcpyHostToDevice));
    cudaVerify(
        cudaMemcpy(d_value, value, sizeof value, cudaMemcpyHostToDevice));
    cudaVerifyKernel((rowSums<<<1, 32>>>(d_start, d_value, d_sum)));
    cudaVerify(cudaMemcpy(sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));

    cublasVerify(cublasCreate(&handle));
    cublasVerify(cublasDnrm2(handle, ROWS, d_sum, 1,
                             &length)); /* device in, host out */
    cublasVerify(
        cublasIdamax(handle, ROWS, d_sum, 1, &largest)); /* counts from 1 */
    cublasVerify(cublasDestroy(handle));
    cudaVerify(cudaFree(d_start));
    cudaVerify(cudaFree(d_value));
    cudaVerify(cudaFree(d_sum));

    printf("row sums: %g %g %g %g\n", sum[0], sum[1], sum[2], sum[3]);
    printf("2-norm: %.4f, largest: number %d\n", length, largest);
    return 0;
}
