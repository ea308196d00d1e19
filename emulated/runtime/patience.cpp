// patience.cpp: finds endless kernels. Time alone says little: a right kernel may take minutes
// here. A kernel is not endless as long as it makes progress of a kind that is limited in number: a
// thread ends, or a block touches a line of global memory that it has not touched since the launch
// began to look suspicious.
#include "emulator.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pthread.h>
#include <sys/mman.h>

namespace emulated
{

// All times here are seconds of the processor, so that a busy machine ends nothing.
static struct {
    u64 visible, ended, fresh;
    // the last change in global memory; the last limited progress, see above
    double change, achievement;
    double suspected; // and when the launch began to look suspicious
    double end;       // of a thread
} last;

static double seconds_here() { return clock_seconds(CLOCK_THREAD_CPUTIME_ID); }

// ---- lines touched for the first time -----------------------------------------------------------

// Noted only while a launch looks suspicious, until one of its threads ends: a bit for each block
// and line of 128 bytes, at a place where two of them rarely meet. An endless block has touched all
// its lines at some time.
bool suspicious;
static u8 *touched;
static u64 fresh;
const u64 kLine = 128, kTouchedBits = 1ull << 28;

static void begin_suspicion()
{
    if (!touched)
        touched = (u8 *)reserve(kTouchedBits / 8, "the record of what has changed");
    madvise(touched, kTouchedBits / 8, MADV_DONTNEED); // all zero again
    suspicious = true;
}

void note_touched(const Lane *lane, const u64 *addresses, int count)
{
    const u64 first = (u64)lane->warp->block->linear * 0x9e3779b1;
    for (int i = 0; i < count; i++) {
        const u64 offset = addresses[i] - (u64)regions[kArena].begin;
        if (offset >= kArenaSize)
            continue;
        const u64 bit = (first + offset / kLine) % kTouchedBits;
        fresh += !(touched[bit / 8] >> bit % 8 & 1);
        touched[bit / 8] |= (u8)(1 << bit % 8);
    }
}

// ---- the end of a launch ------------------------------------------------------------------------

static u64 digest_of(u64 digest, const void *begin, const void *end)
{
    for (const u64 *p = (const u64 *)((u64)begin & ~7ull); p < end; p++)
        digest = (digest ^ *p) * 0x9e3779b97f4a7c15ull, digest ^= digest >> 29;
    return digest;
}

static u64 memory_digest()
{
    u64 digest = 0xcbf29ce484222325ull;
    for (const Words &w : words_in_use()) {
        const char *begin = regions[w.region].begin;
        digest = digest_of(digest, begin + 4 * w.begin, begin + 4 * w.end);
    }
    return digest;
}

static void end_endless(Pc pc, Lane *lane, const std::string &what)
{
    bool by_bytes;
    std::string why = lane ? mbarrier_that_never_completes(lane, &by_bytes) : "";
    if (Lane *waiter = why.empty() ? nullptr : waiting_at_mbarrier(&why)) {
        lane = waiter;
        pc = waiter->pc;
    }
    report({"endless-kernel", pc, lane, launch_now.kernel,
            why.empty()
                ? what + ": an endless loop, or far too long a one (CUDA_EMULATED_PATIENCE=N gives "
                         "it N seconds)"
                : why,
            0});
    launch_now.killed = true;
    launch_now.error = cudaErrorLaunchTimeout;
}

// ---- a loop that is back where it was -----------------------------------------------------------

// Once no thread has ended for a while, some steps of one warp are watched, and more whenever that
// time has doubled. When its threads stand where they stood before, with the same variables and the
// same memory, they go round for ever: no other thread can end a loop that contains no atomic or
// volatile access, no barrier, and no call of clock().
bool watches_loop;
static struct {
    double due; // seconds without the end of a thread after which a warp is watched
    const Warp *warp;
    u64 steps, digest, memory, polls;
    u32 spins, epoch, returns;
} loop;

static u64 digest_of_warp(const Warp &warp)
{
    u64 digest = 0;
    for (const Lane *lane = warp.lanes; lane < warp.lanes + warp.count; lane++) {
        digest = (digest ^ (u64)lane->pc ^ lane->state) * 0x9e3779b97f4a7c15ull;
        if (lane->state != kNew && lane->state != kDone)
            digest = digest_of(digest, lane->stack_pointer, lane->stack_top);
    }
    return digest;
}

static u64 digest_of_all_memory()
{
    const char *dynamic = regions[kDynamicShared].begin;
    u64 digest = digest_of(memory_digest(), dynamic, dynamic + launch_now.dynamic_shared);
    if (launch_now.shared_low < launch_now.shared_high)
        digest = digest_of(digest, (void *)launch_now.shared_low, (void *)launch_now.shared_high);
    return digest;
}

bool is_back(const Warp &warp, Lane *lane)
{
    if (lane->trace) // it has run ahead of this step
        return false;
    if (!loop.warp) {
        loop.warp = &warp;
        loop.digest = digest_of_warp(warp);
        loop.spins = warp.spins;
        loop.epoch = warp.epoch + warp.block->epoch;
        loop.polls = launch_now.polls;
        loop.returns = 0;
        return false;
    }
    watches_loop = --loop.steps && loop.warp == &warp && loop.spins == warp.spins &&
                   loop.epoch == warp.epoch + warp.block->epoch && loop.polls == launch_now.polls;
    if (!watches_loop || digest_of_warp(warp) != loop.digest)
        return false;
    const u64 memory = digest_of_all_memory();
    if (loop.returns++ == 0) {
        loop.memory = memory;
        return false;
    }
    watches_loop = false;
    if (memory != loop.memory)
        return false;
    end_endless(lane->pc, lane,
                "is back where it was, with the same values in all variables and in memory");
    return true;
}

static void watch_loop_from(double idle)
{
    if (idle < loop.due)
        return;
    watches_loop = true;
    loop.warp = nullptr;
    loop.steps = (u64)(4096 * loop.due / settings.patience * 8);
    loop.due *= 2;
}

static std::string in_words(double seconds)
{
    char text[32];
    snprintf(text, sizeof text, "%g s", seconds);
    return text;
}

static void begin_idle(double now)
{
    last.end = now;
    loop.due = settings.patience / 8;
    watches_loop = false;
}

static void note_achievements(double now)
{
    if (launch_now.visible != last.visible) {
        last.visible = launch_now.visible;
        last.change = now;
    }
    if (launch_now.ended != last.ended) {
        suspicious = false;
        begin_idle(now);
    }
    watch_loop_from(now - last.end);
    if (launch_now.ended != last.ended || fresh != last.fresh) {
        last.ended = launch_now.ended;
        last.fresh = fresh;
        last.change = last.achievement = now;
    } else if (!suspicious && now - last.achievement > settings.patience / 2) {
        begin_suspicion();
        last.suspected = now;
    }
}

// A launch is ended if for this many seconds there is no progress and no change in global memory.
// One that changes the same words again and again has three times as long: it may well be right;
// and thirty times if its blocks wait for one another, as those of an iterative solver do.
bool out_of_patience(Pc pc, Lane *lane)
{
    child_is_alive();
    const double now = seconds_here();
    note_achievements(now);
    if (!suspicious || now - last.suspected < settings.patience / 2)
        return false;
    const bool quiet = now - last.change >= settings.patience;
    const double times = launch_now.in_turns ? 30 : 3;
    if (!quiet && now - last.achievement < times * settings.patience)
        return false;
    if (quiet && report_full_device())
        return true;
    if (quiet)
        end_endless(pc, lane,
                    "has run for " + in_words(settings.patience) +
                        " without changing anything in global memory");
    else
        end_endless(pc, lane,
                    "has run for " + in_words(times * settings.patience) +
                        ", and no thread has ended");
    return true;
}

// A loop without memory access or branch, as the compiler may leave it, calls no hook that could
// ask. A second thread notices that no step is made, and interrupts it.
static volatile bool running;
static pthread_t runner;
static clockid_t clock_of_runner;

static void *watch_launch(void *)
{
    const double tick = std::min(1.0, settings.patience / 2);
    const timespec pause = {(time_t)tick, (long)(1e9 * (tick - (double)(time_t)tick))};
    u64 step = 0;
    double since = 0;
    for (;;) {
        nanosleep(&pause, nullptr);
        const double now = running ? clock_seconds(clock_of_runner) : 0;
        if (!running || launch_now.step != step)
            since = now;
        step = launch_now.step;
        if (now - since > settings.patience)
            pthread_kill(runner, SIGURG);
    }
}

void begin_patience()
{
    static pthread_t watcher;
    suspicious = false;
    last.visible = launch_now.visible;
    last.ended = launch_now.ended;
    last.fresh = fresh;
    last.change = last.achievement = seconds_here();
    begin_idle(last.change);
    runner = pthread_self();
    pthread_getcpuclockid(runner, &clock_of_runner);
    running = true;
    if (watcher)
        return;
    sigset_t all, before; // the program's signals are for its own threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&watcher, nullptr, watch_launch, nullptr) == 0)
        pthread_detach(watcher);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void end_patience() { running = suspicious = watches_loop = false; }

void interrupted(Lane *lane, Pc pc) // by that thread, in code that stands still
{
    end_endless(in_program(pc), lane,
                "has run for " + in_words(settings.patience) + " without any access");
}

// ---- a launch of too many blocks ----------------------------------------------------------------

static std::string duration(double seconds)
{
    const bool hours = seconds >= 7200, minutes = !hours && seconds >= 120;
    char text[40];
    snprintf(text, sizeof text, "%.0f %s",
             seconds / (hours     ? 3600
                        : minutes ? 60
                                  : 1),
             hours     ? "hours"
             : minutes ? "minutes"
                       : "seconds");
    return text;
}

// The time of the finished blocks shows how long all of them will take: the longer that is, the
// sooner it is reported. It is no mistake, but the program cannot go on without the result.
void end_if_too_long(u64 done, u64 blocks, u64 processes)
{
    static double begin;
    static u64 next_look;
    if (done == 1) {
        begin = seconds_here();
        next_look = 2;
    }
    if (!settings.limit || !processes || done < next_look)
        return;
    next_look = done + done / 4 + 1;
    const double past = seconds_here() - begin,
                 all = past / (double)(done - 1) * (double)blocks / (double)processes;
    if (all < settings.limit || past * all < settings.limit * settings.limit)
        return;
    fflush(stdout);
    fprintf(stderr,
            "%s: kernel %s, %llu blocks: too much for the emulated device: about %s; fewer blocks, "
            "or a GPU\n",
            place_name(launch_now.place).c_str(), launch_now.kernel.c_str(),
            (unsigned long long)blocks, duration(all).c_str());
    exit(2);
}

// ---- a graph's loop -----------------------------------------------------------------------------

struct Rounds::Looks {
    double begin;
    double due; // seconds after which it is looked again
    u64 count, saved;
    u32 looks;
};

Rounds::Rounds() : l_(new Looks{seconds_here(), settings.patience, 0, 0, 0}) {}
Rounds::~Rounds() { delete l_; }

// Once a loop has run for this long, 64 rounds are watched, and again whenever the time has
// doubled: when memory is as it was after an earlier round, all will repeat itself. Which earlier
// one: the last whose number is a power of two.
std::string Rounds::never_end()
{
    l_->count++;
    const double seconds = seconds_here() - l_->begin;
    if (seconds < l_->due)
        return "";
    const u64 digest = memory_digest();
    if (l_->looks && digest == l_->saved) {
        char text[400];
        snprintf(text, sizeof text,
                 "the loop has gone round %llu times in %.3g s, and device memory is what it was "
                 "some rounds ago: an "
                 "endless loop? Does a kernel of its body call cudaGraphSetConditional(handle, 0)? "
                 "(CUDA_EMULATED_PATIENCE=N gives it N seconds)",
                 (unsigned long long)l_->count, seconds);
        return text;
    }
    if ((l_->looks & (l_->looks - 1)) == 0)
        l_->saved = digest;
    if (++l_->looks == 64) {
        l_->looks = 0;
        l_->due = 2 * seconds;
    }
    return "";
}

} // namespace emulated
