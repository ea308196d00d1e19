// Well-known exercise kernels in one file: tree reduction with an unrolled volatile last warp, bitonic sort, n-body with
// float4 tiles, Game of Life with wrap-around, Monte Carlo, Mandelbrot set, BFS by levels, saxpy with unified memory.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <vector>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

template <unsigned int blockSize> __device__ void warpReduce(volatile int *sdata, unsigned int tid)
{
    if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
    if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
    if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
    if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
    if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
    if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}
template <unsigned int blockSize> __global__ void reduce6(int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i] + (i + blockSize < n ? g_idata[i + blockSize] : 0);
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

__global__ void bitonicSort(unsigned *values, int n)
{
    extern __shared__ unsigned shared[];
    const unsigned int tid = threadIdx.x;
    shared[tid] = values[tid];
    __syncthreads();
    for (unsigned int k = 2; k <= n; k *= 2)
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                if ((tid & k) == 0 ? shared[tid] > shared[ixj] : shared[tid] < shared[ixj]) {
                    unsigned t = shared[tid];
                    shared[tid] = shared[ixj];
                    shared[ixj] = t;
                }
            }
            __syncthreads();
        }
    values[tid] = shared[tid];
}

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai)
{
    float3 r;
    r.x = bj.x - bi.x; r.y = bj.y - bi.y; r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f;
    float invDist = rsqrtf(distSqr);
    float s = bj.w * invDist * invDist * invDist;
    ai.x += r.x * s; ai.y += r.y * s; ai.z += r.z * s;
    return ai;
}
__global__ void bodyForces(const float4 *__restrict__ X, float4 *A, int N)
{
    __shared__ float4 shPosition[64];
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    float4 myPosition = X[gtid];
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int i = 0, tile = 0; i < N; i += 64, tile++) {
        shPosition[threadIdx.x] = X[tile * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < blockDim.x; k++) acc = bodyBodyInteraction(myPosition, shPosition[k], acc);
        __syncthreads();
    }
    float4 acc4 = {acc.x, acc.y, acc.z, 0.0f};
    A[gtid] = acc4;
}

__global__ void life(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) n += in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

__device__ unsigned int lcg(unsigned int &state) { state = state * 1664525u + 1013904223u; return state; }
__global__ void monteCarlo(unsigned long long *hits, int tries)
{
    __shared__ unsigned int cache[128];
    unsigned int state = 12345u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x), count = 0;
    for (int i = 0; i < tries; i++) {
        float x = lcg(state) * 2.3283064e-10f, y = lcg(state) * 2.3283064e-10f;
        if (x * x + y * y <= 1.0f) count++;
    }
    cache[threadIdx.x] = count;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
        i /= 2;
    }
    if (threadIdx.x == 0) atomicAdd(hits, (unsigned long long)cache[0]);
}

struct cuComplex {
    float r, i;
    __device__ cuComplex(float a, float b) : r(a), i(b) {}
    __device__ float magnitude2(void) { return r * r + i * i; }
    __device__ cuComplex operator*(const cuComplex &a) { return cuComplex(r * a.r - i * a.i, i * a.r + r * a.i); }
    __device__ cuComplex operator+(const cuComplex &a) { return cuComplex(r + a.r, i + a.i); }
};
__global__ void mandelbrot(uchar4 *image, int dim)
{
    int x = blockIdx.x, y = blockIdx.y, k = 0;
    cuComplex c(3.0f * x / dim - 2.0f, 2.0f * y / dim - 1.0f), a(0, 0);
    while (k < 64 && a.magnitude2() < 4) { a = a * a + c; k++; }
    image[x + y * gridDim.x] = make_uchar4(k, 0, 0, 255);
}

__global__ void bfsLevel(const int *rows, const int *columns, int *level, int current, int n, bool *changed)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && level[v] == current)
        for (int e = rows[v]; e < rows[v + 1]; e++)
            if (atomicCAS(&level[columns[e]], -1, current + 1) == -1) *changed = true;
}

__global__ void saxpy(int n, float a, float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
    int wrong = 0;
    { // reduction
        const int n = 10007;
        std::vector<int> h(n), part(8);
        int want = 0, sum = 0, *in, *out;
        for (int i = 0; i < n; i++) want += h[i] = i % 13 - 5;
        gpuErrchk(cudaMalloc(&in, n * sizeof(int)));
        gpuErrchk(cudaMalloc(&out, 8 * sizeof(int)));
        gpuErrchk(cudaMemcpy(in, &h[0], n * sizeof(int), cudaMemcpyHostToDevice));
        switch (128) {
        case 512: reduce6<512><<<8, 512, 512 * sizeof(int)>>>(in, out, n); break;
        case 128: reduce6<128><<<8, 128, 128 * sizeof(int)>>>(in, out, n); break;
        }
        gpuErrchk(cudaPeekAtLastError());
        gpuErrchk(cudaMemcpy(&part[0], out, 8 * sizeof(int), cudaMemcpyDeviceToHost));
        for (int i = 0; i < 8; i++) sum += part[i];
        wrong += sum != want;
        cudaFree(in); cudaFree(out);
    }
    { // bitonic sort
        unsigned h[256], *d;
        for (int i = 0; i < 256; i++) h[i] = (i * 2654435761u) >> 8;
        cudaMalloc((void **)&d, sizeof(h));
        cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
        bitonicSort<<<1, 256, sizeof(h)>>>(d, 256);
        cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
        wrong += !std::is_sorted(h, h + 256);
        cudaFree(d);
    }
    { // n-body
        const int n = 256;
        float4 *x, *a;
        cudaMallocManaged(&x, n * sizeof(float4));
        cudaMallocManaged(&a, n * sizeof(float4));
        for (int i = 0; i < n; i++) x[i] = make_float4(i % 7, i % 11, i % 13, 1);
        bodyForces<<<n / 64, 64>>>(x, a, n);
        cudaDeviceSynchronize();
        double sum = 0;
        for (int i = 0; i < n; i++) sum += a[i].x;
        wrong += fabs(sum) > 1e-2; // the forces of all on all
        cudaFree(x); cudaFree(a);
    }
    { // life: a glider comes back after 4 * 16 steps on a torus of 16 x 16
        const int w = 16, h = 16;
        unsigned char board[w * h] = {0}, back[w * h], *a, *b;
        board[1] = board[w + 2] = board[2 * w] = board[2 * w + 1] = board[2 * w + 2] = 1;
        cudaMalloc(&a, w * h); cudaMalloc(&b, w * h);
        cudaMemcpy(a, board, w * h, cudaMemcpyHostToDevice);
        for (int s = 0; s < 64; s++) {
            life<<<dim3(2, 4), dim3(8, 4)>>>(a, b, w, h);
            unsigned char *t = a; a = b; b = t;
        }
        cudaMemcpy(back, a, w * h, cudaMemcpyDeviceToHost);
        wrong += memcmp(board, back, w * h) != 0;
        cudaFree(a); cudaFree(b);
    }
    { // Monte Carlo
        unsigned long long *hits, h = 0;
        cudaMalloc(&hits, sizeof h);
        cudaMemset(hits, 0, sizeof h);
        monteCarlo<<<4, 128>>>(hits, 200);
        cudaMemcpy(&h, hits, sizeof h, cudaMemcpyDeviceToHost);
        wrong += fabs(4.0 * h / (4 * 128 * 200) - 3.14159) > 0.05;
        cudaFree(hits);
    }
    { // Mandelbrot
        const int dim = 24;
        uchar4 *d, h[dim * dim];
        cudaMalloc(&d, sizeof h);
        mandelbrot<<<dim3(dim, dim), 1>>>(d, dim);
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
        wrong += h[0].x > 3 || h[12 + 12 * dim].x != 64;
        cudaFree(d);
    }
    { // BFS in a grid of 20 x 20
        const int side = 20, n = side * side;
        std::vector<int> rows(1, 0), columns, level(n, -1);
        for (int v = 0; v < n; v++) {
            if (v % side) columns.push_back(v - 1);
            if (v % side < side - 1) columns.push_back(v + 1);
            if (v >= side) columns.push_back(v - side);
            if (v < n - side) columns.push_back(v + side);
            rows.push_back(columns.size());
        }
        level[0] = 0;
        int *d_rows, *d_columns, *d_level;
        bool *d_changed, changed = true;
        cudaMalloc(&d_rows, rows.size() * sizeof(int));
        cudaMalloc(&d_columns, columns.size() * sizeof(int));
        cudaMalloc(&d_level, n * sizeof(int));
        cudaMalloc(&d_changed, sizeof(bool));
        cudaMemcpy(d_rows, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice);
        cudaMemcpy(d_columns, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
        cudaMemcpy(d_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        for (int current = 0; changed; current++) {
            cudaMemset(d_changed, 0, sizeof(bool));
            bfsLevel<<<(n + 63) / 64, 64>>>(d_rows, d_columns, d_level, current, n, d_changed);
            cudaMemcpy(&changed, d_changed, sizeof(bool), cudaMemcpyDeviceToHost);
        }
        cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
        for (int v = 0; v < n; v++) wrong += level[v] != v % side + v / side;
        cudaFree(d_rows); cudaFree(d_columns); cudaFree(d_level); cudaFree(d_changed);
    }
    { // saxpy
        int n = 1 << 12, device = -1;
        float *x, *y;
        cudaMallocManaged(&x, n * sizeof(float));
        cudaMallocManaged(&y, n * sizeof(float));
        for (int i = 0; i < n; i++) { x[i] = 1.0f; y[i] = i; }
        cudaGetDevice(&device);
#if CUDART_VERSION >= 13000
        cudaMemLocation here = {cudaMemLocationTypeDevice, {device}};
        cudaMemPrefetchAsync(x, n * sizeof(float), here, 0, NULL);
#else
        cudaMemPrefetchAsync(x, n * sizeof(float), device, NULL);
#endif
        saxpy<<<8, 256>>>(n, 2.0f, x, y);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) wrong += y[i] != i + 2;
        cudaFree(x); cudaFree(y);
    }
    printf("classics: %d wrong\n", wrong);
    return wrong != 0;
}
