// bits.cu [COUNT]: a hash of the results of each conversion and integer operation for COUNT
// operands (16384), drawn from a fixed seed. bits.h200 has the output of an H200.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

// Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014
static __host__ __device__ u64 mixed(u64 x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Operands: every other one has any bits, the others are of the sizes at which conversions and
// divisions have their edges.
template <class T> static __device__ T operand(u64 i, int which)
{
    const u64 x = mixed(2 * i + which);
    return (T)(i % 2 ? x : x >> (int)(mixed(x) & 63));
}
template <> __device__ float operand(u64 i, int which)
{
    const u64 x = mixed(2 * i + which);
    const u32 exponent = 120 + (u32)(x >> 40) % 70;
    return __uint_as_float(i % 2 ? (u32)x : ((u32)x & 0x807fffffu) | exponent << 23);
}
template <> __device__ double operand(u64 i, int which)
{
    const u64 x = mixed(2 * i + which), exponent = 1016 + mixed(x) % 70;
    const u64 bits = i % 2 ? x : (x & 0x800fffffffffffffull) | exponent << 52;
    return __longlong_as_double((s64)bits);
}

// The bits of a result; every NaN is the same.
template <class T> static __device__ u64 bitsOf(T x) { return (u64)x; }
template <> __device__ u64 bitsOf(float x) { return x == x ? __float_as_uint(x) : 0x7fffffffu; }
template <> __device__ u64 bitsOf(double x)
{
    return x == x ? (u64)__double_as_longlong(x) : 0x7fffffffffffffffull;
}

struct operation {
    const char *name;
    void (*kernel)(u64 count, u64 *hash);
};

// The operands are a, b and, behind a semicolon in no operation, the shift s of 0 to 79.
#define OPERATIONS(X)                                                                              \
    X(float_to_s8, float, (s8)a)                                                                   \
    X(float_to_u8, float, (u8)a)                                                                   \
    X(float_to_s16, float, (s16)a)                                                                 \
    X(float_to_u16, float, (u16)a)                                                                 \
    X(float_to_s32, float, (s32)a)                                                                 \
    X(float_to_u32, float, (u32)a)                                                                 \
    X(float_to_s64, float, (s64)a)                                                                 \
    X(float_to_u64, float, (u64)a)                                                                 \
    X(double_to_s8, double, (s8)a)                                                                 \
    X(double_to_u8, double, (u8)a)                                                                 \
    X(double_to_s16, double, (s16)a)                                                               \
    X(double_to_u16, double, (u16)a)                                                               \
    X(double_to_s32, double, (s32)a)                                                               \
    X(double_to_u32, double, (u32)a)                                                               \
    X(double_to_s64, double, (s64)a)                                                               \
    X(double_to_u64, double, (u64)a)                                                               \
    X(double_to_float, double, (float)a)                                                           \
    X(s32_to_float, s32, (float)a)                                                                 \
    X(u32_to_float, u32, (float)a)                                                                 \
    X(s64_to_float, s64, (float)a)                                                                 \
    X(u64_to_float, u64, (float)a)                                                                 \
    X(s64_to_double, s64, (double)a)                                                               \
    X(u64_to_double, u64, (double)a)                                                               \
    X(float2int_rn, float, __float2int_rn(a))                                                      \
    X(float2int_rz, float, __float2int_rz(a))                                                      \
    X(float2int_ru, float, __float2int_ru(a))                                                      \
    X(float2int_rd, float, __float2int_rd(a))                                                      \
    X(float2uint_rn, float, __float2uint_rn(a))                                                    \
    X(float2uint_rz, float, __float2uint_rz(a))                                                    \
    X(float2uint_ru, float, __float2uint_ru(a))                                                    \
    X(float2uint_rd, float, __float2uint_rd(a))                                                    \
    X(float2ll_rn, float, __float2ll_rn(a))                                                        \
    X(float2ll_rz, float, __float2ll_rz(a))                                                        \
    X(float2ull_rn, float, __float2ull_rn(a))                                                      \
    X(float2ull_rz, float, __float2ull_rz(a))                                                      \
    X(double2int_rn, double, __double2int_rn(a))                                                   \
    X(double2int_rz, double, __double2int_rz(a))                                                   \
    X(double2uint_rn, double, __double2uint_rn(a))                                                 \
    X(double2uint_rz, double, __double2uint_rz(a))                                                 \
    X(double2ll_rn, double, __double2ll_rn(a))                                                     \
    X(double2ll_rz, double, __double2ll_rz(a))                                                     \
    X(double2ull_rn, double, __double2ull_rn(a))                                                   \
    X(double2ull_rz, double, __double2ull_rz(a))                                                   \
    X(double2float_rz, double, __double2float_rz(a))                                               \
    X(double2float_ru, double, __double2float_ru(a))                                               \
    X(double2float_rd, double, __double2float_rd(a))                                               \
    X(int2float_rz, s32, __int2float_rz(a))                                                        \
    X(int2float_ru, s32, __int2float_ru(a))                                                        \
    X(uint2float_rd, u32, __uint2float_rd(a))                                                      \
    X(ll2float_rz, s64, __ll2float_rz(a))                                                          \
    X(ull2double_rz, u64, __ull2double_rz(a))                                                      \
    X(shift_left_32, s32, a << s)                                                                  \
    X(shift_right_s32, s32, a >> s)                                                                \
    X(shift_right_u32, u32, a >> s)                                                                \
    X(shift_left_64, s64, a << s)                                                                  \
    X(shift_right_s64, s64, a >> s)                                                                \
    X(shift_right_u64, u64, a >> s)                                                                \
    X(divide_s32, s32, a / b)                                                                      \
    X(divide_u32, u32, a / b)                                                                      \
    X(divide_s64, s64, a / b)                                                                      \
    X(divide_u64, u64, a / b)                                                                      \
    X(modulo_s32, s32, a % b)                                                                      \
    X(modulo_u32, u32, a % b)                                                                      \
    X(modulo_s64, s64, a % b)                                                                      \
    X(modulo_u64, u64, a % b)                                                                      \
    X(mulhi, s32, __mulhi(a, b))                                                                   \
    X(umulhi, u32, __umulhi(a, b))                                                                 \
    X(mul64hi, s64, __mul64hi(a, b))                                                               \
    X(mul24, s32, __mul24(a, b))                                                                   \
    X(umul24, u32, __umul24(a, b))                                                                 \
    X(sad, s32, __sad(a, b, 7))                                                                    \
    X(hadd, s32, __hadd(a, b))                                                                     \
    X(rhadd, s32, __rhadd(a, b))                                                                   \
    X(byte_perm, u32, __byte_perm(a, b, (u32)s))                                                   \
    X(brev, u32, __brev(a))                                                                        \
    X(clz, s32, __clz(a))                                                                          \
    X(ffs, s32, __ffs(a))                                                                          \
    X(popc, u32, __popc(a))                                                                        \
    X(clzll, s64, __clzll(a))                                                                      \
    X(funnel_left, u32, __funnelshift_l(a, b, (u32)s))                                             \
    X(funnel_left_clamped, u32, __funnelshift_lc(a, b, (u32)s))                                    \
    X(funnel_right, u32, __funnelshift_r(a, b, (u32)s))                                            \
    X(funnel_right_clamped, u32, __funnelshift_rc(a, b, (u32)s))                                   \
    X(dp4a, s32, __dp4a(a, b, 3))                                                                  \
    X(add_ru, float, __fadd_ru(a, b))                                                              \
    X(add_rd, float, __fadd_rd(a, b))                                                              \
    X(add_rz, float, __fadd_rz(a, b))                                                              \
    X(mul_ru, float, __fmul_ru(a, b))                                                              \
    X(mul_rd, float, __fmul_rd(a, b))                                                              \
    X(mul_rz, float, __fmul_rz(a, b))                                                              \
    X(fma_rn, float, __fmaf_rn(a, b, 1.5f))                                                        \
    X(fma_rz, float, __fmaf_rz(a, b, 1.5f))                                                        \
    X(div_rn, float, __fdiv_rn(a, b))                                                              \
    X(div_rz, float, __fdiv_rz(a, b))                                                              \
    X(sqrt_rn, float, __fsqrt_rn(a))                                                               \
    X(sqrt_ru, float, __fsqrt_ru(a))                                                               \
    X(rcp_rn, float, __frcp_rn(a))                                                                 \
    X(rint, float, rintf(a))                                                                       \
    X(round, float, roundf(a))                                                                     \
    X(trunc, float, truncf(a))                                                                     \
    X(fmin, float, fminf(a, b))                                                                    \
    X(fmax, float, fmaxf(a, b))                                                                    \
    X(fmod, float, fmodf(a, b))                                                                    \
    X(double_div, double, __ddiv_rn(a, b))                                                         \
    X(double_fma_ru, double, __fma_ru(a, b, 1.5))                                                  \
    X(double_sqrt_rd, double, __dsqrt_rd(a))                                                       \
    X(saturate, float, __saturatef(a))

#define KERNEL(name, type, expression)                                                             \
    static __global__ void op_##name(u64 count, u64 *hash)                                         \
    {                                                                                              \
        const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;                                  \
        if (i >= count)                                                                            \
            return;                                                                                \
        const type a = operand<type>(i, 0), b = operand<type>(i, 1);                               \
        const int s = (int)(mixed(i) % 80);                                                        \
        (void)a, (void)b, (void)s;                                                                 \
        atomicAdd(hash, mixed(i ^ mixed(bitsOf(expression))));                                     \
    }
OPERATIONS(KERNEL)

#define ENTRY(name, type, expression) {#name, op_##name},
static const struct operation operations[] = {OPERATIONS(ENTRY)};

// Where the edges are, to read rather than to compare
static __global__ void edges(int zero)
{
    const float x[] = {3e9f,  -5.0f,  __uint_as_float(0x7fc00000), -3e9f, 300.0f, 1e20f,
                       -0.5f, -300.0f};
    for (int i = 0; i < 8; i++)
        printf("%g: s8 %d u8 %d s16 %d u16 %d s32 %d u32 %u s64 %lld u64 %llu\n", (double)x[i],
               (s8)(x[i] + (float)zero), (u8)(x[i] + (float)zero), (s16)(x[i] + (float)zero),
               (u16)(x[i] + (float)zero), (s32)(x[i] + (float)zero), (u32)(x[i] + (float)zero),
               (s64)(x[i] + (float)zero), (u64)(x[i] + (float)zero));
    printf("100 / 0 = %d, -100 / 0 = %d, 0 / 0 = %d, 100 %% 0 = %d, -100 %% 0 = %d\n", 100 / zero,
           -100 / zero, zero / zero, 100 % zero, -100 % zero);
    printf("100u / 0 = %u, 100u %% 0 = %u, 100ll / 0 = %lld, -100ll / 0 = %lld, 100ll %% 0 = %lld, "
           "-100ll %% 0 = %lld, 100ull / 0 = %llu, 100ull %% 0 = %llu\n",
           100u / (u32)zero, 100u % (u32)zero, 100ll / zero, -100ll / zero, 100ll % zero,
           -100ll % zero, 100ull / (u64)zero, 100ull % (u64)zero);
    printf("least / -1 = %d, least %% -1 = %d, least64 / -1 = %lld\n",
           (-2147483647 - 1) / (zero - 1), (-2147483647 - 1) % (zero - 1),
           (-9223372036854775807ll - 1) / (zero - 1));
    printf(
        "1 << 31 = %d, 1 << 32 = %d, 1 << 40 = %d, -1 >> 40 = %d, 1ll << 70 = %lld, 1 << -1 = %d, "
        "1 << 256 = %d\n",
        1 << (zero + 31), 1 << (zero + 32), 1 << (zero + 40), -1 >> (zero + 40), 1ll << (zero + 70),
        1 << (zero - 1), 1 << (zero + 256));
}

int main(int argc, char *argv[])
{
    const u64 count = argc > 1 ? strtoull(argv[1], NULL, 10) : 16384;
    u64 *d_hash, hash;

    if (argc > 2) {
        edges<<<1, 1>>>(0);
        return cudaDeviceSynchronize() != cudaSuccess;
    }
    if (cudaMalloc((void **)&d_hash, sizeof *d_hash) != cudaSuccess)
        return 2;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        cudaMemset(d_hash, 0, sizeof *d_hash);
        operations[i].kernel<<<(unsigned)((count + 255) / 256), 256>>>(count, d_hash);
        if (cudaMemcpy(&hash, d_hash, sizeof hash, cudaMemcpyDeviceToHost) != cudaSuccess)
            return 2;
        printf("%s %016llx\n", operations[i].name, hash);
    }
    return cudaFree(d_hash) != cudaSuccess;
}
