/* cuda_fp16.h and cuda_bf16.h: conversions and arithmetic against values worked out by hand. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#if CUDART_VERSION >= 11080
#include <cuda_fp8.h>
#endif
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
__global__ void more(float *out)
{
    half2 a = __floats2half2_rn(-1.5f, 2.5f), b = h2exp2(-a);
    out[0] = __low2float(b) + 1000 * __high2float(b);
    out[1] = (float)__half2int_rn(a.y) + 10 * (float)__half2int_ru(a.y) +
             100 * (float)__half2uint_rz(a.x);
    out[2] = (float)__bfloat162int_rd(__float2bfloat16(-2.5f)) +
             __bfloat162float(__ushort2bfloat16_rn(300));
    out[3] = __low2float(__hgt2(a, __float2half2_rn(0))) + 2 * __hbgt2(a, __float2half2_rn(-2)) +
             4 * __hblt2(a, a);
    out[4] = __high2float(__hmax2(a, __habs2(a))) + __low2float(__habs2(a));
    const __half_raw raw = a.x;
    out[5] = raw.x;
    out[6] = __half2float(+a.y * a.y) + __low2float(+a);
}
__global__ void sums(half *h, half2 *pairs, __nv_bfloat16 *b)
{
    atomicAdd(h, __float2half(0.5f));
    atomicAdd(h + 1, __float2half(1));
    atomicAdd(pairs, __floats2half2_rn(1, 0.25f));
    atomicAdd(b, __float2bfloat16(2));
}
#if CUDART_VERSION >= 11080
__global__ void eighths(float *out)
{
    const float x[] = {0.3f,      1.0625f, 1.1875f,  448,      464,       465,
                       -1e9f,     0x1p-9f, 0x3p-11f, 0x1p-10f, 0.9f / 64, INFINITY,
                       -57345.0f, 61440,   0x1p-17f, 0x3p-18f};
    for (int i = 0; i < 16; i++) {
        const __nv_fp8_e4m3 fine(x[i]);
        const __nv_fp8_e5m2 wide(x[i]);
        out[i] = (float)fine;
        out[16 + i] = (float)wide;
        out[32 + i] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, i % 2 ? __NV_E5M2 : __NV_E4M3);
    }
    const __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.3f, 500));
    const float4 back = (float4)four;
    out[48] = back.x + 10 * back.y + 100 * back.z + 1000 * back.w;
    const __nv_fp8x2_e5m2 two(make_float2(0.3f, 3));
    out[49] = two.__x;
    out[50] = isnan((float)__nv_fp8_e4m3(NAN));
    const __nv_fp8x4_e5m2 halves(__floats2half2_rn(1, 2), __floats2half2_rn(-3, 0.5f));
    const float4 fromHalves = (float4)halves;
    const __nv_fp8x4_e4m3 brains(__floats2bfloat162_rn(0.3f, 2), __floats2bfloat162_rn(500, -1));
    const float4 fromBrains = (float4)brains;
    out[51] = fromHalves.x + 10 * fromHalves.y + 100 * fromHalves.z + 1000 * fromHalves.w;
    out[52] = fromBrains.x + 10 * fromBrains.y + 100 * fromBrains.z + 1000 * fromBrains.w;
}
#endif

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
    const double wanted[] = {4.5,  5,        0x1.6ap+0, 2,     -1.5,        2048,
                             2052, INFINITY, 0x1p-24,   65504, 1 + 0x1p-10, 0xc000};
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
    more<<<1, 1>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    expect("exp2 of a pair", out[0], 2.828125 + 176.7578125);
    expect("half to integers", out[1], 32);
    expect("bfloat16 and integers", out[2], 297);
    expect("pairs compared", out[3], 2);
    expect("absolute values of a pair", out[4], 4);
    expect("the bits of a half", out[5], 0xbe00);
    expect("plus", out[6], 4.75);
    const half zeros[8] = {};
    cudaMemcpy(d, zeros, sizeof zeros, cudaMemcpyHostToDevice);
    sums<<<2, 64>>>(d, (half2 *)(d + 2), (__nv_bfloat16 *)(d + 4));
    half sum[4];
    __nv_bfloat16 brainSum;
    cudaMemcpy(sum, d, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&brainSum, d + 4, sizeof brainSum, cudaMemcpyDeviceToHost);
    expect("atomicAdd of a half", __half2float(sum[0]), 64);
    expect("its neighbour", __half2float(sum[1]), 128);
    expect("atomicAdd of a pair, x", __half2float(sum[2]), 128);
    expect("atomicAdd of a pair, y", __half2float(sum[3]), 32);
    expect("atomicAdd of a bfloat16", __bfloat162float(brainSum), 256);
#if CUDART_VERSION >= 11080
    float *d_eighths, got[53];
    cudaMalloc(&d_eighths, sizeof got);
    eighths<<<1, 1>>>(d_eighths);
    cudaMemcpy(got, d_eighths, sizeof got, cudaMemcpyDeviceToHost);
    const double fine[] = {0.3125, 1, 1.25,       448, 448,  448, -448, 0x1p-9,
                           0x1p-9, 0, 0.875 / 64, 448, -448, 448, 0,    0};
    const double wide[] = {0.3125,  1,       1.25,       448,   448,    448,   -57344, 0x1p-9,
                           0x3p-11, 0x1p-10, 0.875 / 64, 57344, -57344, 57344, 0,      0x1p-16};
    const int bits[] = {0x2a, 0x3c, 0x3a, 0x5f, 0x7e, 0x5f, 0xff, 0x18,
                        1,    0x14, 7,    0x7c, 0xff, 0x7c, 0,    1};
    for (int i = 0; i < 16; i++) {
        expect("e4m3", got[i], fine[i]);
        expect("e5m2", got[16 + i], wide[i]);
        expect("the bits of an eighth", got[32 + i], bits[i]);
    }
    expect("four at once", got[48], 1 - 20 + 31.25 + 448000);
    expect("a pair's bits", got[49], 0x4235);
    expect("NaN", got[50], 1);
    expect("four of halves", got[51], 221);
    expect("four of bfloat16s", got[52], 0.3125 + 20 + 44800 - 1000);
    cudaFree(d_eighths);
#endif
    expect("size", sizeof(half) + sizeof(half2), 6);
    expect("on the host", __half2float(h[1]), 2.5);
    cudaFree(d);
    cudaFree(d2);
    cudaFree(d_out);
    return wrong;
}
