/* The best time of a few kernels, for the rates that an exercise compares its variants with (those
 * are timed by MEASURE):
 *
 *     struct best_time t = bestTimeBegin();
 *
 *     while (bestTimeNext(&t))
 *         cudaVerifyKernel((kernel<<<blocks, threads>>>(d_x)));
 *     rate = operations / t.seconds;
 *
 * The body runs six times, each between two events. The first run warms up, the fastest of the
 * others counts. */
#ifndef BEST_TIME_H
#define BEST_TIME_H

#include "cuda_utils.h"

struct best_time {
    double seconds;
    int run;
    cudaEvent_t start, stop;
};

static inline struct best_time bestTimeBegin(void)
{
    struct best_time t = {0.0, 0, NULL, NULL};

    cudaVerify(cudaEventCreate(&t.start));
    cudaVerify(cudaEventCreate(&t.stop));
    return t;
}

/* Ends a run and begins the next one; 0 after the last. */
static inline int bestTimeNext(struct best_time *t)
{
    if (t->run > 0) {
        float ms = 0.0f;

        cudaVerify(cudaEventRecord(t->stop));
        cudaVerify(cudaEventSynchronize(t->stop));
        cudaVerify(cudaEventElapsedTime(&ms, t->start, t->stop));
        if (t->run == 2 || (t->run > 2 && 1e-3 * ms < t->seconds))
            t->seconds = 1e-3 * ms;
    }
    if (t->run == 6) {
        cudaVerify(cudaEventDestroy(t->start));
        cudaVerify(cudaEventDestroy(t->stop));
        return 0;
    }
    t->run++;
    cudaVerify(cudaEventRecord(t->start));
    return 1;
}

#endif
