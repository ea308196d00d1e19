/* TASK     the scalar product of x and y, n doubles, whose parts are added up by atomic additions.
 * TRAFFIC  16 n bytes: x and y read.
 * LIMIT    memory bandwidth, unless so many threads add to one address that they queue for it. */
#include "cuda_utils.h"
#include "measure.h"
#include "warp_utils.h"
#include "atomic_reduce.h"

enum { MAX_BLOCK = 1024, WARP = 32 };
enum how { NATIVE, COMPARE_AND_SWAP };

/* *address += value, for devices (before compute capability 6.0) that cannot add doubles atomically but
 * can swap 64 bits under the condition that they are as expected. Whoever is overtaken by another
 * thread between reading and swapping tries again with what it found. */
__device__ void addBySwapping(double *address, double value)
{
    // TODO 4 begin: read the sum, add to it, swap with atomicCAS; again until nobody came between
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

/* *address += value, atomically. */
template <how method>
__device__ void add(double *address, double value)
{
#if defined __CUDA_EMULATED__ || defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 600
    if (method == NATIVE) {
        atomicAdd(address, value);
        return;
    }
#endif
    addBySwapping(address, value);
}

/* The sum of this thread's terms, for any grid. */
__device__ double sumOfThread(const double *x, const double *y, size_t n)
{
    double own = 0.0;

    // TODO 2 begin: the terms from the thread's number in the grid in steps of all threads
    NOT_IMPLEMENTED_VALUE(2, own);
    // TODO 2 end
    return own;
}

/* Every kernel adds to *sum, which must be 0 before. */
__global__ void atomicEveryTerm(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 1 begin: add every term to *sum
    NOT_IMPLEMENTED(1);
    // TODO 1 end
}

template <how method>
__global__ void atomicEveryThread(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 3 begin: add the thread's sum to *sum
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

template <how method>
__global__ void atomicEveryBlock(const double *x, const double *y, double *sum, size_t n)
{
    // TODO 5 begin: zero a sum in shared memory, add every thread's sum to it, then it to *sum, once
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

// TODO 8 begin: (advanced) sums of warps by shuffles, vector loads, two kernels without an atomic
// TODO 8 end

/* Blocks for one thread per element, but for no more threads than `most`; --grid goes before. */
static unsigned int gridFor(size_t n, int block, size_t most)
{
    const size_t threads = n < most ? n : most;
    const size_t own = (threads + block - 1) / block;

    return (unsigned int)gridSize(own > 0 ? own : 1);
}

/* Threads that can run at a time, on devices of the last ten years. */
static size_t allThreads(void)
{
    return (size_t)multiprocessors() * 2048;
}

typedef void kernel_fn(const double *x, const double *y, double *sum, size_t n);

/* What surrounds a kernel that adds to *sum; it runs with at most mostThreads threads. */
static void reduce(const double *x, const double *y, double *sum, size_t n, kernel_fn *kernel,
                   size_t mostThreads)
{
    const int block = blockSize(256);
    const unsigned int grid = gridFor(n, block, mostThreads);
    double *d_x = NULL, *d_y = NULL, *d_sum = NULL;

    // TODO 6 begin: allocate the two vectors and the sum on the device, copy the vectors there
    NOT_IMPLEMENTED(6);
    // TODO 6 end

    MEASURE (run) {
        // TODO 7 begin: what must happen before every run, and the launch
        NOT_IMPLEMENTED(7);
        // TODO 7 end
    }

    cudaVerify(cudaMemcpy(sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    cudaVerify(cudaFree(d_sum));
}

static void everyTerm(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryTerm, allThreads());
}

static void everyThread(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryThread<NATIVE>, allThreads());
}

/* Few threads: all of them would take seconds. */
static void everyThreadSwapping(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryThread<COMPARE_AND_SWAP>, 4096);
}

static void everyBlock(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryBlock<NATIVE>, allThreads());
}

static void everyBlockSwapping(const double *x, const double *y, double *sum, size_t n)
{
    reduce(x, y, sum, n, atomicEveryBlock<COMPARE_AND_SWAP>, allThreads());
}

// TODO 9 begin: (advanced) the host functions of the advanced kernels
// TODO 9 end

extern "C" const struct variant deviceVariants[] = {
    {"every term", everyTerm},
    {"every thread", everyThread},
    {"every thread, compare-and-swap", everyThreadSwapping},
    {"every block", everyBlock},
    {"every block, compare-and-swap", everyBlockSwapping},
    // TODO 10 begin: (advanced) the rows of the advanced kernels
    // TODO 10 end
    {NULL, NULL},
};
