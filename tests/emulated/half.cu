/* cuda_fp16.h and cuda_bf16.h: conversions and arithmetic against values worked out by hand. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>

static int wrong;
static void expect(const char *what, double got, double wanted)
{
    if (!(got == wanted)) {
        printf("FAILED: %s is %.9g instead of %.9g\n", what, got, wanted);
        wrong = 1;
    }
}

__global__ void scalars(const half *a, float *out)
{
    half x = a[threadIdx.x], y = __float2half(3.0f);
    out[0] = __half2float(x + y);
    out[1] = __half2float(__hfma(x, y, __float2half(0.5f)));
    out[2] = __half2float(hsqrt(__float2half(2.0f)));
    out[3] = (float)(x > y) + 2 * (float)__hlt(x, y);
    out[4] = __half2float(-x);
    out[5] = __half2float(__float2half(2049.0f)); /* 11 bits: the tie goes to even */
    out[6] = __half2float(__float2half(2051.0f));
    out[7] = __half2float(__float2half(1e6f));  /* too large */
    out[8] = __half2float(__float2half(6e-8f)); /* the smallest there is: 2^-24 */
    out[9] = __half2float(__float2half(65519.9f));
    out[10] = __half2float(__ushort_as_half(0x3c01)); /* 1 + 2^-10 */
    out[11] = (float)__half_as_ushort(__float2half(-2.0f));
}
__global__ void pairs(const half2 *a, half2 *b, float *out)
{
    int i = threadIdx.x;
    b[i] = __hfma2(a[i], __float2half2_rn(2.0f), make_half2(a[i].y, a[i].x));
    if (i == 0) {
        float2 f = __half22float2(b[i]);
        out[0] = f.x;
        out[1] = f.y;
        out[2] = __low2float(__lowhigh2highlow(b[i]));
    }
}
__global__ void brain(float *out)
{
    __nv_bfloat16 x = __float2bfloat16(1.0f + 1.0f / 256), y = __float2bfloat16(3e38f);
    out[0] = __bfloat162float(x); /* 8 bits: the tie goes to even */
    out[1] = __bfloat162float(__float2bfloat16(1.0f + 3.0f / 256));
    out[2] = __bfloat162float(y) > 2.9e38f;
    out[3] = __bfloat162float(__hadd(x, __float2bfloat16(1.0f)));
}

int main(void)
{
    half h[64], *d;
    half2 *d2;
    float *d_out, out[12];
    for (int i = 0; i < 64; i++)
        h[i] = __float2half(1.5f + i);
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&d2, sizeof h);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    scalars<<<1, 1>>>(d, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    const double wanted[] = {4.5, 5, 0x1.6ap+0, 2, -1.5, 2048, 2052, INFINITY, 0x1p-24, 65504, 1 + 0x1p-10, 0xc000};
    for (int i = 0; i < 12; i++)
        expect("a half", out[i], wanted[i]);
    pairs<<<1, 32>>>((half2 *)d, d2, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    expect("x of a pair", out[0], 1.5 * 2 + 2.5);
    expect("y of a pair", out[1], 2.5 * 2 + 1.5);
    expect("x of the pair the other way round", out[2], 6.5);
    brain<<<1, 1>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    expect("bfloat16, down to even", out[0], 1);
    expect("bfloat16, up to even", out[1], 1 + 4.0 / 256);
    expect("bfloat16, large", out[2], 1);
    expect("bfloat16, sum", out[3], 2);
    expect("size", sizeof(half) + sizeof(half2), 6);
    expect("on the host", __half2float(h[1]), 2.5);
    cudaFree(d);
    cudaFree(d2);
    cudaFree(d_out);
    return wrong;
}
