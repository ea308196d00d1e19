/* __CUDA_ARCH__ is there in device code only, and names the device. Compiled for several of
 * them. */
#include <stdio.h>
#include <vector>

#ifdef __CUDA_ARCH__
#define WHERE 2
#else
#define WHERE 1
#endif

/* A function that older code defines itself, by the condition in NVIDIA's programming guide */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *p, double v)
{
    unsigned long long *word = (unsigned long long *)p, old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (old != seen);
    return __longlong_as_double(old);
}
#endif

/* Members, a template in a namespace, whole functions */
struct place {
    __host__ __device__ int where() const
    {
#ifdef __CUDA_ARCH__
        int lane = threadIdx.x;
        return __CUDA_ARCH__ + lane;
#else
        std::vector<int> v(3);
        return (int)v.size();
#endif
    }
};
namespace outer
{
namespace inner
{
template <class T> __host__ __device__ T scaled(T x)
{
#if __CUDA_ARCH__ >= 700
    return x * 2;
#elif defined __CUDA_ARCH__
    return x * 20;
#else
    return x * 200;
#endif
}
} // namespace inner
} // namespace outer
#if __CUDA_ARCH__ >= 350
__host__ __device__ int version() { return 35; }
#else
__host__ __device__ int version() { return 1; }
#endif
#ifndef __CUDA_ARCH__
static int hostOnly() { return WHERE; }
#endif

__global__ void report(int *p, double *d)
{
#if __CUDA_ARCH__ >= 700
    p[0] = 70;
#else
    p[0] = 20;
#endif
    p[1] = WHERE;
    p[2] = place().where();
    p[3] = outer::inner::scaled(1);
    p[4] = version();
    atomicAdd(d, 1.5);
}

static int wrong;
static void expect(const char *what, int got, int wanted)
{
    if (got != wanted) {
        printf("FAILED: %s is %d instead of %d\n", what, got, wanted);
        wrong = 1;
    }
}

int main(void)
{
#ifdef __CUDA_ARCH__
    this is not for the host
#endif
    int *d_p, h[5] = {0}, arch;
    double *d_sum, sum = 0;
    cudaDeviceProp device;

    cudaGetDeviceProperties(&device, 0);
    arch = 100 * device.major + 10 * device.minor;
    cudaMalloc((void **)&d_p, sizeof h);
    cudaMalloc((void **)&d_sum, sizeof sum);
    cudaMemset(d_sum, 0, sizeof sum);
    report<<<1, 1>>>(d_p, d_sum);
    expect("launch", cudaGetLastError(), cudaSuccess);
    cudaMemcpy(h, d_p, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(d_p);
    cudaFree(d_sum);
    expect("#if in a kernel", h[0], arch >= 700 ? 70 : 20);
    expect("a macro in a kernel", h[1], 2);
    expect("__CUDA_ARCH__", h[2], arch);
    expect("a template on the device", h[3], arch >= 700 ? 2 : 20);
    expect("the device's version of a function", h[4], arch >= 350 ? 35 : 1);
    expect("atomicAdd", (int)(10 * sum), 15);
    expect("a macro on the host", hostOnly(), 1);
    expect("a member on the host", place().where(), 3);
    expect("a template on the host", outer::inner::scaled(1), 200);
    expect("the host's version of a function", version(), 1);
    expect("the line", __LINE__, 117);
#if !defined __CUDACC__ || !defined __NVCC__ || !defined __CUDACC_VER_MINOR__ ||                   \
    !defined __CUDACC_VER_BUILD__
    expect("nvcc's macros", 0, 1);
#endif
    expect("the toolkit", __CUDACC_VER_MAJOR__,
           arch < 300   ? 8
           : arch < 350 ? 10
           : arch < 500 ? 11
                        : 12);
    return wrong;
}
