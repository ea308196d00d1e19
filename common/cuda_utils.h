/* Checked CUDA calls and a POSIX timer, for every exercise.
 *
 * Stands on its own: any .cu file can include it, compiled as C++ by nvcc; a plain C or C++ file
 * gets the timer without needing a CUDA header on the machine, and the checks too if it has
 * included <cuda_runtime.h> before. Older C libraries want -lrt for the clock; -std=c99 or c11,
 * unlike gnu99 and gnu11, wants -D_POSIX_C_SOURCE=199309L. */
#ifndef CUDA_UTILS_H
#define CUDA_UTILS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Wall-clock time on the POSIX monotonic clock, which no clock adjustment can turn back. */
typedef struct {
    struct timespec start;
} Timer;

/* Starts (or restarts) the timer. */
static inline void initTimer(Timer *timer)
{
    if (clock_gettime(CLOCK_MONOTONIC, &timer->start) != 0) {
        perror("clock_gettime");
        exit(2);
    }
}

/* Seconds since initTimer(). A kernel launch returns before the kernel has run, so synchronise
 * first. */
static inline double getTimer(const Timer *timer)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        perror("clock_gettime");
        exit(2);
    }
    return (double)(now.tv_sec - timer->start.tv_sec) +
           1e-9 * (double)(now.tv_nsec - timer->start.tv_nsec);
}

#if defined __CUDACC__ || defined __CUDA_EMULATED__ || defined __CUDA_RUNTIME_API_H__
#include <cuda_runtime.h>

/* cudaVerify(call): runs a call that returns cudaError_t. On an error it prints where, what and
 * why, and ends the program with exit status 2:
 *
 *     cudaVerify(cudaMalloc((void **)&d_x, n * sizeof(float))); */
#define cudaVerify(call) cudaVerifyAt((call), #call, __FILE__, __LINE__)

/* cudaVerifyKernel((kernel<<<grid, block>>>(arguments))): launches and checks a kernel. The second
 * pair of parentheses keeps the commas of <<<...>>> together. A launch itself reports only a bad
 * configuration; what goes wrong while the kernel runs shows at a later call, whose message then
 * names the last launch. With CUDA_LAUNCH_BLOCKING=1 in the environment the macro waits for the
 * kernel, so that its error is reported at its own line. */
#define cudaVerifyKernel(launch)                                                                   \
    do {                                                                                           \
        launch;                                                                                    \
        cudaVerifyLaunch(#launch, __FILE__, __LINE__);                                             \
    } while (0)

/* The last launch of the program; weak, so that all its files share one. */
__attribute__((weak)) struct cudaLaunch {
    const char *launch, *file;
    int line;
} cudaLastLaunch;

/* Out of line: inlined, the code for the message would be compiled again at each call. */
__attribute__((noinline, unused)) static void cudaVerifyAt(cudaError_t error, const char *call,
                                                           const char *file, int line)
{
    if (error != cudaSuccess) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, call, (int)error,
                cudaGetErrorString(error));
#ifndef __CUDA_EMULATED__ /* which runs each kernel at its launch */
        cudaGetLastError();
        if (cudaStreamQuery(0) == error && cudaLastLaunch.line != 0 && cudaLastLaunch.line != line)
            fprintf(stderr, "The last launch before it: %s:%d: %s\n", cudaLastLaunch.file,
                    cudaLastLaunch.line, cudaLastLaunch.launch);
#endif
        exit(2);
    }
}

__attribute__((noinline, unused)) static void cudaVerifyLaunch(const char *launch, const char *file,
                                                               int line)
{
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");

    cudaVerifyAt(cudaGetLastError(), launch, file, line);
    cudaLastLaunch.launch = launch;
    cudaLastLaunch.file = file;
    cudaLastLaunch.line = line;
    if (blocking != NULL && blocking[0] != '\0' && blocking[0] != '0')
        cudaVerifyAt(cudaDeviceSynchronize(), launch, file, line);
}
#endif

#endif
