/* What three libraries leave to the caller: a transform without a factor, a
 * generator that goes on, and a scalar product whose result stays on the
 * device. */
#include "../common/cublas_utils.h"
#include "../common/cuda_utils.h"
#include "../common/cufft_utils.h"
#include "../common/curand_utils.h"
#include <math.h>

enum { N = 8 };

/* To three digits: what rounding leaves of a 0 may have either sign. */
static double rounded(double x) { return rint(1000 * x) / 1000 + 0.0; }

/* A mean of 2 and a cosine that fits twice, there and back again. */
static void transforms(double *d_x, cufftDoubleComplex *d_spectrum)
{
    const double x[N] = {3, 2, 1, 2, 3, 2, 1, 2};
    cufftDoubleComplex spectrum[N / 2 + 1];
    cufftHandle forward, inverse;
    double back[N];

    cufftVerify(cufftPlan1d(&forward, N, CUFFT_D2Z, 1));
    cufftVerify(cufftPlan1d(&inverse, N, CUFFT_Z2D, 1));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cufftVerify(cufftExecD2Z(forward, d_x, d_spectrum));
    cudaVerify(cudaMemcpy(spectrum, d_spectrum, sizeof spectrum,
                          cudaMemcpyDeviceToHost));
    cufftVerify(cufftExecZ2D(inverse, d_spectrum, d_x));
    cudaVerify(cudaMemcpy(back, d_x, sizeof back, cudaMemcpyDeviceToHost));
    for (int k = 0; k <= N / 2; k++)
        printf("wave %d: %6.3f %+6.3f i\n", k, rounded(spectrum[k].x),
               rounded(spectrum[k].y));
    printf("x[1] = %g, there and back %g\n", x[1], back[1]);
    cufftVerify(cufftDestroy(forward));
    cufftVerify(cufftDestroy(inverse));
}

/* The first four numbers, the next four, the first ones again. */
static void numbers(float *d_u)
{
    curandGenerator_t generator;
    float u[4];

    curandVerify(
        curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    curandVerify(curandSetPseudoRandomGeneratorSeed(generator, 1));
    for (int k = 0; k < 3; k++) {
        if (k == 2)
            curandVerify(curandSetGeneratorOffset(generator, 0));
        curandVerify(curandGenerateUniform(generator, d_u, 4));
        cudaVerify(cudaMemcpy(u, d_u, sizeof u, cudaMemcpyDeviceToHost));
        printf("%.4f %.4f %.4f %.4f\n", u[0], u[1], u[2], u[3]);
    }
    curandVerify(curandDestroyGenerator(generator));
}

/* x.x into d_x[N], without the host. */
static void product(double *d_x)
{
    cublasHandle_t blas;
    double result;

    cublasVerify(cublasCreate(&blas));
    cublasVerify(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    cublasVerify(cublasDdot(blas, N, d_x, 1, d_x, 1, d_x + N));
    cudaVerify(cudaMemcpy(&result, d_x + N, sizeof result,
                          cudaMemcpyDeviceToHost));
    printf("x.x = %g\n", result);
    cublasVerify(cublasDestroy(blas));
}

int main(void)
{
    double *d_x = NULL;
    cufftDoubleComplex *d_spectrum = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, (N + 1) * sizeof *d_x));
    cudaVerify(
        cudaMalloc((void **)&d_spectrum, (N / 2 + 1) * sizeof *d_spectrum));
    transforms(d_x, d_spectrum);
    numbers((float *)d_spectrum);
    product(d_x);
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_spectrum));
    return 0;
}
