/* TASK     the scalar product of x and y, n elements of type real, which is float or double.
 * TRAFFIC  2 n sizeof(real) bytes: x and y read; the blocks' partial sums are too few to count.
 * LIMIT    memory bandwidth for long vectors, the latency of a launch for short ones. */
#include "cuda_utils.h"
#include "measure.h"
#include "warp_utils.h"
#include "scalar_product.h"

enum { MAX_BLOCK = 1024, WARP = 32 };

/* The sum of the block's values, in thread 0, for any block size. All threads of the block must call
 * it, and synchronise before they call it again. */
template <typename real>
__device__ real blockSum(real value)
{
    // TODO 3 begin: store the value in shared memory, add pairs until one sum is left, put it into value
    __shared__ real sums[MAX_BLOCK];

    /* The upper half is added to the lower; with an odd number the middle one waits for the next round. */
    sums[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int count = blockDim.x; count > 1;) {
        const unsigned int half = (count + 1) / 2;

        if (threadIdx.x + half < count)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
        count = half;
    }
    value = sums[0];
    // TODO 3 end
    return value;
}

/* For one block: its threads share all terms. */
template <typename real>
__global__ void dotOneBlock(const real *x, const real *y, real *sum, size_t n)
{
    // TODO 2 begin: add this thread's terms in a register, then the block's sums; thread 0 writes
    real own = 0;

    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        own += x[i] * y[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        *sum = own;
    // TODO 2 end
}

/* For any grid: one partial sum per block, for the next kernel. */
template <typename real>
__global__ void dotPartials(const real *x, const real *y, real *partials, size_t n)
{
    // TODO 4 begin: as dotOneBlock, with the terms shared by all threads of the grid
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    real own = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        own += x[i] * y[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = own;
    // TODO 4 end
}

/* For one block: the sum of the partial sums. */
template <typename real>
__global__ void sumPartials(const real *partials, size_t count, real *sum)
{
    // TODO 5 begin: as dotOneBlock, with the partial sums as terms
    real own = 0;

    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        own += partials[i];
    own = blockSum(own);
    if (threadIdx.x == 0)
        *sum = own;
    // TODO 5 end
}

// TODO 7 begin: (advanced) warp shuffles, vector loads, one kernel instead of two
/* The sum of the values of a warp's first `lanes` lanes, in lane 0: the tree again, but the lanes read
 * each other's registers, without shared memory and without a barrier. */
template <typename real>
__device__ real warpSum(real value, unsigned int lanes)
{
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2) {
        const real other = shuffleDown(value, distance, lanes);

        if (threadIdx.x % WARP + distance < lanes)
            value += other;
    }
    return value;
}

/* As blockSum, with one barrier: each warp adds its values, the first warp adds the warps' sums. */
template <typename real>
__device__ real blockSumShuffle(real value)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300
    return blockSum(value); /* Fermi has no shuffles */
#else
    __shared__ real sums[MAX_BLOCK / WARP];
    const unsigned int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const unsigned int warps = (blockDim.x + WARP - 1) / WARP;
    const unsigned int left = blockDim.x - warp * WARP; /* threads from this warp on */

    value = warpSum(value, left < WARP ? left : WARP);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (threadIdx.x < warps)
        value = warpSum(sums[threadIdx.x], warps);
    return value;
#endif
}

template <typename real>
__global__ void dotShuffle(const real *x, const real *y, real *partials, size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    real own = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        own += x[i] * y[i];
    own = blockSumShuffle(own);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = own;
}

/* What one instruction can load: four floats or two doubles. */
template <typename real>
struct __align__(16) packet
{
    real element[16 / sizeof(real)];
};

template <typename real>
__device__ real dotPacket(const packet<real> a, const packet<real> b)
{
    real sum = 0;

#pragma unroll
    for (int k = 0; k < (int)(16 / sizeof(real)); k++)
        sum += a.element[k] * b.element[k];
    return sum;
}

/* The sum of this thread's terms. Four loads are under way before the first product needs one, and
 * the two sums do not wait for each other. */
template <typename real>
__device__ real dotThread(const real *x, const real *y, size_t n)
{
    const size_t perPacket = 16 / sizeof(real), packets = n / perPacket;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t rest = packets * perPacket + first; /* past the packets: one element or none */
    const packet<real> *xs = (const packet<real> *)x, *ys = (const packet<real> *)y;
    real even = 0, odd = rest < n ? x[rest] * y[rest] : 0;
    size_t i = first;

    for (; i + stride < packets; i += 2 * stride) {
        const packet<real> a = xs[i], b = ys[i], c = xs[i + stride], d = ys[i + stride];

        even += dotPacket(a, b);
        odd += dotPacket(c, d);
    }
    if (i < packets)
        even += dotPacket(xs[i], ys[i]);
    return even + odd;
}

template <typename real>
__global__ void dotVector(const real *x, const real *y, real *partials, size_t n)
{
    const real own = blockSumShuffle(dotThread(x, y, n));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = own;
}

/* Blocks that have left their partial sum. atomicInc wraps round, so it is 0 again afterwards. */
__device__ unsigned int blocksDone = 0;

/* One kernel: the block that finishes last finds all partial sums there and adds them. */
template <typename real>
__global__ void dotLastBlock(const real *x, const real *y, real *partials, real *sum, size_t n)
{
    __shared__ int isLast;
    real own = blockSumShuffle(dotThread(x, y, n));

    if (threadIdx.x == 0) {
        partials[blockIdx.x] = own;
        __threadfence(); /* whoever sees the new count must see the partial sum, too */
        isLast = atomicInc(&blocksDone, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); /* and must not have read the partial sums before the count */
    }
    __syncthreads();
    if (!isLast)
        return;
    own = 0;
    for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        own += partials[i];
    own = blockSumShuffle(own);
    if (threadIdx.x == 0)
        *sum = own;
}

/* Waits for a partial sum and takes it away. An empty place has all bits set: a NaN, but not the one
 * that a GPU's arithmetic makes. Value and flag being one word, no fence need order them. */
__device__ float take(volatile float *place)
{
    volatile int *bits = (volatile int *)place;
    int found;

    do
        found = *bits;
    while (found == -1);
    *bits = -1;
    return __int_as_float(found);
}

__device__ double take(volatile double *place)
{
    volatile long long *bits = (volatile long long *)place;
    long long found;

    do
        found = *bits;
    while (found == -1);
    *bits = -1;
    return __longlong_as_double(found);
}

/* One kernel without a counter: the first block waits for the others' partial sums, so the device must
 * have room for two blocks. partials must be empty, and is so again afterwards. */
template <typename real>
__global__ void dotFirstBlock(const real *x, const real *y, volatile real *partials, real *sum,
                              size_t n)
{
    real own = blockSumShuffle(dotThread(x, y, n));

    if (blockIdx.x > 0) {
        if (threadIdx.x == 0)
            partials[blockIdx.x] = own;
        return;
    }
    if (threadIdx.x > 0)
        own = 0;
    for (unsigned int i = 1 + threadIdx.x; i < gridDim.x; i += blockDim.x)
        own += take(&partials[i]);
    __syncthreads();
    own = blockSumShuffle(own);
    if (threadIdx.x == 0)
        *sum = own;
}
// TODO 7 end

/* Blocks that give every thread `perThread` elements, but no more than can run at a time. */
static unsigned int gridFor(size_t n, int block, size_t perThread)
{
    const size_t needed = (n + block * perThread - 1) / (block * perThread);
    const size_t resident = (size_t)multiprocessors() * (2048 / block);
    const size_t own = needed < resident ? needed : resident;

    return (unsigned int)gridSize(own > 0 ? own : 1);
}

/* A launch writes the scalar product of d_x and d_y to d_sum; d_partials has room for one partial sum
 * per block. --block and --grid go before each launch's own choice. */
template <typename real>
void launchOneBlock(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(1024);

    (void)d_partials;
    cudaVerifyKernel((dotOneBlock<real><<<1, block>>>(d_x, d_y, d_sum, n)));
}

template <typename real>
void launchTwoKernels(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, 1);

    // TODO 6 begin: launch dotPartials, then sumPartials as one block
    cudaVerifyKernel((dotPartials<real><<<grid, block>>>(d_x, d_y, d_partials, n)));
    cudaVerifyKernel((sumPartials<real><<<1, block>>>(d_partials, grid, d_sum)));
    // TODO 6 end
}

// TODO 8 begin: (advanced) the launches of the advanced kernels
template <typename real>
void launchShuffle(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, 1);

    cudaVerifyKernel((dotShuffle<real><<<grid, block>>>(d_x, d_y, d_partials, n)));
    cudaVerifyKernel((sumPartials<real><<<1, block>>>(d_partials, grid, d_sum)));
}

template <typename real>
void launchVector(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(512);
    const unsigned int grid = gridFor(n, block, 2 * 16 / sizeof(real));

    cudaVerifyKernel((dotVector<real><<<grid, block>>>(d_x, d_y, d_partials, n)));
    cudaVerifyKernel((sumPartials<real><<<1, block>>>(d_partials, grid, d_sum)));
}

template <typename real>
void launchLastBlock(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(512);
    const unsigned int grid = gridFor(n, block, 2 * 16 / sizeof(real));

    cudaVerifyKernel((dotLastBlock<real><<<grid, block>>>(d_x, d_y, d_partials, d_sum, n)));
}

template <typename real>
void launchFirstBlock(const real *d_x, const real *d_y, real *d_partials, real *d_sum, size_t n)
{
    const int block = blockSize(512);
    const unsigned int grid = gridFor(n, block, 2 * 16 / sizeof(real));

    cudaVerifyKernel((dotFirstBlock<real><<<grid, block>>>(d_x, d_y, d_partials, d_sum, n)));
}
// TODO 8 end

/* What surrounds the kernels: memory on the device, the copies there and back. */
template <typename real, void launch(const real *, const real *, real *, real *, size_t)>
static void scalarProduct(const real *x, const real *y, real *sum, size_t n)
{
    const size_t blocks = gridSize((size_t)multiprocessors() * 2048); /* no launch takes more */
    real *d_x = NULL, *d_y = NULL, *d_partials = NULL, *d_sum = NULL;

    // TODO 1 begin: allocate the four arrays (as many partial sums as blocks), copy x and y there
    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof(real)));
    cudaVerify(cudaMalloc((void **)&d_y, n * sizeof(real)));
    cudaVerify(cudaMalloc((void **)&d_partials, blocks * sizeof(real)));
    cudaVerify(cudaMalloc((void **)&d_sum, sizeof(real)));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof(real), cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(d_y, y, n * sizeof(real), cudaMemcpyHostToDevice));
    // TODO 1 end

    // TODO 10 begin: (advanced) whatever your launches expect to find in d_partials
    cudaVerify(cudaMemset(d_partials, 0xFF, blocks * sizeof(real)));
    // TODO 10 end

    MEASURE (run) {
        launch(d_x, d_y, d_partials, d_sum, n);
    }

    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(real), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_partials));
    cudaVerify(cudaFree(d_sum));
}

/* A row for each launch, in both types. */
#define ROW(launch) scalarProduct<float, launch>, scalarProduct<double, launch>

extern "C" const struct variant deviceVariants[] = {
    {"one block", ROW(launchOneBlock)},
    {"two kernels", ROW(launchTwoKernels)},
    // TODO 9 begin: (advanced) the rows of the advanced kernels
    {"two kernels, warp shuffles", ROW(launchShuffle)},
    {"two kernels, vector loads", ROW(launchVector)},
    {"one kernel, last block adds", ROW(launchLastBlock)},
    {"one kernel, first block collects", ROW(launchFirstBlock)},
    // TODO 9 end
    {NULL, NULL, NULL},
};
