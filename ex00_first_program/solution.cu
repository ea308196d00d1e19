/* TASK: Print temperatures in degrees Celsius and Fahrenheit, which the GPU has computed.
 * TRAFFIC: 2 n sizeof(float) bytes.
 * LIMIT: a launch and two copies take longer than 1000 conversions. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// TODO 1 begin: the kernel: thread i computes fahrenheit[i] = 1.8f * celsius[i] + 32.0f, if i < n
__global__ void convert(const float *celsius, float *fahrenheit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        fahrenheit[i] = 1.8f * celsius[i] + 32.0f;
}
// TODO 1 end

// TODO 2 begin: check(error, what): unless error is cudaSuccess, says why, and ends the program
static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}
// TODO 2 end

int main(void)
{
    enum { N = 1000 };
    static float celsius[N], fahrenheit[N];

    for (int i = 0; i < N; i++)
        celsius[i] = (float)(i - 40);
    // TODO 3 begin: allocate two arrays of N floats on the device, and copy celsius to one
    float *d_celsius = NULL, *d_fahrenheit = NULL;
    const size_t bytes = N * sizeof *d_celsius;

    check(cudaMalloc((void **)&d_celsius, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&d_fahrenheit, bytes), "cudaMalloc");
    check(cudaMemcpy(d_celsius, celsius, bytes, cudaMemcpyHostToDevice), "copy to the device");
    // TODO 3 end
    // TODO 4 begin: launch the kernel in blocks of 256 threads, and check the launch
    convert<<<(N + 255) / 256, 256>>>(d_celsius, d_fahrenheit, N);
    check(cudaGetLastError(), "launch");
    // TODO 4 end
    // TODO 5 begin: copy the result back, and free what is allocated
    check(cudaMemcpy(fahrenheit, d_fahrenheit, bytes, cudaMemcpyDeviceToHost), "copy back");
    check(cudaFree(d_celsius), "cudaFree");
    check(cudaFree(d_fahrenheit), "cudaFree");
    // TODO 5 end
    for (int i = 0; i < N; i += 111)
        printf("%4.0f C = %6.1f F\n", celsius[i], fahrenheit[i]);
    return 0;
}
