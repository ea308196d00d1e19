// streams.h: how streams, events and waits of the host order operations: kernels, copies, host
// functions.
//
// The guaranteed order follows from the submission alone (operations.cpp). When operations run is
// independent of that (api_stream.cpp): at once, as late as is allowed, or at random, as
// CUDA_EMULATED_ORDER says.
#ifndef EMULATED_STREAMS_H
#define EMULATED_STREAMS_H
#include <functional>
#include <thread>

#include "emulator.h"

namespace emulated
{

// For each track (the operations of a stream), the number of the last one that is known to have
// ended.
struct History {
    std::vector<u32> last;
    void learn(u32 track, u32 operation);
    void learn(const History &other);
    bool knows(u32 track, u32 operation) const
    {
        return track < last.size() && last[track] >= operation;
    }
    bool knows(const History &other) const;
};

typedef std::function<cudaError_t()> Work;
// A kernel's launch, as a graph's node shows it
struct KernelCall {
    const void *kernel; // NULL: an instance of a template, whose address is unknown
    dim3 grid, block;
    size_t shared;
    std::vector<char> arguments; // a Call of launch.h
};

// The resource that an operation occupies: a copy engine, for one copy at a time, or
// multiprocessors, which kernels share.
enum Engine { kNoEngine, kCopyIn, kCopyOut, kKernels, kEngines };

struct Operation {
    Pc place;         // of the call
    std::string name; // of the call, or of the kernel
    Engine engine;
    Work work;
    u32 number, track; // numbers rise in the order of submission
    History before;    // the operations that precede it
    std::shared_ptr<const KernelCall> call;
};

// ---- operations.cpp -----------------------------------------------------------------------------
u32 new_track();
void retire_track(u32 track); // its stream is gone
void note_branch(u32 track);  // its stream is a graph's
u32 number_operation(u32 track, Pc place, const std::string &name, Engine engine,
                     const History &before);
// When an operation ends: its step, and the seconds of the model of a GPU's time, if asked for.
struct End {
    u32 step;
    double seconds;
};
End end_after(const History &history); // of the last of these operations
void operation_ends_at(u32 number, double seconds);
void begin_operation(const Operation &operation); // accesses are attributed to it from here on
void end_operation();
const Operation *operation_now();             // that runs; NULL: none
void touch(u64 address, u64 bytes, u8 flags); // by the operation that runs: a copy
void host_learns(const History &history);     // the host has waited for these
const History &host_history();
bool host_knows(u32 track, u32 operation);            // that it has ended
void host_function_begins(std::thread::id submitter); // which runs now, as an operation
// races of host reads that no compare-and-swap followed
void report_held_reads();

// ---- api_stream.cpp -----------------------------------------------------------------------------

// Runs the work now or later; returns its error if it has run. While the stream is captured,
// records it in the graph.
cudaError_t submit(cudaStream_t stream, Pc place, const std::string &name, Work work,
                   Engine engine = kNoEngine, std::shared_ptr<const KernelCall> call = nullptr);
// The same, after everything submitted to any stream of both devices and before everything later:
// cudaMemcpyPeer().
cudaError_t submit_between(int device, int other, Pc place, const std::string &name, Work work);
// In a host function that a stream calls, reports this call and returns cudaErrorNotPermitted, as
// an H200 does for all but the questions after errors, events and devices; elsewhere cudaSuccess.
cudaError_t refuse_in_host_function(Pc place, const char *call);
// The place where the program makes a graph's node, while the node is made from a runtime call;
// emulatedCallsAreOf().
extern thread_local Pc node_place;
inline Pc place_of_call(Pc caller) { return node_place ? node_place : caller; }
// While it lives, the calls that are made are parts of this one and have its place and name.
extern thread_local const char *outer_call;
struct OuterCall {
    const Pc place = node_place;
    const char *const outer = outer_call;
    OuterCall(const char *name, Pc caller)
    {
        node_place = place_of_call(caller);
        outer_call = outer ? outer : name;
    }
    ~OuterCall()
    {
        node_place = place;
        outer_call = outer;
    }
};
int device_of_stream(cudaStream_t stream); // -1: a default stream, or none at all
bool runs_at_once();                       // in this order of operations
void run_some_operation();
bool operations_wait();                    // some are still to be run
void wait_for_stream(cudaStream_t stream); // the host waits
void wait_for_device();
void wait_for_every_device();
// runs what was submitted to it, without the host having waited
void run_stream(cudaStream_t stream);
bool is_captured(cudaStream_t stream);
bool a_stream_is_captured(); // any
void finish_operations();    // at the end of the program

// Held during every call that changes the device: host threads may call concurrently, but one call
// runs at a time.
struct DeviceLock {
    DeviceLock();
    ~DeviceLock();
};
bool try_device_lock();
void unlock_device();

// An asynchronous copy into page-locked memory arrives as late as is allowed, so that host code
// that fails to wait for it is found. Until then the destination holds 0xff bytes.
void copy_later(void *to, const void *from, size_t bytes);
// copies that have ended by this history
void deliver_known(const History &history);
// all copies, if one overlaps this memory
void deliver_overlapping(const void *p, size_t bytes);
// the same for pointers among a kernel's arguments
void deliver_for_arguments(const void *arguments, size_t bytes);
} // namespace emulated
#endif
