// remarks.cpp: what is no error and seldom meant: results that the host never gets, output that a
// GPU would lose, a time that does not contain the kernel. Said when a program ends in which
// nothing else was found.
#include <chrono>
#include <string>
#include <sys/time.h>
#include <ctime>

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

// A kernel's launch
struct Remarked {
    std::string kernel;
    Pc place;
    u32 number, track; // of the operation
};
static Remarked last_store EMULATED_EARLY, last_output EMULATED_EARLY;
static bool host_gets_results;

void note_results_for_host() { host_gets_results = true; }

static Remarked launch_that_runs()
{
    const Operation *now = operation_now();
    return now ? Remarked{launch_now.kernel, now->place, now->number, now->track} : Remarked{};
}
void note_kernel_stores() { last_store = launch_that_runs(); }
void note_kernel_output()
{
    host_gets_results = true;
    if (!operation_now() || last_output.number != operation_now()->number)
        last_output = launch_that_runs();
}

// ---- the host's clocks --------------------------------------------------------------------------

// The last launch behind a first look at the clock; one behind which the host has looked at the
// clock again without waiting, and where
static Remarked last_timed EMULATED_EARLY, not_awaited EMULATED_EARLY;
static Pc clock_read;
static u32 last_number, last_number_then; // of an operation; when the clock was read there
static bool clock_was_read;

void note_submitted(const std::string &name, Pc place, u32 number, u32 track, bool is_kernel)
{
    last_number = number;
    if (is_kernel && clock_was_read)
        last_timed = {name, place, number, track};
}

static void look_at_clock(Pc place)
{
    if (settings.fast || !try_device_lock()) // another thread is in a call
        return;
    const bool is_running = last_timed.number && !host_knows(last_timed.track, last_timed.number);
    clock_was_read = true;
    if (is_running && !not_awaited.number) {
        not_awaited = last_timed;
        clock_read = place;
        last_number_then = last_number;
    } else if (!is_running && last_number == last_number_then) {
        not_awaited = {}; // it waits now, and takes the time of both
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

static void remark(const Remarked &launch, const std::string &text)
{
    say(place_name(launch.place) + ": remark: " + text);
}

void make_remarks()
{
    if (not_awaited.number)
        remark(not_awaited, "the clock is read at " + place_name(clock_read) + " while kernel " +
                                not_awaited.kernel +
                                " may still be running: a launch does not wait for it "
                                "(cudaDeviceSynchronize() does)");
    if (last_output.number && !host_knows(last_output.track, last_output.number))
        remark(last_output, "the program ends without waiting for kernel " + last_output.kernel +
                                ", which prints: a GPU's output would be lost "
                                "(cudaDeviceSynchronize() waits)");
    if (last_store.number && !host_gets_results && !MPI_Init) // MPI may take them from the device
        remark(last_store, "the results of kernel " + last_store.kernel +
                               " never reach the host: nothing is copied from the device "
                               "(cudaMemcpy() with cudaMemcpyDeviceToHost)");
}

} // namespace emulated

using namespace emulated;

extern "C" {

int __wrap_clock_gettime(clockid_t clock, timespec *t)
{
    look_at_clock(RETURN_ADDRESS);
    return __real_clock_gettime(clock, t);
}
int __wrap_gettimeofday(timeval *t, void *zone)
{
    look_at_clock(RETURN_ADDRESS);
    return __real_gettimeofday(t, zone);
}
clock_t __wrap_clock(void)
{
    look_at_clock(RETURN_ADDRESS);
    return __real_clock();
}
std::chrono::system_clock::time_point __wrap__ZNSt6chrono3_V212system_clock3nowEv()
{
    look_at_clock(RETURN_ADDRESS);
    return __real__ZNSt6chrono3_V212system_clock3nowEv();
}
std::chrono::steady_clock::time_point __wrap__ZNSt6chrono3_V212steady_clock3nowEv()
{
    look_at_clock(RETURN_ADDRESS);
    return __real__ZNSt6chrono3_V212steady_clock3nowEv();
}

} // extern "C"
