/* Kernels whose blocks may run on several cores, and kernels whose blocks may not: cores.sh
 * compares what each prints, finds and counts with one core and with more. The names say what
 * becomes of a launch: `apart...` is run in parts, `meet...` is taken back because its parts use
 * the same memory, `order...` because of what a late block does, and `alone...` is never shared
 * out, because the first blocks do such a thing. Arguments: nothing, or the name of a kernel that
 * ends the launch (order_trap), or `long`, which takes a while and has an array of 64 MB. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_emulated.h"

const int BLOCKS = 201, THREADS = 64, N = BLOCKS * THREADS, LATE = 150, LARGE = 64 << 20;

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__device__ float d_table[N];
__device__ int d_flag, d_done;

__global__ void apartReverse(float *y, const float *x)
{
    __shared__ float s[THREADS];
    s[THREADS - 1 - threadIdx.x] = x[INDEX];
    __syncthreads();
    y[INDEX] = s[threadIdx.x] + d_table[INDEX];
}

/* Late blocks make accesses that no early block makes, and divide their warps where early ones do
 * not. */
__global__ void apartUneven(float *y, const float *x)
{
    int i = INDEX;
    if (blockIdx.x < 100)
        y[i] = x[i];
    else if (threadIdx.x % 3)
        y[i] = x[N - 1 - i] + x[i];
    else
        d_table[i] = 2 * x[i];
}

__global__ void apartHistogram(int *counts, const float *x)
{
    __shared__ int s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[(int)x[INDEX] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        counts[blockIdx.x * 16 + threadIdx.x] = s[threadIdx.x];
}

__global__ void apartHalfWords(char *bytes)
{
    if (threadIdx.x % 4 < 2)
        bytes[INDEX] = threadIdx.x;
}

/* To words of which only one half has a value: a child must have handed over which. */
__global__ void orderAddsToHalf(char *bytes)
{
    if (blockIdx.x == LATE)
        atomicAdd((int *)(bytes + (INDEX & ~3)), 0);
}

__global__ void meetNeighbour(float *y, const float *x)
{
    /* of one of the first blocks, which another process runs */
    float other =
        threadIdx.x == 0 && (blockIdx.x == 80 || blockIdx.x == LATE) ? y[20 * THREADS] : 0;
    y[INDEX] = x[INDEX] + other;
}

/* The other way round: an early block reads memory that a late one writes. */
__global__ void meetLate(float *y)
{
    float other = threadIdx.x == 0 && blockIdx.x == 15 ? y[LATE * THREADS] : 0;
    y[INDEX] = blockIdx.x + other;
}

__global__ void meetSameValue(float *y)
{
    y[INDEX] = 1;
    if (blockIdx.x % 10 == 0)
        y[15 * THREADS] = 1;
}

/* 36 threads write 36 bytes, from the middle of a word on: that belongs to two blocks. */
__global__ void meetInWord(char *bytes) { bytes[blockIdx.x * 36 + 2 + threadIdx.x] = 1; }

__global__ void orderRaceLate(float *y)
{
    y[INDEX] = 0;
    if (blockIdx.x > LATE && threadIdx.x == 0)
        y[LATE * THREADS] = blockIdx.x;
}

__global__ void orderUninitialised(float *y, const float *unwritten)
{
    y[INDEX] = blockIdx.x == LATE ? unwritten[threadIdx.x] > 0 : 1;
}

__global__ void orderOutOfBounds(float *y)
{
    y[blockIdx.x == LATE && threadIdx.x > 60 ? N + threadIdx.x : INDEX] = 2;
}

__global__ void orderAtomicLate(float *sum, float *y)
{
    y[INDEX] = 3;
    if (blockIdx.x >= LATE)
        atomicAdd(sum, 0.1f * threadIdx.x);
}

__global__ void orderPrints(float *y)
{
    y[INDEX] = 4;
    if (blockIdx.x % 50 == 49 && threadIdx.x == 0)
        printf("block %d\n", blockIdx.x);
}

/* The parent may print, in its part at the begin; the process that it starts when it is through,
 * and which gets the last blocks, may not. */
__global__ void orderPrintsTwice(float *y)
{
    float sum = 0;
    for (int i = 0; i < 2000 && blockIdx.x > 60 && blockIdx.x < 110; i++)
        sum += y[INDEX];
    y[INDEX] = sum * 0 + 5;
    if ((blockIdx.x == 20 || blockIdx.x == BLOCKS - 1) && threadIdx.x == 0)
        printf("block %d as well\n", blockIdx.x);
}

/* Nobody notes the writes of the C library. */
__global__ void orderHostFunction(char *text)
{
    text[4 * INDEX] = 0;
    if (blockIdx.x == LATE && threadIdx.x == 0)
        sprintf(text + 4 * INDEX, "%d", (int)blockIdx.x);
}

__global__ void orderBarrier(float *y)
{
    y[INDEX] = 5;
    if (blockIdx.x != LATE || threadIdx.x < 32)
        __syncthreads();
}

__global__ void orderClock(long long *t)
{
    if (blockIdx.x >= LATE)
        t[INDEX] = clock64();
}

__global__ void orderHeap(float *y)
{
    float *p = blockIdx.x >= LATE ? (float *)malloc(16) : NULL;
    if (p)
        *p = 6;
    y[INDEX] = p ? *p : 7;
    free(p);
}

/* A late block waits for one of the last. */
__global__ void orderWaits(float *y)
{
    y[INDEX] = 8;
    if (blockIdx.x == LATE && threadIdx.x == 0)
        while (!*(volatile int *)&d_flag) {}
    if (blockIdx.x == LATE + 20 && threadIdx.x == 0)
        *(volatile int *)&d_flag = 1;
}

__global__ void orderDies(float *y, int parent, int (*pid)(void), void (*die)(int))
{
    y[INDEX] = 9;
    if (blockIdx.x == LATE && threadIdx.x == 0 && pid() != parent)
        die(3);
}

__global__ void aloneAtomic(float *sum, const float *x) { atomicAdd(sum, x[INDEX] / 3); }

__global__ void aloneRace(float *y, const float *x) { y[threadIdx.x] = x[INDEX]; }

__global__ void orderTrap(float *y)
{
    y[INDEX] = 10;
    if (blockIdx.x == LATE && threadIdx.x == 3)
        __trap();
}

__global__ void apartLong(float *y)
{
    float sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += y[INDEX];
    y[INDEX] = sum;
}

static float *d_x, *d_y, *d_unwritten, *d_sum, h_x[N], h_y[N];
static int *d_counts, h_counts[16 * BLOCKS];
static char *d_bytes;
static long long *d_t;
static volatile sig_atomic_t childrenEnded;

static void childEnded(int) { childrenEnded++; }

static void show(const char *kernel)
{
    double sum = 0;
    cudaError_t error = cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        sum += (h_y[i] == h_y[i] ? h_y[i] : 100) * (i % 97 + 1);
    printf("%s: %.17g %s\n", kernel, sum, cudaGetErrorName(error));
}
#define RUN(kernel, ...)                                                                           \
    do {                                                                                           \
        kernel<<<BLOCKS, THREADS>>>(__VA_ARGS__);                                                  \
        show(#kernel);                                                                             \
    } while (0)

static void allocate(void)
{
    for (int i = 0; i < N; i++)
        h_x[i] = i % 251;
    cudaMalloc(&d_x, sizeof h_x);
    cudaMalloc(&d_y, sizeof h_y);
    cudaMalloc(&d_unwritten, sizeof h_y);
    cudaMalloc(&d_sum, sizeof *d_sum);
    cudaMalloc(&d_counts, sizeof h_counts);
    cudaMalloc(&d_bytes, N);
    cudaMalloc(&d_t, N * sizeof *d_t);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_table, h_x, sizeof h_x);
    cudaMemset(d_y, 0, sizeof h_y);
    cudaMemset(d_sum, 0, sizeof *d_sum);
}

static void release(void)
{
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_unwritten);
    cudaFree(d_sum);
    cudaFree(d_counts);
    cudaFree(d_bytes);
    cudaFree(d_t);
}

static void runAll(void)
{
    float sum;
    RUN(apartReverse, d_y, d_x);
    RUN(apartUneven, d_y, d_x);
    RUN(apartReverse, d_y, d_x);
    RUN(apartHistogram, d_counts, d_x);
    cudaMemcpy(h_counts, d_counts, sizeof h_counts, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16 * BLOCKS; i += 331)
        printf("%d ", h_counts[i]);
    RUN(apartHalfWords, d_bytes);
    RUN(orderAddsToHalf, d_bytes);
    RUN(meetNeighbour, d_y, d_x);
    RUN(meetLate, d_y);
    RUN(meetSameValue, d_y);
    meetInWord<<<BLOCKS, 36>>>(d_bytes);
    RUN(orderRaceLate, d_y);
    RUN(orderUninitialised, d_y, d_unwritten);
    RUN(orderOutOfBounds, d_y);
    RUN(orderAtomicLate, d_sum, d_y);
    RUN(orderPrints, d_y);
    RUN(orderPrintsTwice, d_y);
    RUN(orderHostFunction, (char *)d_y);
    RUN(orderBarrier, d_y);
    RUN(orderClock, d_t);
    RUN(orderHeap, d_y);
    RUN(orderWaits, d_y);
    RUN(orderDies, d_y, getpid(), getpid, _exit);
    RUN(aloneAtomic, d_sum, d_x);
    RUN(aloneRace, d_y, d_x);
    RUN(apartReverse, d_y, d_x);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %.9g\n", sum);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    struct emulated_counters counters;
    signal(SIGCHLD, childEnded);
    /* a child must not print the buffered output again */
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    allocate();
    if (strcmp(what, "long") == 0) {
        char *large = (char *)malloc(LARGE);
        memset(large, 1, LARGE);
        RUN(apartLong, d_y);
        free(large);
    } else if (strcmp(what, "trap") == 0)
        RUN(orderTrap, d_y);
    else
        runAll();
    release();
    emulatedCountersGet(&counters);
    printf("%llu launches, %llu branches, %llu divergent; sectors: %llu bytes in, %llu out\n",
           (unsigned long long)counters.launches, (unsigned long long)counters.branches,
           (unsigned long long)counters.divergent_branches, (unsigned long long)counters.bytes_in,
           (unsigned long long)counters.bytes_out);
    if (childrenEnded)
        printf("the program hears of %d children that it has not started\n", (int)childrenEnded);
    if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
        printf("a child is left\n");
    return 0;
}
