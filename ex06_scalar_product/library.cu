/* TASK     the scalar product of x and y, n elements: what one would call instead of writing a
 *          kernel.
 * TRAFFIC  2 n sizeof(real) bytes: x and y read.
 * LIMIT    memory bandwidth for long vectors, the latency of the launches for short ones. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#include "measure.h"
#include "scalar_product.h"

/* CUB adds what an iterator gives it, so the product stands in the iterator. It came with toolkit
 * 11. */
#if !defined __CUDA_EMULATED__ && __CUDACC_VER_MAJOR__ >= 11
#define HAVE_CUB
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

static void dot(cublasHandle_t handle, int n, const float *d_x, const float *d_y, float *d_sum)
{
    cublasVerify(cublasSdot(handle, n, d_x, 1, d_y, 1, d_sum));
}

static void dot(cublasHandle_t handle, int n, const double *d_x, const double *d_y, double *d_sum)
{
    cublasVerify(cublasDdot(handle, n, d_x, 1, d_y, 1, d_sum));
}

/* The result stays on the device, as the kernels' does: the default, a result in host memory, makes
 * every call wait for the device. */
template <typename real> void launchCublas(const real *d_x, const real *d_y, real *d_sum, size_t n)
{
    cublasHandle_t handle;

    cublasVerify(cublasCreate(&handle));
    cublasVerify(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    MEASURE (run) {
        dot(handle, (int)n, d_x, d_y, d_sum);
    }
    cublasVerify(cublasDestroy(handle));
}

#ifdef HAVE_CUB
template <typename real> struct product {
    const real *x, *y;

    __host__ __device__ real operator()(size_t i) const { return x[i] * y[i]; }
};

template <typename real> void launchCub(const real *d_x, const real *d_y, real *d_sum, size_t n)
{
    const product<real> terms = {d_x, d_y};
    const thrust::counting_iterator<size_t> first(0);
    const thrust::transform_iterator<product<real>, thrust::counting_iterator<size_t>, real> x_y(
        first, terms);
    size_t workBytes = 0;
    void *d_work = NULL;

    cudaVerify(cub::DeviceReduce::Sum(NULL, workBytes, x_y, d_sum, (int)n));
    cudaVerify(cudaMalloc(&d_work, workBytes));
    MEASURE (run) {
        cudaVerify(cub::DeviceReduce::Sum(d_work, workBytes, x_y, d_sum, (int)n));
    }
    cudaVerify(cudaFree(d_work));
}
#endif

template <typename real, void launch(const real *, const real *, real *, size_t)>
static void scalarProduct(const real *x, const real *y, real *sum, size_t n)
{
    real *d_x = NULL, *d_y = NULL, *d_sum = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof(real)));
    cudaVerify(cudaMalloc((void **)&d_y, n * sizeof(real)));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof(real)));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof(real), cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_y, y, n * sizeof(real), cudaMemcpyHostToDevice));
    launch(d_x, d_y, d_sum, n);
    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(real), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_sum));
}

/* The emulated cuBLAS is a plain loop. */
#ifdef __CUDA_EMULATED__
enum { CUBLAS_TRAITS = ONE_CHAIN };
#else
enum { CUBLAS_TRAITS = 0 };
#endif

#define ROW(launch) scalarProduct<float, launch>, scalarProduct<double, launch>

extern "C" const struct variant libraryVariants[] = {
    {"cuBLAS dot", ROW(launchCublas), CUBLAS_TRAITS},
#ifdef HAVE_CUB
    {"CUB reduction", ROW(launchCub)},
#endif
    {NULL, NULL, NULL},
};
