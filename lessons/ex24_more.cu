/* Batched and three-dimensional transforms, complex and real; a sum of
 * absolute values; random integers and normal numbers. One stream each. */
#include "../common/cublas_utils.h"
#include "../common/cuda_utils.h"
#include "../common/cufft_utils.h"
#include "../common/curand_utils.h"
#include <math.h>

enum { ROWS = 4, N = 16, SIDE = 8, NUMBERS = 10000 };

int main(void)
{
    float one[SIDE * SIDE * SIDE], largest = 0.0f, sum, normal[NUMBERS];
    cufftComplex ones[ROWS * N], mean[ROWS * N], corner;
    unsigned int integers[4];
    cufftComplex *d_rows = NULL, *d_out = NULL;
    float *d_cube = NULL, *d_normal = NULL;
    unsigned int *d_integers = NULL;
    cufftHandle rows, cube;
    cublasHandle_t blas;
    curandGenerator_t generator;
    cudaStream_t stream;

    cudaVerify(cudaStreamCreate(&stream));
    for (int i = 0; i < ROWS * N; i++)
        ones[i].x = 1.0f, ones[i].y = 0.0f;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        one[i] = 1.0f;
    cudaVerify(cudaMalloc((void **)&d_rows, sizeof ones));
    cudaVerify(cudaMalloc((void **)&d_cube, sizeof one));
    cudaVerify(cudaMalloc((void **)&d_out,
                          SIDE * SIDE * (SIDE / 2 + 1) * sizeof *d_out));
    cudaVerify(cudaMalloc((void **)&d_normal, sizeof normal));
    cudaVerify(cudaMalloc((void **)&d_integers, sizeof integers));
    cudaVerify(
        cudaMemcpy(d_rows, ones, sizeof ones, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_cube, one, sizeof one, cudaMemcpyHostToDevice));

    /* complex to complex, ROWS transforms in one call, there and back */
    cufftVerify(cufftPlan1d(&rows, N, CUFFT_C2C, ROWS));
    cufftVerify(cufftSetStream(rows, stream));
    cufftVerify(cufftExecC2C(rows, d_rows, d_rows, CUFFT_FORWARD));
    cufftVerify(cufftExecC2C(rows, d_rows, d_rows, CUFFT_INVERSE));
    /* real to complex: half of the last dimension is enough */
    cufftVerify(cufftPlan3d(&cube, SIDE, SIDE, SIDE, CUFFT_R2C));
    cufftVerify(cufftSetStream(cube, stream));
    cufftVerify(cufftExecR2C(cube, d_cube, d_out));

    cublasVerify(cublasCreate(&blas));
    cublasVerify(cublasSetStream(blas, stream));
    cublasVerify(cublasSasum(blas, SIDE * SIDE * SIDE, d_cube, 1, &sum));

    curandVerify(
        curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
    curandVerify(curandSetStream(generator, stream));
    curandVerify(curandSetPseudoRandomGeneratorSeed(generator, 7));
    curandVerify(curandGenerate(generator, d_integers, 4));
    curandVerify(
        curandGenerateNormal(generator, d_normal, NUMBERS, 5.0f, 2.0f));
    cudaVerify(cudaStreamSynchronize(stream));

    cudaVerify(
        cudaMemcpy(mean, d_rows, sizeof mean, cudaMemcpyDeviceToHost));
    cudaVerify(
        cudaMemcpy(&corner, d_out, sizeof corner, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(integers, d_integers, sizeof integers,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(normal, d_normal, sizeof normal,
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i < ROWS * N; i++)
        largest = fmaxf(largest, fabsf(mean[i].x - N));
    printf("there and back, times %d: off by %g\n", N, largest);
    printf("sum of the cube: %g by cuFFT, %g by asum\n", corner.x, sum);
    sum = 0.0f;
    for (int i = 0; i < NUMBERS; i++)
        sum += normal[i];
    printf("mean: %.1f; integers differ: %s\n", sum / NUMBERS,
           integers[0] != integers[1] ? "yes" : "no");

    cufftVerify(cufftDestroy(rows));
    cufftVerify(cufftDestroy(cube));
    cublasVerify(cublasDestroy(blas));
    curandVerify(curandDestroyGenerator(generator));
    cudaVerify(cudaFree(d_rows));
    cudaVerify(cudaFree(d_cube));
    cudaVerify(cudaFree(d_out));
    cudaVerify(cudaFree(d_normal));
    cudaVerify(cudaFree(d_integers));
    cudaVerify(cudaStreamDestroy(stream));
    return 0;
}
