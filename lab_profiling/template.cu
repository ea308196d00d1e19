/* TASK: Make y = A x faster, by what a profiler says: "./a.out 1" runs version 1 of the kernel.
 * TRAFFIC: 4 bytes for each element of A, once.
 * LIMIT: the memory. */
#include "warp_utils.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#if CUDART_VERSION >= 10000
#include <nvtx3/nvToolsExt.h> /* without a profiler its calls do nothing */
#else
#define nvtxRangePushA(name)
#define nvtxRangePop()
#endif

#define MUST(call) must(call, #call, __LINE__)
static void must(cudaError_t error, const char *call, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
}

/* The blocks of `threads` threads that n threads need. */
static int blocksFor(int n, int threads) { return (n + threads - 1) / threads; }

/* Version 0: a thread for each row. A has n rows of n floats. */
__global__ void rowPerThread(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (row >= n)
        return;
    for (int j = 0; j < n; j++)
        sum += a[(size_t)row * n + j] * x[j];
    y[row] = sum;
}

/* The sum of a warp's values, in lane 0. */
__device__ __forceinline__ float warpSum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += shuffleDown(value, distance);
    return value;
}

/* Version 1: a warp for each row. */
__global__ void partPerLane(const float *a, const float *x, float *y, int n)
{
    // TODO 1 begin: lane 0 sums up the first 32nd of the row, lane 1 the next; then warpSum()
    // TODO 1 end
}

/* Version 2: a warp for each row, side by side. */
__global__ void rowPerWarp(const float *a, const float *x, float *y, int n)
{
    // TODO 2 begin: the same, but neighbouring lanes read neighbouring floats
    // TODO 2 end
}

/* Version 3: the same with loads of 16 bytes. n is a multiple of 4. */
__global__ void rowPerWarp4(const float *a, const float *x, float *y, int n)
{
    // TODO 3 begin: the same, but each load takes a float4 of the row, and one of x
    // TODO 3 end
}

static void launch(int version, const float *a, const float *x, float *y, int n)
{
    if (version == 0)
        rowPerThread<<<blocksFor(n, 256), 256>>>(a, x, y, n);
    else if (version == 1)
        partPerLane<<<blocksFor(n, 8), 256>>>(a, x, y, n); /* 8 warps a block */
    else if (version == 2)
        rowPerWarp<<<blocksFor(n, 8), 256>>>(a, x, y, n);
    else
        rowPerWarp4<<<blocksFor(n, 8), 256>>>(a, x, y, n);
    MUST(cudaGetLastError());
}

/* The median of `count` launches, in seconds. */
static double secondsOf(int version, const float *a, const float *x, float *y, int n, int count)
{
    float *milliseconds = (float *)malloc(count * sizeof *milliseconds), median;
    cudaEvent_t start, stop;

    if (milliseconds == NULL)
        exit(1);
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));
    for (int i = 0; i < count; i++) {
        MUST(cudaEventRecord(start));
        launch(version, a, x, y, n);
        MUST(cudaEventRecord(stop));
        MUST(cudaEventSynchronize(stop));
        MUST(cudaEventElapsedTime(&milliseconds[i], start, stop));
        for (int j = i; j > 0 && milliseconds[j - 1] > milliseconds[j]; j--) {
            float faster = milliseconds[j];
            milliseconds[j] = milliseconds[j - 1];
            milliseconds[j - 1] = faster;
        }
    }
    median = milliseconds[count / 2];
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(stop));
    free(milliseconds);
    return median / 1000;
}

int main(int argc, char **argv)
{
    int version = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 500;
    int timed = argc > 3 ? atoi(argv[3]) : 0;
    float *a, *x, *y, *d_a, *d_x, *d_y;
    double sum = 0.0;

    if (version < 0 || version > 3 || n < 4 || n % 4 != 0 || timed < 0) {
        fprintf(stderr, "usage: a.out [VERSION [ROWS [LAUNCHES THAT ARE TIMED]]]\n"
                        "VERSION is 0 to 3, ROWS a multiple of 4\n");
        return 2;
    }
    nvtxRangePushA("fill");
    a = (float *)malloc(sizeof(float) * n * n);
    x = (float *)malloc(sizeof(float) * n);
    y = (float *)malloc(sizeof(float) * n);
    if (a == NULL || x == NULL || y == NULL)
        return 1;
    for (int j = 0; j < n; j++) {
        x[j] = (float)(j % 7);
        y[j] = -1.0f;
    }
    for (size_t i = 0; i < (size_t)n * n; i++)
        a[i] = (float)(i % 11); /* small integers, so that no order of the sums rounds */
    nvtxRangePop();

    nvtxRangePushA("copy");
    MUST(cudaMalloc(&d_a, sizeof(float) * n * n));
    MUST(cudaMalloc(&d_x, sizeof(float) * n));
    MUST(cudaMalloc(&d_y, sizeof(float) * n));
    MUST(cudaMemcpy(d_a, a, sizeof(float) * n * n, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(d_x, x, sizeof(float) * n, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(d_y, y, sizeof(float) * n, cudaMemcpyHostToDevice));
    nvtxRangePop();

    nvtxRangePushA("product");
    launch(version, d_a, d_x, d_y, n);
    MUST(cudaMemcpy(y, d_y, sizeof(float) * n, cudaMemcpyDeviceToHost));
    nvtxRangePop();
    for (int i = 0; i < n; i++)
        sum += (i % 3 + 1) * y[i];
    printf("y[0] %.0f, y[%d] %.0f; all %.0f\n", y[0], n - 1, y[n - 1], sum);

    if (timed > 0) {
        nvtxRangePushA("timed");
        double seconds = secondsOf(version, d_a, d_x, d_y, n, timed);
        nvtxRangePop();
        printf("%.1f us, %.0f GB/s\n", 1e6 * seconds, 4e-9 * n * n / seconds);
    }
    MUST(cudaFree(d_a));
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_y));
    free(a);
    free(x);
    free(y);
    return 0;
}
