// streams.h: the order that streams, events and the host's waiting give to operations: kernels, copies, host functions.
//
// Which operation came before which for certain is a matter of their submission alone (operations.cpp). When they run is
// another (api_stream.cpp): at once, or as late as is allowed, or at random, as CUDA_EMULATED_ORDER says.
#ifndef EMULATED_STREAMS_H
#define EMULATED_STREAMS_H
#include <functional>
#include <thread>

#include "emulator.h"

namespace emulated {

// For each track (a stream's operations in turn) the number of the last one that is known to have ended.
struct History {
    std::vector<u32> last;
    void learn(u32 track, u32 operation);
    void learn(const History &other);
    bool knows(u32 track, u32 operation) const { return track < last.size() && last[track] >= operation; }
    bool knows(const History &other) const;
};

typedef std::function<cudaError_t()> Work;
// A kernel's launch, as a graph's node shows it
struct KernelCall {
    const void *kernel; // NULL: an instance of a template, whose address nobody knows
    dim3 grid, block;
    size_t shared;
    std::vector<char> arguments; // a Call of launch.h
};

// What an operation occupies: a copy engine, which does one copy at a time, or multiprocessors, which kernels share.
enum Engine { kNoEngine, kCopyIn, kCopyOut, kKernels, kEngines };

struct Operation {
    Pc place;         // of the call
    std::string name; // of the call, or of the kernel
    Engine engine;
    Work work;
    u32 number, track; // numbers rise in the order of submission
    History before;    // what it comes after
    std::shared_ptr<const KernelCall> call;
};

// ---- operations.cpp ---------------------------------------------------------------------------------------
u32 new_track();
void retire_track(u32 track); // its stream is gone
u32 number_operation(u32 track, Pc place, const std::string &name, Engine engine, const History &before);
u32 step_after(const History &history);           // the step in which the last of these operations ends
void begin_operation(const Operation &operation); // what is touched now, it touches
void end_operation();
const Operation *operation_now();             // that runs; NULL: none
void touch(u64 address, u64 bytes, u8 flags); // by the operation that runs: a copy
void host_learns(const History &history);     // the host has waited for these
const History &host_history();
void host_function_begins(std::thread::id submitter); // which runs now, as an operation
void report_held_reads();                             // of the host, that no compare-and-swap has followed

// ---- api_stream.cpp ---------------------------------------------------------------------------------------
// Runs it now or later; its error, if it has run. While the stream is captured into a graph, it is recorded there.
cudaError_t submit(cudaStream_t stream, Pc place, const std::string &name, Work work, Engine engine = kNoEngine,
                   std::shared_ptr<const KernelCall> call = nullptr);
// Likewise, after all that was submitted to any stream of these devices and before all that will be: cudaMemcpyPeer().
cudaError_t submit_between(int device, int other, Pc place, const std::string &name, Work work);
// While a graph's node is made of a runtime call, where the program makes the node; emulatedCallsAreOf().
extern thread_local Pc node_place;
extern thread_local const char *node_call; // nullptr: the runtime call itself
inline Pc place_of_call(Pc caller) { return node_place ? node_place : caller; }
int device_of_stream(cudaStream_t stream); // -1: a default stream, or none at all
bool runs_at_once();                       // in this order of operations
void run_some_operation();
bool operations_wait();                    // to be run
void wait_for_stream(cudaStream_t stream); // the host waits
void wait_for_device();
void wait_for_every_device();
void run_stream(cudaStream_t stream); // what was submitted to it has run; the host does not know
bool is_captured(cudaStream_t stream);
bool a_stream_is_captured(); // any
void finish_operations();    // at the end of the program

// Held during every call that changes the device: host threads may use it side by side, but it runs one thing at a time.
struct DeviceLock {
    DeviceLock();
    ~DeviceLock();
};
bool try_device_lock();
void unlock_device();

// An asynchronous copy into page-locked memory arrives as late as is allowed, so that host code that does not wait for
// it shows. Until then the destination holds 0xff bytes.
void copy_later(void *to, const void *from, size_t bytes);
void deliver_known(const History &history);                      // the copies that it knows
void deliver_overlapping(const void *p, size_t bytes);           // everything, if some of it goes there
void deliver_for_arguments(const void *arguments, size_t bytes); // pointers that a kernel is given
} // namespace emulated
#endif
