// streams.h: work is done when it is submitted, which keeps every order that streams and events promise, or it is
// recorded while the stream is captured into a graph.
#ifndef EMULATED_STREAMS_H
#define EMULATED_STREAMS_H
#include <functional>

#include "cuda_runtime_api.h"

namespace emulated {
typedef std::function<cudaError_t()> Work;
cudaError_t submit(cudaStream_t stream, Work work);
}
#endif
