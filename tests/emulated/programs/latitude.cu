/* Code that nvcc accepts beyond plain C++: spaced launch brackets, default arguments and literal
 * zeros of kernels, device functions as arguments, launches from kernels, rounding modes, clock()
 * in kernels. */
#include <assert.h>
#include <cuda_runtime.h>
#include <stdio.h>

static int wrong;
static void expect(const char *what, double got, double wanted)
{
    if (!(got == wanted)) {
        printf("FAILED: %s is %.17g instead of %.17g\n", what, got, wanted);
        wrong = 1;
    }
}

__global__ void withDefault(int *p, int first = 4, int second = 5) { p[threadIdx.x] = 10 * first + second; }
__global__ void withNull(int *p, const int *q) { p[threadIdx.x] = q ? 1 : 2; }
template <bool yes> __global__ void templateWithNull(int *p, const int *q, int a) { p[threadIdx.x] = q ? -1 : a + yes; }

/* A kernel of one letter, which headers use for variables; a parameter that is a reference; a host function with a kernel's
 * name. */
__global__ void a(int *p) { p[threadIdx.x] = threadIdx.x << 8; }
struct box {
    int n;
};
__global__ void byReference(box &b, int more) { b.n += more; }
__global__ void three(int *p) { *p = 3; }
static int three() { return 3; }

struct alignas(8) sum_max {
    float max, sum;
};
__device__ __forceinline__ sum_max combine(sum_max a, sum_max b)
{
    sum_max c = {fmaxf(a.max, b.max), a.sum + b.sum};
    return c;
}
template <class F> __device__ sum_max fold(const float *x, int n, F f)
{
    sum_max all = {x[0], x[0]};
    for (int i = 1; i < n; i++) {
        sum_max one = {x[i], x[i]};
        all = f(all, one);
    }
    return all;
}
__global__ void pointerToFunction(float *x)
{
    sum_max all = fold(x, 4, combine);
    x[4] = all.max;
    x[5] = all.sum;
}

__global__ void child(int *p, int n) { p[n + threadIdx.x] = n; }
__global__ void parent(int *p)
{
    p[threadIdx.x] = -1;
    if (threadIdx.x % 2 == 0)
        child<<<1, 2>>>(p, 4);
}

__global__ void note(int *p, int number) { p[++p[0]] = number; }
__global__ void inOrder(int *p)
{
    p[++p[0]] = 1;
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 3);
    note<<<1, 1, 0, cudaStreamFireAndForget>>>(p, 2);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 4);
}

__global__ void __launch_bounds__(32, 1) roundings(const float *__restrict__ x, float *__restrict__ y, double *d)
{
    y[0] = __fadd_ru(x[0], x[1]);
    y[1] = __fadd_rd(x[0], x[1]);
    y[2] = __fadd_rz(-x[0], -x[1]);
    y[3] = __fmul_ru(x[2], x[2]);
    y[4] = __fdiv_rd(x[0], x[3]);
    y[5] = __fsqrt_ru(x[4]);
    y[6] = __fmaf_rd(x[0], x[0], x[1]);
    y[7] = __int2float_ru(16777217);
    y[8] = __double2float_rd(0.1);
    y[9] = (float)__float2int_rn(3e10f);
    y[10] = (float)umin(3u, 4294967295u) + (float)umax(3u, 5u);
    y[11] = erfinvf(0.5f);
    d[0] = __dadd_ru(1.0, 1e-30);
    d[1] = __ddiv_rd(1.0, 3.0);
    d[2] = __drcp_ru(3.0);
}

/* Bytes of a word each on their own; what is known; an aligned shared array */
__device__ unsigned d_counter(3u);
__global__ void saturated(unsigned *u)
{
    u[0] = __vabsss2(0x8000ffffu);
    u[1] = __vnegss4(0x80ff0102u);
}
__global__ void parts(unsigned *u)
{
    __shared__ alignas(alignof(uint4)) unsigned tile[2][4];
    __builtin_assume(blockDim.x == 1);
    assert(blockDim.x == 1);
    u[0] = __vadd4(0x01fe0304u, 0x01030101u);
    u[1] = __vabsdiffu4(0x05000507u, 0x01020101u);
    u[2] = __vcmpgts2(0x0001ffffu, 0x00020000u);
    u[3] = __vmaxs4(0xff010203u, 0x0002ff01u);
    u[4] = __vaddus2(0xffff0001u, 0x00010001u);
    u[5] = __vavgu4(0x01020304u, 0x02020407u);
    u[6] = (unsigned)__dp2a_lo(0x00020003, 0x0000ff05, 1); /* 3 * 5 - 2 + 1 */
    *(uint4 *)tile[1] = make_uint4(1, 2, 3, d_counter);
    u[7] = tile[1][3];
}

/* Waits as old programs do. */
__global__ void spin(clock_t *elapsed, clock_t wanted)
{
    clock_t start = clock();
    while (clock() - start < wanted)
        ;
    *elapsed = clock() - start;
}

static int first(int *d)
{
    int h = 0;
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h;
}

// clang-format off: the brackets of the launches are what is tried
int main(void)
{
    int *d, h[8];
    float *x, hx[16] = {1, 1e-10f, 1.0000001f, 3, 2}, hy[12];
    double *dd, hd[3];
    clock_t *t, elapsed = 0;

    cudaMalloc(&d, 8 * sizeof(int));
    cudaMalloc(&x, sizeof hx + sizeof hy);
    cudaMalloc(&dd, sizeof hd);
    cudaMalloc(&t, sizeof elapsed);
    a<<<1, 8>>>(d);
    int shifted = 0;
    cudaMemcpy(&shifted, d + 7, sizeof shifted, cudaMemcpyDeviceToHost);
    expect("the kernel a", shifted, 7 << 8);
    box *d_box, *address;
    int more = 30;
    cudaMallocManaged(&d_box, sizeof *d_box);
    d_box->n = 1;
    byReference<<<1, 1>>>(*d_box, 2);
    address = d_box;
    void *arguments[] = {&address, &more};
    cudaLaunchKernel((void *)byReference, dim3(1), dim3(1), arguments, 0, 0);
    cudaDeviceSynchronize();
    expect("an object by reference", d_box->n, 33);
    cudaFree(d_box);
    three<<<1, 1>>>(d);
    cudaMemcpy(&shifted, d, sizeof shifted, cudaMemcpyDeviceToHost);
    expect("a kernel and a function of one name", shifted, three());
    withDefault<<<1, 8>>>(d);
    expect("both defaults", first(d), 45);
    withDefault << <1, 8 >> > (d, 6);
    expect("one default", first(d), 65);
    withDefault << < dim3(1), dim3(8), 0, 0 >>>(d, 6, 7);
    expect("no default", first(d), 67);
    withNull<<<1, 8>>>(d, 0);
    expect("0 as a pointer", first(d), 2);
    withNull<<<1, 8>>>(d, NULL);
    expect("NULL as a pointer", first(d), 2);
    templateWithNull<true><<<1, 8>>>(d, 0, 0);
    expect("0 as a pointer and as a number", first(d), 1);

    cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice);
    pointerToFunction<<<1, 1>>>(x);
    cudaMemcpy(hy, x, sizeof hy, cudaMemcpyDeviceToHost);
    expect("the largest", hy[4], 3);
    expect("the sum", hy[5], 1 + 1e-10f + 1.0000001f + 3);

    parent<<<1, 2>>>(d);
    expect("a launch from a kernel", cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    expect("the parent's element", h[1], -1);
    expect("the first child's elements", h[4] + h[5], 8);
    cudaMemset(d, 0, sizeof h);
    inOrder<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 1; i <= 4; i++)
        expect("tail launches come last", h[i], i);

    cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice);
    roundings<<<1, 1>>>(x, x + 16, dd);
    cudaMemcpy(hy, x + 16, sizeof hy, cudaMemcpyDeviceToHost);
    cudaMemcpy(hd, dd, sizeof hd, cudaMemcpyDeviceToHost);
    expect("__fadd_ru", hy[0], 1 + 0x1p-23);
    expect("__fadd_rd", hy[1], 1);
    expect("__fadd_rz", hy[2], -1);
    expect("__fmul_ru", hy[3], 1 + 3 * 0x1p-23);
    expect("__fdiv_rd", hy[4], 0x1.555554p-2);
    expect("__fsqrt_ru", hy[5], 0x1.6a09e8p+0);
    expect("__fmaf_rd", hy[6], 1);
    expect("__int2float_ru", hy[7], 16777218);
    expect("__double2float_rd", hy[8], 0x1.999998p-4);
    expect("__float2int_rn of a large number", hy[9], 2147483648.0);
    expect("umin and umax", hy[10], 8);
    expect("erfinvf", hy[11], 0.47693628f);
    expect("__dadd_ru", hd[0], 1 + 0x1p-52);
    expect("__ddiv_rd", hd[1], 0x1.5555555555555p-2);
    expect("__drcp_ru", hd[2], 0x1.5555555555556p-2);

    parts<<<1, 1>>>((unsigned *)d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    expect("__vadd4", (unsigned)h[0], 0x02010405u);
    expect("__vabsdiffu4", (unsigned)h[1], 0x04020406u);
    expect("__vcmpgts2", (unsigned)h[2], 0);
    expect("__vmaxs4", (unsigned)h[3], 0x00020203u);
    expect("__vaddus2", (unsigned)h[4], 0xffff0002u);
    expect("__vavgu4", (unsigned)h[5], 0x02020406u);
    expect("__dp2a_lo", h[6], 14);
    expect("an aligned shared array, an initialised variable", h[7], 3);

    saturated<<<1, 1>>>((unsigned *)d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    expect("__vabsss2", (unsigned)h[0], 0x7fff0001u);
    expect("__vnegss4", (unsigned)h[1], 0x7f01fffeu);

    spin<<<1, 1>>>(t, 100);
    cudaMemcpy(&elapsed, t, sizeof elapsed, cudaMemcpyDeviceToHost);
    expect("clock()", elapsed >= 100, 1);
    spin<<<1, 1>>>(t, 50000000); /* a kernel that does nothing for some tens of milliseconds */
    expect("a long wait by clock()", cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(&elapsed, t, sizeof elapsed, cudaMemcpyDeviceToHost);
    expect("what it measures", elapsed >= 50000000 && elapsed < 100000000, 1);
    cudaFree(d);
    cudaFree(x);
    cudaFree(dd);
    cudaFree(t);
    return wrong;
}
