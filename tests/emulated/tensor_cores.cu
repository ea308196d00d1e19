/* The instructions of tensor cores: ldmatrix, stmatrix, mma and wgmma, against the product by the
 * definition; and what misuse is called. Small integers: every sum is exact in every type. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

#include "cases.h"

enum { ROWS = 64, COLUMNS = 64, MOST = ROWS * COLUMNS };
static float *d_sums;
static float sums[MOST];

static int left(int i, int k) { return (i * 7 + k * 3) % 5 - 2; }
static int right(int k, int j) { return (k * 5 + j * 11) % 7 - 3; }
static __device__ int leftOf(int i, int k) { return (i * 7 + k * 3) % 5 - 2; }
static __device__ int rightOf(int k, int j) { return (k * 5 + j * 11) % 7 - 3; }

static void prepare(void)
{
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMemset(d_sums, 0, sizeof sums));
}
static void expectProduct(const char *what, int m, int n, int depth, int factor, int added)
{
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = added;
            for (int k = 0; k < depth; k++)
                sum += factor * left(i, k) * right(k, j);
            if (sums[i * n + j] != (float)sum) {
                printf("FAILED: %s: (%d,%d) is %g instead of %d\n", what, i, j,
                       (double)sums[i * n + j], sum);
                exit(2);
            }
        }
}

static __device__ unsigned shared32(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* ---- a warp's product, 16 x 8 ---------------------------------------------------------------- */
template <class T> static __device__ T number(int x) { return (T)(float)x; }
template <class T> static __device__ unsigned pack(T a, T b)
{
    unsigned bits;
    T both[2] = {a, b};
    memcpy(&bits, both, sizeof bits);
    return bits;
}
enum kind { HALF, BRAIN, SHALLOW, HALF_SUMS };

template <kind Kind, class T> __global__ void mma(float *y, int lanes)
{
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    unsigned a[4], b[2];
    float c[4] = {5, 5, 5, 5};
    if (lane >= lanes)
        return;
    for (int r = 0; r < 4; r++) {
        const int i = g + 8 * (r % 2), k = 2 * t + 8 * (r / 2);
        a[r] = pack(number<T>(leftOf(i, k)), number<T>(leftOf(i, k + 1)));
    }
    for (int r = 0; r < 2; r++) {
        const int k = 2 * t + 8 * r;
        b[r] = pack(number<T>(rightOf(k, g)), number<T>(rightOf(k + 1, g)));
    }
    if (Kind == HALF)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else if (Kind == BRAIN)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else if (Kind == SHALLOW)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                     "{%4,%5}, {%6}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    else {
        unsigned h[2] = {pack(__float2half(5), __float2half(5)),
                         pack(__float2half(5), __float2half(5))};
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, "
                     "{%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                     : "+r"(h[0]), "+r"(h[1])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        for (int i = 0; i < 4; i++) {
            __half pair[2];
            memcpy(pair, &h[i / 2], sizeof pair);
            c[i] = __half2float(pair[i % 2]);
        }
    }
    for (int i = 0; i < 4; i++)
        y[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}
static void products(void)
{
    mma<HALF, __half><<<1, 32>>>(d_sums, 32);
    expectProduct("half", 16, 8, 16, 1, 5);
    mma<BRAIN, __nv_bfloat16><<<1, 32>>>(d_sums, 32);
    expectProduct("bfloat16", 16, 8, 16, 1, 5);
    mma<SHALLOW, __half><<<1, 32>>>(d_sums, 32);
    expectProduct("half, 8 deep", 16, 8, 8, 1, 5);
    mma<HALF_SUMS, __half><<<1, 32>>>(d_sums, 32);
    expectProduct("half, sums too", 16, 8, 16, 1, 5);
}
static void halfAWarp(void) { mma<HALF, __half><<<1, 32>>>(d_sums, 16); }

__global__ void mmaTf32(float *y)
{
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    float a[4], b[2], c[4] = {};
    for (int r = 0; r < 4; r++)
        a[r] = (float)leftOf(g + 8 * (r % 2), t + 4 * (r / 2));
    for (int r = 0; r < 2; r++)
        b[r] = (float)rightOf(t + 4 * r, g);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, "
                 "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])),
                   "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
                   "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
    for (int i = 0; i < 4; i++)
        y[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}
__global__ void mmaBytes(float *y)
{
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    int a[4], b[2], c[4] = {};
    for (int r = 0; r < 4; r++) {
        signed char four[4];
        for (int j = 0; j < 4; j++)
            four[j] = (signed char)leftOf(g + 8 * (r % 2), 4 * t + j + 16 * (r / 2));
        memcpy(&a[r], four, 4);
    }
    for (int r = 0; r < 2; r++) {
        signed char four[4];
        for (int j = 0; j < 4; j++)
            four[j] = (signed char)rightOf(4 * t + j + 16 * r, g);
        memcpy(&b[r], four, 4);
    }
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                 "{%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++)
        y[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = (float)c[i];
}
static void otherTypes(void)
{
    mmaTf32<<<1, 32>>>(d_sums);
    expectProduct("TF32", 16, 8, 8, 1, 0);
    mmaBytes<<<1, 32>>>(d_sums);
    expectProduct("bytes", 16, 8, 32, 1, 0);
}

/* ---- to and from shared memory --------------------------------------------------------------- */
__global__ void fromShared(float *y, int odd)
{
    __shared__ __align__(16) __half a[16][24], b[17][8];
    const int lane = threadIdx.x;
    for (int i = lane; i < 16 * 16; i += 32)
        a[i / 16][i % 16] = __float2half((float)leftOf(i / 16, i % 16));
    for (int i = lane; i < 16 * 8; i += 32)
        b[i / 8][i % 8] = __float2half((float)rightOf(i / 8, i % 8));
    __syncwarp();
    unsigned f[4], s[2];
    float c[4] = {};
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(shared32(&a[lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(s[0]), "=r"(s[1])
                 : "r"(shared32(&b[lane % 16][odd])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                 "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "r"(s[0]), "r"(s[1]));
    for (int i = 0; i < 4; i++)
        y[(lane / 4 + 8 * (i / 2)) * 8 + lane % 4 * 2 + i % 2] = c[i];
}
/* Registers that ldmatrix has filled are stored again: the same, and transposed. */
__global__ void backToShared(float *y)
{
    __shared__ __align__(16) __half a[32][8], same[32][8], turned[32][8], one[8][8];
    const int lane = threadIdx.x;
    unsigned f[4];
    for (int i = 0; i < 8; i++)
        a[lane][i] = __float2half((float)(lane * 8 + i));
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(shared32(a[lane])));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     shared32(same[lane])),
                 "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3])
                 : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     shared32(turned[lane])),
                 "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3])
                 : "memory");
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(shared32(one[lane % 8])),
        "r"(f[2])
        : "memory");
    __syncwarp();
    int wrong = 0;
    for (int i = 0; i < 8; i++) {
        wrong += __half2float(same[lane][i]) != (float)(lane * 8 + i);
        wrong += __half2float(turned[lane][i]) != (float)((lane / 8 * 8 + i) * 8 + lane % 8);
        wrong += __half2float(one[lane % 8][i]) != (float)((16 + lane % 8) * 8 + i);
    }
    y[lane] = (float)wrong;
}
static void matrices(void)
{
    fromShared<<<1, 32>>>(d_sums, 0);
    expectProduct("ldmatrix", 16, 8, 16, 1, 0);
    CHECK(cudaMemset(d_sums, 0, sizeof sums));
    backToShared<<<1, 32>>>(d_sums);
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        if (sums[i] != 0) {
            printf("FAILED: stmatrix, lane %d\n", i);
            exit(2);
        }
}
static void oddRow(void) { fromShared<<<1, 32>>>(d_sums, 1); }

/* ---- a warpgroup's product, 64 x 64 ---------------------------------------------------------- */
#if defined __CUDA_EMULATED__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_WGMMA
#endif
#define FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SUMS(d)                                                                                    \
    FOUR(d, 0), FOUR(d, 4), FOUR(d, 8), FOUR(d, 12), FOUR(d, 16), FOUR(d, 20), FOUR(d, 24),        \
        FOUR(d, 28)
#define NAMES                                                                                      \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "  \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "

enum mistake { NONE, NO_FENCE, NO_WAIT };
/* Width: of a row of a tile in bytes, and how it is swizzled; 0: not at all. */
__host__ __device__ static int inTile(int row, int k, int bytes, int width, int rows)
{
    const int at = k * bytes;
    if (width == 0) /* pieces of 8 rows x 16 bytes, those of the same k behind one another */
        return at / 16 * (rows / 8 * 128) + row / 8 * 128 + row % 8 * 16 + at % 16;
    const int dense = row * width + at;
    return dense ^ (dense >> 7 & (width / 16 - 1)) << 4;
}
/* 64 columns side by side, 8 of k below one another */
__host__ __device__ static int inTurnedTile(int column, int k)
{
    const int dense = k * 128 + column * 2;
    return dense ^ (dense >> 7 & 7) << 4;
}
static __device__ uint64_t descriptor(const void *tile, int step, int leading, int stride,
                                      int width)
{
    const uint64_t mode = width == 128 ? 1 : width == 64 ? 2 : width == 32 ? 3 : 0;
    return mode << 62 | (uint64_t)(stride / 16) << 32 | (uint64_t)(leading / 16) << 16 |
           ((shared32(tile) + step * 32) >> 4 & 0x3fff);
}

enum factor { F16, BF16, TF32, REGISTERS, TURNED };
template <factor Factor, int Width, class T, mistake Wrong> __global__ void wgmma(float *y)
{
#ifdef HAS_WGMMA
    enum { DEPTH = Width ? Width / (int)sizeof(T) : 32 / (int)sizeof(T), STEP = 32 / sizeof(T) };
    __shared__ __align__(1024) unsigned char a[64 * DEPTH * sizeof(T)], b[64 * DEPTH * sizeof(T)];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    float d[32];
    for (int i = t; i < 64 * DEPTH; i += 128) {
        const int row = i / DEPTH, k = i % DEPTH;
        *(T *)(a + inTile(row, k, sizeof(T), Width, 64)) = number<T>(leftOf(row, k));
        *(T *)(b +
               (Factor == TURNED ? inTurnedTile(row, k) : inTile(row, k, sizeof(T), Width, 64))) =
            number<T>(rightOf(k, row));
    }
    for (int i = 0; i < 32; i++)
        d[i] = 3;
    if (Wrong != NO_FENCE)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const int stride = Width ? 8 * Width : 128, leading = Width ? 16 : 1024;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < DEPTH / STEP; k++) {
        const uint64_t da = descriptor(a, k, leading, stride, Width),
                       db = Factor == TURNED ? descriptor(b, 64 * k, 8192, 1024, 128)
                                             : descriptor(b, k, leading, stride, Width);
        if (Factor == F16)
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
                         "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES
                         "%32, %33, p, 1, 1, 0, 0;\n}"
                         : SUMS(d)
                         : "l"(da), "l"(db), "r"(1));
        else if (Factor == BF16)
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
                         "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " NAMES
                         "%32, %33, p, 1, -1, 0, 0;\n}"
                         : SUMS(d)
                         : "l"(da), "l"(db), "r"(k));
        else if (Factor == TF32)
            asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 " NAMES
                         "%32, %33, 1, 1, 1;"
                         : SUMS(d)
                         : "l"(da), "l"(db));
        else if (Factor == TURNED)
            asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES
                         "%32, %33, 1, 1, 1, 0, 1;"
                         : SUMS(d)
                         : "l"(da), "l"(db));
        else {
            unsigned f[4];
            for (int r = 0; r < 4; r++) {
                const int i = 16 * warp + lane / 4 + 8 * (r % 2),
                          c = k * STEP + lane % 4 * 2 + 8 * (r / 2);
                f[r] = pack(number<T>(leftOf(i, c)), number<T>(leftOf(i, c + 1)));
            }
            asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES
                         "{%32, %33, %34, %35}, %36, 1, 1, 1, 0;"
                         : SUMS(d)
                         : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "l"(db));
        }
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (Wrong != NO_WAIT)
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 32; i++)
        y[(16 * warp + lane / 4 + 8 * (i / 2 % 2)) * 64 + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
    if (Wrong == NO_WAIT)
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
}
static void warpgroups(void)
{
    wgmma<F16, 0, __half, NONE><<<1, 128>>>(d_sums);
    expectProduct("not swizzled", 64, 64, 16, 1, 3);
    wgmma<F16, 32, __half, NONE><<<1, 128>>>(d_sums);
    expectProduct("32 bytes", 64, 64, 16, 1, 3);
    wgmma<F16, 64, __half, NONE><<<1, 128>>>(d_sums);
    expectProduct("64 bytes", 64, 64, 32, 1, 3);
    wgmma<F16, 128, __half, NONE><<<1, 128>>>(d_sums);
    expectProduct("128 bytes", 64, 64, 64, 1, 3);
    wgmma<BF16, 128, __nv_bfloat16, NONE><<<1, 128>>>(d_sums);
    expectProduct("bfloat16, negated", 64, 64, 64, -1, 0);
    wgmma<TF32, 128, float, NONE><<<1, 128>>>(d_sums);
    expectProduct("TF32", 64, 64, 32, 1, 3);
    wgmma<REGISTERS, 128, __half, NONE><<<1, 128>>>(d_sums);
    expectProduct("left factor in registers", 64, 64, 64, 1, 3);
    wgmma<TURNED, 128, __half, NONE><<<1, 128>>>(d_sums);
    expectProduct("right factor by rows", 64, 64, 64, 1, 3);
}
static void noProxyFence(void) { wgmma<F16, 128, __half, NO_FENCE><<<1, 128>>>(d_sums); }
/* Sums that nobody has waited for are no numbers. */
static void sumsTooEarly(void)
{
#ifdef __CUDA_EMULATED__
    wgmma<F16, 128, __half, NO_WAIT><<<1, 128>>>(d_sums);
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < MOST; i++)
        if (sums[i] == sums[i]) {
            printf("FAILED: sum %d is %g before the wait\n", i, (double)sums[i]);
            exit(2);
        }
#endif
}

static const struct test tests[] = {
    CLEAN(products),
    CLEAN(otherTypes),
    CLEAN(matrices),
    CLEAN(warpgroups),
    CLEAN(sumsTooEarly),
    FINDS(halfAWarp, "shuffle-inactive", "takes all 32"),
    FINDS(oddRow, "misaligned", "no multiple of 16"),
    FINDS(noProxyFence, "race", "no fence.proxy.async"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
