#include <stdio.h>
// 1: multi-declarator, volatile shared, static order, nested template >>, comments in launches, macros
#define GRID(n) ((n) + 127) / 128
#define CHECK_LAUNCH(...) do { __VA_ARGS__; if (cudaPeekAtLastError()) puts("bad"); } while (0)
template <typename T, template <typename> class F> struct box { F<T> f; };
template <class T> struct id { T v; };
__device__ int g_a = 1, g_b[3] = {1, 2, 3};
__device__ __constant__ int both[2] = {7, 8};
static __device__ unsigned int counter;
extern __shared__ float dyn[];
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
template <int N> __device__ void fill(volatile int (&a)[N]) { a[threadIdx.x % N] = N; }
__global__ void k1(int *x) {
    __shared__ int a, b[4];
    static __shared__ double c[2];
    volatile __shared__ int v[32];
    __shared__ __align__(16) char raw[64];
    if (threadIdx.x == 0) { a = g_a + g_b[1] + both[1]; b[0] = 1; c[0] = 2; raw[0] = 3; }
    fill(v);
    __syncthreads();
    dyn[threadIdx.x] = a;
    x[threadIdx.x] = a + b[0] + (int)c[0] + raw[0] + v[threadIdx.x % 32] + (int)dyn[threadIdx.x];
    atomicInc(&counter, 1000);
}
template <class T> __global__ void k2(T *p, id<id<int> > q) { p[threadIdx.x] = p[threadIdx.x] + p[threadIdx.x]; if (p == NULL) p[0] = p[q.v.v]; }
__global__ void k3(float4 *p) { p[threadIdx.x] = p[threadIdx.x] + p[threadIdx.x + 32]; }
struct S { int n; __device__ __host__ S(int m) : n(m) {} __device__ int get() const { return n; } __host__ __device__ ~S() {} };
__global__ void k4(int *x, S s) { x[threadIdx.x] = s.get(); switch (threadIdx.x & 3) { case 0: x[0 + threadIdx.x] += 1; break; default: ; } }
class Solver { int *d; public: Solver(int *p) : d(p) {} void run(cudaStream_t st = 0) { k1<<<1, 32, 32 * sizeof(float), st>>>(d); } };
int main(void) {
    int *x; float4 *f; int h[64];
    cudaMalloc(&x, 64 * sizeof(int)); cudaMalloc(&f, 64 * sizeof(float4)); cudaMemset(f, 0, 64 * sizeof(float4)); cudaMemset(x, 0, 256);
    Solver(x).run();
    cudaMemcpy(h, x, 128, cudaMemcpyDeviceToHost); printf("%d\n", h[5]);
    id<id<int> > q = {{3}};
    CHECK_LAUNCH((k2<int><<<GRID(32), /* block */ 32>>>(x, q)));
    k2 <<< 1 , 32 >>> (x, q); // launch with spaces
    k3<<<dim3(1), dim3(32)>>>(f);
    k4<<<1, 32>>>(x, S(4));
    bool many = 3 < 4 && (8 >> 1) > 2;
    (many ? k1 : k1)<<<1, 32, 128>>>(x);
    const char *s = "not <<<a>>> launch __global__ __shared__";
    printf("%s %d %s\n", s, (int)many, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x); cudaFree(f);
    return 0;
}
