// api_stream.cpp: streams, events, graphs, and the times when submitted operations run.
//
// In the usual order ("early") an operation runs when it is submitted. "late": only when something
// waits for it, the stream that was created last first; "random": some now, some later. All are
// orders that CUDA allows, since whatever an operation comes after (its history) runs before it.
#include "graph.h"

#include "cuda_emulated.h"
#include "objects.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>

struct CUstream_st {
    std::shared_ptr<emulated::Recording> capture;
    unsigned int flags;
    int priority, device;
    emulated::u32 track;
    emulated::History known; // the operations before one that is submitted now
    std::deque<emulated::Operation> waiting;
};
struct CUevent_st {
    // seconds of host time, NULL before it is recorded; the device has no time of its own
    std::shared_ptr<double> time;
    unsigned int flags;
    int device;
    // the operations before it; and with the recording itself
    emulated::History before, history;
    emulated::u32 step;                           // in which that ends
    std::shared_ptr<emulated::Recording> capture; // recorded within one, as its event number
    int number;
};
namespace emulated
{

static std::set<cudaStream_t> streams EMULATED_EARLY; // those that the program knows by name
static std::set<cudaEvent_t> events EMULATED_EARLY;
// all of them, in the order of their creation
static std::vector<cudaStream_t> every_stream EMULATED_EARLY;

static std::recursive_mutex device_mutex EMULATED_EARLY;
DeviceLock::DeviceLock() { device_mutex.lock(); }
DeviceLock::~DeviceLock() { device_mutex.unlock(); }
bool try_device_lock() { return device_mutex.try_lock(); }
void unlock_device() { device_mutex.unlock(); }

static cudaStream_t make_stream(unsigned int flags, int priority, int device)
{
    cudaStream_t stream = new CUstream_st();
    stream->flags = flags;
    stream->priority = priority;
    stream->device = device;
    stream->track = new_track();
    every_stream.push_back(stream);
    return stream;
}

// Each device has a default stream, and here one that stands for all threads' own default streams.
static cudaStream_t legacy_stream(int device)
{
    static cudaStream_t of_device[64];
    if (!of_device[device])
        of_device[device] = make_stream(0, 0, device);
    return of_device[device];
}
static cudaStream_t stream_per_thread(int device)
{
    static cudaStream_t of_device[64];
    if (!of_device[device])
        of_device[device] = make_stream(0, 0, device);
    several_streams = true;
    return of_device[device];
}

static bool is_default(cudaStream_t s)
{
    return s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread;
}
static bool is_stream(cudaStream_t s) { return is_default(s) || streams.count(s); }
static cudaStream_t stream_of(cudaStream_t handle)
{
    return handle == cudaStreamPerThread ? stream_per_thread(current_device())
           : is_default(handle)          ? legacy_stream(current_device())
                                         : handle;
}
int device_of_stream(cudaStream_t handle)
{
    DeviceLock lock;
    return is_default(handle) || !streams.count(handle) ? -1 : handle->device;
}
static bool is_blocking(cudaStream_t s) { return !(s->flags & cudaStreamNonBlocking); }

// The operations that one submitted to the stream now comes after.
static History history_in(cudaStream_t stream)
{
    History history = stream->known;
    history.learn(host_history());
    cudaStream_t legacy = legacy_stream(stream->device);
    if (stream == legacy) {
        for (cudaStream_t other : every_stream)
            if (other->device == stream->device && is_blocking(other))
                history.learn(other->known);
    } else if (is_blocking(stream))
        history.learn(legacy->known);
    return history;
}

// ---- when operations run ------------------------------------------------------------------------

bool runs_at_once() { return settings.order == Settings::early; }

static size_t waiting_operations;
bool operations_wait() { return waiting_operations > 0; }

static cudaError_t run(const Operation &operation)
{
    deliver_known(operation.before);
    begin_operation(operation);
    const cudaError_t error = operation.work();
    if (counting_work)
        work_end_operation(operation);
    end_operation();
    return error;
}

static cudaError_t run_first(cudaStream_t stream)
{
    const Operation operation = std::move(stream->waiting.front());
    stream->waiting.pop_front();
    waiting_operations--;
    return run(operation);
}

static bool must_run(cudaStream_t s, const History &history)
{
    return !s->waiting.empty() && history.knows(s->track, s->waiting.front().number);
}

// Everything that the history knows, in the order of submission: so all that an operation comes
// after runs before it.
static void run_known_to(const History &history)
{
    for (;;) {
        cudaStream_t next = nullptr;
        for (cudaStream_t s : every_stream)
            if (must_run(s, history) &&
                (!next || s->waiting.front().number < next->waiting.front().number))
                next = s;
        if (!next)
            return;
        run_first(next);
    }
}

static void run_first_and_what_it_needs(cudaStream_t stream)
{
    const History before = stream->waiting.front().before;
    run_known_to(before);
    run_first(stream);
}

// Of several streams that may go on: the last one, or any.
static cudaStream_t choose(const History &history)
{
    std::vector<cudaStream_t> ready;
    for (cudaStream_t s : every_stream)
        if (must_run(s, history))
            ready.push_back(s);
    if (ready.empty())
        return nullptr;
    return settings.order == Settings::late ? ready.back() : ready[random_below(ready.size())];
}

static void run_all(const History &history)
{
    while (cudaStream_t s = choose(history))
        run_first_and_what_it_needs(s);
}

static void wait_for(const History &history)
{
    DeviceLock lock;
    run_all(history);
    host_learns(history);
    deliver_known(history);
}

// by device: the work of destroyed streams
static History of_destroyed[64] EMULATED_EARLY;

static History all_of_device(int device)
{
    History all = of_destroyed[device];
    for (cudaStream_t s : every_stream)
        if (s->device == device)
            all.learn(s->known);
    return all;
}

void wait_for_device() { wait_for(all_of_device(current_device())); }
void wait_for_every_device()
{
    for (int device = 0; device < settings.device_count; device++)
        wait_for(all_of_device(device));
}
void wait_for_stream(cudaStream_t stream) { wait_for(history_in(stream_of(stream))); }

void run_stream(cudaStream_t stream)
{
    DeviceLock lock;
    run_all(stream_of(stream)->known);
}
bool a_stream_is_captured()
{
    for (cudaStream_t s : streams)
        if (s->capture && s->capture->origin)
            return true;
    return false;
}
bool is_captured(cudaStream_t stream) { return is_stream(stream) && stream_of(stream)->capture; }

void finish_operations()
{
    report_held_reads();
    if (!waiting_operations)
        return;
    DeviceLock lock;
    for (int device = 0; device < settings.device_count; device++)
        run_all(all_of_device(device));
}

static History everything()
{
    History all;
    for (cudaStream_t s : every_stream)
        all.learn(s->known);
    return all;
}

void run_some_operation()
{
    if (cudaStream_t s = choose(everything()))
        run_first_and_what_it_needs(s);
}

static cudaError_t enqueue(cudaStream_t stream, Operation operation)
{
    operation.before = history_in(stream);
    operation.track = stream->track;
    operation.number = number_operation(stream->track, operation.place, operation.name,
                                        operation.engine, operation.before);
    stream->known = operation.before;
    stream->known.learn(stream->track, operation.number);
    if (runs_at_once())
        return run(operation);
    stream->waiting.push_back(std::move(operation));
    waiting_operations++;
    while (settings.order == Settings::random && random_below(2))
        run_some_operation();
    return cudaSuccess;
}

static int branch_of(cudaStream_t stream)
{
    std::map<cudaStream_t, int> &branches = stream->capture->branches;
    return branches.emplace(stream, (int)branches.size()).first->second;
}

// The stream that the legacy default stream would have to wait for, and cannot: it is captured.
static bool captured_beside(cudaStream_t legacy)
{
    for (cudaStream_t s : streams)
        if (s->capture && s->capture->origin && s->device == legacy->device && is_blocking(s))
            return true;
    return false;
}

// The work of streams that takes part in a capture but leads to nothing that its first stream waits
// for: its last operation, or NULL.
static const Operation *not_joined(const Recording &recording)
{
    const size_t branches = recording.branches.size();
    // how many operations, of each branch
    std::vector<std::vector<int>> known(branches, std::vector<int>(branches));
    std::vector<std::vector<int>> recorded((size_t)recording.events);
    std::vector<const Operation *> last(branches);
    for (const GraphItem &item : recording.items) {
        std::vector<int> &mine = known[(size_t)item.branch];
        if (item.what == GraphItem::kRecord)
            recorded[(size_t)item.event] = mine;
        else if (item.what == GraphItem::kOperation) {
            mine[(size_t)item.branch]++;
            last[(size_t)item.branch] = &item.operation;
        } else
            for (size_t b = 0; b < recorded[(size_t)item.event].size(); b++)
                mine[b] = std::max(mine[b], recorded[(size_t)item.event][b]);
    }
    for (size_t b = 1; b < branches; b++)
        if (known[0][b] < known[b][b])
            return last[b];
    return nullptr;
}

static thread_local bool in_host_function;

cudaError_t refuse_in_host_function(Pc place, const char *call)
{
    if (!in_host_function)
        return cudaSuccess;
    return bad_call(place,
                    std::string(call) +
                        ": a host function that a stream calls cannot call CUDA. Call it where "
                        "the host has waited for the stream, or in another thread",
                    cudaErrorNotPermitted);
}

static cudaError_t submit_host_function(cudaStream_t stream, Pc place, const char *name,
                                        std::function<void()> function)
{
    const std::thread::id submitter = std::this_thread::get_id();
    return submit(stream, place, name, [=] {
        host_function_begins(submitter);
        in_host_function = true;
        function();
        in_host_function = false;
        return cudaSuccess;
    });
}

cudaError_t submit(cudaStream_t handle, Pc place, const std::string &name, Work work, Engine engine,
                   std::shared_ptr<const KernelCall> call)
{
    const auto what = [&] { return (engine == kKernels ? "kernel " : "") + name; };
    if (in_host_function)
        return refuse_in_host_function(place, what().c_str());
    DeviceLock lock;
    if (!is_stream(handle))
        return bad_call(place,
                        what() + " goes into a stream that has been destroyed or was never created",
                        cudaErrorInvalidResourceHandle);
    cudaStream_t stream = stream_of(handle);
    if (is_default(handle) && handle != cudaStreamPerThread && captured_beside(stream)) {
        const bool waits = engine != kKernels && name.find("Async") == std::string::npos;
        return bad_call(place,
                        what() +
                            " goes into stream 0, which waits for a stream that is being captured "
                            "into a graph: " +
                            (waits ? name + "Async() takes the captured stream"
                                   : "give it the captured stream"),
                        cudaErrorStreamCaptureImplicit);
    }
    Operation operation = {place, name, engine, std::move(work), 0, 0, {}, std::move(call)};
    if (stream->capture) {
        stream->capture->items.push_back(
            {GraphItem::kOperation, branch_of(stream), 0, operation, {}});
        return cudaSuccess;
    }
    return enqueue(stream, operation);
}

cudaError_t submit_between(int device, int other, Pc place, const std::string &name, Work work)
{
    DeviceLock lock;
    cudaStream_t stream = legacy_stream(current_device());
    stream->known.learn(all_of_device(device));
    stream->known.learn(all_of_device(other));
    const cudaError_t error =
        enqueue(stream, {place, name, kNoEngine, std::move(work), 0, 0, {}, nullptr});
    for (cudaStream_t s : every_stream)
        if (s->device == device || s->device == other)
            s->known.learn(stream->known);
    return error;
}

// ---- copies that are on their way ---------------------------------------------------------------

struct LateCopy {
    u32 track, number;
    void *to;
    std::vector<char> bytes;
};
static std::vector<LateCopy> late_copies EMULATED_EARLY; // in order

void copy_later(void *to, const void *from, size_t bytes)
{
    const char *source = (const char *)from;
    const Operation &now = *operation_now();
    late_copies.push_back({now.track, now.number, to, std::vector<char>(source, source + bytes)});
    memset(to, 0xff, bytes);
}

template <class Condition> static void deliver_if(Condition condition)
{
    std::vector<LateCopy> rest;
    for (LateCopy &c : late_copies)
        if (condition(c))
            memcpy(c.to, c.bytes.data(), c.bytes.size());
        else
            rest.push_back(std::move(c));
    late_copies.swap(rest);
}

void deliver_known(const History &history)
{
    if (!late_copies.empty())
        deliver_if([&](const LateCopy &c) { return history.knows(c.track, c.number); });
}

void deliver_overlapping(const void *p, size_t bytes)
{
    for (const LateCopy &c : late_copies)
        if ((u64)p < (u64)c.to + c.bytes.size() && (u64)c.to < (u64)p + bytes) {
            deliver_if([](const LateCopy &) { return true; });
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
    *stream = make_stream(flags, priority, current_device());
    streams.insert(*stream);
    object_created(kStream, *stream, place);
    several_streams = true;
    return cudaSuccess;
}

static cudaError_t create_event(cudaEvent_t *event, unsigned int flags, Pc place)
{
    DeviceLock lock;
    *event = new CUevent_st();
    (*event)->flags = flags;
    (*event)->device = current_device();
    events.insert(*event);
    object_created(kEvent, *event, place);
    return cudaSuccess;
}

static cudaError_t after_all()
{
    return sticky_error() != cudaSuccess ? fail(sticky_error()) : cudaSuccess;
}

// If nothing waits, each query lets some work be done. The first one comes too early, as on most
// GPUs: only a program that asks again knows that the work is done.
static History asked EMULATED_EARLY;
static cudaError_t query(const History &history)
{
    DeviceLock lock;
    if (runs_at_once() && !host_history().knows(history) && !asked.knows(history)) {
        asked.learn(history);
        return cudaErrorNotReady;
    }
    if (!runs_at_once()) {
        if (cudaStream_t s = choose(history))
            run_first_and_what_it_needs(s);
        if (choose(history))
            return cudaErrorNotReady;
    }
    wait_for(history);
    return after_all();
}

// The program can no longer use the stream; its submitted work still runs.
static void forget_stream(cudaStream_t stream)
{
    run_all(stream->known);
    if (is_blocking(stream))
        legacy_stream(stream->device)->known.learn(stream->known);
    of_destroyed[stream->device].learn(stream->known);
    retire_track(stream->track);
    every_stream.erase(std::find(every_stream.begin(), every_stream.end(), stream));
    delete stream;
}

// ---- graphs -------------------------------------------------------------------------------------

cudaError_t record_call(Operation *operation, const std::function<cudaError_t(cudaStream_t)> &call)
{
    DeviceLock lock;
    cudaStream_t stream = make_stream(cudaStreamNonBlocking, 0, current_device());
    streams.insert(stream);
    stream->capture = std::make_shared<Recording>();
    cudaError_t error = call(stream);
    if (error == cudaSuccess && stream->capture->items.size() == 1)
        *operation = stream->capture->items[0].operation;
    else if (error == cudaSuccess)
        error = fail(cudaErrorInvalidValue);
    streams.erase(stream);
    stream->capture.reset();
    forget_stream(stream);
    return error;
}

cudaStream_t make_branch()
{
    cudaStream_t branch = make_stream(cudaStreamNonBlocking, 0, current_device());
    note_branch(branch->track);
    return branch;
}
void end_branch(cudaStream_t branch) { forget_stream(branch); }

// All branches begin where the stream stands, and it goes on when all have ended.
static cudaError_t run_list(const Items &items, const std::vector<cudaStream_t> &all,
                            cudaStream_t stream);

// A conditional node depends on the operations before it, so these run now, in whatever order.
static cudaError_t run_conditional(const Conditional &node, const std::vector<cudaStream_t> &all,
                                   cudaStream_t stream, const Operation &reads)
{
    for (Rounds rounds;;) {
        cudaError_t error = enqueue(stream, reads);
        run_all(stream->known);
        if (error == cudaSuccess)
            error = sticky_error();
        const size_t value = *node.condition, bodies = node.bodies.size();
        const size_t body = node.type == cudaGraphCondTypeSwitch ? value : value ? 0 : 1;
        if (error != cudaSuccess || body >= bodies)
            return error;
        const std::string why = node.type == cudaGraphCondTypeWhile ? rounds.never_end() : "";
        if (!why.empty()) {
            launch_now.kernel.clear();
            report(
                {"endless-kernel", reads.place, nullptr, reads.name, reads.name + ": " + why, 0});
            return fail(cudaErrorLaunchTimeout);
        }
        error = run_list(node.bodies[body], all, stream);
        if (error != cudaSuccess || node.type != cudaGraphCondTypeWhile)
            return error;
    }
}

// `all`: the branches of the whole graph
static cudaError_t run_list(const Items &items, const std::vector<cudaStream_t> &all,
                            cudaStream_t stream)
{
    const auto begin = all.begin() + items.first;
    const std::vector<cudaStream_t> branches(begin, begin + std::max(items.branches - 1, 0));
    std::vector<History> recorded((size_t)items.events);
    stream->known.learn(history_in(stream));
    for (cudaStream_t branch : branches)
        branch->known.learn(stream->known);
    cudaError_t first_error = cudaSuccess;
    for (const GraphItem &item : items.list) {
        cudaStream_t branch = item.branch == 0 ? stream : branches[(size_t)item.branch - 1];
        cudaError_t error = cudaSuccess;
        if (stream->capture) { // a graph within another: its operations one after another
            if (item.what == GraphItem::kOperation)
                stream->capture->items.push_back(
                    {item.what, branch_of(stream), 0, item.operation, {}});
            else if (item.what == GraphItem::kCondition)
                error = fail(cudaErrorStreamCaptureUnsupported);
        } else if (item.what == GraphItem::kRecord)
            recorded[(size_t)item.event] = branch->known;
        else if (item.what == GraphItem::kWait)
            branch->known.learn(recorded[(size_t)item.event]);
        else
            error = item.what == GraphItem::kCondition
                        ? run_conditional(*item.conditional, all, branch, item.operation)
                        : enqueue(branch, item.operation);
        if (first_error == cudaSuccess)
            first_error = error;
    }
    for (cudaStream_t branch : branches)
        stream->known.learn(branch->known);
    return first_error;
}

cudaError_t run_items(const Items &items, const std::vector<cudaStream_t> &branches,
                      cudaStream_t handle)
{
    return is_stream(handle) ? run_list(items, branches, stream_of(handle))
                             : fail(cudaErrorInvalidResourceHandle);
}

thread_local Pc node_place;

} // namespace emulated

using namespace emulated;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    return create_stream(stream, flags, priority, __builtin_return_address(0));
}
cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return create_stream(stream, 0, 0, __builtin_return_address(0));
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return create_stream(stream, flags, 0, __builtin_return_address(0));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    DeviceLock lock;
    if (is_default(stream) || !is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    streams.erase(stream);
    object_ended(kStream, stream);
    forget_stream(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const Pc place = __builtin_return_address(0);
    if (const cudaError_t error = refuse_in_host_function(place, "cudaStreamSynchronize"))
        return error;
    if (!is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    if (stream_of(stream)->capture)
        return bad_call(place,
                        "cudaStreamSynchronize waits for a stream that is being captured into a "
                        "graph: its work is "
                        "recorded, not done. Wait after cudaGraphLaunch",
                        cudaErrorStreamCaptureUnsupported);
    wait_for_stream(stream);
    return after_all();
}
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    if (!is_stream(stream))
        return fail(cudaErrorInvalidResourceHandle);
    if (stream_of(stream)->capture)
        return fail(cudaErrorStreamCaptureUnsupported);
    return query(history_in(stream_of(stream)));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int)
{
    DeviceLock lock;
    if (!is_stream(handle) || !events.count(event))
        return fail(cudaErrorInvalidResourceHandle);
    cudaStream_t stream = stream_of(handle);
    if (event->capture && !is_default(handle)) {
        stream->capture = event->capture; // the stream joins the capture
        event->capture->items.push_back(
            {GraphItem::kWait, branch_of(stream), event->number, {}, {}});
    } else if (event->time)
        stream->known.learn(event->history);
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

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int)
{
    return submit_host_function(stream, __builtin_return_address(0),
                                "the function of cudaStreamAddCallback",
                                [=] { callback(stream, after_all(), data); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    return submit_host_function(stream, __builtin_return_address(0),
                                "the function of cudaLaunchHostFunc", [=] { function(data); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return create_event(event, flags, __builtin_return_address(0));
}
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return create_event(event, 0, __builtin_return_address(0));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle)
{
    const Pc place = __builtin_return_address(0);
    if (const cudaError_t error = refuse_in_host_function(place, "cudaEventRecord"))
        return error;
    DeviceLock lock;
    if (!events.count(event))
        return bad_call(place,
                        "cudaEventRecord: there is no such event: cudaEventCreate(&event) first",
                        cudaErrorInvalidResourceHandle);
    if (!is_stream(handle))
        return fail(cudaErrorInvalidResourceHandle);
    cudaStream_t stream = stream_of(handle);
    if (event->device != stream->device)
        return bad_call(place,
                        "cudaEventRecord: the event was created on device " +
                            std::to_string(event->device) + ", and the stream is one of device " +
                            std::to_string(stream->device) +
                            " (an event belongs to the device that is active in cudaEventCreate)",
                        cudaErrorInvalidResourceHandle);
    event->capture = stream->capture;
    if (event->capture) {
        event->number = event->capture->events++;
        event->capture->items.push_back(
            {GraphItem::kRecord, branch_of(stream), event->number, {}, {}});
        return cudaSuccess;
    }
    std::shared_ptr<double> time = event->time = std::make_shared<double>();
    event->before = history_in(stream);
    const cudaError_t error = enqueue(stream, {place,
                                               "cudaEventRecord",
                                               kNoEngine,
                                               [time] {
                                                   *time = clock_seconds(CLOCK_MONOTONIC);
                                                   return cudaSuccess;
                                               },
                                               0,
                                               0,
                                               {},
                                               nullptr});
    event->history = stream->known;
    event->step = end_after(event->history).step;
    return error;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int)
{
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (!events.count(event))
        return fail(cudaErrorInvalidResourceHandle);
    wait_for(event->history);
    return after_all();
}
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return events.count(event) ? query(event->history) : fail(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    DeviceLock lock;
    const Pc place = __builtin_return_address(0);
    if (!milliseconds)
        return fail(cudaErrorInvalidValue);
    if (!events.count(start) || !events.count(end))
        return fail(cudaErrorInvalidResourceHandle);
    if (start->device != end->device)
        return bad_call(place,
                        "cudaEventElapsedTime: the first event was created on device " +
                            std::to_string(start->device) + ", the second one on device " +
                            std::to_string(end->device),
                        cudaErrorInvalidResourceHandle);
    for (cudaEvent_t event : {start, end})
        if (!event->time || (event->flags & cudaEventDisableTiming))
            return bad_call(place,
                            std::string("cudaEventElapsedTime: the ") +
                                (event == start ? "first" : "second") +
                                (event->time ? " event was created with cudaEventDisableTiming"
                                             : " event has not been recorded: cudaEventRecord"),
                            cudaErrorInvalidResourceHandle);
    // The first one may stand alone in a stream where nothing else is left to do: that happens at
    // once.
    for (cudaEvent_t event : {end, start})
        if (!host_history().knows(event == end ? event->history : event->before))
            return bad_call(place,
                            std::string("cudaEventElapsedTime: the host has not waited for the ") +
                                (event == start ? "first" : "second") +
                                " event, which may not have happened: cudaEventSynchronize first",
                            cudaErrorNotReady);
    *milliseconds = (float)((*end->time - *start->time) * 1e3);
    return cudaSuccess;
}

long emulatedEventStep(cudaEvent_t event)
{
    return events.count(event) && event->time ? (long)event->step : -1;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    DeviceLock lock;
    if (!events.erase(event))
        return fail(cudaErrorInvalidResourceHandle);
    object_ended(kEvent, event);
    delete event;
    return cudaSuccess;
}

// ---- recording ----------------------------------------------------------------------------------

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
    branch_of(stream);
    return cudaSuccess;
}

cudaError_t emulatedBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                        const cudaGraphNode_t *before, size_t n,
                                        enum cudaStreamCaptureMode mode)
{
    if (!can_be_added_to(graph, before, n))
        return fail(cudaErrorInvalidValue);
    const cudaError_t error = cudaStreamBeginCapture(stream, mode);
    if (error == cudaSuccess) {
        stream->capture->graph = graph;
        stream->capture->after.assign(before, before + n);
    }
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (is_default(stream) || !is_stream(stream) || !stream->capture ||
        stream->capture->origin != stream)
        return fail(cudaErrorStreamCaptureUnmatched);
    std::shared_ptr<Recording> recording = stream->capture;
    cudaError_t unjoined = cudaSuccess;
    if (const Operation *last = not_joined(*recording))
        unjoined =
            bad_call(__builtin_return_address(0),
                     "cudaStreamEndCapture: another stream has joined the capture and nothing "
                     "waits for its work (the last is " +
                         std::string(last->engine == kKernels ? "kernel " : "") + last->name +
                         "): cudaEventRecord there, cudaStreamWaitEvent in this stream; or "
                         "the capture begins and ends in the stream that waits for all others",
                     cudaErrorStreamCaptureUnjoined);
    for (cudaStream_t s : streams)
        if (s->capture == recording)
            s->capture.reset();
    for (cudaEvent_t e : events)
        if (e->capture == recording)
            e->capture.reset();
    if (!graph && !recording->graph)
        return fail(cudaErrorInvalidValue);
    const cudaGraph_t made = unjoined ? nullptr : graph_of(*recording);
    if (made && !recording->graph)
        object_created(kGraph, made, __builtin_return_address(0));
    if (graph)
        *graph = made;
    return unjoined;
}

void emulatedCallsAreOf(const void *caller) { node_place = caller; }

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = !is_default(stream) && stream->capture ? cudaStreamCaptureStatusActive
                                                     : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

} // extern "C"
