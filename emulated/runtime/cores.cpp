// cores.cpp: the blocks of a long launch on several cores.
//
// After the first blocks of a launch, which show how long it will take, the process forks. The
// parent runs the next blocks, somewhat less than its share. The children take the others, first
// many at a time, then few: so a core that is slower, or has longer blocks, delays no other. When
// the parent has finished its share, it forks once more, for its own core, and waits. Its blocks
// cannot be undone, so they come before those of the children. Then it takes over the children's
// counts, and each child copies its writes into the parent's memory. The result is that of a parent
// that runs all blocks itself, one after another, because
//
//   - each process runs its blocks in their order;
//   - a child gives up as soon as something shows the order of blocks or of messages: a finding, an
//     atomic or volatile access to global memory, output, a block that waits (needs_one_core());
//   - each process notes, by a bit each, which words of global memory it reads and writes. If one
//     has written a word that another has used, or if a child has given up or died, the parent
//     discards the children's work and runs their blocks itself. Until then its own memory is
//     unchanged.
#include "emulator.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace emulated
{

bool noting_use;
static bool shared_out; // parts of this launch run in several processes

// Which words of each region a process has used: a bit for each, and for each page of such bits
// whether there are any.
struct Use {
    u64 *read_bits[kRegions], *written_bits[kRegions];
    u8 *pages[kRegions];
};

// A child's results, in memory that it shares with its parent.
enum Stage { kGaveUp = -1, kRuns, kComplete, kPutBack };
const int kNever = -1; // it could not be started
struct Result {
    int pid;            // 0: not started yet; kNever
    volatile u64 step;  // of the launch: it is alive
    int stage, allowed; // Stage: it waits until the parent lets it copy its writes back
    u64 sums[6];
    double processor; // seconds of it
    u64 counts;       // bytes in `packed`, before the variables
};
// The sums of the launch so far.
static u64 Launch::*const sums[] = {&Launch::progress, &Launch::visible, &Launch::ended,
                                    &Launch::polls,    &Launch::step,    &Launch::checked};

struct Child {
    bool ended; // and its end has been noticed
    Result *result;
    Use use;
    char *packed; // its counts, and the variables that it has written
    void *memory; // of both, which it shares with its parent
};
static std::vector<Child> children EMULATED_EARLY;
static Child *myself; // in a child
static bool fast_launch;
static u64 processes;   // among which the blocks are shared out
static Result *results; // one each
static struct Board {   // in memory that all share
    u64 next_block;     // the first that no process has taken
    u64 few;            // the least that a child takes at a time
    u32 news;           // counts them; a waiting process sleeps
} * board;
static std::vector<Words> words EMULATED_EARLY;
static sigset_t signals_before;
static double begin_of_launch, begin_of_part; // seconds of the processor

const u64 kPackedCounts = 64 << 20;

static void tell(const std::string &what)
{
    if (settings.tell_cores)
        fprintf(stderr, "cores: kernel %s: %s\n", launch_now.kernel.c_str(), what.c_str());
}

static void tell_news()
{
    __atomic_fetch_add(&board->news, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &board->news, FUTEX_WAKE, 1 << 30, nullptr, nullptr, 0);
}
static u32 news() { return __atomic_load_n(&board->news, __ATOMIC_ACQUIRE); }
// Not for long, since a process that dies reports nothing: false.
static bool wait_for_news(u32 known)
{
    const timespec most = {0, 20000000};
    return syscall(SYS_futex, &board->news, FUTEX_WAIT, known, &most, nullptr, 0) == 0 ||
           errno != ETIMEDOUT;
}

void stay_on_one_core()
{
    launch_now.one_core = true;
    if (myself) {
        __atomic_store_n(&myself->result->stage, kGaveUp, __ATOMIC_RELEASE);
        tell_news();
        _exit(1);
    }
    if (!shared_out)
        end_noting();
}

// ---- which words are used -----------------------------------------------------------------------

void note_use(u64 address, u64 bytes, u8 flags)
{
    Region *r = region_of(address);
    if (!r || !r->written_bits)
        return;
    const u64 offset = address - (u64)r->begin, end = std::min(offset + bytes, r->size);
    note_words(*r, offset / 4, (end + 3) / 4 - offset / 4, flags);
}

static void *map(u64 bytes, int how)
{
    void *p =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : p;
}

static u64 bytes_of_bits(const Region &r) { return r.size / 32 + 64; }
static u64 bytes_of_pages(const Region &r) { return r.size / 4 / kPageOfBits + 64; }

static char *take_pages(char *&memory, u64 bytes)
{
    char *here = memory;
    memory += (bytes + page_size() - 1) & ~(page_size() - 1);
    return here;
}

// Lays them out from `memory` on, and moves that behind them. The windows are shared memory, which
// the region does not say before the first launch of clusters.
static void lay_out(Use &use, char *&memory)
{
    for (int i = 0; i < kRegions; i++)
        if (i != kWindows && regions[i].space == kGlobal) {
            use.read_bits[i] = (u64 *)take_pages(memory, bytes_of_bits(regions[i]));
            use.written_bits[i] = (u64 *)take_pages(memory, bytes_of_bits(regions[i]));
            use.pages[i] = (u8 *)take_pages(memory, bytes_of_pages(regions[i]));
        }
}

static u64 bytes_of_use()
{
    Use use;
    char *end = nullptr;
    lay_out(use, end);
    return (u64)end;
}

static bool map_use(Use &use)
{
    char *memory = (char *)map(bytes_of_use(), MAP_PRIVATE);
    if (!memory)
        return false;
    madvise(memory, bytes_of_use(), MADV_DONTFORK); // a child has one of its own
    lay_out(use, memory);
    return true;
}

static Use own;             // the parent's
static char *parents_arena; // as the parent sees it, in a child too

static void note_in(const Use &use)
{
    for (int i = 0; i < kRegions; i++) {
        regions[i].read_bits = use.read_bits[i];
        regions[i].written_bits = use.written_bits[i];
        regions[i].pages_used = use.pages[i];
    }
}

void end_noting()
{
    if (!noting_use)
        return;
    note_in(Use());
    noting_use = false;
    for (int i = 0; i < kRegions; i++) { // zeros again
        for (u64 *bits : {own.read_bits[i], own.written_bits[i]})
            if (bits)
                madvise(bits, bytes_of_bits(regions[i]), MADV_DONTNEED);
        if (own.pages[i])
            memset(own.pages[i], 0, bytes_of_pages(regions[i]));
    }
}

// ---- a child's work -----------------------------------------------------------------------------

static u64 size_of_packed()
{
    u64 bytes = kPackedCounts;
    for (const Words &w : words)
        if (w.region != kArena)
            bytes += (w.end - w.begin) * 5;
    return bytes;
}

// Calls do_it(region, first word, bits) for each 64 words, in the arena or elsewhere, of which
// something has been written.
template <class F> static void for_each_written(const Use &use, bool in_arena, F do_it)
{
    for (const Words &w : words)
        for (u64 i = w.begin / 64; i < w.end / 64 && (w.region == kArena) == in_arena; i++)
            if (!(use.pages[w.region][64 * i / kPageOfBits] & kWrite))
                i |= kPageOfBits / 64 - 1;
            else if (const u64 bits = use.written_bits[w.region][i])
                do_it(regions[w.region], 64 * i, bits);
}

static void put_words(char *memory, u8 *meta, const char *from, const u8 *meta_from, u64 bits)
{
    // A page of a file that is read first brings its neighbours along, as one that is written first
    // does not.
    if ((u64)memory % 4096 == 0 || bits != ~0ull)
        (void)*(volatile const char *)memory;
    if (bits == ~0ull) {
        memcpy(memory, from, 256);
        if (memcmp(meta, meta_from, 64) != 0)
            memcpy(meta, meta_from, 64);
        return;
    }
    for (; bits; bits &= bits - 1) {
        const int k = __builtin_ctzll(bits);
        memcpy(memory + 4 * k, from + 4 * k, 4);
        meta[k] = meta_from[k];
    }
}

static int stage_of(const int &stage) { return __atomic_load_n(&stage, __ATOMIC_ACQUIRE); }

[[noreturn]] static void hand_over()
{
    Result &result = *myself->result;
    for (int i = 0; i < 6; i++)
        result.sums[i] = launch_now.*sums[i] - result.sums[i];
    result.counts = pack_counters(myself->packed, kPackedCounts);
    if (!result.counts)
        _exit(1);
    char *to = myself->packed + result.counts;
    for_each_written(myself->use, false, [&to](const Region &r, u64 first, u64) {
        memcpy(to, r.begin + 4 * first, std::min<u64>(256, r.size - 4 * first));
        memcpy(to + 256, r.meta + first, 64);
        to += 320;
    });
    result.processor = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    __atomic_store_n(&result.stage, kComplete, __ATOMIC_RELEASE);
    tell_news();
    for (u32 known = news(); stage_of(result.allowed) != kPutBack; known = news())
        wait_for_news(known);
    for_each_written(myself->use, true, [](const Region &r, u64 first, u64 bits) {
        put_words(parents_arena + 4 * first, (u8 *)parents_arena + kArenaSize + first,
                  r.begin + 4 * first, r.meta + first, bits);
    });
    __atomic_store_n(&result.stage, kPutBack, __ATOMIC_RELEASE);
    tell_news();
    _exit(0);
}

static void take_over(const Child &child)
{
    unpack_counters(child.packed);
    for (int i = 0; i < 6; i++)
        launch_now.*sums[i] += child.result->sums[i];
    const char *from = child.packed + child.result->counts;
    for_each_written(child.use, false, [&from](const Region &r, u64 first, u64 bits) {
        put_words(r.begin + 4 * first, r.meta + first, from, (const u8 *)from + 256, bits);
        from += 320;
    });
}

// Has one process written a word of these that another has used? It does not read untouched bits:
// reading would allocate memory for them.
static bool apart(const std::vector<const Use *> &all, int region, u64 first, u64 end)
{
    u64 read[kPageOfBits / 64] = {}, written[kPageOfBits / 64] = {}, common = 0;
    const u64 count = (end - first) / 64;
    for (const Use *use : all) {
        const u8 flags = use->pages[region][first / kPageOfBits];
        const u64 *its_read = use->read_bits[region] + first / 64,
                  *its_written = use->written_bits[region] + first / 64;
        for (u64 i = 0; i < count && (flags & kRead); i++)
            common |= its_read[i] & written[i];
        for (u64 i = 0; i < count && (flags & kWrite); i++) {
            common |= its_written[i] & (read[i] | written[i]);
            written[i] |= its_written[i];
        }
        for (u64 i = 0; i < count && (flags & kRead); i++)
            read[i] |= its_read[i];
    }
    return common == 0;
}

static bool all_apart()
{
    std::vector<const Use *> of_page;
    for (const Words &w : words)
        for (u64 first = w.begin; first < w.end;) {
            const u64 page = first / kPageOfBits, end = std::min(w.end, (page + 1) * kPageOfBits);
            int flags = own.pages[w.region][page];
            of_page.clear();
            if (flags)
                of_page.push_back(&own);
            for (const Child &child : children)
                if (const u8 its = child.use.pages[w.region][page]) {
                    flags |= its;
                    of_page.push_back(&child.use);
                }
            if ((flags & kWrite) && of_page.size() > 1 && !apart(of_page, w.region, first, end))
                return false;
            first = end;
        }
    return true;
}

// ---- children -----------------------------------------------------------------------------------

// The signals of the terminal end a child; only the parent runs the program's handlers.
static void restore_signals(const sigset_t &before)
{
    for (int s = 1; s < NSIG; s++) {
        struct sigaction action;
        const bool ours = s == SIGSEGV || s == SIGBUS || s == SIGFPE || s == SIGURG;
        if (!ours && sigaction(s, nullptr, &action) == 0 && action.sa_handler != SIG_DFL &&
            action.sa_handler != SIG_IGN) {
            action.sa_handler = SIG_DFL;
            action.sa_flags = 0;
            sigaction(s, &action, nullptr);
        }
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

static u64 bytes_of_child() { return bytes_of_use() + size_of_packed(); }

// Before the first process is started, since a child may start others, which the parent must also
// notice.
static bool prepare_children(u64 count)
{
    const u64 before = children.size();
    while (children.size() < count) {
        char *memory = (char *)map(bytes_of_child(), MAP_SHARED);
        if (!memory)
            break;
        children.push_back(
            // there is room: they stay there
            {false, &results[children.size()], Use(), nullptr, memory});
        lay_out(children.back().use, memory);
        children.back().packed = memory;
    }
    return children.size() > before;
}

static void unmap(Child &child)
{
    if (child.memory)
        munmap(child.memory, bytes_of_child());
    child.memory = nullptr;
}

static void become(Child &child, pid_t parent)
{
    if (getppid() != parent || !begin_stamps())
        _exit(1);
    for (Child &other : children)
        if (&other != &child)
            unmap(other);
    note_in(child.use);
    begin_counters_of_part();
    begin_patience();
    for (int i = 0; i < 6; i++)
        child.result->sums[i] = launch_now.*sums[i];
    restore_signals(signals_before);
}

static pid_t pid_of(const Child &child)
{
    return __atomic_load_n(&child.result->pid, __ATOMIC_ACQUIRE);
}

static void forget_never_started()
{
    for (size_t i = children.size(); i-- > 0;)
        if (pid_of(children[i]) == kNever) {
            unmap(children[i]);
            children.erase(children.begin() + (long)i);
        }
}

static void forget_children()
{
    std::vector<pid_t> ours;
    // the process that has started it comes before it, and starts no more
    for (Child &child : children) {
        const pid_t pid = pid_of(child);
        if (pid > 0)
            ours.push_back(pid);
        if (pid > 0 && !child.ended) {
            kill(pid, SIGKILL);
            while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
        }
        unmap(child);
    }
    if (results)
        munmap(results, processes * sizeof *results);
    results = nullptr;
    // The program must not notice the end of processes that it has not started.
    sigset_t ends;
    siginfo_t info;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    const timespec now = {0, 0};
    if (!sigismember(&signals_before, SIGCHLD) && sigtimedwait(&ends, &info, &now) == SIGCHLD &&
        std::find(ours.begin(), ours.end(), info.si_pid) == ours.end())
        raise(SIGCHLD); // of another one
    sigprocmask(SIG_SETMASK, &signals_before, nullptr);
    children.clear();
    shared_out = false;
    end_noting();
}

void take_back(Part &mine, u64 blocks)
{
    if (!shared_out || myself)
        return;
    launch_now.one_core = true;
    forget_children();
    mine.end = blocks;
}

// All children have reached this stage. One that is silent for long may be in an endless loop.
static bool all_are_at(Stage stage)
{
    double heard = clock_seconds(CLOCK_MONOTONIC);
    u64 last_sum = 0;
    bool any_news = true;
    for (;;) {
        const u32 known = news();
        bool complete = true;
        u64 sum = 0;
        for (Child &child : children) {
            const pid_t pid = pid_of(child);
            const bool done = stage_of(child.result->stage) >= stage || pid == kNever;
            sum += child.result->step;
            complete &= done;
            if (stage_of(child.result->stage) == kGaveUp)
                return false;
            if (done || pid == 0 || any_news || waitpid(pid, nullptr, WNOHANG) == 0)
                continue;
            child.ended = true;
            if (stage_of(child.result->stage) < stage)
                return false;
        }
        if (complete)
            return true;
        if (sum != last_sum)
            heard = clock_seconds(CLOCK_MONOTONIC);
        last_sum = sum;
        if (stage == kComplete && clock_seconds(CLOCK_MONOTONIC) - heard > settings.patience + 1)
            return false;
        any_news = wait_for_news(known);
    }
}

// A child: the next blocks, a part of its share of those that are left. When all is checked a piece
// costs more, since different pages of the shadow are touched.
static bool take_blocks(Part &mine, u64 blocks)
{
    u64 first = __atomic_load_n(&board->next_block, __ATOMIC_RELAXED), count;
    do {
        count = std::min(blocks - first, std::max(board->few, (blocks - first) / processes *
                                                                  (fast_launch ? 2 : 3) / 4));
    } while (!__atomic_compare_exchange_n(&board->next_block, &first, first + count, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    mine = {first, first + count};
    return count > 0;
}

// As fork(), but in a child: a process of the same parent, which waits for it. Its number is stored
// before anybody can end the process that starts it.
static pid_t fork_beside(int *pid)
{
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | CLONE_PARENT_SETTID | SIGCHLD, nullptr, pid,
                          nullptr, nullptr);
}

// Starts children number `first` to `end` - 1, and returns in all of them. Starting them one after
// another would take time in proportion to their number, so each starts half of the rest of the
// process that has started it.
static void start(u64 first, u64 end)
{
    const pid_t parent = getpid();
    while (first < end) {
        const u64 half = first + (end - first + 1) / 2;
        int *pid = &results[first].pid;
        const pid_t started = myself ? fork_beside(pid) : fork();
        if (started == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            myself = &children[first++];
            end = half;
            continue;
        }
        if (!myself)
            __atomic_store_n(pid, started, __ATOMIC_RELEASE);
        for (; first < half; first++)
            if (started < 0)
                __atomic_store_n(&results[first].pid, kNever, __ATOMIC_RELEASE);
    }
    if (myself)
        become(*myself, parent);
}

// Calls it with signals blocked, and without the parts that a child does not need.
template <class F> static void start_some(F start)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    leave_stamps_to_children(false);
    leave_host_blocks_to_children(false);
    start();
    if (myself)
        return;
    leave_stamps_to_children(true);
    leave_host_blocks_to_children(true);
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

void bring_together(Part &mine, u64 blocks)
{
    if (!shared_out || mine.next < mine.end)
        return;
    if (myself) {
        if (!take_blocks(mine, blocks))
            hand_over();
        return;
    }
    const double end_of_part = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    // A last child for the parent's core. But if the parent has done something at which a child
    // must give up, the child would inherit the permission.
    if (!launch_now.one_core && children.size() < processes &&
        __atomic_load_n(&board->next_block, __ATOMIC_RELAXED) < blocks)
        start_some([] {
            if (prepare_children(children.size() + 1))
                start(children.size() - 1, children.size());
        });
    if (myself) {
        bring_together(mine, blocks);
        return;
    }
    end_patience();
    const bool complete = all_are_at(kComplete);
    begin_patience();
    if (!complete || !all_apart()) {
        tell(complete ? "parts use the same memory: again, on one core"
                      : "a part needs the order: again, on one core");
        take_back(mine, blocks);
        return;
    }
    forget_never_started();
    for (const Child &child : children)
        __atomic_store_n(&child.result->allowed, kPutBack, __ATOMIC_RELEASE);
    tell_news();
    double slowest = 0;
    for (Child &child : children) {
        take_over(child);
        slowest = std::max(slowest, child.result->processor);
        unmap(child); // so that the child gives it back when it ends, beside the others
    }
    if (!all_are_at(kPutBack)) {
        fprintf(stderr,
                "kernel %s: a process that ran a part of its blocks has been ended from outside\n",
                launch_now.kernel.c_str());
        exit(2);
    }
    const size_t others = children.size();
    const u64 first = mine.end;
    forget_children();
    char text[200];
    snprintf(text, sizeof text,
             "blocks from %llu on were run by %zu more processes; seconds of the processor: %.3f "
             "before, %.3f here, %.3f in "
             "the slowest of them, %.3f to bring all together",
             (unsigned long long)first, others, begin_of_part - begin_of_launch,
             end_of_part - begin_of_part, slowest,
             clock_seconds(CLOCK_THREAD_CPUTIME_ID) - end_of_part);
    tell(text);
}

// ---- whether to share, and among how many -------------------------------------------------------

// Cores that have nothing to do just now: beside other work (make -j, ctest -j) more processes
// would be no gain.
static int idle_cores()
{
    int running = 0;
    double load[3];
    FILE *f = fopen("/proc/loadavg", "r");
    const bool known =
        f && fscanf(f, "%lf %lf %lf %d", &load[0], &load[1], &load[2], &running) == 4;
    if (f)
        fclose(f);
    return known ? std::max(0, (int)sysconf(_SC_NPROCESSORS_ONLN) - running) : 0;
}

static int ranks_of_mpi()
{
    for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
        if (const char *value = getenv(name))
            return atoi(value);
    return 1;
}

// That this process may use at all
static int most_cores()
{
    if (settings.cores)
        return settings.cores;
    if (ranks_of_mpi() > 1)
        return 1; // they share the cores already
    cpu_set_t mask;
    const int allowed = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1,
              quota = cores_of_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    return quota ? std::min(allowed, quota) : allowed;
}

static int cores_now()
{
    static const int most = most_cores();
    return settings.cores ? most : std::min(most, 1 + idle_cores());
}

// A child has the calling thread alone, and locks that another one held would stay locked. One more
// thread is ours (grid.cpp).
static bool single_threaded()
{
    int threads = 0;
    DIR *d = opendir("/proc/self/task");
    while (const dirent *entry = d ? readdir(d) : nullptr)
        threads += entry->d_name[0] != '.';
    if (d)
        closedir(d);
    return threads > 0 && threads <= 2;
}

static void start_children(Part &mine, u64 blocks)
{
    const u64 left = blocks - mine.next;
    children.reserve(processes); // one more than now
    mine.end = mine.next + std::max<u64>(1, left * 3 / 4 / processes);
    board->next_block = mine.end;
    board->few = std::max<u64>(1, left / processes / (fast_launch ? 32 : 8));
    shared_out = launch_now.spread = true;
    sigset_t end_of_child;
    sigemptyset(&end_of_child);
    sigaddset(&end_of_child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &end_of_child, &signals_before);
    results = (Result *)map(processes * sizeof *results, MAP_SHARED);
    if (results && prepare_children(processes - 1))
        start_some([] { start(0, children.size()); });
    if (myself) {
        mine.next = mine.end;
        return;
    }
    if (std::none_of(children.begin(), children.end(),
                     [](const Child &c) { return pid_of(c) > 0; })) {
        take_back(mine, blocks);
        return;
    }
    begin_of_part = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

// blocks with which the launch begins, on one core: in a launch by sample they decide
const u64 kFirst = 9;
const double kLongBlocks = 1e-3; // seconds that show as much where they do not
const double kPartSeconds = 0.1; // that a part should take

void begin_noting(u64 blocks)
{
    static const bool possible = most_cores() > 1 && arena_has_a_file() && map_use(own) &&
                                 (parents_arena = map_arena_of_parent()) &&
                                 (board = (Board *)map(sizeof *board, MAP_SHARED));
    if (!possible || !arena_has_a_file() || launch_now.one_core || blocks <= kFirst)
        return;
    note_in(own);
    noting_use = true;
    fast_launch = settings.fast;
}

void share_out(Part &mine, u64 blocks)
{
    static u64 ask;
    static double begin;
    if (!noting_use || shared_out)
        return;
    if (mine.next == 1) {
        begin = clock_seconds(CLOCK_MONOTONIC);
        begin_of_launch = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
        ask = fast_launch ? 2 : kFirst;
    }
    if (mine.next == 0 || mine.next != ask)
        return;
    ask *= 2;
    const double past = clock_seconds(CLOCK_MONOTONIC) - begin,
                 left = past / (double)(mine.next - 1) * (double)(blocks - mine.next);
    if (mine.next < kFirst - 1 && past < kLongBlocks && settings.worth_sharing > 0)
        return;
    if (mine.next >= kFirst - 1 && left < settings.worth_sharing / 2)
        end_noting();
    if (left < settings.worth_sharing)
        return;
    processes = std::min((u64)cores_now(), blocks - mine.next);
    if (settings.worth_sharing > 0)
        processes = std::min(processes, 1 + (u64)(left / kPartSeconds));
    words = words_in_use();
    if (processes < 2 || !single_threaded() || !memory_is_ample(words))
        return;
    start_children(mine, blocks);
}

u64 processes_now() { return myself ? 0 : shared_out ? processes : 1; }

void child_is_alive()
{
    if (myself)
        myself->result->step = launch_now.step;
}

} // namespace emulated
