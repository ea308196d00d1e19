/* TASK     c[i] = a[i] + b[i], n floats: what an offset, a stride and a contiguous region per thread
 *          cost, and how to get rid of the cost.
 * TRAFFIC  12 n bytes: a and b read, c written. What is moved beyond that is the price of the pattern.
 * LIMIT    memory bandwidth, in sectors of 32 bytes: one is moved whole for whatever is used of it. */
#include "cuda_utils.h"
#include "measure.h"
#include "uncoalesced.h"

/* Here and below a, b and c point at their first elements, wherever in an allocation those lie. */
__global__ void addOnePerThread(const float *a, const float *b, float *c, size_t n)
{
    // TODO 4 begin: one element per thread, the next thread the next element
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
    // TODO 4 end
}

/* Row y of the grid takes the elements y, y + stride, y + 2 stride, ...: neighbouring threads are
 * `stride` elements apart, and all rows together take every element once. */
__global__ void addStrided(const float *a, const float *b, float *c, size_t n, size_t stride)
{
    // TODO 5 begin: one element per thread, the next thread `stride` elements further on
    const size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride + blockIdx.y;

    if (i < n)
        c[i] = a[i] + b[i];
    // TODO 5 end
}

/* Thread t takes the elements from t * region to (t + 1) * region, as one would on a CPU. */
__global__ void addRegionPerThread(const float *a, const float *b, float *c, size_t n,
                                   size_t region)
{
    // TODO 6 begin: a loop over this thread's own region, which may end early at n
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * region;
    const size_t end = first + region < n ? first + region : n;

    for (size_t i = first; i < end; i++)
        c[i] = a[i] + b[i];
    // TODO 6 end
}

/* Warp w takes the elements from 32 w * region to 32 (w + 1) * region, its lanes side by side. */
__global__ void addRegionPerWarp(const float *a, const float *b, float *c, size_t n, size_t region)
{
    // TODO 7 begin: the same 32 regions, walked through by the whole warp in steps of 32
    const size_t warp = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const size_t first = warp * 32 * region;
    const size_t end = first + 32 * region < n ? first + 32 * region : n;

    for (size_t i = first + threadIdx.x % 32; i < end; i += 32)
        c[i] = a[i] + b[i];
    // TODO 7 end
}

__device__ float4 add4(float4 x, float4 y)
{
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

/* How many elements p lies beyond a 16-byte boundary: 0 to 3. */
__device__ unsigned misalignment(const float *p)
{
    return (unsigned)((size_t)p / sizeof(float) % 4);
}

/* x[4q] to x[4q + 3], wherever x lies, from the one or two aligned float4 that hold them: both within
 * an allocation of whole float4s. The neighbouring thread loads the second one too, so on most devices
 * it comes from the L1 cache. */
__device__ float4 loadRealigned(const float *x, size_t q)
{
    float4 result = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    // TODO 8 begin: (advanced) two aligned loads, and four of their eight floats
    const unsigned shift = misalignment(x);
    const float4 *aligned = (const float4 *)(x - shift) + q;
    const float4 v = aligned[0];
    const float4 w = shift == 0 ? v : aligned[1];

    switch (shift) { /* the same for all threads: no divergence */
    case 0:
        result = v;
        break;
    case 1:
        result = make_float4(v.y, v.z, v.w, w.x);
        break;
    case 2:
        result = make_float4(v.z, v.w, w.x, w.y);
        break;
    case 3:
        result = make_float4(v.w, w.x, w.y, w.z);
        break;
    }
    // TODO 8 end
    return result;
}

/* One aligned float4 of c per thread, for which the inputs are shifted into place. What c has before
 * its first and after its last whole float4, up to 3 elements each, is added one by one. */
__global__ void addRealigned(const float *a, const float *b, float *c, size_t n)
{
    const size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t untilBoundary = (4 - misalignment(c)) % 4;
    const size_t head = untilBoundary < n ? untilBoundary : n;
    const size_t quads = (n - head) / 4;
    const size_t tail = head + 4 * quads;

    if (q < quads)
        ((float4 *)(c + head))[q] = add4(loadRealigned(a + head, q), loadRealigned(b + head, q));
    if (q < head)
        c[q] = a[q] + b[q];
    if (q < n - tail)
        c[tail + q] = a[tail + q] + b[tail + q];
}

/* x[i] to x[i + 3] as far as they lie before end; in one access where x + i is aligned. */
__device__ float4 load4(const float *x, size_t i, size_t end)
{
    if (i % 4 == 0 && i + 4 <= end)
        return *(const float4 *)(x + i);
    return make_float4(i < end ? x[i] : 0.0f, i + 1 < end ? x[i + 1] : 0.0f,
                       i + 2 < end ? x[i + 2] : 0.0f, i + 3 < end ? x[i + 3] : 0.0f);
}

__device__ void store4(float *x, size_t i, size_t end, float4 v)
{
    const float values[4] = {v.x, v.y, v.z, v.w};

    if (i % 4 == 0 && i + 4 <= end) {
        *(float4 *)(x + i) = v;
        return;
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k < end)
            x[i + k] = values[k];
}

/* As addRegionPerWarp; a, b and c lie on 16-byte boundaries. */
__global__ void addRegionPerWarp4(const float *a, const float *b, float *c, size_t n, size_t region)
{
    // TODO 9 begin: (advanced) TODO 7 with load4 and store4
    const size_t warp = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const size_t first = warp * 32 * region;
    const size_t end = first + 32 * region < n ? first + 32 * region : n;

#pragma unroll 2
    for (size_t i = first + threadIdx.x % 32 * 4; i < end; i += 32 * 4)
        store4(c, i, end, add4(load4(a, i, end), load4(b, i, end)));
    // TODO 9 end
}

/* For work that must go through each region in order: a warp brings 32 elements of each of its 32
 * regions into shared memory, one region to a row, 8 lanes to a row; then each lane works on a row of
 * its own. The ninth float4 of a row is padding: it puts the rows that are read together, 8 of them, on
 * different banks. a, b and c lie on 16-byte boundaries. */
enum { STAGED_BLOCK = 128, COLUMNS = 9 };

__global__ void addRegionStaged(const float *a, const float *b, float *c, size_t n, size_t region)
{
    // TODO 10 begin: (advanced) per 32 elements: load rows, barrier, add, barrier, store rows, barrier
    __shared__ float4 rowsOfA[STAGED_BLOCK][COLUMNS], rowsOfB[STAGED_BLOCK][COLUMNS];
    const unsigned lane = threadIdx.x % 32, column = lane % 8;
    const unsigned firstRow = threadIdx.x - lane + lane / 8; /* and every fourth from there */
    float4 *ownA = rowsOfA[threadIdx.x], *ownB = rowsOfB[threadIdx.x];

    for (size_t done = 0; done < region; done += 32) {
        float4 x[8], y[8]; /* all loads are on their way before the first is waited for */

#pragma unroll
        for (int k = 0; k < 8; k++) {
            const size_t first = ((size_t)blockIdx.x * STAGED_BLOCK + firstRow + 4 * k) * region;
            const size_t end = first + region < n ? first + region : n;

            x[k] = load4(a, first + done + 4 * column, end);
            y[k] = load4(b, first + done + 4 * column, end);
        }
#pragma unroll
        for (int k = 0; k < 8; k++) {
            rowsOfA[firstRow + 4 * k][column] = x[k];
            rowsOfB[firstRow + 4 * k][column] = y[k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++)
            ownA[k] = add4(ownA[k], ownB[k]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const size_t first = ((size_t)blockIdx.x * STAGED_BLOCK + firstRow + 4 * k) * region;
            const size_t end = first + region < n ? first + region : n;

            store4(c, first + done + 4 * column, end, rowsOfA[firstRow + 4 * k][column]);
        }
        __syncthreads();
    }
    // TODO 10 end
}

enum pattern { ONE_PER_THREAD, STRIDED, REALIGNED, PER_THREAD, PER_WARP, PER_WARP_4, STAGED };

static unsigned blocksFor(size_t threads, int block)
{
    return (unsigned)((threads + block - 1) / block);
}

static void launch(enum pattern pattern, const float *a, const float *b, float *c, size_t n,
                   const struct access *access)
{
    const int block = pattern == STAGED ? STAGED_BLOCK : blockSize(256);
    const int wholeWarps = (block + 31) / 32 * 32;
    const size_t stride = access->stride, region = access->region;
    const unsigned regions = blocksFor((n + region - 1) / region, block);
    const dim3 rows(blocksFor((n + stride - 1) / stride, block), (unsigned)stride);

    switch (pattern) {
    case ONE_PER_THREAD:
        cudaVerifyKernel((addOnePerThread<<<blocksFor(n, block), block>>>(a, b, c, n)));
        break;
    case STRIDED:
        cudaVerifyKernel((addStrided<<<rows, block>>>(a, b, c, n, stride)));
        break;
    case REALIGNED: /* head and tail want up to 3 threads, however few float4s there are */
        cudaVerifyKernel((addRealigned<<<blocksFor(n / 4 + 3, block), block>>>(a, b, c, n)));
        break;
    case PER_THREAD:
        cudaVerifyKernel((addRegionPerThread<<<regions, block>>>(a, b, c, n, region)));
        break;
    case PER_WARP:
        cudaVerifyKernel((addRegionPerWarp<<<regions, wholeWarps>>>(a, b, c, n, region)));
        break;
    case PER_WARP_4:
        cudaVerifyKernel((addRegionPerWarp4<<<regions, wholeWarps>>>(a, b, c, n, region)));
        break;
    case STAGED:
        cudaVerifyKernel((addRegionStaged<<<regions, block>>>(a, b, c, n, region)));
        break;
    }
}

/* What surrounds a kernel. The offsets are for the variants that are about them (shifted = 1). */
static void vectorAdd(enum pattern pattern, int shifted, const float *a, const float *b, float *c,
                      size_t n, const struct access *access)
{
    const size_t offsetA = shifted ? access->offsetA : 0;
    const size_t offsetB = shifted ? access->offsetB : 0;
    const size_t offsetC = shifted ? access->offsetC : 0;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    // TODO 1 begin: allocate d_a, d_b and d_c on the device, each with room for its offset
    cudaVerify(cudaMalloc((void **)&d_a, allocationBytes(offsetA, n)));
    cudaVerify(cudaMalloc((void **)&d_b, allocationBytes(offsetB, n)));
    cudaVerify(cudaMalloc((void **)&d_c, allocationBytes(offsetC, n)));
    // TODO 1 end

    // TODO 2 begin: copy a and b to the device, each to where its first element lies
    cudaVerify(cudaMemcpy(d_a + offsetA, a, n * sizeof(float), cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b + offsetB, b, n * sizeof(float), cudaMemcpyHostToDevice));
    // TODO 2 end

    MEASURE (run) {
        launch(pattern, d_a + offsetA, d_b + offsetB, d_c + offsetC, n, access);
    }

    // TODO 3 begin: copy the result to c, and free the device memory
    cudaVerify(cudaMemcpy(c, d_c + offsetC, n * sizeof(float), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
    // TODO 3 end
}

#define VARIANT(name, pattern, shifted)                                                            \
    static void name(const float *a, const float *b, float *c, size_t n,                           \
                     const struct access *access)                                                  \
    {                                                                                              \
        vectorAdd(pattern, shifted, a, b, c, n, access);                                           \
    }

VARIANT(aligned, ONE_PER_THREAD, 0)
VARIANT(aligned4, REALIGNED, 0)
VARIANT(offset, ONE_PER_THREAD, 1)
VARIANT(offset4, REALIGNED, 1)
VARIANT(strided, STRIDED, 0)
VARIANT(regionPerThread, PER_THREAD, 0)
VARIANT(regionPerWarp, PER_WARP, 0)
VARIANT(regionPerWarp4, PER_WARP_4, 0)
VARIANT(regionStaged, STAGED, 0)

extern "C" const struct variant deviceVariants[] = {
    {"aligned", aligned},
    {"aligned, float4", aligned4},
    {"offset", offset},
    {"offset, realigned float4", offset4},
    {"stride", strided},
    {"region per thread", regionPerThread},
    {"region per warp", regionPerWarp},
    {"region per warp, float4", regionPerWarp4},
    {"region staged in shared memory", regionStaged},
    {NULL, NULL},
};
