// streams.h: work is done when it is submitted, which keeps every order that streams and events promise, or it is
// recorded while the stream is captured into a graph.
#ifndef EMULATED_STREAMS_H
#define EMULATED_STREAMS_H
#include <functional>

#include "cuda_runtime_api.h"

namespace emulated {
typedef std::function<cudaError_t()> Work;
cudaError_t submit(cudaStream_t stream, Work work);

// Held during every call that changes the device: host threads may use it side by side, but it runs one thing at a time.
struct DeviceLock {
    DeviceLock();
    ~DeviceLock();
};

// An asynchronous copy into page-locked memory arrives as late as is allowed, so that host code that does not wait for
// it shows. Until then the destination holds 0xff bytes.
void copy_later(cudaStream_t stream, void *to, const void *from, size_t bytes);
const unsigned long long kAllSoFar = ~0ull;
unsigned long long copies_so_far();
void deliver_stream(cudaStream_t stream, unsigned long long before = kAllSoFar); // what was copied in it before that
void deliver_all(unsigned long long before = kAllSoFar);
void deliver_overlapping(const void *p, size_t bytes);           // everything, if some of it goes there
void deliver_for_arguments(const void *arguments, size_t bytes); // pointers that a kernel is given
} // namespace emulated
#endif
