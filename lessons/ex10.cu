/* A message from block to block: by fences around a volatile flag, or by
 * release and acquire. With an argument: without the fences. */
#include "../common/cuda_utils.h"

template <bool fences>
__global__ void byFences(int *message, int *flag, int *result)
{
    if (blockIdx.x == 0) {
        *message = 42;
        if (fences)
            __threadfence(); /* the message before the flag */
        *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0)
            ;
        if (fences)
            __threadfence(); /* the flag before the message */
        *result = *message;
    }
}

__global__ void byReleaseAndAcquire(int *message, int *flag, int *result)
{
    if (blockIdx.x == 0) {
        *message = 43;
        asm volatile("st.release.gpu.global.s32 [%0], %1;"
                     :
                     : "l"(flag), "r"(1)
                     : "memory");
    } else {
        int seen;

        do {
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                         : "=r"(seen)
                         : "l"(flag)
                         : "memory");
        } while (seen == 0);
        *result = *message;
    }
}

int main(int argc, char **argv)
{
    int result[2] = {0, 0},
        *d = NULL; /* message, flag, result, and the same again */

    (void)argv;
    cudaVerify(cudaMalloc((void **)&d, 6 * sizeof *d));
    cudaVerify(cudaMemset(d, 0, 6 * sizeof *d));
    if (argc == 1)
        cudaVerifyKernel((byFences<true><<<2, 1>>>(d, d + 1, d + 2)));
    else
        cudaVerifyKernel((byFences<false><<<2, 1>>>(d, d + 1, d + 2)));
    cudaVerifyKernel((byReleaseAndAcquire<<<2, 1>>>(d + 3, d + 4, d + 5)));
    cudaVerify(
        cudaMemcpy(&result[0], d + 2, sizeof *d, cudaMemcpyDeviceToHost));
    cudaVerify(
        cudaMemcpy(&result[1], d + 5, sizeof *d, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d));
    printf("fences: %d, release and acquire: %d\n", result[0], result[1]);
    return 0;
}
