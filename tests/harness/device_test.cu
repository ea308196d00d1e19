/* The variants of device_test.c: their results are right (but for those that need a second run to
 * be wrong), their ways are not. */
#include "cuda_utils.h"
#include "measure.h"
#include "device_test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *mistake, const char *name) { return strcmp(mistake, name) == 0; }

__global__ void twice(const float *a, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = 2.0f * a[i];
}

/* Every block does all of the work. */
__global__ void everyBlock(const float *a, float *c, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        if (blockIdx.x == 0)
            c[i] = 2.0f * a[i];
        else if (2.0f * a[i] > 1e30f)
            c[i] = 0.0f;
}

/* The first block, or a lane of each warp, does what all threads should share. */
__global__ void firstBlock(const float *a, float *c, size_t n)
{
    for (size_t i = threadIdx.x; blockIdx.x == 0 && i < n; i += blockDim.x)
        c[i] = 2.0f * a[i];
}

__global__ void firstLane(const float *a, float *c, size_t n)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (size_t i = first; first % 32 == 0 && i < n && i < first + 32; i++)
        c[i] = 2.0f * a[i];
}

/* Right as long as the counter of tickets begins at zero. */
__global__ void withTickets(const float *a, float *c, size_t n, unsigned int *tickets)
{
    __shared__ unsigned int ticket;

    if (threadIdx.x == 0)
        ticket = atomicAdd(tickets, 1u);
    __syncthreads();
    if ((size_t)ticket * blockDim.x + threadIdx.x < n)
        c[(size_t)ticket * blockDim.x + threadIdx.x] =
            2.0f * a[(size_t)ticket * blockDim.x + threadIdx.x];
}

__global__ void pastTheEnd(const float *a, float *c, size_t n)
{
    c[(size_t)blockIdx.x * blockDim.x + threadIdx.x] =
        2.0f * a[((size_t)blockIdx.x * blockDim.x + threadIdx.x) % n];
}

static void onHost(const float *a, float *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i] = 2.0f * a[i];
}

/* The body of MEASURE. */
static void work(const char *mistake, const float *a, const float *d_a, float *c, float *d_c,
                 size_t n, unsigned int *d_tickets)
{
    static int runs;
    const unsigned int block = (unsigned int)blockSize(256),
                       grid = (unsigned int)((n + block - 1) / block);

    if (n == 0)
        return;
    if (is(mistake, "host")) {
        onHost(a, c, n);
        cudaVerify(cudaMemcpy(d_c, c, n * sizeof *c, cudaMemcpyHostToDevice));
    } else if (is(mistake, "everyblock")) {
        cudaVerifyKernel((everyBlock<<<grid, block>>>(d_a, d_c, n)));
    } else if (is(mistake, "firstblock")) {
        cudaVerifyKernel((firstBlock<<<grid, block>>>(d_a, d_c, n)));
    } else if (is(mistake, "firstlane")) {
        cudaVerifyKernel((firstLane<<<grid, block>>>(d_a, d_c, n)));
    } else if (is(mistake, "counter")) {
        cudaVerifyKernel((withTickets<<<grid, block>>>(d_a, d_c, n, d_tickets)));
    } else if (is(mistake, "cached") && runs++ > 0) {
        cudaVerifyKernel((twice<<<grid, block>>>(d_a, d_c, 0)));
    } else if (is(mistake, "second") && ++runs == 2) {
        cudaVerifyKernel((twice<<<grid, block>>>(d_a, d_c, n)));
    } else if (is(mistake, "second") && runs > 2) {
        cudaVerifyKernel((twice<<<grid, block>>>(d_a, d_c, 0)));
    } else if (!is(mistake, "empty") && !(is(mistake, "once") && runs++ > 0)) {
        cudaVerifyKernel((twice<<<grid, block>>>(d_a, d_c, n)));
    }
}

static void deviceTwice(const char *mistake, const float *a, float *c, size_t n)
{
    const size_t bytes = n * sizeof *a;
    cudaStream_t other;
    unsigned int *d_tickets;
    float *d_a, *d_c;

    if (is(mistake, "skip")) {
        rowSkip("nobody asked");
        return;
    }
    cudaVerify(cudaMalloc((void **)&d_a, bytes));
    cudaVerify(cudaMalloc((void **)&d_c, bytes));
    cudaVerify(cudaMalloc((void **)&d_tickets, sizeof *d_tickets));
    cudaVerify(cudaMemset(d_tickets, 0, sizeof *d_tickets));
    if (is(mistake, "once")) /* then it is not wiped between the runs */
        cudaVerify(cudaMemset(d_c, 0, bytes));
    cudaVerify(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    cudaVerify(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    if (is(mistake, "unmeasured"))
        work(mistake, a, d_a, c, d_c, n, d_tickets);
    else
        MEASURE (run) {
            work(mistake, a, d_a, c, d_c, n, d_tickets);
            if (is(mistake, "ahead")) {
                cudaVerifyKernel((twice<<<1, 32, 0, other>>>(d_a, d_c, 0)));
            }
            if (is(mistake, "break"))
                break;
            if (is(mistake, "return")) {
                cudaVerify(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
                cudaVerify(cudaFree(d_a));
                cudaVerify(cudaFree(d_c));
                cudaVerify(cudaFree(d_tickets));
                cudaVerify(cudaStreamDestroy(other));
                return;
            }
        }
    cudaVerify(cudaStreamDestroy(other));
    if (is(mistake, "empty"))
        work("none", a, d_a, c, d_c, n, d_tickets);
    if (is(mistake, "unchecked"))
        cudaSetDevice(99);
    if (is(mistake, "failed"))
        variantFailed("the variant gave up");
    if (is(mistake, "exitfound")) {
        pastTheEnd<<<1, 64>>>(d_a, d_c, 33);
        pastTheEnd<<<1 + (unsigned int)n / 64, 64>>>(d_a, d_c, n);
        cudaVerify(cudaDeviceSynchronize());
        exit(0);
    }
    cudaVerify(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    if (!is(mistake, "leak"))
        cudaVerify(cudaFree(d_c));
    cudaVerify(cudaFree(d_tickets));
}

static void maySkip(const char *mistake, const float *a, float *c, size_t n)
{
    if (is(mistake, "later"))
        NOT_IMPLEMENTED(5);
    if (is(mistake, "mayskip"))
        rowSkip("this machine is not made for it");
    else
        deviceTwice("none", a, c, n);
}

const struct variant deviceVariants[] = {
    {"twice", deviceTwice},
    {"twice, where that can be", maySkip, MAY_SKIP},
    {"twice, by every block", deviceTwice, ASKS_FOR_MORE},
    {NULL, NULL},
};
