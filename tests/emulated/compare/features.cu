/* Kernels that use more of CUDA than kernels.cu does: textures, half precision, tensor cores,
 * asynchronous copies, atomics, cooperative groups, constant memory, elements of one and two bytes.
 * Counted like those. With an argument: one mistake, for compute-sanitizer. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <string.h>

#include "counts.h"

namespace cg = cooperative_groups;
using namespace nvcuda;
enum { N = 1 << 16, SIDE = 256, TABLE = 256 };
__constant__ float c_table[TABLE];

__global__ void textureNearest(cudaTextureObject_t t, float *c)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    c[y * SIDE + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
__global__ void textureLinear(cudaTextureObject_t t, float *c)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    c[y * SIDE + x] = tex2D<float>(t, 0.5f * x, 0.5f * y);
}
__global__ void surfaceWrite(cudaSurfaceObject_t s, const float *a)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    surf2Dwrite(a[y * SIDE + x], s, (int)sizeof(float) * x, y);
}
__global__ void halfAdd(const __half2 *a, const __half2 *b, __half2 *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = __hadd2(a[i], b[i]);
}
__global__ void halfTranspose(const __half *a, __half *c)
{
    __shared__ __half tile[32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
    tile[y][x] = a[(row + y) * SIDE + column + x];
    __syncthreads();
    c[(column + y) * SIDE + row + x] = tile[x][y];
}
__global__ void bfloatReduction(const __nv_bfloat16 *a, float *c)
{
    __shared__ __nv_bfloat16 s[256];
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] = __hadd(s[t], s[t + half]);
        __syncthreads();
    }
    if (t == 0)
        c[blockIdx.x] = __bfloat162float(s[0]);
}
/* c = a * b of 64 x 64 halves: a block of one warp for each 16 x 16 of c, tiles in shared
 * memory. */
__global__ void wmmaTiled(const __half *a, const __half *b, float *c)
{
    __shared__ __align__(32) __half as[16][16], bs[16][16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    int row = blockIdx.y * 16, column = blockIdx.x * 16, t = threadIdx.x;
    wmma::fill_fragment(fc, 0.0f);
    for (int k = 0; k < 64; k += 16) {
        for (int i = t; i < 256; i += 32) {
            as[i / 16][i % 16] = a[(row + i / 16) * 64 + k + i % 16];
            bs[i / 16][i % 16] = b[(k + i / 16) * 64 + column + i % 16];
        }
        __syncwarp();
        wmma::load_matrix_sync(fa, &as[0][0], 16);
        wmma::load_matrix_sync(fb, &bs[0][0], 16);
        wmma::mma_sync(fc, fa, fb, fc);
        __syncwarp();
    }
    wmma::store_matrix_sync(c + row * 64 + column, fc, 64, wmma::mem_row_major);
}
__global__ void copyAsync(const float4 *a, float *c)
{
    __shared__ float4 s[256];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &a[blockIdx.x * 256 + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    c[blockIdx.x * 256 + t] = ((const float *)s)[t] + ((const float *)s)[1023 - t];
}
__global__ void histogram(const int *a, int *bins)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = 0;
    __syncthreads();
    atomicAdd(&s[a[i] % 256], 1);
    __syncthreads();
    atomicAdd(&bins[t], s[t]);
}
__global__ void groupReduction(const float *a, float *c)
{
    __shared__ float s[8];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    float sum = cg::reduce(warp, a[blockIdx.x * 256 + t], cg::plus<float>());
    if (warp.thread_rank() == 0)
        s[t / 32] = sum;
    block.sync();
    if (t < 8) {
        cg::coalesced_group few = cg::coalesced_threads();
        sum = cg::reduce(few, s[t], cg::plus<float>());
        if (t == 0)
            c[blockIdx.x] = sum;
    }
}
__global__ void constantGather(float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = c_table[3 * i % TABLE];
}
__global__ void charCopy(const char *a, char *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i];
}
__global__ void shortStride2(const short *a, short *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[2 * i] = a[2 * i];
}

/* ---- mistakes, for compute-sanitizer --------------------------------------------------------- */
__global__ void fill(float *c, float value) { c[blockIdx.x * blockDim.x + threadIdx.x] = value; }
/* Two streams write the same memory. */
static void streamsRace(float *c)
{
    cudaStream_t s[2];
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        fill<<<N / 256, 256, 0, s[i]>>>(c, (float)i);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamSynchronize(s[i]));
        CHECK(cudaStreamDestroy(s[i]));
    }
}
/* Blocks write the same element of global memory. */
__global__ void writeFirst(float *c) { c[threadIdx.x] = (float)blockIdx.x; }
static void blocksRace(float *c) { writeFirst<<<8, 32>>>(c); }
/* Halves of one word by different threads are no race, a half by two threads is. */
__global__ void neighbours(__half *c, int reach)
{
    __shared__ __half s[64];
    int t = threadIdx.x;
    s[t / reach] = __float2half((float)t);
    __syncthreads();
    c[t] = s[t / reach];
}
static void halvesApart(float *c) { neighbours<<<1, 64>>>((__half *)c, 1); }
static void halvesTogether(float *c) { neighbours<<<1, 64>>>((__half *)c, 2); }
/* The bins are used before they are zero. */
__global__ void noBarrierBefore(int *c)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    atomicAdd(&s[63 - threadIdx.x], 1);
    __syncthreads();
    c[threadIdx.x] = s[threadIdx.x];
}
static void binsTooEarly(float *c) { noBarrierBefore<<<1, 64>>>((int *)c); }
/* The other half of a group reads what this one writes. */
__global__ void groupsApart(float *c)
{
    __shared__ float s[64];
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = (float)threadIdx.x;
    tile.sync();
    c[threadIdx.x] = s[threadIdx.x ^ 16];
}
static void tooFewWait(float *c) { groupsApart<<<1, 64>>>(c); }
__global__ void sumPastTheEnd(const __half2 *a, float *c)
{
    c[threadIdx.x] = __low2float(a[threadIdx.x + 1]);
}
static void halfPastTheEnd(float *c)
{
    __half2 *a;
    CHECK(cudaMalloc((void **)&a, 32 * sizeof *a));
    CHECK(cudaMemset(a, 0, 32 * sizeof *a));
    sumPastTheEnd<<<1, 32>>>(a, c);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
}
static const struct {
    const char *name;
    void (*run)(float *);
} mistakes[] = {{"streamsRace", streamsRace},      {"blocksRace", blocksRace},
                {"halvesApart", halvesApart},      {"halvesTogether", halvesTogether},
                {"binsTooEarly", binsTooEarly},    {"tooFewWait", tooFewWait},
                {"halfPastTheEnd", halfPastTheEnd}};
static int runMistake(const char *name, float *c)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (strcmp(name, mistakes[i].name) == 0) {
            mistakes[i].run(c);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaFree(c));
            return 0;
        }
    fprintf(stderr, "%s: no such mistake\n", name);
    return 2;
}

/* ---- the kernels, one after the other -------------------------------------------------------- */
static cudaTextureObject_t textureOf(cudaArray_t array, enum cudaTextureFilterMode filter)
{
    cudaTextureObject_t t;
    cudaResourceDesc from;
    cudaTextureDesc how;
    memset(&from, 0, sizeof from);
    memset(&how, 0, sizeof how);
    from.resType = cudaResourceTypeArray;
    from.res.array.array = array;
    how.filterMode = filter;
    CHECK(cudaCreateTextureObject(&t, &from, &how, NULL));
    return t;
}
static void textures(const float *h, float *a, float *c)
{
    dim3 block(32, 8), grid(SIDE / 32, SIDE / 8);
    cudaArray_t array;
    cudaSurfaceObject_t surface;
    cudaResourceDesc to;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, SIDE, SIDE, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h, SIDE * sizeof *h, SIDE * sizeof *h, SIDE,
                              cudaMemcpyHostToDevice));
    cudaTextureObject_t nearest = textureOf(array, cudaFilterModePoint),
                        linear = textureOf(array, cudaFilterModeLinear);
    textureNearest<<<grid, block>>>(nearest, c), printCounters("textureNearest");
    textureLinear<<<grid, block>>>(linear, c), printCounters("textureLinear");
    CHECK(cudaDestroyTextureObject(nearest));
    CHECK(cudaDestroyTextureObject(linear));
    memset(&to, 0, sizeof to);
    to.resType = cudaResourceTypeArray;
    to.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&surface, &to));
    surfaceWrite<<<grid, block>>>(surface, a), printCounters("surfaceWrite");
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
}

int main(int argc, char **argv)
{
    static float h[4 * N];
    float *a, *b, *c;
    for (int i = 0; i < 4 * N; i++)
        h[i] = 0.25f * (i % 7);
    CHECK(cudaMalloc((void **)&c, sizeof h));
    if (argc > 1)
        return runMistake(argv[1], c);
    CHECK(cudaMalloc((void **)&a, sizeof h));
    CHECK(cudaMalloc((void **)&b, sizeof h));
    CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(c, 0, sizeof h));
    CHECK(cudaMemcpyToSymbol(c_table, h, sizeof c_table));
    printHeader();
    textures(h, a, c);
    const dim3 tile(32, 32), tiles(SIDE / 32, SIDE / 32), grid4(4, 4);
    halfAdd<<<N / 256, 256>>>((__half2 *)a, (__half2 *)b, (__half2 *)c), printCounters("halfAdd");
    halfTranspose<<<tiles, tile>>>((__half *)a, (__half *)c), printCounters("halfTranspose");
    bfloatReduction<<<N / 256, 256>>>((__nv_bfloat16 *)a, c), printCounters("bfloatReduction");
    wmmaTiled<<<grid4, 32>>>((__half *)a, (__half *)b, c), printCounters("wmmaTiled");
    copyAsync<<<N / 256, 256>>>((float4 *)a, c), printCounters("copyAsync");
    CHECK(cudaMemset(c, 0, sizeof h));
    histogram<<<N / 256, 256>>>((int *)a, (int *)c), printCounters("histogram");
    groupReduction<<<N / 256, 256>>>(a, c), printCounters("groupReduction");
    constantGather<<<N / 256, 256>>>(c), printCounters("constantGather");
    charCopy<<<N / 256, 256>>>((char *)a, (char *)c), printCounters("charCopy");
    shortStride2<<<N / 256, 256>>>((short *)a, (short *)c), printCounters("shortStride2");
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return 0;
}
