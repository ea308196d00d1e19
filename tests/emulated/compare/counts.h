/* counts.h: shared by the programs of this folder. */
#ifndef COUNTS_H
#define COUNTS_H
#include <stdio.h>
#include <stdlib.h>

#ifdef __CUDA_EMULATED__
#include "cuda_emulated.h"
#endif

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));        \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

static void printHeader(void)
{
#ifdef __CUDA_EMULATED__
    emulatedCountersReset();
    printf("kernel,load_requests,load_sectors,store_requests,store_sectors,shared_requests,shared_"
           "wavefronts,"
           "divergent_branches\n");
#endif
}
static void printCounters(const char *kernel)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
#ifdef __CUDA_EMULATED__
    struct emulated_counters n;
    emulatedCountersGet(&n);
    printf("%s,%llu,%llu,%llu,%llu,%llu,%llu,%llu\n", kernel, n.global_load_requests,
           n.global_load_sectors, n.global_store_requests, n.global_store_sectors,
           n.shared_requests, n.shared_wavefronts, n.divergent_branches);
    emulatedCountersReset();
#else
    (void)kernel;
#endif
}
#endif
