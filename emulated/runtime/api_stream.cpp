// api_stream.cpp: streams, events, graphs.
#include "emulator.h"

#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "streams.h"

namespace emulated {
struct Recording {
    std::vector<Work> work;
    cudaStream_t origin;
};
} // namespace emulated

struct CUstream_st {
    std::shared_ptr<emulated::Recording> capture;
    unsigned int flags;
    int priority;
    emulated::Pc place; // of the call that made it; NULL once the device has been reset
};
struct CUevent_st {
    emulated::Pc place;
    double time; // seconds of host time; the emulated device has no time of its own
    bool recorded;
    unsigned int flags;
    unsigned long long copies;                    // that were on their way when it was recorded
    std::shared_ptr<emulated::Recording> capture; // recorded within one
};
struct CUgraph_st {
    std::vector<emulated::Work> work;
};
struct CUgraphExec_st {
    std::vector<emulated::Work> work;
};

namespace emulated {

static std::set<cudaStream_t> streams EMULATED_EARLY;
static std::set<cudaEvent_t> events EMULATED_EARLY;

static bool is_default(cudaStream_t s) { return s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread; }
static bool is_stream(cudaStream_t s) { return is_default(s) || streams.count(s); }

static std::recursive_mutex device_mutex EMULATED_EARLY;
DeviceLock::DeviceLock() { device_mutex.lock(); }
DeviceLock::~DeviceLock() { device_mutex.unlock(); }

cudaError_t submit(cudaStream_t stream, Work work)
{
    DeviceLock lock;
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

// ---- copies that are on their way -----------------------------------------------------------------------

struct LateCopy {
    cudaStream_t stream;
    void *to;
    std::vector<char> bytes;
    unsigned long long number;
};
static std::vector<LateCopy> late_copies EMULATED_EARLY; // in order
static unsigned long long copies_begun;

unsigned long long copies_so_far() { return copies_begun; }

void copy_later(cudaStream_t stream, void *to, const void *from, size_t bytes)
{
    const char *source = (const char *)from;
    late_copies.push_back({stream, to, std::vector<char>(source, source + bytes), copies_begun++});
    memset(to, 0xff, bytes);
}

template <class Condition> static void deliver_if(Condition condition)
{
    DeviceLock lock;
    std::vector<LateCopy> rest;
    for (LateCopy &c : late_copies)
        if (condition(c))
            memcpy(c.to, c.bytes.data(), c.bytes.size());
        else
            rest.push_back(std::move(c));
    late_copies.swap(rest);
}

void deliver_all(unsigned long long before)
{
    if (!late_copies.empty())
        deliver_if([=](const LateCopy &c) { return c.number < before; });
}

void deliver_stream(cudaStream_t stream, unsigned long long before)
{
    if (!late_copies.empty())
        deliver_if([=](const LateCopy &c) { return c.stream == stream && c.number < before; });
}

void deliver_overlapping(const void *p, size_t bytes)
{
    for (const LateCopy &c : late_copies)
        if ((u64)p < (u64)c.to + c.bytes.size() && (u64)c.to < (u64)p + bytes) {
            deliver_all();
            return;
        }
}

void deliver_for_arguments(const void *arguments, size_t bytes)
{
    if (late_copies.empty())
        return;
    for (size_t i = 0; i + sizeof(u64) <= bytes; i += sizeof(u64)) {
        u64 value;
        memcpy(&value, (const char *)arguments + i, sizeof value);
        Allocation *a = region_of(value) == &regions[kArena] ? allocation_around(value) : nullptr;
        if (a && a->kind != Allocation::device)
            deliver_overlapping(regions[kArena].begin + a->offset, a->size);
    }
}

static cudaError_t create_stream(cudaStream_t *stream, unsigned int flags, int priority, Pc place)
{
    DeviceLock lock;
    *stream = new CUstream_st();
    (*stream)->flags = flags;
    (*stream)->priority = priority;
    (*stream)->place = place;
    streams.insert(*stream);
    return cudaSuccess;
}

static cudaError_t create_event(cudaEvent_t *event, unsigned int flags, Pc place)
{
    DeviceLock lock;
    *event = new CUevent_st();
    (*event)->flags = flags;
    (*event)->place = place;
    events.insert(*event);
    return cudaSuccess;
}

static void report_left(const std::map<Pc, int> &made, const std::string &what, const char *destroy)
{
    std::map<std::string, std::pair<Pc, int>> places; // one line may have several calls
    for (const auto &entry : made)
        if (entry.first) {
            auto &place = places[place_name(entry.first)];
            place.first = entry.first;
            place.second += entry.second;
        }
    for (const auto &entry : places) {
        const int n = entry.second.second;
        report({"leak", entry.second.first, nullptr, what,
                (n == 1 ? "1 " + what + " created here is" : std::to_string(n) + " " + what + "s created here are")
                    + " never destroyed (" + destroy + ")",
                0});
    }
}

void report_stream_leaks()
{
    std::map<Pc, int> made;
    for (cudaStream_t s : streams)
        made[s->place]++;
    report_left(made, "stream", "cudaStreamDestroy");
    made.clear();
    for (cudaEvent_t e : events)
        made[e->place]++;
    report_left(made, "event", "cudaEventDestroy");
}

void forget_streams()
{
    for (cudaStream_t s : streams)
        s->place = nullptr;
    for (cudaEvent_t e : events)
        e->place = nullptr;
}

static cudaError_t after_all() { return sticky_error() != cudaSuccess ? fail(sticky_error()) : cudaSuccess; }

} // namespace emulated

using namespace emulated;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    return create_stream(stream, flags, priority, __builtin_return_address(0));
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return create_stream(stream, 0, 0, __builtin_return_address(0)); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return create_stream(stream, flags, 0, __builtin_return_address(0));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    DeviceLock lock;
    if (is_default(stream) || !is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    deliver_stream(stream);
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
    if (stream == nullptr || stream == cudaStreamLegacy)
        deliver_all(); // the default stream waits for the others
    else
        deliver_stream(stream);
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
        deliver_stream(stream);
        callback(stream, after_all(), data);
        return cudaSuccess;
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    return submit(stream, [=] {
        deliver_stream(stream);
        function(data);
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return create_event(event, flags, __builtin_return_address(0));
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return create_event(event, 0, __builtin_return_address(0)); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!events.count(event) || !is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    event->capture = is_default(stream) ? nullptr : stream->capture;
    if (!event->capture) {
        event->time = host_seconds();
        event->copies = copies_so_far();
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
    if (!events.count(event))
        return fail(cudaErrorInvalidResourceHandle);
    deliver_all(event->copies);
    return after_all();
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
    DeviceLock lock;
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

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t)
{
    return exec ? cudaSuccess : fail(cudaErrorInvalidValue);
}

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
