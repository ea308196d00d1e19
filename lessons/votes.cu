/* What a warp can find out in one step: votes, equal values, sums; and how
 * long it took, in cycles of the multiprocessor's clock. */
#include "../common/cuda_utils.h"

#define ALL 0xffffffffu

__global__ void ask(const int *x, int *out)
{
    const int lane = (int)threadIdx.x, value = x[lane];
    const long long start = clock64();
    const unsigned int large = __ballot_sync(ALL, value > 6);
    const int any = __any_sync(ALL, value == 9);
    const int all = __all_sync(ALL, value >= 0);
    const unsigned int same = __match_any_sync(ALL, value);
#if __CUDA_ARCH__ >= 800
    const int sum = __reduce_add_sync(ALL, value); /* whole numbers only */
#else
    int sum = value;

    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(ALL, sum, d);
#endif
    const long long cycles = clock64() - start;

    if (lane == 0) {
        printf("more than 6: %d lanes, the first is %d\n", __popc(large),
               __ffs((int)large) - 1);
        printf("a 9: %s; no negative: %s\n", any ? "yes" : "no",
               all ? "yes" : "no");
        printf("lanes with the value of lane 0: %08x\n", same);
        printf("time passed: %s\n", cycles > 0 ? "yes" : "no");
    }
    /* a place in a list, by one vote instead of an atomic for each lane */
    if (value > 6)
        out[__popc(large & ((1u << lane) - 1))] = value;
    if (lane == 0)
        out[__popc(large)] = sum;
}

int main(void)
{
    int x[32], out[32], *d_x = NULL, *d_out = NULL;

    for (int i = 0; i < 32; i++)
        x[i] = i * 7 % 10;
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_out, sizeof out));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemset(d_out, 0, sizeof out));
    cudaVerifyKernel((ask<<<1, 32>>>(d_x, d_out)));
    cudaVerify(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_out));
    for (int i = 0; i < 32 && out[i] != 0; i++)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}
