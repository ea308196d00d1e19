/* TASK     c[i] = a[i] + b[i], n floats: what an offset, a stride and a contiguous region per
 *          thread cost, and how to get rid of the cost.
 * TRAFFIC  12 n bytes: a and b read, c written. What is moved beyond that is the price of the
 *          pattern.
 * LIMIT    memory bandwidth, in sectors of 32 bytes: one is moved whole for whatever is used of
 *          it. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "uncoalesced.h"
#include "quads.cuh"

typedef void launch_fn(const float *a, const float *b, float *c, size_t n, struct access how);

/* The code around every kernel: memory on the device, the copies there, the launch, the copy back.
 * A kernel gets the addresses of the first elements, wherever in an allocation those lie; the
 * offsets are for the rows that are about them (isShifted). */
template <launch_fn launch, int isShifted>
static void vectorAdd(const float *a, const float *b, float *c, size_t n,
                      const struct access *access)
{
    const size_t offsetA = isShifted ? access->offsetA : 0;
    const size_t offsetB = isShifted ? access->offsetB : 0;
    const size_t offsetC = isShifted ? access->offsetC : 0;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    // TODO 1 begin: allocate d_a, d_b and d_c, allocationBytes(offset, n) bytes each
    cudaVerify(cudaMalloc((void **)&d_a, allocationBytes(offsetA, n)));
    cudaVerify(cudaMalloc((void **)&d_b, allocationBytes(offsetB, n)));
    cudaVerify(cudaMalloc((void **)&d_c, allocationBytes(offsetC, n)));
    // TODO 1 end

    // TODO 2 begin: copy a and b to the device, each to where its first element lies
    cudaVerify(cudaMemcpy(d_a + offsetA, a, n * sizeof(float), cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b + offsetB, b, n * sizeof(float), cudaMemcpyHostToDevice));
    // TODO 2 end

    MEASURE (run) {
        launch(d_a + offsetA, d_b + offsetB, d_c + offsetC, n, *access);
    }

    // TODO 3 begin: copy the result to c, and free the device memory
    cudaVerify(cudaMemcpy(c, d_c + offsetC, n * sizeof(float), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
    // TODO 3 end
}

/* The next thread takes the next element. A warp's 32 floats are 128 bytes: 4 sectors, all of them
 * used, or 5 if they do not begin on a sector's boundary. */
__global__ void addOnePerThread(const float *a, const float *b, float *c, size_t n)
{
    // TODO 4 begin: one element per thread, the next thread the next element
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
    // TODO 4 end
}

void launchOnePerThread(const float *a, const float *b, float *c, size_t n, struct access)
{
    const int block = blockSize(256); /* --block overrides these choices */

    cudaVerifyKernel((addOnePerThread<<<blocksFor(n, block), block>>>(a, b, c, n)));
}

/* The next thread takes the element `stride` further on: the 32 floats lie in as many times the
 * sectors. Row y of the grid takes the elements y, y + stride, y + 2 stride, ..., so that all rows
 * together take every element once. */
__global__ void addStrided(const float *a, const float *b, float *c, size_t n, size_t stride)
{
    // TODO 5 begin: one element per thread, the next thread `stride` elements further on
    const size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride + blockIdx.y;

    if (i < n)
        c[i] = a[i] + b[i];
    // TODO 5 end
}

void launchStrided(const float *a, const float *b, float *c, size_t n, struct access how)
{
    const int block = blockSize(256);
    const dim3 grid(blocksFor(n, how.stride * block), (unsigned)how.stride);

    cudaVerifyKernel((addStrided<<<grid, block>>>(a, b, c, n, how.stride)));
}

/* A contiguous region per thread, as one would give to a CPU core: at any time the 32 lanes are in
 * 32 places that are a region apart, each in a sector of its own. */
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

void launchRegionPerThread(const float *a, const float *b, float *c, size_t n, struct access how)
{
    const int block = blockSize(256);
    const unsigned grid = blocksFor(n, how.region * block);

    cudaVerifyKernel((addRegionPerThread<<<grid, block>>>(a, b, c, n, how.region)));
}

/* Lanes in 32 places use an eighth of each sector that they load. The same 32 regions, taken by the
 * warp as a whole: its lanes walk through them side by side. */
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

void launchRegionPerWarp(const float *a, const float *b, float *c, size_t n, struct access how)
{
    const int block = (blockSize(256) + 31) / 32 * 32; /* whole warps */
    const unsigned grid = blocksFor(n, how.region * block);

    cudaVerifyKernel((addRegionPerWarp<<<grid, block>>>(a, b, c, n, how.region)));
}

/* Now the cures. One float per lane keeps too few bytes in flight for the full rate, and a float4
 * must be aligned to 16 bytes, which an array with an offset is not. So x[4q] to x[4q + 3] are put
 * together from the one or two aligned float4s that hold them, both within an allocation of whole
 * float4s. The neighbouring thread loads the second one too: mostly it comes from the L1 cache. */
__device__ float4 loadRealigned(const float *x, size_t q)
{
    float4 result = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    // TODO 8 begin: (advanced) two aligned loads, and four of their eight floats
    const unsigned shift = misalignment(x);
    const float4 *aligned = (const float4 *)(x - shift) + q;
    const float4 v = aligned[0];
    const float4 w = shift == 0 ? v : aligned[1];

    switch (shift) { /* the same for all threads: no divergence */
    case 0: result = v; break;
    case 1: result = make_float4(v.y, v.z, v.w, w.x); break;
    case 2: result = make_float4(v.z, v.w, w.x, w.y); break;
    case 3: result = make_float4(v.w, w.x, w.y, w.z); break;
    }
    // TODO 8 end
    return result;
}

/* One aligned float4 of c per thread, for which the inputs are shifted into place. The elements
 * before c's first and after its last whole float4, up to 3 each, are added one by one. */
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

void launchRealigned(const float *a, const float *b, float *c, size_t n, struct access)
{
    const int block = blockSize(256);
    const size_t threads = n / 4 + 3; /* head and tail take up to 3, however small n / 4 is */

    cudaVerifyKernel((addRealigned<<<blocksFor(threads, block), block>>>(a, b, c, n)));
}

/* A region per warp with one float per lane has the rate of the aligned scalar kernel. With float4s
 * it has that of the copy. a, b and c lie on 16-byte boundaries. */
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

void launchRegionPerWarp4(const float *a, const float *b, float *c, size_t n, struct access how)
{
    const int block = (blockSize(256) + 31) / 32 * 32; /* whole warps */
    const unsigned grid = blocksFor(n, how.region * block);

    cudaVerifyKernel((addRegionPerWarp4<<<grid, block>>>(a, b, c, n, how.region)));
}

/* A region per warp is for work in any order. Where each region must be walked through in order, a
 * warp brings 32 elements of each of its 32 regions into shared memory, one region to a row, 8
 * lanes to a row; then each lane works on a row of its own. The ninth float4 of a row is padding:
 * it puts the 8 rows that are read together on different banks. a, b and c lie on 16-byte
 * boundaries. */
enum { STAGED_BLOCK = 128, COLUMNS = 9 };

__global__ void addRegionStaged(const float *a, const float *b, float *c, size_t n, size_t region)
{
    // TODO 10 begin: (advanced) per 32 elements: load rows, barrier, add, barrier, store, barrier
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

void launchRegionStaged(const float *a, const float *b, float *c, size_t n, struct access how)
{
    const unsigned grid = blocksFor(n, how.region * STAGED_BLOCK);

    cudaVerifyKernel((addRegionStaged<<<grid, STAGED_BLOCK>>>(a, b, c, n, how.region)));
}

extern "C" const struct variant deviceVariants[] = {
    {"aligned", vectorAdd<launchOnePerThread, 0>},
    {"aligned, float4", vectorAdd<launchRealigned, 0>},
    {"offset", vectorAdd<launchOnePerThread, 1>},
    {"offset, realigned float4", vectorAdd<launchRealigned, 1>},
    {"stride", vectorAdd<launchStrided, 0>},
    {"region per thread", vectorAdd<launchRegionPerThread, 0>},
    {"region per warp", vectorAdd<launchRegionPerWarp, 0>},
    {"region per warp, float4", vectorAdd<launchRegionPerWarp4, 0>},
    {"region staged in shared memory", vectorAdd<launchRegionStaged, 0>},
    {NULL, NULL},
};
