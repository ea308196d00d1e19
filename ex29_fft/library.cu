/* TASK     X[k] = sum over j of x[j] w^(j k): what one would call instead of writing a kernel.
 * TRAFFIC  16 bytes for each point: x read, X written.
 * LIMIT    memory bandwidth. */
#include "cuda_utils.h"
#include "cufft_utils.h"
#include "measure.h"
#include "fft.h"

static void library(const struct point *x, struct point *y, size_t n, size_t batch)
{
    const size_t bytes = n * batch * sizeof(cufftComplex);
    cufftComplex *d_x = NULL, *d_y = NULL;
    cufftHandle plan;

    cufftVerify(cufftPlan1d(&plan, (int)n, CUFFT_C2C, (int)batch));
    cudaVerify(cudaMalloc((void **)&d_x, bytes));
    cudaVerify(cudaMalloc((void **)&d_y, bytes));
    cudaVerify(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cufftVerify(cufftExecC2C(plan, d_x, d_y, CUFFT_FORWARD));
    }
    cudaVerify(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cufftVerify(cufftDestroy(plan));
}

extern "C" const struct variant libraryVariants[] = {
    {"cuFFT", library},
    {"cuFFT, one large transform", library, ONE_LARGE | OTHER_WORK},
    {NULL, NULL},
};
