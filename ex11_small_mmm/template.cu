/* TASK     c = a b for many pairs of n x n matrices, n <= 32, through shared memory and then
 *          registers.
 * TRAFFIC  12 n^2 bytes a pair: a and b read once, c written once.
 * LIMIT    shared memory with its bank conflicts, until registers take over; then memory
 *          bandwidth. */
#include "cuda_utils.h"
#include "measure.h"
#include "small_mmm.h"
#include "launches.cuh" /* EVERY_N, and the grids of the launches */
#if defined __CUDA_EMULATED__ || (defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11)
#include <cuda_pipeline_primitives.h>
#define HAVE_ASYNCHRONOUS_COPIES
#endif

typedef void launch_fn(const float *d_a, const float *d_b, float *d_c, int n, size_t count);

/* The code around every kernel: memory on the device, the copies there and back. */
template <launch_fn launch>
static void smallMmm(const float *a, const float *b, float *c, int n, size_t count)
{
    const size_t bytes = count * n * n * sizeof(float);
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    cudaVerify(cudaMalloc((void **)&d_a, bytes));
    cudaVerify(cudaMalloc((void **)&d_b, bytes));
    cudaVerify(cudaMalloc((void **)&d_c, bytes));
    cudaVerify(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));

    MEASURE (run) {
        launch(d_a, d_b, d_c, n, count);
    }

    cudaVerify(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    cudaVerify(cudaFree(d_c));
}

/* One block for each matrix of c, one thread for each of its elements. A grid may be smaller than
 * the number of matrices, so a block goes on to further ones. */
__global__ void mmmGlobal(const float *a, const float *b, float *c, int n, size_t count)
{
    const int u = threadIdx.y, v = threadIdx.x;

    for (size_t m = blockIdx.x; m < count; m += gridDim.x) {
        float sum = 0.0f;

        for (int k = 0; k < n; k++)
            sum += a[(m * n + u) * n + k] * b[(m * n + k) * n + v];
        c[(m * n + u) * n + v] = sum;
    }
}

void launchGlobal(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    cudaVerifyKernel((mmmGlobal<<<someBlocks(count, 1), dim3(n, n)>>>(d_a, d_b, d_c, n, count)));
}

/* Every element was read n times from global memory. Here each is read once, by one thread, and the
 * block shares it. */
template <int T>
__global__ void mmmShared(const float *a, const float *b, float *c, int n, size_t count)
{
    // TODO 1 begin: two T x T arrays in shared memory, one for a matrix of a and one for b
    NOT_IMPLEMENTED(1);
    // TODO 1 end
    const int u = threadIdx.y, v = threadIdx.x;

    for (size_t m = blockIdx.x; m < count; m += gridDim.x) {
        float sum = 0.0f;

        // TODO 2 begin: copy matrix m of a and of b there, one element each per thread
        NOT_IMPLEMENTED(2);
        // TODO 2 end

        // TODO 3 begin: wait until all threads have copied
        NOT_IMPLEMENTED(3);
        // TODO 3 end

        // TODO 4 begin: this thread's element of the product, from shared memory
        NOT_IMPLEMENTED(4);
        // TODO 4 end

        // TODO 3 begin: wait until all threads have read, before the next matrix arrives
        NOT_IMPLEMENTED(3);
        // TODO 3 end
    }
}

void launchShared(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    const unsigned int grid = someBlocks(count, 1);
    const dim3 block(n, n);

    if (n <= 8)
        cudaVerifyKernel((mmmShared<8><<<grid, block>>>(d_a, d_b, d_c, n, count)));
    else if (n <= 16)
        cudaVerifyKernel((mmmShared<16><<<grid, block>>>(d_a, d_b, d_c, n, count)));
    else
        cudaVerifyKernel((mmmShared<32><<<grid, block>>>(d_a, d_b, d_c, n, count)));
}

/* No improvement, but a trap: with b transposed in shared memory, the lanes of a warp read
 * s_b[v][k], words that are T apart. The bank conflicts show what that costs. */
template <int T>
__global__ void mmmBTransposed(const float *a, const float *b, float *c, int n, size_t count)
{
    // TODO 5 begin: as mmmShared, but element (u, v) of b goes to s_b[v][u]
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

void launchBTransposed(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    const unsigned int grid = someBlocks(count, 1);
    const dim3 block(n, n);

    if (n <= 8)
        cudaVerifyKernel((mmmBTransposed<8><<<grid, block>>>(d_a, d_b, d_c, n, count)));
    else if (n <= 16)
        cudaVerifyKernel((mmmBTransposed<16><<<grid, block>>>(d_a, d_b, d_c, n, count)));
    else
        cudaVerifyKernel((mmmBTransposed<32><<<grid, block>>>(d_a, d_b, d_c, n, count)));
}

/* The lanes collided in a bank because their rows are T words apart, a power of two. Rows of T + 1
 * words, the last one unused, begin in different banks. */
template <int T>
__global__ void mmmBPadded(const float *a, const float *b, float *c, int n, size_t count)
{
    // TODO 6 begin: as mmmBTransposed, with one more column than s_b needs
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

void launchBPadded(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    const unsigned int grid = someBlocks(count, 1);
    const dim3 block(n, n);

    if (n <= 8)
        cudaVerifyKernel((mmmBPadded<8><<<grid, block>>>(d_a, d_b, d_c, n, count)));
    else if (n <= 16)
        cudaVerifyKernel((mmmBPadded<16><<<grid, block>>>(d_a, d_b, d_c, n, count)));
    else
        cudaVerifyKernel((mmmBPadded<32><<<grid, block>>>(d_a, d_b, d_c, n, count)));
}

/* Small matrices made small blocks, and a multiprocessor holds only a limited number of blocks:
 * here blockDim.z matrices share one. Launched with 2 * blockDim.z * n * n floats of shared
 * memory. */
__global__ void mmmSeveral(const float *a, const float *b, float *c, int n, size_t count)
{
    // TODO 7 begin: (advanced) as mmmShared, with threadIdx.z counting the matrices of the block
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

void launchSeveral(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    const int matrices = n > 16 ? 1 : (n > 2 ? 256 / (n * n) : 64); /* 64: the most in z */
    const size_t bytes = 2 * matrices * n * n * sizeof(float);

    cudaVerifyKernel((mmmSeveral<<<someBlocks(count, matrices), dim3(n, n, matrices), bytes>>>(
        d_a, d_b, d_c, n, count)));
}

/* Two reads of shared memory for each multiplication and addition. A thread that keeps a column of
 * b in registers, and makes the same column of c, reads one: a value of a. Registers cannot be
 * indexed at run time, so N must be known to the compiler. */
template <int N>
__global__ void mmmColumn(const float *__restrict__ a, const float *__restrict__ b,
                          float *__restrict__ c, size_t count)
{
    enum { MATRICES = THREADS / N }; /* of this block, the first one: */
    const size_t first = ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * MATRICES;

    // TODO 8 begin: (advanced) N threads to each of MATRICES matrices, fewer in the last block
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

void launchColumn(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    static kernel_for_n *const kernels[MAX_N] = {EVERY_N(mmmColumn)};
    const dim3 grid = allBlocks(count, THREADS / n);

    cudaVerifyKernel((kernels[n - 1]<<<grid, THREADS / n * n>>>(d_a, d_b, d_c, count)));
}

/* One read of shared memory for each multiplication was still the limit. Rows of a are read as
 * float4, and each serves two columns of b. LANES_FOR(n) threads work on an n x n matrix: a power
 * of two. */
#define LANES_FOR(n) ((n) > 8 ? 16 : (n) > 4 ? 8 : (n) > 2 ? 4 : (n))

/* How mmmTiles deals out N x N matrices: LANES threads, a power of two, to each, and from N = 17 on
 * two columns to a thread, which halves the reads of a. Two neighbouring lanes then never belong to
 * different matrices: a float4 that both of a pair want costs shared memory half the time. Rows of
 * a start at whole float4 there, and are copied in the largest pieces that divide them. */
template <int N> struct tiles {
    enum {
        LANES = LANES_FOR(N),
        COLUMNS = (N + LANES - 1) / LANES,
        MATRICES = THREADS / LANES,
        ROW = (N + 3) / 4 * 4,
        PIECE = N % 4 == 0 ? 4 : 2 - N % 2
    };
};

/* Copies 1, 2 or 4 floats to shared memory. From compute capability 8.0 on they need no registers
 * on their way, and the thread goes on at once: here to its loads of b. */
template <int FLOATS> static __device__ void startCopy(float *to, const float *from)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_memcpy_async(to, from, FLOATS * sizeof *to);
#else
    if (FLOATS == 4)
        *(float4 *)to = *(const float4 *)from;
    else if (FLOATS == 2)
        *(float2 *)to = *(const float2 *)from;
    else
        *to = *from;
#endif
}

static inline __device__ void waitForCopies(void)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
}

template <int N>
__global__ void mmmTiles(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, size_t count)
{
    typedef tiles<N> T;
    __shared__ float4 s_a[T::MATRICES * N * T::ROW / 4];
    const size_t first = ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * T::MATRICES;
    const int here = matricesHere(first, count, T::MATRICES);
    const int m = threadIdx.x / T::LANES, v = threadIdx.x % T::LANES;
    const int rows = m < here ? N : 0;
    const float *bm = b + (first + m) * (N * N);
    float *cm = c + (first + m) * (N * N);
    float column[T::COLUMNS][N];

    // TODO 9 begin: (advanced) start the copies of `here` matrices of a, T::PIECE floats at a time
    NOT_IMPLEMENTED(9);
    // TODO 9 end

    // TODO 10 begin: (advanced) columns v, v + T::LANES ... of b to column[][]; wait for all of a
    NOT_IMPLEMENTED(10);
    // TODO 10 end

    // TODO 11 begin: (advanced) the products; each float4 of a row of a serves all of column[][]
    NOT_IMPLEMENTED(11);
    // TODO 11 end
}

void launchTiles(const float *d_a, const float *d_b, float *d_c, int n, size_t count)
{
    static kernel_for_n *const kernels[MAX_N] = {EVERY_N(mmmTiles)};
    const dim3 grid = allBlocks(count, THREADS / LANES_FOR(n));

    cudaVerifyKernel((kernels[n - 1]<<<grid, THREADS>>>(d_a, d_b, d_c, count)));
}

extern "C" const struct variant deviceVariants[] = {
    {"global memory", smallMmm<launchGlobal>},
    {"shared memory", smallMmm<launchShared>},
    {"shared, B transposed", smallMmm<launchBTransposed>},
    {"shared, B padded", smallMmm<launchBPadded>},
    {"several matrices per block", smallMmm<launchSeveral>},
    {"column of B in registers", smallMmm<launchColumn>},
    {"rows of A as float4", smallMmm<launchTiles>},
    {NULL, NULL},
};
