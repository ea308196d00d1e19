/* Built-in functions and types, one kernel for each family; every result is compared with what CUDA
 * defines. */
#include "expect.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>

template <class T> static T *fetch(T *d, int n)
{
    T *h = (T *)malloc(n * sizeof(T));
    EXPECT(cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return h;
}

__global__ void indices(int *out)
{
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int n = blockDim.x * blockDim.y * blockDim.z;
    out[b * n + t] = 1000 * b + t + warpSize - 32;
}

__global__ void votes(int *out)
{
    int t = threadIdx.x;
    out[t] = __syncthreads_count(t % 3 == 0);
    out[64 + t] = __syncthreads_and(t < 64) + 2 * __syncthreads_and(t < 63);
    out[128 + t] = __syncthreads_or(t == 5) + 2 * __syncthreads_or(t > 63);
    out[192 + t] = (int)__ballot_sync(0xffffffff, t % 2);
    out[256 + t] = __any_sync(0xffffffff, t == 40) + 2 * __all_sync(0xffffffff, t >= 32);
    if (t % 4 == 0)
        out[320 + t] = (int)__activemask();
    else
        out[320 + t] = 0;
    out[384 + t] = (int)__match_any_sync(0xffffffff, t % 8);
    out[448 + t] = (int)__reduce_add_sync(0xffffffff, (unsigned)t);
}

__global__ void shuffles(int *out, double *wide)
{
    int t = threadIdx.x;
    out[t] = __shfl_sync(0xffffffff, t, 5);
    out[32 + t] = __shfl_up_sync(0xffffffff, t, 3);
    out[64 + t] = __shfl_down_sync(0xffffffff, t, 3);
    out[96 + t] = __shfl_xor_sync(0xffffffff, t, 9);
    out[128 + t] = __shfl_down_sync(0xffffffff, t, 2, 8);
    out[160 + t] = __shfl_sync(0xffffffff, t, 10, 8);
    wide[t] = __shfl_xor_sync(0xffffffff, t * 0.5, 1);
}

/* A warp's turn ends when it has run for long, or has looked at the same place often; all its lanes
 * may then have just arrived at a shuffle, for which nobody is missing. */
__global__ void longShuffles(int *out)
{
    int t = threadIdx.x, sum = t;
    for (int k = 0; k < 70000; k++)
        sum = __shfl_xor_sync(0xffffffff, sum, 1) + 1;
    out[t] = sum;
}
__global__ void looksAndShuffles(volatile int *looked, int *out)
{
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 1000; k++)
        sum += __shfl_down_sync(0xffffffff, looked[t], 1);
    out[t] = sum;
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int t = threadIdx.x;
    atomicAdd(&i[0], t);
    atomicSub(&i[1], 1);
    atomicMin(&i[2], -t);
    atomicMax(&i[3], t);
    atomicExch(&i[4], 7);
    atomicOr(&i[5], 1 << t % 32);
    atomicAnd(&i[6], ~(1 << t % 32));
    atomicXor(&i[7], 1 << t % 32);
    atomicCAS(&i[8], t, t + 1);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicMax(&u[2], (unsigned)t << 26);
    atomicAdd(&l[0], 1ull << 40);
    atomicCAS(&l[1], 0ull, 5ull);
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
}

struct particle {
    float x, y, z;
    int tag;
};
__global__ void vectors(float4 *a, double2 *b, uchar4 *c, float3 *d, particle *p)
{
    int t = threadIdx.x;
    a[t] = make_float4(t, 2, 3, 4);
    b[t] = make_double2(t, 0.5);
    c[t] = make_uchar4(t, 1, 2, 255);
    float3 v = make_float3(t, t + 1, t + 2);
    d[t] = v;
    particle q = {1.0f * t, 2, 3, t};
    p[t] = q;
    p[t].x += d[t].y;
}

__global__ void numbers(int *i, float *f)
{
    i[0] = __popc(0xf0f0u);
    i[1] = __clz(1);
    i[2] = __ffs(8);
    i[3] = (int)__brev(1u);
    i[4] = __float_as_int(1.0f);
    i[5] = __float2int_rn(2.5f);
    i[6] = __float2int_rz(-2.5f);
    i[7] = __mulhi(1 << 30, 8);
    i[8] = min(3, -2) + max(4u, 2u);
    i[9] = (int)__byte_perm(0x33221100, 0x77665544, 0x7531);
    i[10] = __double2loint(1.0) + __double2hiint(1.0);
    f[0] = rsqrtf(4.0f);
    f[1] = __fdividef(1.0f, 8.0f);
    f[2] = __expf(0.0f) + __logf(1.0f) + __powf(2.0f, 3.0f);
    f[3] = fmaf(2.0f, 3.0f, 1.0f) + __fmaf_rn(1.0f, 1.0f, 1.0f);
    f[4] = fminf(1.0f, 2.0f) + fabsf(-3.0f);
    f[5] = __saturatef(1.5f) + __ldg(&f[8]);
    long long before = clock64();
    f[6] = clock64() >= before;
}

__device__ int d_counter = 5;
__device__ float d_array[8];
__constant__ int c_values[4] = {1, 2, 3, 4};
__device__ const float d_weights[3] = {0.5f, 1, 2};
static __device__ __const__ float d_shares[2] = {0.25f, 0.75f};
__constant__ struct {
    float scale;
    int n;
} c_parameters;
__device__ __shared__ float ofTheBlock[2]; /* outside a function, and both words */
__global__ void variables(float *out)
{
    int t = threadIdx.x;
    d_array[t] =
        c_values[t % 4] * d_weights[t % 3] * c_parameters.scale * (d_shares[0] + d_shares[1]);
    if (t == 0) {
        d_counter += c_parameters.n;
        ofTheBlock[threadIdx.x] = d_array[0];
        d_array[0] = ofTheBlock[0];
    }
    out[t] = d_array[t];
}

/* Conversions of what lies in shared memory itself: their operand is no register. */
__global__ void fromShared(int *out)
{
    __shared__ float f[32];
    __shared__ double d[32];
    f[threadIdx.x] = (float)threadIdx.x;
    d[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = (int)f[7 - threadIdx.x] + 10 * (int)d[7 - threadIdx.x];
}

template <class T, int N> __global__ void templated(T *out, T value)
{
    __shared__ T s[N];
    extern __shared__ char raw[];
    T *dynamic = (T *)raw;
    int t = threadIdx.x;
    s[t] = value + t;
    dynamic[t] = value;
    __syncthreads();
    out[t] = s[N - 1 - t] + dynamic[t];
}

#define LAUNCH(kernel, n, ...) kernel<<<1, n>>>(__VA_ARGS__)
__global__ void plain(int *out, int value) { out[threadIdx.x] = value; }
namespace inside
{
__global__ void plain(int *out) { out[threadIdx.x] = 99; }
} // namespace inside
typedef void (*kernel_pointer)(int *, int);

__global__ void asserting(int *x) { x[threadIdx.x] = 1; }

__device__ __noinline__ float sumRecursive(const float *x, int n)
{
    return n == 0 ? 0 : x[0] + sumRecursive(x + 1, n - 1);
}
__global__ void recursive(float *x) { x[8] = sumRecursive(x, 8); }

/* A kernel gets the bytes of an argument: its copy constructor runs on the host alone. */
static int copies;
struct text {
    char *data;
    text() { EXPECT(cudaMallocManaged(&data, 8) == cudaSuccess); }
    text(const text &t) : text()
    {
        strcpy(data, t.data);
        copies++;
    }
    ~text() { EXPECT(cudaFree(data) == cudaSuccess); }
};
__global__ void changeText(text t, int *x)
{
    t.data[threadIdx.x] = 'a' + (char)threadIdx.x;
    x[threadIdx.x] = t.data[threadIdx.x];
    t.data = nullptr; /* of this thread's own copy */
}

struct functor {
    float factor;
    __host__ __device__ float operator()(float x) const { return factor * x; }
};
template <class F> __global__ void apply(float *x, F f) { x[threadIdx.x] = f(x[threadIdx.x]); }

/* Only device code uses the class, so that nvcc does not show it to g++, which would refuse it. */
template <class T> struct Offset {
    static const T half = T(1) / T(2);
    __device__ T operator()(T x) const { return x + half; }
};
__global__ void classConstant(double *out) { out[0] = Offset<double>()(out[0]); }

__device__ int ofAllThreads;
__device__ unsigned spacesOf(const void *p)
{
    return __isGlobal(p) | __isShared(p) << 1 | __isConstant(p) << 2 | __isLocal(p) << 3;
}
__global__ void spaces(unsigned *out)
{
    __shared__ int fixed;
    extern __shared__ int dynamic[];
    int own = 1;
    out[0] = spacesOf(out);
    out[1] = spacesOf(&ofAllThreads);
    out[2] = spacesOf(&fixed);
    out[3] = spacesOf(dynamic);
    out[4] = spacesOf(&c_values[1]);
    out[5] = spacesOf(&own);
}

/* Tables of Abramowitz and Stegun, 9.8 and 9.11 */
__global__ void bessel(double *out)
{
    out[0] = cyl_bessel_i0(1.0) - 1.2660658777520084;
    out[1] = cyl_bessel_i1(1.0) - 0.5651591039924850;
    out[2] = cyl_bessel_i0(-10.0) / 2815.716628466254 - 1;
    out[3] = cyl_bessel_i1(-10.0) / -2670.988303701255 - 1;
    out[4] = (double)cyl_bessel_i0f(1.0f) - 1.2660658777520084;
    out[5] = (double)cyl_bessel_i1f(0.0f);
    out[6] = 1 / cyl_bessel_i0(2000.0);
}

int main(void)
{
    int *i;
    unsigned *u;
    unsigned long long *l;
    float *f;
    double *d;
    EXPECT(cudaMalloc(&i, 4096) == cudaSuccess && cudaMalloc(&u, 4096) == cudaSuccess &&
           cudaMalloc(&l, 4096) == cudaSuccess);
    EXPECT(cudaMalloc(&f, 4096) == cudaSuccess && cudaMalloc(&d, 4096) == cudaSuccess);

    indices<<<dim3(2, 3, 2), dim3(3, 4, 5)>>>(i);
    int *h = fetch(i, 720);
    for (int k = 0; k < 720; k++)
        EXPECT(h[k] == 1000 * (k / 60) + k % 60);
    free(h);

    votes<<<1, 64>>>(i);
    h = fetch(i, 512);
    for (int t = 0; t < 64; t++) {
        EXPECT(h[t] == 22 && h[64 + t] == 1 && h[128 + t] == 1 && h[192 + t] == (int)0xaaaaaaaa);
        EXPECT(h[256 + t] == (t < 32 ? 0 : 3));
        if (!getenv("CUDA_EMULATED_FAST")) /* where each thread is on its own */
            EXPECT(h[320 + t] == (t % 4 ? 0 : 0x11111111));
        EXPECT(h[384 + t] == 0x01010101 << t % 8);
        EXPECT(h[448 + t] == (t < 32 ? 496 : 496 + 1024));
    }
    free(h);

    shuffles<<<1, 32>>>(i, d);
    h = fetch(i, 192);
    double *hd = fetch(d, 32);
    for (int t = 0; t < 32; t++) {
        EXPECT(h[t] == 5 && h[32 + t] == (t < 3 ? t : t - 3) && h[64 + t] == (t > 28 ? t : t + 3));
        EXPECT(h[96 + t] == (t ^ 9) && h[128 + t] == (t % 8 > 5 ? t : t + 2) &&
               h[160 + t] == t / 8 * 8 + 2);
        EXPECT(hd[t] == (t ^ 1) * 0.5);
    }
    free(h);
    free(hd);

    longShuffles<<<2, 64>>>(i);
    looksAndShuffles<<<1, 32>>>(i, i + 64);
    h = fetch(i, 96);
    for (int t = 0; t < 32; t++)
        EXPECT(h[t] == t + 70000 && h[64 + t] == 1000 * h[t < 31 ? t + 1 : t]);
    free(h);

    spaces<<<1, 1, 16>>>(u);
    unsigned *in = fetch(u, 6);
    const unsigned expected[6] = {1, 1, 2, 2, 4, 8};
    for (int k = 0; k < 6; k++)
        EXPECT(in[k] == expected[k]);
    free(in);

    bessel<<<1, 1>>>(d);
    hd = fetch(d, 7);
    for (int k = 0; k < 7; k++)
        EXPECT(fabs(hd[k]) < (k == 4 ? 1e-7 : 1e-14));
    free(hd);

    EXPECT(cudaMemset(d, 0, 8) == cudaSuccess);
    classConstant<<<1, 1>>>(d);
    hd = fetch(d, 1);
    EXPECT(hd[0] == 0.5);
    free(hd);

    int start[9] = {0, 0, 0, 0, 0, 0, -1, 0, 0};
    EXPECT(cudaMemcpy(i, start, sizeof start, cudaMemcpyHostToDevice) == cudaSuccess);
    EXPECT(cudaMemset(u, 0, 64) == cudaSuccess && cudaMemset(l, 0, 64) == cudaSuccess);
    EXPECT(cudaMemset(f, 0, 64) == cudaSuccess && cudaMemset(d, 0, 64) == cudaSuccess);
    atomics<<<1, 64>>>(i, u, l, f, d);
    h = fetch(i, 9);
    EXPECT(h[0] == 2016 && h[1] == -64 && h[2] == -63 && h[3] == 63 && h[4] == 7);
    /* the order of threads is open */
    EXPECT(h[5] == -1 && h[6] == 0 && h[7] == 0 && h[8] >= 1 && h[8] <= 64);
    free(h);
    unsigned *hu = fetch(u, 3);
    EXPECT(hu[0] == 4 && hu[1] == 6 && hu[2] == 63u << 26);
    free(hu);
    unsigned long long *hl = fetch(l, 2);
    EXPECT(hl[0] == 64ull << 40 && hl[1] == 5);
    free(hl);
    float *hf = fetch(f, 1);
    hd = fetch(d, 1);
    EXPECT(hf[0] == 32 && hd[0] == 16);
    free(hf);
    free(hd);

    float4 *v4;
    double2 *v2;
    uchar4 *vc;
    float3 *v3;
    particle *p;
    EXPECT(cudaMalloc(&v4, 512) == cudaSuccess && cudaMalloc(&v2, 512) == cudaSuccess &&
           cudaMalloc(&vc, 128) == cudaSuccess);
    EXPECT(cudaMalloc(&v3, 384) == cudaSuccess && cudaMalloc(&p, 32 * sizeof *p) == cudaSuccess);
    vectors<<<1, 32>>>(v4, v2, vc, v3, p);
    float4 *h4 = fetch(v4, 32);
    uchar4 *hc = fetch(vc, 32);
    particle *hp = fetch(p, 32);
    EXPECT(h4[7].x == 7 && h4[7].w == 4 && hc[9].x == 9 && hc[9].w == 255 && hp[5].x == 11 &&
           hp[5].tag == 5);
    EXPECT(sizeof(float3) == 12 && sizeof(double2) == 16 && sizeof(dim3) == 12);
    free(h4);
    free(hc);
    free(hp);
    EXPECT(cudaFree(v4) == cudaSuccess && cudaFree(v2) == cudaSuccess &&
           cudaFree(vc) == cudaSuccess);
    EXPECT(cudaFree(v3) == cudaSuccess && cudaFree(p) == cudaSuccess);

    numbers<<<1, 1>>>(i, f);
    h = fetch(i, 11);
    EXPECT(h[0] == 8 && h[1] == 31 && h[2] == 4 && h[3] == (int)0x80000000 && h[4] == 0x3f800000 &&
           h[5] == 2);
    EXPECT(h[6] == -2 && h[7] == 2 && h[8] == 2 && h[9] == 0x77553311 && h[10] == 0x3ff00000);
    free(h);
    hf = fetch(f, 7);
    EXPECT(hf[0] == 0.5f && hf[1] == 0.125f && hf[2] == 9 && hf[3] == 9 && hf[4] == 4 &&
           hf[5] == 1 && hf[6] == 1);
    free(hf);

    struct {
        float scale;
        int n;
    } parameters = {10, 3};
    EXPECT(cudaMemcpyToSymbol(c_parameters, &parameters, sizeof parameters) == cudaSuccess);
    variables<<<1, 8>>>(f);
    hf = fetch(f, 8);
    int counter = 0;
    EXPECT(cudaMemcpyFromSymbol(&counter, d_counter, sizeof counter) == cudaSuccess);
    EXPECT(hf[5] == 2 * 2 * 10 && hf[3] == 4 * 0.5f * 10 && counter == 8);
    free(hf);

    templated<float, 64><<<1, 64, 64 * sizeof(float)>>>(f, 0.5f);
    hf = fetch(f, 64);
    EXPECT(hf[0] == 64 && hf[63] == 1);
    free(hf);
    templated<double, 32><<<1, 32, 32 * sizeof(double), 0>>>(d, 1.0);
    hd = fetch(d, 32);
    EXPECT(hd[0] == 33);
    free(hd);

    kernel_pointer pointer = plain;
    LAUNCH(plain, 4, i, 17);
    pointer<<<1, 2>>>(i, 18);
    inside::plain<<<1, 1>>>(i);
    h = fetch(i, 4);
    EXPECT(h[0] == 99 && h[1] == 18 && h[2] == 17 && h[3] == 17);
    free(h);
    int value = 21;
    void *arguments[] = {&i, &value};
    EXPECT(cudaLaunchKernel((const void *)pointer == 0 ? 0 : plain, dim3(1), dim3(2), arguments, 0,
                            0) == cudaSuccess);
    h = fetch(i, 2);
    EXPECT(h[0] == 21 && h[1] == 21);
    free(h);
    plain<<<1, 2>>>(i, value < 1000 ? value : 1000); /* a comparison, no template */
    plain<<<1, 1>>>(i, value < 30 && value > 10);
    h = fetch(i, 2);
    EXPECT(h[0] == 1 && h[1] == 21);
    free(h);

    fromShared<<<1, 8>>>(i);
    h = fetch(i, 8);
    EXPECT(h[0] == 77 && h[7] == 0);
    free(h);

    functor triple = {3};
    EXPECT(cudaMemset(f, 0, 64) == cudaSuccess);
    apply<<<1, 8>>>(f, [] __device__(float x) { return x + 2; });
    apply<<<1, 8>>>(f, triple);
    recursive<<<1, 1>>>(f);
    hf = fetch(f, 9);
    EXPECT(hf[7] == 6 && hf[8] == 48);
    free(hf);
    {
        text t;
        strcpy(t.data, "----");
        changeText<<<1, 2>>>(t, i);
        EXPECT(cudaDeviceSynchronize() == cudaSuccess && copies > 0 && t.data[0] == '-');
        h = fetch(i, 2);
        EXPECT(h[0] == 'a' && h[1] == 'b');
        free(h);
        const std::string number = std::to_string(copies) + std::to_string(12345u);
        EXPECT(number.size() == 6);
    }

    EXPECT(cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess);
    EXPECT(cudaFree(i) == cudaSuccess && cudaFree(u) == cudaSuccess && cudaFree(l) == cudaSuccess);
    EXPECT(cudaFree(f) == cudaSuccess && cudaFree(d) == cudaSuccess);
    printf("%d failed\n", failures);
    return failures != 0;
}
