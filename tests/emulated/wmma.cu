/* wmma: every shape, type and layout against the product by the definition; and what misuse is
 * called. */
#include <math.h>
#include <mma.h>

#include "cases.h"

using namespace nvcuda;

enum { LARGEST = 48 * 48 };

/* c[i][j] = sum of a[i][k] b[k][j] + c[i][j], with leading dimensions longer than the matrices */
template <class A, class C, int M, int N, int K, class LayoutA, class LayoutB, class T>
__global__ void multiply(const T *a, const T *b, C *c, int lda, int ldb, int ldc,
                         wmma::layout_t layout, C factor)
{
    wmma::fragment<wmma::matrix_a, M, N, K, A, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, A, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> fc, fd;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, layout);
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++)
        fd.x[i] = fd.x[i] * factor;
    wmma::store_matrix_sync(c, fd, ldc, layout);
}

static double number(half x) { return __half2float(x); }
static double number(__nv_bfloat16 x) { return __bfloat162float(x); }
template <class T> static double number(T x) { return (double)x; }

static void fail(const char *what, int i, int j, double got, double wanted)
{
    printf("FAILED: %s: (%d,%d) is %.17g instead of %.17g\n", what, i, j, got, wanted);
    exit(2);
}

/* Small integers: every sum is exact in every type. */
template <class A, class C, int M, int N, int K, class LayoutA, class LayoutB, class T>
static void product(const char *what)
{
    const int a_rows = std::is_same<LayoutA, wmma::row_major>::value,
              b_rows = std::is_same<LayoutB, wmma::row_major>::value;
    const int lda = ((a_rows ? K : M) + 31) / 16 * 16, ldb = ((b_rows ? N : K) + 31) / 16 * 16;
    static T a[LARGEST], b[LARGEST];
    static C c[LARGEST], got[LARGEST];
    T *d_a, *d_b;
    C *d_c;
    for (int i = 0; i < LARGEST; i++) {
        a[i] = (T)(i * 7 % 5);
        b[i] = (T)(i * 11 % 4);
        c[i] = (C)(i * 13 % 9);
    }
    CHECK(cudaMalloc(&d_a, sizeof a));
    CHECK(cudaMalloc(&d_b, sizeof b));
    CHECK(cudaMalloc(&d_c, sizeof c));
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        const int ldc = (by_rows ? N : M) + 8;
        CHECK(cudaMemcpy(d_c, c, sizeof c, cudaMemcpyHostToDevice));
        multiply<A, C, M, N, K, LayoutA, LayoutB>
            <<<1, 32>>>(d_a, d_b, d_c, lda, ldb, ldc,
                        by_rows ? wmma::mem_row_major : wmma::mem_col_major, (C)2);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(got, d_c, sizeof got, cudaMemcpyDeviceToHost));
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                const int at = by_rows ? i * ldc + j : j * ldc + i;
                double sum = number(c[at]);
                for (int k = 0; k < K; k++)
                    sum += number(a[a_rows ? i * lda + k : k * lda + i]) *
                           number(b[b_rows ? k * ldb + j : j * ldb + k]);
                if (number(got[at]) != 2 * sum)
                    fail(what, i, j, number(got[at]), 2 * sum);
                got[at] = c[at];
            }
        for (int i = 0; i < LARGEST; i++)
            if (number(got[i]) != number(c[i]))
                fail("beside the matrix", i, 0, number(got[i]), number(c[i]));
    }
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
}
template <class A, class C, int M, int N, int K, class T> static void layouts(const char *what)
{
    product<A, C, M, N, K, wmma::row_major, wmma::row_major, T>(what);
    product<A, C, M, N, K, wmma::row_major, wmma::col_major, T>(what);
    product<A, C, M, N, K, wmma::col_major, wmma::row_major, T>(what);
    product<A, C, M, N, K, wmma::col_major, wmma::col_major, T>(what);
}
template <class A, class C> static void shapes(const char *what)
{
    layouts<A, C, 16, 16, 16, A>(what);
    product<A, C, 32, 8, 16, wmma::row_major, wmma::row_major, A>(what);
    product<A, C, 8, 32, 16, wmma::col_major, wmma::col_major, A>(what);
}
static void halves(void)
{
    shapes<half, float>("half to float");
    product<half, half, 16, 16, 16, wmma::row_major, wmma::col_major, half>("half to half");
}
static void brains(void) { shapes<__nv_bfloat16, float>("bfloat16"); }
static void integers(void)
{
    shapes<signed char, int>("signed char");
    product<unsigned char, int, 16, 16, 16, wmma::row_major, wmma::col_major, unsigned char>(
        "unsigned char");
}
static void doubles(void) { layouts<double, double, 8, 8, 4, double>("double"); }
static void tf32(void) { layouts<wmma::precision::tf32, float, 16, 16, 8, float>("TF32"); }

/* The values of 1 + 2^-11 and 1 + 2^-12: rounded if the program asks for it, otherwise cut off. */
__global__ void rounding(const float *a, float *c, int rounds)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
    wmma::load_matrix_sync(fa, a, 8);
    wmma::fill_fragment(fb, 1.0f);
    wmma::fill_fragment(fc, 0.0f);
    if (rounds)
        for (int i = 0; i < fa.num_elements; i++)
            fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
static void tf32Rounding(void)
{
    float a[128] = {1 + 1 / 2048.0f, 1 + 1 / 4096.0f}, c, *d_a, *d_c;
    CHECK(cudaMalloc(&d_a, sizeof a));
    CHECK(cudaMalloc(&d_c, 256 * sizeof c));
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    for (int rounds = 0; rounds < 2; rounds++) {
        rounding<<<1, 32>>>(d_a, d_c, rounds);
        CHECK(cudaMemcpy(&c, d_c, sizeof c, cudaMemcpyDeviceToHost));
        if (c != (rounds ? 2 + 1 / 1024.0f : 2.0f))
            fail("TF32", rounds, 0, (double)c, 2);
    }
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_c));
}

/* As on the device (crt/mma.h): a loop over x[] has this many turns. */
static void sizes(void)
{
    typedef wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> half_a;
    typedef wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> half_b;
    typedef wmma::fragment<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::row_major> brain_b;
    typedef wmma::fragment<wmma::accumulator, 16, 16, 16, half> half_c;
    typedef wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> tf_a;
    typedef wmma::fragment<wmma::accumulator, 8, 8, 4, double> double_c;
    const int got[] = {half_a::num_elements, half_b::num_elements, brain_b::num_elements,
                       half_c::num_elements, tf_a::num_elements,   double_c::num_elements},
              wanted[] = {16, 16, 4, 8, 4, 2};
    for (int i = 0; i < 6; i++)
        if (got[i] != wanted[i])
            fail("num_elements", i, 0, got[i], wanted[i]);
}

/* ---- a product from shared memory, and what can go wrong in it ------------------------------- */
static half *d_a;
static float *d_c;
static void prepare(void)
{
    half a[512];
    for (int i = 0; i < 512; i++)
        a[i] = __float2half((float)(i % 7));
    CHECK(cudaMalloc(&d_a, sizeof a));
    CHECK(cudaMalloc(&d_c, 256 * sizeof *d_c));
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_c, 0, 256 * sizeof *d_c));
}
enum mistake { NONE, NO_BARRIER, HALF_A_WARP, EARLY_END, UNFILLED, OTHER_POINTERS, OTHER_PLACE };
__global__ void square(const half *a, float *c, int offset, int ld, mistake wrong)
{
    __shared__ __align__(32) half tile[16 * 24];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        tile[i / 16 * 24 + i % 16] = a[i];
    if (wrong != NO_BARRIER)
        __syncthreads();
    if (wrong == EARLY_END && threadIdx.x == 31)
        return;
    if (wrong != UNFILLED)
        wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, tile, 24);
    if (wrong == HALF_A_WARP && threadIdx.x < 16)
        wmma::load_matrix_sync(fb, a, 16);
    else if (wrong == OTHER_PLACE && threadIdx.x < 16)
        wmma::load_matrix_sync(fb, a + 16, 16);
    else if (wrong != HALF_A_WARP)
        wmma::load_matrix_sync(
            fb, wrong == OTHER_POINTERS ? a + 16 * (threadIdx.x % 2) : a + offset, ld);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
static void run(int threads, int offset, int ld, mistake wrong)
{
    square<<<1, threads>>>(d_a, d_c, offset, ld, wrong);
}
static void right(void)
{
    float c[256];
    run(32, 0, 16, NONE);
    CHECK(cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) {
        float sum = 0;
        for (int k = 0; k < 16; k++)
            sum += (float)((i / 16 * 16 + k) % 7 * ((i % 16 * 16 + k) % 7));
        if (c[i] != sum)
            fail("square", i / 16, i % 16, (double)c[i], (double)sum);
    }
}
static void noBarrier(void) { run(32, 0, 16, NO_BARRIER); }
static void noBarrierTwoWarps(void) { run(64, 0, 16, NO_BARRIER); }
static void halfAWarp(void) { run(32, 0, 16, HALF_A_WARP); }
static void earlyEnd(void) { run(32, 0, 16, EARLY_END); }
static void otherPlace(void) { run(32, 0, 16, OTHER_PLACE); }
static void smallBlock(void) { run(16, 0, 16, NONE); }
static void unfilled(void) { run(32, 0, 16, UNFILLED); }
static void otherPointers(void) { run(32, 0, 16, OTHER_POINTERS); }
static void oddAddress(void) { run(32, 8, 16, NONE); }
static void oddRows(void) { run(32, 0, 20, NONE); }
static void pastTheEnd(void) { run(32, 0, 40, NONE); }

static const struct test tests[] = {
    CLEAN(halves),
    CLEAN(brains),
    CLEAN(integers),
    CLEAN(doubles),
    CLEAN(tf32),
    CLEAN(tf32Rounding),
    CLEAN(sizes),
    CLEAN(right),
    FINDS(noBarrier, "race", "no __syncwarp() or __syncthreads()"),
    FINDS(noBarrierTwoWarps, "race", "of shared variable tile, which thread"),
    FINDS(halfAWarp, "shuffle-inactive", "calls load_matrix_sync() with 16 lanes"),
    FINDS(earlyEnd, "shuffle-inactive", "with 31 lanes: it takes all 32 of the warp"),
    FINDS(otherPlace, "shuffle-inactive", "calls load_matrix_sync() with 16 lanes"),
    FINDS(smallBlock, "shuffle-inactive", "with 16 lanes"),
    FINDS(unfilled, "uninitialised-read", "reads its argument c, a fragment that nothing"),
    FINDS(otherPointers, "shuffle-inactive", "another pointer or leading dimension"),
    FINDS(oddAddress, "misaligned", "must be a multiple of 32 bytes"),
    FINDS(oddRows, "misaligned", "a leading dimension of 20 elements"),
    FINDS(pastTheEnd, "out-of-bounds", "reads 4 bytes at d_a"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
