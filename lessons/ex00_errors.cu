/* Three mistakes, and where their errors show: ./a.out 1, 2 or 3. */
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *x) { x[threadIdx.x] = 7; }

static void report(const char *call, cudaError_t error)
{
    printf("%-22s %s\n", call, cudaGetErrorString(error));
}

int main(int argc, char **argv)
{
    const char mistake = argc > 1 ? argv[1][0] : '0';
    int *d_x = NULL, x[100] = {0};

    if (mistake == '1') /* more memory than a GPU has */
        report("cudaMalloc of 2^50",
               cudaMalloc((void **)&d_x, (size_t)1 << 50));
    report("cudaMalloc", cudaMalloc((void **)&d_x, sizeof x));
    if (mistake == '2') /* more threads than a block can have */
        fill<<<1, 2000>>>(d_x);
    else if (mistake == '3') /* a pointer to nowhere */
        fill<<<1, 100>>>(NULL);
    else
        fill<<<1, 100>>>(d_x);
    report("cudaPeekAtLastError", cudaPeekAtLastError());
    report("cudaGetLastError", cudaGetLastError());
    report("cudaGetLastError again", cudaGetLastError());
    report("cudaMemcpy",
           cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    report("cudaFree", cudaFree(d_x));
    printf("x[99] = %d\n", x[99]);
    return 0;
}
