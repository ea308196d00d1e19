/* The rungs' objects on the device: arrays, streams and events. Given; nothing to fill in here. */
#ifndef DEVICE_CUH
#define DEVICE_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "streams.h"

enum { MOST_SLOTS = 64 };

struct device {
    const struct work *w;
    float *d_a, *d_c; /* all of a and c, or a chunk for each slot of the ring */
    cudaStream_t stream[MOST_SLOTS];
    cudaEvent_t arrived[MOST_SLOTS], computed[MOST_SLOTS], left[MOST_SLOTS]; /* one for each slot */
};

/* Floats in chunk i. */
static size_t chunkLength(const struct work *w, size_t i)
{
    const size_t left = w->n - i * w->chunk;

    return left < w->chunk ? left : w->chunk;
}

/* Device memory for n floats; NULL, and a row that is skipped, if the device has not so much. */
static float *newOnDevice(size_t n)
{
    float *memory = NULL;

    if (cudaMalloc((void **)&memory, n * sizeof *memory) == cudaSuccess)
        return memory;
    cudaGetLastError();
    rowSkip("needs all of a and c on the device, %.3g GB", 2e-9 * sizeof *memory * (double)n);
    return NULL;
}

/* Streams that know nothing of stream 0, events, and buffers for all chunks, or one for each slot.
 * Returns 0 if there is no room for them. */
static int openDevice(struct device *d, const struct work *w, int whole)
{
    const size_t n = whole ? w->n : w->slots * w->chunk;

    d->w = w;
    d->d_a = newOnDevice(n);
    d->d_c = newOnDevice(n);
    for (int k = 0; k < MOST_SLOTS; k++) {
        cudaVerify(cudaStreamCreateWithFlags(&d->stream[k], cudaStreamNonBlocking));
        cudaVerify(cudaEventCreateWithFlags(&d->arrived[k], cudaEventDisableTiming));
        cudaVerify(cudaEventCreateWithFlags(&d->computed[k], cudaEventDisableTiming));
        cudaVerify(cudaEventCreateWithFlags(&d->left[k], cudaEventDisableTiming));
    }
    return d->d_a != NULL && d->d_c != NULL;
}

static void closeDevice(struct device *d)
{
    for (int k = 0; k < MOST_SLOTS; k++) {
        cudaVerify(cudaStreamDestroy(d->stream[k]));
        cudaVerify(cudaEventDestroy(d->arrived[k]));
        cudaVerify(cudaEventDestroy(d->computed[k]));
        cudaVerify(cudaEventDestroy(d->left[k]));
    }
    cudaVerify(cudaFree(d->d_a));
    cudaVerify(cudaFree(d->d_c));
}

#endif
