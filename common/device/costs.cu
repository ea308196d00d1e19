/* The variants of ./course device --measure: each allocates its memory and checks its result. */
#include "cuda_utils.h"
#include "costs.h"
#include "measure.h"
#include <string.h>

/* Almost empty, but it shows that the whole grid was launched. */
static __global__ void countBlocks(unsigned *last)
{
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        *last = gridDim.x;
}

/* Launches, back to back or each after the one before has ended. */
static void launches(size_t blocks, int waiting)
{
    const int block = blockSize(128);
    unsigned *d_last = NULL, last = 0;

    cudaVerify(cudaMalloc((void **)&d_last, sizeof *d_last));
    MEASURE (run) {
        cudaVerifyKernel((countBlocks<<<(unsigned)blocks, block>>>(d_last)));
        if (waiting)
            cudaVerify(cudaDeviceSynchronize());
    }
    cudaVerify(cudaMemcpy(&last, d_last, sizeof last, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_last));
    verifyThat(last == blocks, "%u blocks ran instead of %zu", last, blocks);
}

static void launchBackToBack(size_t blocks) { launches(blocks, 0); }

static void launchAndWait(size_t blocks) { launches(blocks, 1); }

static __global__ void addAtomically(unsigned *sums, unsigned addresses, unsigned additions)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < additions)
        atomicAdd(&sums[i % addresses], 1u);
}

/* The sums wrap around, and so do the expected values. */
static void atomicAdditions(size_t addresses)
{
    const int block = blockSize(256);
    const unsigned grid = (unsigned)((additions + (size_t)block - 1) / (size_t)block);
    const size_t bytes = addresses * sizeof(unsigned);
    unsigned *sums = (unsigned *)mustAllocate(bytes, "the sums"), *d_sums = NULL;
    size_t wrong = 0;

    cudaVerify(cudaMalloc((void **)&d_sums, bytes));
    cudaVerify(cudaMemset(d_sums, 0, bytes));
    MEASURE (run) {
        cudaVerifyKernel(
            (addAtomically<<<grid, block>>>(d_sums, (unsigned)addresses, (unsigned)additions)));
    }
    cudaVerify(cudaMemcpy(sums, d_sums, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_sums));
    for (size_t i = 0; i < addresses; i++) {
        const size_t each = additions / addresses + (i < additions % addresses);

        wrong += sums[i] != (unsigned)((size_t)measureRuns() * each);
    }
    free(sums);
    verifyThat(wrong == 0, "%zu of %zu sums are wrong", wrong, addresses);
}

static void *hostMemory(size_t bytes, int pageLocked)
{
    void *memory = NULL;

    if (!pageLocked)
        return mustAllocate(bytes, "a transfer");
    cudaVerify(cudaMallocHost(&memory, bytes));
    return memory;
}

static void freeHostMemory(void *memory, int pageLocked)
{
    if (pageLocked)
        cudaVerify(cudaFreeHost(memory));
    else
        free(memory);
}

/* A copy between host and device. The host's memory was written before, so that all of its pages
 * exist. */
static void transfer(size_t bytes, int toDevice, int pageLocked)
{
    unsigned char *h = (unsigned char *)hostMemory(bytes, pageLocked), *d = NULL;
    size_t wrong = 0;

    cudaVerify(cudaMalloc((void **)&d, bytes));
    memset(h, toDevice ? 0x5A : 0, bytes);
    cudaVerify(cudaMemset(d, toDevice ? 0 : 0x5A, bytes));
    MEASURE (run) {
        if (toDevice)
            cudaVerify(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
        else
            cudaVerify(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    }
    if (toDevice) { // what has arrived
        memset(h, 0, bytes);
        cudaVerify(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    }
    for (size_t i = 0; i < bytes; i++)
        wrong += h[i] != 0x5A;
    cudaVerify(cudaFree(d));
    freeHostMemory(h, pageLocked);
    verifyThat(wrong == 0, "%zu of %zu bytes are wrong", wrong, bytes);
}

static void toDevicePageable(size_t bytes) { transfer(bytes, 1, 0); }

static void toDevicePageLocked(size_t bytes) { transfer(bytes, 1, 1); }

static void fromDevicePageable(size_t bytes) { transfer(bytes, 0, 0); }

static void fromDevicePageLocked(size_t bytes) { transfer(bytes, 0, 1); }

static void copyOnDevice(size_t bytes)
{
    unsigned char *d_from = NULL, *d_to = NULL, ends[2] = {0, 0};

    cudaVerify(cudaMalloc((void **)&d_from, bytes));
    cudaVerify(cudaMalloc((void **)&d_to, bytes));
    cudaVerify(cudaMemset(d_from, 0x5A, bytes));
    MEASURE (run)
        cudaVerify(cudaMemcpyAsync(d_to, d_from, bytes, cudaMemcpyDeviceToDevice, 0));
    cudaVerify(cudaMemcpy(&ends[0], d_to, 1, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(&ends[1], d_to + bytes - 1, 1, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_from));
    cudaVerify(cudaFree(d_to));
    verifyThat(ends[0] == 0x5A && ends[1] == 0x5A, "the copy differs from its source");
}

const struct variant cpuVariants[] = {{NULL, NULL, 0}};

const struct variant deviceVariants[] = {
    {"launch: back to back", launchBackToBack, 0},
    {"launch: waited for", launchAndWait, 0},
    {"atomic additions", atomicAdditions, ASKS_FOR_MORE},
    {NULL, NULL, 0},
};

const struct variant libraryVariants[] = {
    {"to the device, pageable", toDevicePageable, 0},
    {"to the device, page-locked", toDevicePageLocked, 0},
    {"from the device, pageable", fromDevicePageable, 0},
    {"from the device, page-locked", fromDevicePageLocked, 0},
    {"copy on the device", copyOnDevice, 0},
    {NULL, NULL, 0},
};
