/* TASK     c = a b for many pairs of n x n matrices, n <= 32, through shared memory and then registers.
 * TRAFFIC  12 n^2 bytes a pair: a and b read once, c written once.
 * LIMIT    shared memory with its bank conflicts, until registers take over; then memory bandwidth. */
#include "cuda_utils.h"
#include "measure.h"
#include "small_mmm.h"

/* One block for each matrix of c, one thread for each of its elements. A grid may be smaller than the
 * number of matrices (Fermi's end at 65535 blocks), so a block goes on to further ones. */
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

/* How a matrix is stored in shared memory: element (row, column) at row * down + column * right. */
struct layout {
    int down, right;
};

__global__ void mmmShared(const float *a, const float *b, float *c, int n, size_t count,
                          struct layout inA, struct layout inB)
{
    // TODO 1 begin: shared memory for one matrix of a and one of b, enough for every layout
    __shared__ float s_a[MAX_N * (MAX_N + 1)], s_b[MAX_N * (MAX_N + 1)];
    // TODO 1 end

    for (size_t m = blockIdx.x; m < count; m += gridDim.x) {
        // TODO 2 begin: copy matrix m of a and of b there, one element a thread, in their layouts
        const int u = threadIdx.y, v = threadIdx.x;
        float sum = 0.0f;

        s_a[u * inA.down + v * inA.right] = a[(m * n + u) * n + v];
        s_b[u * inB.down + v * inB.right] = b[(m * n + u) * n + v];
        // TODO 2 end

        // TODO 3 begin: wait until all threads have copied
        __syncthreads();
        // TODO 3 end

        // TODO 4 begin: this thread's element of the product, from shared memory
        for (int k = 0; k < n; k++)
            sum += s_a[u * inA.down + k * inA.right] * s_b[k * inB.down + v * inB.right];
        c[(m * n + u) * n + v] = sum;
        // TODO 4 end

        // TODO 3 begin: wait until all threads have read, before the next matrix comes
        __syncthreads();
        // TODO 3 end
    }
}

/* Small matrices make small blocks, of which a multiprocessor holds only so many: here blockDim.z
 * matrices share one. Launch with 2 * blockDim.z * n * n floats of shared memory. */
__global__ void mmmSeveral(const float *a, const float *b, float *c, int n, size_t count)
{
    // TODO 6 begin: (advanced) as mmmShared, both straight, with threadIdx.z counting the matrices
    extern __shared__ float s_ab[];
    const int u = threadIdx.y, v = threadIdx.x, z = threadIdx.z;
    float *s_a = s_ab + z * n * n, *s_b = s_a + blockDim.z * n * n;

    for (size_t first = (size_t)blockIdx.x * blockDim.z; first < count;
         first += (size_t)gridDim.x * blockDim.z) {
        const size_t m = first + z;
        float sum = 0.0f;

        if (m < count) {
            s_a[u * n + v] = a[(m * n + u) * n + v];
            s_b[u * n + v] = b[(m * n + u) * n + v];
        }
        __syncthreads(); /* for every thread, whether it has a matrix or not */
        if (m < count) {
            for (int k = 0; k < n; k++)
                sum += s_a[u * n + k] * s_b[k * n + v];
            c[(m * n + u) * n + v] = sum;
        }
        __syncthreads();
    }
    // TODO 6 end
}

enum { THREADS = 128 }; /* to a block of the kernels below, or nearly */

/* Blocks count in two dimensions from here on, since Fermi takes no more than 65535 in one. */
inline __device__ size_t blockNumber(void)
{
    return (size_t)blockIdx.y * gridDim.x + blockIdx.x;
}

// TODO 7 begin: (advanced) device functions, if any help
/* Of a block's matrices, first and those behind it, how many there really are. */
static __device__ int matricesHere(size_t first, size_t count, int most)
{
    return first >= count ? 0 : count - first < most ? (int)(count - first) : most;
}
// TODO 7 end

/* A thread owns a column of b, in registers, and makes the same column of c: a value that it reads from
 * shared memory is a value of a, and good for one multiplication and addition. Registers cannot be
 * indexed at run time, so N must be known to the compiler. */
template <int N>
__global__ void mmmColumn(const float *__restrict__ a, const float *__restrict__ b,
                          float *__restrict__ c, size_t count)
{
    // TODO 7 begin: (advanced) THREADS / N matrices a block, N threads to each
    enum { MATRICES = THREADS / N };
    __shared__ float s_a[MATRICES * N * N];
    const size_t first = blockNumber() * MATRICES;
    const int here = matricesHere(first, count, MATRICES);
    const int m = threadIdx.x / N, v = threadIdx.x % N;
    const int rows = m < here ? N : 0; /* that this thread has to do with */
    float column[N];

    for (int i = threadIdx.x; i < here * N * N; i += MATRICES * N)
        s_a[i] = a[first * N * N + i];
#pragma unroll
    for (int k = 0; k < N; k++)
        if (k < rows)
            column[k] = b[((first + m) * N + k) * N + v];
    __syncthreads();
    for (int u = 0; u < rows; u++) {
        float sum = 0.0f;

#pragma unroll
        for (int k = 0; k < N; k++)
            sum += s_a[(m * N + u) * N + k] * column[k];
        c[((first + m) * N + u) * N + v] = sum;
    }
    // TODO 7 end
}

/* How mmmTiles deals out N x N matrices: LANES threads, a power of two, to each, and from N = 17 on
 * two columns to a thread, which halves the reads of a. Two neighbouring lanes then never belong to
 * different matrices: a float4 that both of a pair want costs shared memory half the time. Rows of a
 * start at whole float4 there, and are copied in the largest pieces that divide them. */
template <int N>
struct tiles {
    enum {
        LANES = N > 8 ? 16 : (N > 4 ? 8 : (N > 2 ? 4 : N)),
        COLUMNS = (N + LANES - 1) / LANES,
        MATRICES = THREADS / LANES,
        ROW = (N + 3) / 4 * 4,
        PIECE = N % 4 == 0 ? 4 : 2 - N % 2
    };
};

// TODO 8 begin: (advanced) device functions, if any help
#if defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11 && !defined __CUDA_EMULATED__
#include <cuda_pipeline_primitives.h>
#define HAVE_ASYNCHRONOUS_COPIES
#endif

/* Copies 1, 2 or 4 floats to shared memory. From compute capability 8.0 on they need no registers on
 * their way, and the thread goes on at once: here to its loads of b. */
template <int FLOATS>
static __device__ void startCopy(float *to, const float *from)
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

static __device__ void waitForCopies(void)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
}
// TODO 8 end

template <int N>
__global__ void mmmTiles(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, size_t count)
{
    // TODO 8 begin: (advanced) as mmmColumn, but rows of a read as float4, dealt out by tiles<N>
    typedef tiles<N> T;
    __shared__ float4 s_a[T::MATRICES * N * T::ROW / 4];
    const size_t first = blockNumber() * T::MATRICES;
    const int here = matricesHere(first, count, T::MATRICES);
    const int m = threadIdx.x / T::LANES, v = threadIdx.x % T::LANES;
    const int rows = m < here ? N : 0;
    const float *bm = b + (first + m) * (N * N);
    float *cm = c + (first + m) * (N * N);
    float column[T::COLUMNS][N];

#pragma unroll
    for (int p = 0; p < T::MATRICES * N * N; p += THREADS * T::PIECE) {
        const int i = p + threadIdx.x * T::PIECE;

        if (i < here * N * N)
            startCopy<T::PIECE>((float *)s_a + i + i / N * (T::ROW - N), a + first * (N * N) + i);
    }
#pragma unroll
    for (int k = 0; k < N; k++)
#pragma unroll
        for (int x = 0; x < T::COLUMNS; x++)
            if (k < rows && v + x * T::LANES < N)
                column[x][k] = bm[k * N + v + x * T::LANES];
    waitForCopies();
    __syncthreads();
#pragma unroll 4
    for (int u = 0; u < rows; u++) {
        const float4 *row = s_a + (m * N + u) * (T::ROW / 4);
        float sum[T::COLUMNS] = {0.0f};

#pragma unroll
        for (int k = 0; k + 3 < N; k += 4) {
            const float4 four = row[k / 4];

#pragma unroll
            for (int x = 0; x < T::COLUMNS; x++)
                sum[x] += four.x * column[x][k] + four.y * column[x][k + 1] +
                          four.z * column[x][k + 2] + four.w * column[x][k + 3];
        }
#pragma unroll
        for (int k = N / 4 * 4; k < N; k++)
#pragma unroll
            for (int x = 0; x < T::COLUMNS; x++)
                sum[x] += ((const float *)row)[k] * column[x][k];
#pragma unroll
        for (int x = 0; x < T::COLUMNS; x++)
            if (v + x * T::LANES < N)
                cm[u * N + v + x * T::LANES] = sum[x];
    }
    // TODO 8 end
}

/* What surrounds every kernel: memory on the device, the copies there and back. */
struct arrays {
    float *a, *b, *c;
};

static struct arrays toDevice(const float *a, const float *b, int n, size_t count)
{
    const size_t bytes = count * n * n * sizeof(float);
    struct arrays d;

    cudaVerify(cudaMalloc((void **)&d.a, bytes));
    cudaVerify(cudaMalloc((void **)&d.b, bytes));
    cudaVerify(cudaMalloc((void **)&d.c, bytes));
    cudaVerify(cudaMemcpy(d.a, a, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d.b, b, bytes, cudaMemcpyHostToDevice));
    return d;
}

static void fromDevice(struct arrays d, float *c, int n, size_t count)
{
    cudaVerify(cudaMemcpy(c, d.c, count * n * n * sizeof(float), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d.a));
    cudaVerify(cudaFree(d.b));
    cudaVerify(cudaFree(d.c));
}

static struct layout straight(int n)
{
    const struct layout l = {n, 1};

    return l;
}

/* A column of the matrix becomes a row in shared memory, followed by `padding` unused floats. */
static struct layout transposed(int n, int padding)
{
    struct layout l = straight(n);

    // TODO 5 begin: set l.down and l.right
    l.down = 1;
    l.right = n + padding;
    // TODO 5 end
    return l;
}

/* A grid of at most 65535 blocks, for kernels whose blocks go on to further matrices; at least one
 * block, even if there is no matrix. */
static unsigned someBlocks(size_t count, int matrices)
{
    const size_t all = (count + matrices - 1) / matrices;

    return (unsigned)gridSize(all < 1 ? 1 : all > 65535 ? 65535 : all);
}

/* A grid with a block for every group of matrices, for kernels that use blockNumber(), in as few rows
 * as possible and with hardly a block too many: even a block that finds nothing to do takes time. */
static dim3 allBlocks(size_t count, int matrices)
{
    const size_t all = count < 1 ? 1 : (count + matrices - 1) / matrices;
    const size_t rows = (all + 65534) / 65535;

    return dim3((unsigned)((all + rows - 1) / rows), (unsigned)rows);
}

static void launchShared(struct arrays d, int n, size_t count, struct layout inA, struct layout inB)
{
    mmmShared<<<someBlocks(count, 1), dim3(n, n)>>>(d.a, d.b, d.c, n, count, inA, inB);
}

static void launchSeveral(struct arrays d, int n, size_t count)
{
    const int matrices = n > 16 ? 1 : (n > 2 ? 256 / (n * n) : 64); /* 64: the most in z */

    mmmSeveral<<<someBlocks(count, matrices), dim3(n, n, matrices),
                 2 * matrices * n * n * sizeof(float)>>>(d.a, d.b, d.c, n, count);
}

/* From mmmColumn on there is a kernel for each N, and a table of what launches them. */
typedef void launch_fn(struct arrays d, size_t count);

template <int N>
static void launchColumn(struct arrays d, size_t count)
{
    const int matrices = THREADS / N;

    mmmColumn<N><<<allBlocks(count, matrices), matrices * N>>>(d.a, d.b, d.c, count);
}

template <int N>
static void launchTiles(struct arrays d, size_t count)
{
    mmmTiles<N><<<allBlocks(count, tiles<N>::MATRICES), THREADS>>>(d.a, d.b, d.c, count);
}

#define EIGHT(f, n) f<n + 1>, f<n + 2>, f<n + 3>, f<n + 4>, f<n + 5>, f<n + 6>, f<n + 7>, f<n + 8>
static launch_fn *const columnLaunches[MAX_N] = {EIGHT(launchColumn, 0), EIGHT(launchColumn, 8),
                                                 EIGHT(launchColumn, 16), EIGHT(launchColumn, 24)};
static launch_fn *const tilesLaunches[MAX_N] = {EIGHT(launchTiles, 0), EIGHT(launchTiles, 8),
                                                EIGHT(launchTiles, 16), EIGHT(launchTiles, 24)};

/* The variants differ in their launches alone. */
#define VARIANT(name, launch)                                                                      \
    static void name(const float *a, const float *b, float *c, int n, size_t count)                \
    {                                                                                              \
        struct arrays d = toDevice(a, b, n, count);                                                \
                                                                                                   \
        MEASURE (run) {                                                                            \
            cudaVerifyKernel(launch);                                                              \
        }                                                                                          \
        fromDevice(d, c, n, count);                                                                \
    }

VARIANT(globalMemory, (mmmGlobal<<<someBlocks(count, 1), dim3(n, n)>>>(d.a, d.b, d.c, n, count)))
VARIANT(bothStraight, launchShared(d, n, count, straight(n), straight(n)))
VARIANT(bTransposed, launchShared(d, n, count, straight(n), transposed(n, 0)))
VARIANT(bPadded, launchShared(d, n, count, straight(n), transposed(n, 1)))
VARIANT(aTransposed, launchShared(d, n, count, transposed(n, 0), straight(n)))
VARIANT(bothTransposed, launchShared(d, n, count, transposed(n, 0), transposed(n, 0)))
VARIANT(severalPerBlock, launchSeveral(d, n, count))
VARIANT(columnPerThread, columnLaunches[n - 1](d, count))
VARIANT(tilesOfColumns, tilesLaunches[n - 1](d, count))

extern "C" const struct variant deviceVariants[] = {
    {"global memory", globalMemory},
    {"shared memory", bothStraight},
    {"shared, B transposed", bTransposed},
    {"shared, B padded", bPadded},
    {"shared, A transposed", aTransposed},
    {"shared, A and B transposed", bothTransposed},
    {"several matrices per block", severalPerBlock},
    {"column of B in registers", columnPerThread},
    {"rows of A as float4", tilesOfColumns},
    {NULL, NULL},
};
