/* TASK     c[i] = a[i] * b, n floats: the first kernel, from one thread to all of them.
 * TRAFFIC  8 n bytes: a read, c written.
 * LIMIT    memory bandwidth: one multiplication per 8 bytes. */
#include "cuda_utils.h"
#include "measure.h"
#include "vector_scale.h"

typedef void launch_fn(const float *d_a, float b, float *d_c, size_t n);

/* The code around every kernel: memory on the device, the copy there, the launch, the copy back. */
template <launch_fn launch> static void vectorScale(const float *a, float b, float *c, size_t n)
{
    float *d_a = NULL, *d_c = NULL;

    // TODO 1 begin: allocate d_a and d_c on the device
    NOT_IMPLEMENTED(1);
    // TODO 1 end

    // TODO 2 begin: copy a to the device
    NOT_IMPLEMENTED(2);
    // TODO 2 end

    MEASURE (run) {
        launch(d_a, b, d_c, n);
    }

    // TODO 3 begin: copy the result to c, and free the device memory
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

/* One thread in one block: the loop of the CPU. All the others that the device could run are
 * idle. */
__global__ void vectorScaleOneThread(const float *a, float b, float *c, size_t n)
{
    // TODO 4 begin: the loop over all elements, as on the CPU
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

void launchOneThread(const float *d_a, float b, float *d_c, size_t n)
{
    // TODO 5 begin: launch vectorScaleOneThread as one block of one thread
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

/* All threads of all blocks share the work: thread t of T takes the elements t, t + T, t + 2T, ...
 * Any grid will do. */
__global__ void vectorScaleGridStride(const float *a, float b, float *c, size_t n)
{
    // TODO 6 begin: this thread's loop: from its number in the grid, in steps of all threads
    NOT_IMPLEMENTED(6);
    // TODO 6 end
}

void launchGridStride(const float *d_a, float b, float *d_c, size_t n)
{
    const int block = blockSize(256); /* --block and --grid override these choices */
    const size_t grid = gridSize((size_t)multiprocessors() * 8);

    cudaVerifyKernel((vectorScaleGridStride<<<(unsigned)grid, block>>>(d_a, b, d_c, n)));
}

/* The loop costs instructions. With a thread for every element there is none; the grid is rounded
 * up to whole blocks, so threads past the end must do nothing. */
__global__ void vectorScaleOnePerThread(const float *a, float b, float *c, size_t n)
{
    // TODO 7 begin: (advanced) one element, if this thread has one
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

void launchOnePerThread(const float *d_a, float b, float *d_c, size_t n)
{
    const int block = blockSize(256);
    size_t grid = 1;

    // TODO 8 begin: (advanced) set grid: enough blocks for a thread per element
    NOT_IMPLEMENTED(8);
    // TODO 8 end
    cudaVerifyKernel((vectorScaleOnePerThread<<<(unsigned)grid, block>>>(d_a, b, d_c, n)));
}

/* One float per thread leaves too few bytes in flight. A float4 is 16 bytes a load: four times as
 * many with the same number of threads. Thread 0 also takes the n % 4 elements that fill no
 * float4. */
__global__ void vectorScaleFloat4(const float *a, float b, float *c, size_t n)
{
    // TODO 9 begin: (advanced) read and write one float4 per thread
    NOT_IMPLEMENTED(9);
    // TODO 9 end
}

void launchFloat4(const float *d_a, float b, float *d_c, size_t n)
{
    const int block = blockSize(256);
    const size_t perBlock = (size_t)block * 4;
    const size_t grid = (n + perBlock - 1) / perBlock;

    cudaVerifyKernel((vectorScaleFloat4<<<(unsigned)grid, block>>>(d_a, b, d_c, n)));
}

/* The kernel is at the limit, and the copies take hundreds of times as long: the driver copies
 * pageable memory piece by piece through a page-locked buffer of its own. The device reads and
 * writes page-locked memory itself. The same kernel, with host arrays that are page-locked: */
extern "C" float *newPageLocked(size_t n)
{
    float *array = NULL;

    // TODO 10 begin: (advanced) allocate page-locked host memory for n floats
    NOT_IMPLEMENTED_VALUE(10, NULL);
    // TODO 10 end
    return array;
}

extern "C" void freePageLocked(float *array)
{
    if (array != NULL)
        cudaVerify(cudaFreeHost(array));
}

extern "C" const struct variant deviceVariants[] = {
    {"one thread", vectorScale<launchOneThread>},
    {"grid-stride loop", vectorScale<launchGridStride>},
    {"one element per thread", vectorScale<launchOnePerThread>},
    {"one float4 per thread", vectorScale<launchFloat4>},
    {"float4, page-locked host memory", vectorScale<launchFloat4>},
    {NULL, NULL},
};
