/* TASK     the integral of f from a to b by Simpson's rule with n intervals.
 * TRAFFIC  none; 16 n bytes in the first rung, which stores an area for each interval.
 * LIMIT    arithmetic: two values of f for each interval. */
#include "cuda_utils.h"
#include "measure.h"
#include "simpson.h"
#include "advanced/launches.cuh"

/* The code around every launch. The result is one number, h / 6 times the sum of what the launch
 * leaves in d_sums. */
static void integrate(launch_fn *launch, double a, double b, size_t n, int hasAreas,
                      double *integral)
{
    double *d_integral = NULL;
    struct work w = {a, b, (b - a) / (double)n, n, 0, 0, NULL, NULL};

    w.block = blockSize(256); /* --block and --grid override these choices */
    w.blocks = (int)gridSize((size_t)multiprocessors() * 8);

    // TODO 1 begin: allocate w.d_areas (n doubles, if hasAreas), w.d_sums (one a block), d_integral
    NOT_IMPLEMENTED(1);
    // TODO 1 end

    MEASURE (run) {
        launch(&w);
        cudaVerifyKernel((addSums<<<1, MAX_BLOCK>>>(w.d_sums, w.blocks, w.h / 6.0, d_integral)));
    }
    verifyShares(&w);

    // TODO 2 begin: copy the result to integral, free the memory
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

/* Simpson's rule for one interval: 6 / h times the area below f from `from` to `to`. */
template <int f> __device__ void simpson(double from, double to, double *area)
{
    // TODO 3 begin: *area from the values of f (valueOf<f>()) at the ends and in the middle
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

/* One interval per thread, as a first program does it: each thread stores an area, and a second
 * kernel adds them. */
template <int f> __global__ void storeAreas(double a, double h, size_t n, double *areas)
{
    // TODO 4 begin: thread i computes areas[i], from a + i h to a + (i + 1) h
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

template <int f> void launchAreas(const struct work *w)
{
    const unsigned blocks = (unsigned)((w->n + w->block - 1) / w->block);

    remarkOccupancy((const void *)storeAreas<f>, w->block);
    cudaVerifyKernel((storeAreas<f><<<blocks, w->block>>>(w->a, w->h, w->n, w->d_areas)));
    cudaVerifyKernel((addAreas<<<w->blocks, w->block>>>(w->d_areas, w->n, w->d_sums)));
}

/* The areas went to memory and back for nothing. A thread can add up its own in a register, and a
 * block its threads'. */
template <int f> __global__ void sumPerBlock(double a, double h, size_t n, double *sums)
{
    double own = 0.0;

    // TODO 5 begin: a grid-stride loop over the intervals, their areas added in own
    NOT_IMPLEMENTED(5);
    // TODO 5 end
    storeSum(own, sums);
}

template <int f> void launchSumPerBlock(const struct work *w)
{
    remarkOccupancy((const void *)sumPerBlock<f>, w->block);
    cudaVerifyKernel((sumPerBlock<f><<<w->blocks, w->block>>>(w->a, w->h, w->n, w->d_sums)));
}

/* An end of an interval is the beginning of the next one, and f is computed there twice: three
 * values of f where two would do. The ends count twice but for a and b: 2 f(x) + 4 f(x + h / 2)
 * from each interval, and f(b) - f(a). */
template <int f> __global__ void sharedEnds(double a, double b, double h, size_t n, double *sums)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double own = first == 0 ? valueOf<f>(b) - valueOf<f>(a) : 0.0;

    // TODO 6 begin: add 2 f(x) + 4 f(x + h / 2) for each interval of this thread
    NOT_IMPLEMENTED(6);
    // TODO 6 end
    storeSum(own, sums);
}

template <int f> void launchSharedEnds(const struct work *w)
{
    remarkOccupancy((const void *)sharedEnds<f>, w->block);
    cudaVerifyKernel((sharedEnds<f><<<w->blocks, w->block>>>(w->a, w->b, w->h, w->n, w->d_sums)));
}

/* Each addition still waits for the one before it. Several chains of them in a thread do not wait
 * for each other: advanced/chains.cu. */
template <int f> launch_fn launchTwoChains;
template <int f> launch_fn launchFourChains;
template <int f> launch_fn launchEightChains;

/* Many devices compute doubles at a small fraction of the rate of floats. The same in float is
 * easily written, and less accurate than one would think: x is rounded, and so is a sum of
 * thousands of terms, each time. */
template <int f> __global__ void inFloat(float a, float b, float h, size_t n, double *sums)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float own = first == 0 ? valueOf<f>(b) - valueOf<f>(a) : 0.0f;

    // TODO 7 begin: the same in float
    NOT_IMPLEMENTED(7);
    // TODO 7 end
    storeSum(own, sums);
}

template <int f> void launchInFloat(const struct work *w)
{
    remarkOccupancy((const void *)inFloat<f>, w->block);
    cudaVerifyKernel((inFloat<f><<<w->blocks, w->block>>>((float)w->a, (float)w->b, (float)w->h,
                                                          w->n, w->d_sums)));
}

/* A sum of many terms loses their last digits. Kahan's sum keeps what the last addition has lost,
 * and adds it to the next term: three operations more, and the error no longer grows with the
 * number of terms. */
template <int f> __global__ void compensated(float a, float b, float h, size_t n, double *sums)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    float own = first == 0 ? valueOf<f>(b) - valueOf<f>(a) : 0.0f, lost = 0.0f;

    for (size_t i = first; i < n; i += stride) {
        const float x = a + (float)i * h;
        const float term = 2.0f * valueOf<f>(x) + 4.0f * valueOf<f>(x + 0.5f * h);

        // TODO 8 begin: (advanced) add term and what was lost; find out what is lost this time
        NOT_IMPLEMENTED(8);
        // TODO 8 end
    }
    storeSum((double)own + lost, sums);
}

template <int f> void launchCompensated(const struct work *w)
{
    remarkOccupancy((const void *)compensated<f>, w->block);
    cudaVerifyKernel((compensated<f><<<w->blocks, w->block>>>((float)w->a, (float)w->b, (float)w->h,
                                                              w->n, w->d_sums)));
}

/* What is rounded often must be in double, what is computed often in float. A thread takes CHUNK
 * intervals side by side: where they begin is computed in double, the steps from there and their
 * sum in float, and the sum of all chunks in double again. In the unrolled loop k is a constant:
 * otherwise each value would need a conversion from int to float. */
enum { CHUNK = 64 };

template <int f> __device__ float chunkOf(float x, float h)
{
    float sum = 0.0f;

    // TODO 9 begin: (advanced) 2 f + 4 f(middle) of CHUNK intervals from x on, in an unrolled loop
    NOT_IMPLEMENTED_VALUE(9, sum);
    // TODO 9 end
    return sum;
}

/* The special function unit has sine, exponential, reciprocal and root in one instruction each,
 * with an error of a few units in the last place: fastValueOf<f>() in functions.h. */
template <int f> __device__ float fastChunkOf(float x, float h)
{
    float sum = 0.0f;

    // TODO 10 begin: (advanced) the same with fastValueOf<f>()
    NOT_IMPLEMENTED_VALUE(10, sum);
    // TODO 10 end
    return sum;
}

/* The sum of the chunks of this thread, and of its intervals that no chunk holds. */
template <int f, int isFast> __device__ double ownChunks(double a, double b, double h, size_t n)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x, chunks = n / CHUNK;
    double own = first == 0 ? valueOf<f>(b) - valueOf<f>(a) : 0.0;

    for (size_t c = first; c < chunks; c += stride) {
        const float x = (float)(a + (double)(c * CHUNK) * h);

        own += (double)(isFast ? fastChunkOf<f>(x, (float)h) : chunkOf<f>(x, (float)h));
    }
    for (size_t i = chunks * CHUNK + first; i < n; i += stride) {
        const double x = a + (double)i * h;

        own += 2.0 * valueOf<f>(x) + 4.0 * valueOf<f>(x + 0.5 * h);
    }
    return own;
}

template <int f, int isFast>
__global__ void inChunks(double a, double b, double h, size_t n, double *sums)
{
    storeSum(ownChunks<f, isFast>(a, b, h, n), sums);
}

template <int f> void launchChunks(const struct work *w)
{
    remarkOccupancy((const void *)inChunks<f, 0>, w->block);
    cudaVerifyKernel((inChunks<f, 0><<<w->blocks, w->block>>>(w->a, w->b, w->h, w->n, w->d_sums)));
}

template <int f> void launchFastChunks(const struct work *w)
{
    remarkOccupancy((const void *)inChunks<f, 1>, w->block);
    cudaVerifyKernel((inChunks<f, 1><<<w->blocks, w->block>>>(w->a, w->b, w->h, w->n, w->d_sums)));
}

#include "advanced/bounds.cuh"

VARIANT(areas, launchAreas, 1)
VARIANT(sumsPerBlock, launchSumPerBlock, 0)
VARIANT(ends, launchSharedEnds, 0)
VARIANT(twoChains, launchTwoChains, 0)
VARIANT(fourChains, launchFourChains, 0)
VARIANT(eightChains, launchEightChains, 0)
VARIANT(floats, launchInFloat, 0)
VARIANT(kahan, launchCompensated, 0)
VARIANT(chunks, launchChunks, 0)
VARIANT(fastChunks, launchFastChunks, 0)
VARIANT(boundedChunks, launchBounded, 0)
VARIANT(suggested, launchSuggested, 0)

extern "C" const struct variant deviceVariants[] = {
    {"an area per interval, in memory", areas},
    {"a sum per block", sumsPerBlock},
    {"shared ends", ends},
    {"2 chains", twoChains},
    {"4 chains", fourChains},
    {"8 chains, launch bounds", eightChains},
    {"float", floats},
    {"float, compensated sum", kahan},
    {"float in chunks, double between them", chunks},
    {"the same by special functions", fastChunks},
    {"special functions, at most 32 registers", boundedChunks},
    {"special functions, the runtime's block size", suggested},
    {NULL, NULL},
};
