// api_stream.cpp: streams, events, graphs.
#include "emulator.h"

#include <ctime>
#include <memory>
#include <set>

#include "streams.h"

namespace emulated {
struct Recording { std::vector<Work> work; cudaStream_t origin; };
}

struct CUstream_st {
    std::shared_ptr<emulated::Recording> capture;
    unsigned int flags;
    int priority;
};
struct CUevent_st {
    double time; // seconds of host time; the emulated device has no time of its own
    bool recorded;
    unsigned int flags;
    std::shared_ptr<emulated::Recording> capture; // recorded within one
};
struct CUgraph_st { std::vector<emulated::Work> work; };
struct CUgraphExec_st { std::vector<emulated::Work> work; };

namespace emulated {

static std::set<cudaStream_t> streams EMULATED_EARLY;
static std::set<cudaEvent_t> events EMULATED_EARLY;

static bool is_default(cudaStream_t s) { return s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread; }
static bool is_stream(cudaStream_t s) { return is_default(s) || streams.count(s); }

cudaError_t submit(cudaStream_t stream, Work work)
{
    if (!is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    if (!is_default(stream) && stream->capture) {
        stream->capture->work.push_back(std::move(work));
        return cudaSuccess;
    }
    return work();
}

static double host_seconds()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cudaError_t after_all() { return sticky_error() != cudaSuccess ? fail(sticky_error()) : cudaSuccess; }

} // namespace emulated

using namespace emulated;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    *stream = new CUstream_st();
    (*stream)->flags = flags;
    (*stream)->priority = priority;
    streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (is_default(stream) || !is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    streams.erase(stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (!is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    if (!is_default(stream) && stream->capture)
        return fail(cudaErrorStreamCaptureUnsupported);
    return after_all();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int)
{
    if (!is_stream(stream) || !events.count(event))
        return fail(cudaErrorInvalidResourceHandle);
    if (event->capture && !is_default(stream))
        stream->capture = event->capture; // the stream joins the capture
    return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    *priority = is_default(stream) ? 0 : stream->priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    *flags = is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int)
{
    return submit(stream, [=] {
        callback(stream, after_all(), data);
        return cudaSuccess;
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    return submit(stream, [=] {
        function(data);
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    *event = new CUevent_st();
    (*event)->flags = flags;
    events.insert(*event);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!events.count(event) || !is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    event->capture = is_default(stream) ? nullptr : stream->capture;
    if (!event->capture) {
        event->time = host_seconds();
        event->recorded = true;
    }
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int)
{
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return events.count(event) ? after_all() : fail(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    if (!events.count(start) || !events.count(end) || !start->recorded || !end->recorded
        || ((start->flags | end->flags) & cudaEventDisableTiming))
        return fail(cudaErrorInvalidResourceHandle);
    *milliseconds = (float)((end->time - start->time) * 1e3);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!events.erase(event))
        return fail(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

// ---- graphs ---------------------------------------------------------------------------------------------

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode)
{
    if (is_default(stream))
        return fail(cudaErrorStreamCaptureUnsupported);
    if (!is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    if (stream->capture)
        return fail(cudaErrorStreamCaptureUnsupported);
    stream->capture = std::make_shared<Recording>();
    stream->capture->origin = stream;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (is_default(stream) || !is_stream(stream) || !stream->capture || stream->capture->origin != stream)
        return fail(cudaErrorStreamCaptureUnmatched);
    std::shared_ptr<Recording> recording = stream->capture;
    for (cudaStream_t s : streams)
        if (s->capture == recording)
            s->capture.reset();
    for (cudaEvent_t e : events)
        if (e->capture == recording)
            e->capture.reset();
    *graph = new CUgraph_st{std::move(recording->work)};
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = !is_default(stream) && stream->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long)
{
    if (!graph)
        return fail(cudaErrorInvalidValue);
    *exec = new CUgraphExec_st{graph->work};
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (!exec)
        return fail(cudaErrorInvalidValue);
    for (const Work &work : exec->work) {
        cudaError_t error = submit(stream, work);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) { return exec ? cudaSuccess : fail(cudaErrorInvalidValue); }

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    if (!graph || nodes)
        return fail(cudaErrorNotSupported); // only the number of nodes
    *count = graph->work.size();
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    delete exec;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}

} // extern "C"
