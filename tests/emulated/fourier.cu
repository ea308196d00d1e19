/* cuFFT against the sum that defines the transform, there and back, in every layout; and the
 * messages on its misuse. */
#include <cufftXt.h>
#include <math.h>

#include "cases.h"

#define FFT(call)                                                                                  \
    do {                                                                                           \
        const int result_ = (call);                                                                \
        if (result_ != CUFFT_SUCCESS) {                                                            \
            printf("%s:%d: cuFFT error %d\n", __FILE__, __LINE__, result_);                        \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)
enum { MOST = 2400 };
static double2 x[MOST], y[MOST], wanted[MOST];
static float2 fx[MOST], fy[MOST];
static double2 *d_x, *d_y;

static void prepare(void)
{
    CHECK(cudaMalloc(&d_x, sizeof x));
    CHECK(cudaMalloc(&d_y, sizeof y));
    for (int i = 0; i < MOST; i++) {
        x[i].x = fx[i].x = (float)(i * 37 % 101) / 50 - 1;
        x[i].y = fx[i].y = (float)(i * 53 % 89) / 44 - 1;
    }
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
}

/* wanted[k0][k1][k2] = sum of in[i0][i1][i2] exp(sign 2 pi i (i0 k0/n0 + ...)) */
static void define(const double2 *in, int n0, int n1, int n2, int sign)
{
    for (int k = 0; k < n0 * n1 * n2; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < n0 * n1 * n2; i++) {
            const int a = i / (n1 * n2) * (k / (n1 * n2)) % n0,
                      b = i / n2 % n1 * (k / n2 % n1) % n1, c = i % n2 * (k % n2) % n2;
            const double angle = sign * 2 * 3.14159265358979323846 *
                                 ((double)a / n0 + (double)b / n1 + (double)c / n2);
            re += in[i].x * cos(angle) - in[i].y * sin(angle);
            im += in[i].x * sin(angle) + in[i].y * cos(angle);
        }
        wanted[k].x = re;
        wanted[k].y = im;
    }
}
static void compare(const char *what, double re, double im, const double2 *w, double error)
{
    if (!(fabs(re - w->x) <= error && fabs(im - w->y) <= error)) {
        printf("FAILED: %s: (%.17g, %.17g) instead of (%.17g, %.17g)\n", what, re, im, w->x, w->y);
        exit(2);
    }
}

/* Powers, small factors, a prime, twice a prime, and one */
static void lines(void)
{
    static const int lengths[] = {1, 2, 8, 60, 64, 97, 122, 121, 1};
    for (int l = 0; l < 8; l++) {
        const int n = lengths[l], batch = 2;
        cufftHandle plan, single;
        FFT(cufftPlan1d(&plan, n, CUFFT_Z2Z, batch));
        FFT(cufftPlan1d(&single, n, CUFFT_C2C, batch));
        for (int sign = -1; sign <= 1; sign += 2) {
            FFT(cufftExecZ2Z(plan, d_x, d_y, sign));
            CHECK(cudaMemcpy(y, d_y, sizeof *y * n * batch, cudaMemcpyDeviceToHost));
            CHECK(cudaMemcpy(d_y, fx, sizeof *fx * n * batch, cudaMemcpyHostToDevice));
            FFT(cufftExecC2C(single, (float2 *)d_y, (float2 *)d_y, sign)); /* in place */
            CHECK(cudaMemcpy(fy, d_y, sizeof *fy * n * batch, cudaMemcpyDeviceToHost));
            for (int b = 0; b < batch; b++) {
                define(x + b * n, 1, 1, n, sign);
                for (int k = 0; k < n; k++) {
                    compare("Z2Z", y[b * n + k].x, y[b * n + k].y, &wanted[k], 1e-11);
                    compare("C2C", (double)fy[b * n + k].x, (double)fy[b * n + k].y, &wanted[k],
                            1e-4);
                }
            }
        }
        FFT(cufftDestroy(plan));
        FFT(cufftDestroy(single));
    }
}
static void planes(void)
{
    cufftHandle two, three;
    FFT(cufftPlan2d(&two, 6, 10, CUFFT_Z2Z));
    FFT(cufftPlan3d(&three, 3, 4, 5, CUFFT_Z2Z));
    for (int dimensions = 2; dimensions < 4; dimensions++) {
        FFT(cufftExecZ2Z(dimensions == 2 ? two : three, d_x, d_y, CUFFT_FORWARD));
        CHECK(cudaMemcpy(y, d_y, 60 * sizeof *y, cudaMemcpyDeviceToHost));
        if (dimensions == 2)
            define(x, 1, 6, 10, -1);
        else
            define(x, 3, 4, 5, -1);
        for (int k = 0; k < 60; k++)
            compare("planes", y[k].x, y[k].y, &wanted[k], 1e-11);
    }
    FFT(cufftDestroy(two));
    FFT(cufftDestroy(three));
}

/* Real numbers there and back, in their own array and in place, where each row has room for its
 * transform */
static void realNumbers(int n0, int n1)
{
    const int half = n1 / 2 + 1;
    static double real[MOST], back[MOST];
    static double2 as_complex[MOST];
    for (int in_place = 0; in_place < 2; in_place++) {
        const int row = in_place ? 2 * half : n1;
        cufftHandle there, here;
        FFT(cufftPlan2d(&there, n0, n1, CUFFT_D2Z));
        FFT(cufftPlan2d(&here, n0, n1, CUFFT_Z2D));
        for (int i = 0; i < n0 * n1; i++) {
            as_complex[i].x = real[i / n1 * row + i % n1] = x[i].x;
            as_complex[i].y = 0;
        }
        CHECK(cudaMemcpy(d_x, real, sizeof *real * n0 * row, cudaMemcpyHostToDevice));
        FFT(cufftExecD2Z(there, (double *)d_x, in_place ? d_x : d_y));
        CHECK(cudaMemcpy(y, in_place ? d_x : d_y, sizeof *y * n0 * half, cudaMemcpyDeviceToHost));
        define(as_complex, 1, n0, n1, -1);
        for (int k = 0; k < n0 * half; k++)
            compare("D2Z", y[k].x, y[k].y, &wanted[k / half * n1 + k % half], 1e-11);
        FFT(cufftExecZ2D(here, in_place ? d_x : d_y, (double *)d_x));
        CHECK(cudaMemcpy(back, d_x, sizeof *back * n0 * row, cudaMemcpyDeviceToHost));
        for (int i = 0; i < n0 * n1; i++) {
            const double2 as_before = {n0 * n1 * x[i].x, 0};
            compare("Z2D", back[i / n1 * row + i % n1], 0, &as_before, 1e-10);
        }
        FFT(cufftDestroy(there));
        FFT(cufftDestroy(here));
    }
}
static void realEven(void) { realNumbers(4, 6); }
static void realOdd(void) { realNumbers(3, 7); }

/* Columns of a matrix: neighbours are `columns` apart, and the next transform begins one element
 * further. */
static void columns(void)
{
    int n = 12;
    const int count = 5;
    cufftHandle plan;
    size_t work;
    FFT(cufftCreate(&plan));
    long long n_long = n;
    FFT(cufftXtMakePlanMany(plan, 1, &n_long, &n_long, count, 1, CUDA_C_64F, &n_long, 1, n,
                            CUDA_C_64F, count, &work, CUDA_C_64F));
    FFT(cufftExecZ2Z(plan, d_x, d_y, CUFFT_FORWARD));
    CHECK(cudaMemcpy(y, d_y, 60 * sizeof *y, cudaMemcpyDeviceToHost));
    for (int c = 0; c < count; c++) {
        double2 column[12];
        for (int i = 0; i < n; i++)
            column[i] = x[i * count + c];
        define(column, 1, 1, n, -1);
        for (int k = 0; k < n; k++)
            compare("columns", y[c * n + k].x, y[c * n + k].y, &wanted[k], 1e-12);
    }
    FFT(cufftDestroy(plan));
}

/* cuComplex.h */
static void complexNumbers(void)
{
    const cuDoubleComplex a = make_cuDoubleComplex(3, 4), b = make_cuDoubleComplex(1, -2),
                          q = cuCdiv(cuCmul(a, b), b), s = cuCfma(a, b, cuConj(a));
    if (cuCabs(a) != 5 || fabs(cuCreal(q) - 3) > 1e-15 || fabs(cuCimag(q) - 4) > 1e-15 ||
        s.x != 14 || s.y != -6)
        exit(2);
}
/* A transform with the caller's work area: of `bytes`, of the size that it wants (0), or none
 * (-1). */
static void workArea(long bytes)
{
    cufftHandle plan;
    size_t work = 0, asked = 0, estimated = 0;
    void *area = NULL;
    FFT(cufftCreate(&plan));
    FFT(cufftSetAutoAllocation(plan, 0));
    FFT(cufftMakePlan1d(plan, 64, CUFFT_Z2D, 2, &work));
    FFT(cufftGetSize(plan, &asked));
    FFT(cufftEstimate1d(64, CUFFT_Z2D, 2, &estimated));
#ifdef __CUDA_EMULATED__
    if (work == 0 || asked != work || estimated != work)
        exit(2);
#endif
    CHECK(cudaMemset(d_x, 0, 66 * sizeof(double2)));
    if (bytes >= 0) {
        CHECK(cudaMalloc(&area, bytes > 0 ? (size_t)bytes : work + 1));
        FFT(cufftSetWorkArea(plan, area));
    }
    (void)cufftExecZ2D(plan, (double2 *)d_x, (double *)d_y);
    CHECK(cudaDeviceSynchronize());
    FFT(cufftDestroy(plan));
    CHECK(cudaFree(area));
}
static void areaAsWanted(void) { workArea(0); }
static void areaTooSmall(void) { workArea(66 * sizeof(double2)); }
static void noArea(void) { workArea(-1); }

static void badCalls(void)
{
    cufftHandle plan;
    if (cufftPlan1d(&plan, 0, CUFFT_C2C, 1) != CUFFT_INVALID_SIZE ||
        cufftPlan1d(NULL, 8, CUFFT_C2C, 1) != CUFFT_INVALID_VALUE ||
        cufftPlan1d(&plan, 8, (cufftType)5, 1) != CUFFT_INVALID_TYPE ||
        cufftExecC2C(12345, (float2 *)d_x, (float2 *)d_y, CUFFT_FORWARD) != CUFFT_INVALID_PLAN)
        exit(2);
}
static void transformOf(void *in, void *out, int n)
{
    cufftHandle plan;
    FFT(cufftPlan1d(&plan, n, CUFFT_R2C, 1));
    (void)cufftExecR2C(plan, (float *)in, (float2 *)out);
    CHECK(cudaDeviceSynchronize());
    FFT(cufftDestroy(plan));
}
static void *roomFor(size_t bytes)
{
    void *p;
    CHECK(cudaMalloc(&p, bytes));
    return p;
}
/* The transform of 16 real numbers has 9 complex ones, not 8. */
static void outputTooShort(void)
{
    void *p = roomFor(16 * sizeof(float));
    transformOf(d_x, p, 16);
    CHECK(cudaFree(p));
}
static void outputLongEnough(void)
{
    void *p = roomFor(18 * sizeof(float));
    transformOf(d_x, p, 16);
    CHECK(cudaFree(p));
}
static void hostArray(void) { transformOf(fx, d_y, 16); }
static void uninitialised(void)
{
    void *p = roomFor(64);
    transformOf(p, d_y, 16);
    CHECK(cudaFree(p));
}

static const struct test tests[] = {
    CLEAN(lines),
    CLEAN(planes),
    CLEAN(realEven),
    CLEAN(realOdd),
    CLEAN(columns),
    CLEAN(complexNumbers),
    CLEAN(areaAsWanted),
    FINDS(areaTooSmall, "bad-copy", "of the work area"),
    FINDS(noArea, "bad-call", "the plan has no work area"),
    CLEAN(badCalls),
    FINDS(outputTooShort, "bad-copy", "cufftExecR2C: 72 bytes of the output"),
    CLEAN(outputLongEnough),
    FINDS(hostArray, "bad-copy", "of the input"),
    FINDS(uninitialised, "uninitialised-read", "cufftExecR2C reads p (byte 0"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
