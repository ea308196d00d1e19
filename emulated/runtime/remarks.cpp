// remarks.cpp: what is not an error but seldom intended: results that never reach the host, output
// that a GPU would lose, a measured time that ends before the kernel does, a grid that leaves the
// end of an array alone. A program gets a remark when it ends, unless something else was found in
// it or a profile of its kernels was asked for.
#include <chrono>
#include <ctime>
#include <string>
#include <sys/time.h>

#include "streams.h"

extern "C" {
int MPI_Init(int *, char ***) __attribute__((weak));

int __real_clock_gettime(clockid_t clock, timespec *t);
int __real_gettimeofday(timeval *t, void *zone);
clock_t __real_clock(void);
std::chrono::system_clock::time_point __real__ZNSt6chrono3_V212system_clock3nowEv();
std::chrono::steady_clock::time_point __real__ZNSt6chrono3_V212steady_clock3nowEv();
}

namespace emulated
{

struct NotedLaunch {
    std::string kernel;
    Pc place;
    u32 number, track; // of its operation; number 0: no launch
};
static NotedLaunch last_store EMULATED_EARLY, last_output EMULATED_EARLY;
static bool host_gets_results;

void note_results_for_host() { host_gets_results = true; }

static NotedLaunch launch_that_runs()
{
    const Operation *now = operation_now();
    return now ? NotedLaunch{launch_now.kernel, now->place, now->number, now->track}
               : NotedLaunch{};
}
void note_kernel_stores() { last_store = launch_that_runs(); }
void note_kernel_output()
{
    host_gets_results = true;
    if (!operation_now() || last_output.number != operation_now()->number)
        last_output = launch_that_runs();
}

// ---- the host's clocks --------------------------------------------------------------------------

static bool clock_was_read;
// The last launch since then, and the first that the host had not waited for when it read a clock
// again, at the place clock_read
static NotedLaunch last_timed EMULATED_EARLY, not_awaited EMULATED_EARLY;
static Pc clock_read;
static u32 last_number, last_number_then; // of all operations: now, and at that reading

void note_submitted(const std::string &name, Pc place, u32 number, u32 track, bool is_kernel)
{
    last_number = number;
    if (is_kernel && clock_was_read)
        last_timed = {name, place, number, track};
}

static void note_clock_read(Pc place)
{
    if (settings.fast || !try_device_lock()) // or another thread is in a call
        return;
    const bool is_running = last_timed.number && !host_knows(last_timed.track, last_timed.number);
    clock_was_read = true;
    if (is_running && !not_awaited.number) {
        not_awaited = last_timed;
        clock_read = place;
        last_number_then = last_number;
    } else if (!is_running && last_number == last_number_then) {
        not_awaited = {}; // the program measures the launch, then the launch and its kernel
    }
    unlock_device();
}

double clock_seconds(clockid_t clock)
{
    timespec t;
    __real_clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- at the end ---------------------------------------------------------------------------------

static void remark(Pc place, const std::string &text)
{
    say(place_name(place) + ": remark: " + text);
}

void make_remarks()
{
    if (not_awaited.number)
        remark(not_awaited.place, "the clock is read at " + place_name(clock_read) +
                                      " while kernel " + not_awaited.kernel +
                                      " may still be running: a launch does not wait for it "
                                      "(cudaDeviceSynchronize() does)");
    if (last_output.number && !host_knows(last_output.track, last_output.number))
        remark(last_output.place, "the program ends without waiting for kernel " +
                                      last_output.kernel +
                                      ", which prints: a GPU's output would be lost "
                                      "(cudaDeviceSynchronize() waits)");
    if (last_store.number && !host_gets_results && !MPI_Init) // MPI may take them from the device
        remark(last_store.place, "the results of kernel " + last_store.kernel +
                                     " never reach the host: nothing is copied from the device "
                                     "(cudaMemcpy() with cudaMemcpyDeviceToHost)");
    const SmallGrid grid = small_grid();
    if (!grid.text.empty())
        remark(grid.place, grid.text);
}

} // namespace emulated

using namespace emulated;

extern "C" {

int __wrap_clock_gettime(clockid_t clock, timespec *t)
{
    note_clock_read(RETURN_ADDRESS);
    return __real_clock_gettime(clock, t);
}
int __wrap_gettimeofday(timeval *t, void *zone)
{
    note_clock_read(RETURN_ADDRESS);
    return __real_gettimeofday(t, zone);
}
clock_t __wrap_clock(void)
{
    note_clock_read(RETURN_ADDRESS);
    return __real_clock();
}
std::chrono::system_clock::time_point __wrap__ZNSt6chrono3_V212system_clock3nowEv()
{
    note_clock_read(RETURN_ADDRESS);
    return __real__ZNSt6chrono3_V212system_clock3nowEv();
}
std::chrono::steady_clock::time_point __wrap__ZNSt6chrono3_V212steady_clock3nowEv()
{
    note_clock_read(RETURN_ADDRESS);
    return __real__ZNSt6chrono3_V212steady_clock3nowEv();
}

} // extern "C"
