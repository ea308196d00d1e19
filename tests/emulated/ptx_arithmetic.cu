/* Inline PTX of arithmetic, bits, comparisons, votes and shuffles, each against plain C; registers
 * of its own, guards, 32-bit addresses of shared memory and cp.async. */
#include <stdio.h>
#include <string.h>

enum { N = 64 };
__device__ int d_wrong[N];
#define IS(i, expression, wanted)                                                                  \
    do {                                                                                           \
        if (!((expression) == (wanted)))                                                           \
            d_wrong[i]++;                                                                          \
    } while (0)

__global__ void integers(unsigned a, unsigned b, int s)
{
    unsigned r, low;
    int t;
    unsigned long long w;
    asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    IS(0, r, a + b);
    asm("sub.s32 %0, %1, 7;" : "=r"(t) : "r"(s));
    IS(1, t, s - 7);
    asm("mul.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    IS(2, r, a * b);
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    IS(3, r, __umulhi(a, b));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(a), "r"(b));
    IS(4, w, (unsigned long long)a * b);
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(t) : "r"(s), "r"(3), "r"(5));
    IS(5, t, s * 3 + 5);
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(w) : "r"(s), "r"(1 << 30), "l"(1ll));
    IS(6, (long long)w, (long long)s * (1 << 30) + 1);
    asm("div.s32 %0, %1, %2;" : "=r"(t) : "r"(s), "r"(7));
    IS(7, t, s / 7);
    asm("rem.s32 %0, %1, %2;" : "=r"(t) : "r"(s), "r"(7));
    IS(8, t, s % 7);
    asm("min.s32 %0, %1, %2;" : "=r"(t) : "r"(s), "r"(7));
    IS(9, t, s < 7 ? s : 7);
    asm("max.u32 %0, %1, %2;" : "=r"(r) : "r"((unsigned)s), "r"(7u));
    IS(10, r, (unsigned)s);
    asm("abs.s32 %0, %1;" : "=r"(t) : "r"(s));
    IS(11, t, -s);
    asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
    IS(12, r, (unsigned)__popc(a));
    asm("clz.b64 %0, %1;" : "=r"(r) : "l"((unsigned long long)a));
    IS(13, r, (unsigned)__clzll(a));
    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
    IS(14, r, __brev(a));
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a));
    IS(15, r, 31u - __clz(a));
    asm("bfe.u32 %0, %1, 4, 12;" : "=r"(r) : "r"(a));
    IS(16, r, a >> 4 & 0xfff);
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(t) : "r"(s), "r"(0), "r"(8));
    IS(17, t, (int)(signed char)s);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(r) : "r"(a), "r"(b));
    IS(18, r, (b & ~0xf00u) | (a & 15) << 8);
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0x1234));
    IS(19, r, __byte_perm(a, b, 0x1234));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); /* a ^ b ^ s */
    IS(20, r, a ^ b ^ (unsigned)s);
    asm("shf.l.wrap.b32 %0, %1, %2, 9;" : "=r"(r) : "r"(a), "r"(b));
    IS(21, r, __funnelshift_l(a, b, 9));
    asm("shr.s32 %0, %1, 40;" : "=r"(t) : "r"(s));
    IS(22, t, -1);
    asm("shl.b32 %0, %1, 32;" : "=r"(r) : "r"(a));
    IS(23, r, 0u);
    asm("not.b32 %0, %1;" : "=r"(r) : "r"(a));
    IS(24, r, ~a);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(r) : "l"(0x123456789abcdef0ull));
    IS(25, low == 0x9abcdef0u && r == 0x12345678u, true);
    asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(a), "r"(b));
    IS(26, w, (unsigned long long)b << 32 | a);
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(5u));
    IS(27, r, (a > b ? a - b : b - a) + 5);
}

__global__ void numbers(float x, double y)
{
    float f;
    double d;
    int i;
    unsigned u;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(x), "f"(3.0f), "f"(1.0f));
    IS(30, f, fmaf(x, 3, 1));
    asm("add.f64 %0, %1, 0d3FF8000000000000;" : "=d"(d) : "d"(y)); /* 1.5 */
    IS(31, d, y + 1.5);
    asm("mul.ftz.f32 %0, %1, 0f40000000;" : "=f"(f) : "f"(x)); /* 2 */
    IS(32, f, 2 * x);
    asm("sqrt.rn.f32 %0, %1;" : "=f"(f) : "f"(x));
    IS(33, f, sqrtf(x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(4.0f));
    IS(34, f, 0.25f);
    asm("ex2.approx.f32 %0, %1;" : "=f"(f) : "f"(5.0f));
    IS(35, f, 32.0f);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.75f));
    IS(36, i, -2);
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.75f));
    IS(37, i, -3);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(7));
    IS(38, f, 7.0f);
    asm("cvt.rp.f32.f64 %0, %1;" : "=f"(f) : "d"(1 + 1e-12));
    IS(39, f, 1 + 1.1920929e-7f);
    asm("cvt.u64.u32 %0, %1;" : "=l"(*(unsigned long long *)&d) : "r"(9u));
    IS(40, *(unsigned long long *)&d, 9ull);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u) : "f"(1 + 1 / 2048.0f));
    IS(41, __uint_as_float(u), 1 + 1 / 1024.0f);
    asm("max.f32 %0, %1, %2;" : "=f"(f) : "f"(nanf("")), "f"(2.0f));
    IS(42, f, 2.0f);
}

/* A predicate, a temporary register, a guarded instruction */
__device__ int clampTo(int x, int limit)
{
    int r;
    asm("{\n\t"
        ".reg .pred p;\n\t"
        ".reg .s32 t<2>;\n\t"
        "mov.s32 t0, %1;\n\t"
        "setp.gt.s32 p, t0, %2;\n\t"
        "@p mov.s32 t0, %2;\n\t"
        "@!p add.s32 t0, t0, 100;\n\t"
        "selp.s32 t1, 1, 0, p;\n\t"
        "mad.lo.s32 %0, t1, 1000, t0;\n\t"
        "}"
        : "=r"(r)
        : "r"(x), "r"(limit));
    return r;
}
__global__ void warp(const float *x, float *y)
{
    __shared__ __align__(16) float s[64];
    extern __shared__ float dynamic[];
    const int lane = threadIdx.x;
    unsigned mask, ballot, down;
    int any, sum;
    IS(50, clampTo(lane, 10), lane > 10 ? 1010 : lane + 100);
    asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
                 : "=r"(ballot)
                 : "r"(lane));
    IS(51, ballot, 31u);
    asm volatile("shfl.sync.down.b32 %0, %1, 4, 0x1f, 0xffffffff;" : "=r"(down) : "r"(lane));
    IS(52, down, (unsigned)(lane < 28 ? lane + 4 : lane));
    /* within eight */
    asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x181f, 0xffffffff;" : "=r"(down) : "r"(lane));
    IS(53, down, (unsigned)(lane ^ 3));
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
    IS(54, sum, 496);
    asm volatile("{.reg .pred p, q; setp.eq.s32 p, %1, 31; vote.sync.any.pred q, p, 0xffffffff; "
                 "selp.s32 %0, 1, 0, q;}"
                 : "=r"(any)
                 : "r"(lane));
    IS(55, any, 1);
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(mask));
    IS(56, mask, ~0u << lane);

    /* shared memory by addresses of 32 bits, one of them computed in PTX */
    const unsigned address = (unsigned)__cvta_generic_to_shared(s + lane);
    unsigned other;
    float back;
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(x[lane]) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm("{.reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a;}" : "=r"(other) : "l"(dynamic));
    asm volatile("ld.shared.f32 %0, [%1+4];"
                 : "=f"(back)
                 : "r"(address - (lane == 31 ? 4 : 0))
                 : "memory");
    IS(57, back, x[lane == 31 ? 31 : lane + 1]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(other + 4 * lane), "l"(x + lane)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    y[lane] = dynamic[lane ^ 1];
    IS(58, y[lane], x[lane ^ 1]);
}

int main(void)
{
    float *x, *y, h[32];
    int wrong[N], failed = 0;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    for (int i = 0; i < 32; i++)
        h[i] = (float)(3 * i);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    memset(wrong, 0, sizeof wrong);
    cudaMemcpyToSymbol(d_wrong, wrong, sizeof wrong);
    integers<<<1, 1>>>(0xdeadbeef, 0x12345678, -1234);
    numbers<<<1, 1>>>(1.7f, -2.5);
    warp<<<1, 32, sizeof h>>>(x, y);
    cudaMemcpyFromSymbol(wrong, d_wrong, sizeof wrong);
    for (int i = 0; i < N; i++)
        if (wrong[i]) {
            printf("FAILED: check %d\n", i);
            failed = 1;
        }
    failed |= cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(x);
    cudaFree(y);
    printf("arithmetic in PTX: %s\n", failed ? "FAILED" : "ok");
    return failed;
}
