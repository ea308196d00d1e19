/* Kernels with known access patterns, each launched once. On a GPU `ncu` counts them, on the
 * emulated device the program prints its own counters as CSV; table.awk sets the two side by
 * side. */
#include "counts.h"

enum { N = 1 << 16 };

__global__ void addAligned(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
__global__ void addOffset1(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i + 1] + b[i + 1];
}
__global__ void addOffset8(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i + 8] = a[i] + b[i];
}
__global__ void addStride4(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[4 * i] = a[4 * i] + b[4 * i];
}
__global__ void addChunks(const float *a, const float *b, float *c, int each)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each; i++)
        c[i] = a[i] + b[i];
}
__global__ void addFloat4(const float4 *a, const float4 *b, float4 *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
__global__ void addDouble(const double *a, const double *b, double *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
__global__ void addTail(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
__global__ void broadcast(const float *a, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i / 32];
}
__global__ void gather(const int *index, const float *a, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[index[i]];
}
template <int Columns> __device__ void transposeTile(const float *a, float *c, int n)
{
    __shared__ float tile[32][Columns];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    c[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}
__global__ void transposeNaive(const float *a, float *c, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    c[x * n + y] = a[y * n + x];
}
__global__ void transposeConflict(const float *a, float *c, int n) { transposeTile<32>(a, c, n); }
__global__ void transposePadded(const float *a, float *c, int n) { transposeTile<33>(a, c, n); }
__global__ void transposeHalf(const float *a, float *c, int n)
{
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    c[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}
__global__ void treeReduction(const float *a, float *c)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        c[blockIdx.x] = s[0];
}
__global__ void stridedReduction(const float *a, float *c)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int stride = 1; stride < 256; stride *= 2) {
        int i = 2 * stride * t;
        if (i < 256)
            s[i] += s[i + stride];
        __syncthreads();
    }
    if (t == 0)
        c[blockIdx.x] = s[0];
}
__global__ void sharedDouble(const double *a, double *c)
{
    __shared__ double s[256];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    c[t] = s[(2 * t) % 256];
}
__global__ void sharedFloat4(const float4 *a, float4 *c)
{
    __shared__ float4 s[256];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    c[t] = s[(2 * t) % 256];
}
/* Both ways are long enough for a real branch instead of predication. */
__global__ void oddAndEven(const float *a, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a[i];
    if (i % 2) {
        for (int k = 0; k < (int)v + 10; k++)
            v = v * 0.5f + sinf(v);
    } else {
        for (int k = 0; k < (int)v + 20; k++)
            v = v * 0.25f + cosf(v);
    }
    c[i] = v;
}
__global__ void productTiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += 16) {
        as[y][x] = a[row * n + k0 + x];
        bs[y][x] = b[(k0 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main(void)
{
    static float h[8 * N];
    static int h_index[N];
    float *a, *b, *c;
    int *index;
    for (int i = 0; i < 8 * N; i++)
        h[i] = 0.25f * (i % 7);
    for (int i = 0; i < N; i++)
        h_index[i] = (int)((unsigned)i * 2654435761u >> 16) % N;
    CHECK(cudaMalloc((void **)&a, sizeof h));
    CHECK(cudaMalloc((void **)&b, sizeof h));
    CHECK(cudaMalloc((void **)&c, sizeof h));
    CHECK(cudaMalloc((void **)&index, sizeof h_index));
    CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(index, h_index, sizeof h_index, cudaMemcpyHostToDevice));
    printHeader();
    dim3 tile(32, 32), grid32(8, 8), tile16(16, 16), grid16(16, 16), grid4(4, 4);
    addAligned<<<N / 256, 256>>>(a, b, c), printCounters("addAligned");
    addOffset1<<<N / 256, 256>>>(a, b, c), printCounters("addOffset1");
    addOffset8<<<N / 256, 256>>>(a, b, c), printCounters("addOffset8");
    addStride4<<<N / 256, 256>>>(a, b, c), printCounters("addStride4");
    addChunks<<<N / 32 / 256, 256>>>(a, b, c, 32), printCounters("addChunks");
    addFloat4<<<N / 256, 256>>>((float4 *)a, (float4 *)b, (float4 *)c), printCounters("addFloat4");
    addDouble<<<N / 256, 256>>>((double *)a, (double *)b, (double *)c), printCounters("addDouble");
    addTail<<<N / 256, 256>>>(a, b, c, N - 13), printCounters("addTail");
    broadcast<<<N / 256, 256>>>(a, c), printCounters("broadcast");
    gather<<<N / 256, 256>>>(index, a, c), printCounters("gather");
    transposeNaive<<<grid32, tile>>>(a, c, 256), printCounters("transposeNaive");
    transposeConflict<<<grid32, tile>>>(a, c, 256), printCounters("transposeConflict");
    transposePadded<<<grid32, tile>>>(a, c, 256), printCounters("transposePadded");
    transposeHalf<<<grid16, tile16>>>(a, c, 256), printCounters("transposeHalf");
    treeReduction<<<N / 256, 256>>>(a, c), printCounters("treeReduction");
    stridedReduction<<<N / 256, 256>>>(a, c), printCounters("stridedReduction");
    sharedDouble<<<1, 256>>>((double *)a, (double *)c), printCounters("sharedDouble");
    sharedFloat4<<<1, 256>>>((float4 *)a, (float4 *)c), printCounters("sharedFloat4");
    oddAndEven<<<N / 256, 256>>>(a, c), printCounters("oddAndEven");
    productTiled<<<grid4, tile16>>>(a, b, c, 64), printCounters("productTiled");
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaFree(index));
    return 0;
}
