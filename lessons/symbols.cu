/* Variables that live on the device as long as the program: the host
 * reaches them by name, or asks for their address. */
#include "../common/cuda_utils.h"

enum { N = 4 };

__constant__ float coefficients[N]; /* kernels only read it */
__device__ float squares[N]; /* global memory, without cudaMalloc() */
__device__ int calls = 0;    /* keeps its value between launches */

__global__ void square(void)
{
    const int i = (int)threadIdx.x;

    squares[i] = coefficients[i] * coefficients[i];
    if (i == 0)
        calls++;
}

int main(void)
{
    const float input[N] = {1.0f, 2.0f, 3.0f, 4.0f};
    float output[N], *d_squares = NULL;
    int count;

    /* the variable itself, not its address and not a string */
    cudaVerify(cudaMemcpyToSymbol(coefficients, input, sizeof input));
    cudaVerifyKernel((square<<<1, N>>>()));
    cudaVerifyKernel((square<<<1, N>>>()));
    cudaVerify(cudaMemcpyFromSymbol(output, squares, sizeof output));
    cudaVerify(cudaMemcpyFromSymbol(&count, calls, sizeof count));
    printf("the last square: %g; launches: %d\n", output[N - 1], count);

    /* an address that cudaMemcpy(), cudaMemset() and kernels take */
    cudaVerify(cudaGetSymbolAddress((void **)&d_squares, squares));
    cudaVerify(cudaMemset(d_squares, 0, sizeof output));
    cudaVerify(cudaMemcpyFromSymbol(output, squares, sizeof output));
    printf("after cudaMemset(): %g\n", output[N - 1]);
    return 0;
}
