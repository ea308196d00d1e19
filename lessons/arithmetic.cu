/* Rounding: of one operation, of two in one, of numbers near zero and of
 * halves; and a division that is none. */
#include "../common/cuda_utils.h"

__global__ void round(float x, float y, float tiny, int i, int n)
{
    const float product =
        __fmul_rn(x, y); /* never fused with an addition */

    printf("1/3 down, nearest, up: %.9g %.9g %.9g\n", __fdiv_rd(1.0f, 3.0f),
           1.0f / 3.0f, __fdiv_ru(1.0f, 3.0f));
    printf("x * y - round(x * y), in two steps: %g, fused: %g\n",
           __fmul_rn(x, y) - product, fmaf(x, y, -product));
    printf("half of the smallest normal float: %g\n", 0.5f * tiny);
    printf("2.5 by rintf: %g, by roundf: %g\n", rintf(2.5f), roundf(2.5f));
    printf("%d / %d = %d = %d, %d %% %d = %d = %d\n", i, n, i / n, i >> 3,
           i, n, i % n, i & (n - 1));
}

int main(void)
{
    const float x = 1.0f + 1.0f / 4096.0f;

    cudaVerifyKernel((round<<<1, 1>>>(x, x, 1.17549435e-38f, 29, 8)));
    cudaVerify(cudaDeviceSynchronize());
    return 0;
}
