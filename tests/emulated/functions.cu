// functions.cu [COUNT]: the largest error of each float function for COUNT operands (16384), drawn
// from a fixed seed, in units in the last place of the right result; the reference is the C
// library's double function. functions.h200 is the output of an H200 for 2^21 operands.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "functions.cu:%d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}
#define CHECK(call) check(call, __LINE__)

// name, the call for the float operands a and b, the reference for the double operands x and y, and
// from where to where the operands go: evenly, or by their logarithm.
#define PI 3.14159265358979324
#define FUNCTIONS(X)                                                                               \
    X(sinf, sinf(a), sin(x), even(-100, 100))                                                      \
    X(cosf, cosf(a), cos(x), even(-100, 100))                                                      \
    X(tanf, tanf(a), tan(x), even(-100, 100))                                                      \
    X(sinpif, sinpif(a), sin(PI *x), even(-0.5, 0.5))                                              \
    X(cospif, cospif(a), cos(PI *x), even(-0.4, 0.4))                                              \
    X(asinf, asinf(a), asin(x), even(-1, 1))                                                       \
    X(acosf, acosf(a), acos(x), even(-1, 1))                                                       \
    X(atanf, atanf(a), atan(x), even(-10, 10))                                                     \
    X(atan2f, atan2f(a, b), atan2(x, y), even(-10, 10))                                            \
    X(sinhf, sinhf(a), sinh(x), even(-80, 80))                                                     \
    X(coshf, coshf(a), cosh(x), even(-80, 80))                                                     \
    X(tanhf, tanhf(a), tanh(x), even(-10, 10))                                                     \
    X(asinhf, asinhf(a), asinh(x), even(-100, 100))                                                \
    X(acoshf, acoshf(a), acosh(x), even(1, 100))                                                   \
    X(atanhf, atanhf(a), atanh(x), even(-0.999, 0.999))                                            \
    X(expf, expf(a), exp(x), even(-80, 80))                                                        \
    X(exp2f, exp2f(a), exp2(x), even(-120, 120))                                                   \
    X(exp10f, exp10f(a), pow(10.0, x), even(-37, 37))                                              \
    X(expm1f, expm1f(a), expm1(x), even(-10, 80))                                                  \
    X(logf, logf(a), log(x), logarithmic(1e-37, 1e37))                                             \
    X(log2f, log2f(a), log2(x), logarithmic(1e-37, 1e37))                                          \
    X(log10f, log10f(a), log10(x), logarithmic(1e-37, 1e37))                                       \
    X(log1pf, log1pf(a), log1p(x), even(-0.999, 100))                                              \
    X(powf, powf(a, b / 5), pow(x, (double)(float)(y / 5)), even(0.1, 60))                         \
    X(sqrtf, sqrtf(a), sqrt(x), logarithmic(1e-37, 1e37))                                          \
    X(rsqrtf, rsqrtf(a), 1 / sqrt(x), logarithmic(1e-37, 1e37))                                    \
    X(cbrtf, cbrtf(a), cbrt(x), logarithmic(1e-37, 1e37))                                          \
    X(rcbrtf, rcbrtf(a), 1 / cbrt(x), logarithmic(1e-37, 1e37))                                    \
    X(hypotf, hypotf(a, b), hypot(x, y), logarithmic(1e-15, 1e15))                                 \
    X(rhypotf, rhypotf(a, b), 1 / hypot(x, y), logarithmic(1e-15, 1e15))                           \
    X(erff, erff(a), erf(x), even(-4, 4))                                                          \
    X(erfcf, erfcf(a), erfc(x), even(-4, 9))                                                       \
    X(normcdff, normcdff(a), erfc(-x / sqrt(2.0)) / 2, even(-10, 4))                               \
    X(lgammaf, lgammaf(a), lgamma(x), even(3, 1000))                                               \
    X(tgammaf, tgammaf(a), tgamma(x), even(0.1, 30))                                               \
    X(fmodf, fmodf(a, b), fmod(x, y), even(0.1, 1000))                                             \
    X(division, a / b, x / y, logarithmic(1e-15, 1e15))                                            \
    X(reciprocal, 1 / a, 1 / x, logarithmic(1e-37, 1e37))                                          \
    X(__fdividef, __fdividef(a, b), x / y, logarithmic(1e-15, 1e15))                               \
    X(__frsqrt_rn, __frsqrt_rn(a), 1 / sqrt(x), logarithmic(1e-37, 1e37))                          \
    X(__sinf, __sinf(a), sin(x), even(0.1, 1.5))                                                   \
    X(__cosf, __cosf(a), cos(x), even(-1.4, 1.4))                                                  \
    X(__tanf, __tanf(a), tan(x), even(0.1, 1.4))                                                   \
    X(__expf, __expf(a), exp(x), even(-80, 80))                                                    \
    X(__exp10f, __exp10f(a), pow(10.0, x), even(-37, 37))                                          \
    X(__logf, __logf(a), log(x), logarithmic(2, 1e37))                                             \
    X(__log2f, __log2f(a), log2(x), logarithmic(2, 1e37))                                          \
    X(__log10f, __log10f(a), log10(x), logarithmic(2, 1e37))                                       \
    X(__powf, __powf(a, b / 5), pow(x, (double)(float)(y / 5)), even(0.1, 60))

#define DEVICE(name, call, reference, range)                                                       \
    static __global__ void device_##name(int count, const float *operands, float *results)         \
    {                                                                                              \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                       \
        if (i < count) {                                                                           \
            const float a = operands[2 * i], b = operands[2 * i + 1];                              \
            (void)b;                                                                               \
            results[i] = call;                                                                     \
        }                                                                                          \
    }
#define HOST(name, call, reference, range)                                                         \
    static double host_##name(float a, float b)                                                    \
    {                                                                                              \
        const double x = a, y = b;                                                                 \
        (void)y;                                                                                   \
        return reference;                                                                          \
    }
FUNCTIONS(DEVICE)
FUNCTIONS(HOST)

struct range {
    int byLogarithm;
    double from, to;
};
static range even(double from, double to) { return {0, from, to}; }
static range logarithmic(double from, double to) { return {1, log(from), log(to)}; }

// Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014
static unsigned long long state = 1;
static float drawn(const range &r)
{
    unsigned long long x = state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    const double y = r.from + (r.to - r.from) * ((x ^ x >> 31) >> 11) / 9007199254740992.0;
    return (float)(r.byLogarithm ? exp(y) : y);
}

// Error of result in units in the last place that a float has at right.
static double ulps(float result, double right)
{
    int exponent;

    frexp(right, &exponent);
    if (exponent < -125)
        exponent = -125;
    return fabs(result - right) / ldexp(1.0, exponent - 24);
}

struct function {
    const char *name;
    void (*device)(int count, const float *operands, float *results);
    double (*host)(float a, float b);
    range operands;
};
#define FUNCTION(name, call, reference, range) {#name, device_##name, host_##name, range},

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 16384;
    const function functions[] = {FUNCTIONS(FUNCTION)};
    float *operands = (float *)malloc(2 * count * sizeof(float)), *d_operands;
    float *results = (float *)malloc(count * sizeof(float)), *d_results;

    if (count < 1 || operands == NULL || results == NULL)
        return 2;
    CHECK(cudaMalloc((void **)&d_operands, 2 * count * sizeof(float)));
    CHECK(cudaMalloc((void **)&d_results, count * sizeof(float)));
    printf("function,ulp\n");
    for (const function &f : functions) {
        double worst = 0;

        for (int i = 0; i < 2 * count; i++)
            operands[i] = drawn(f.operands);
        CHECK(cudaMemcpy(d_operands, operands, 2 * count * sizeof(float), cudaMemcpyHostToDevice));
        f.device<<<(count + 255) / 256, 256>>>(count, d_operands, d_results);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(results, d_results, count * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < count; i++) {
            const double error = ulps(results[i], f.host(operands[2 * i], operands[2 * i + 1]));
            if (!(error <= worst)) // NaN, too
                worst = error;
        }
        printf("%s,%.2f\n", f.name, worst);
    }
    CHECK(cudaFree(d_operands));
    CHECK(cudaFree(d_results));
    free(operands);
    free(results);
    return 0;
}
