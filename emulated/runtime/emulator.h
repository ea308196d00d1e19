// emulator.h: the data that the parts of the emulated device share.
//
//   fiber      a stack and a context switch for each thread of a block
//   hooks      called by the instrumented code at each load, store, atomic and branch
//   warp       which lanes run next; warp and block barriers
//   flow       which of two lanes is behind the other in the control flow
//   grid       a kernel launch: blocks one after another, or by turns if they wait for each other
//   patience   detects endless kernels
//   cores      parts of a long launch in processes of their own
//   cluster    clusters of blocks: their barrier, and the shared memory of other blocks
//   memory     allocations, and the shadow of each 4-byte word
//   read_only  memory that __ldg() reads must not be written in the same launch
//   access     the checks of one request: bounds, initialisation, races
//   order      happens-before: fences, atomics, barriers
//   counters   sectors, banks, branches
//   distinct   the distinct sectors that a launch touches
//   times      what a model of a GPU's time needs to know (time_model.h)
//   findings   mistakes, each reported once and counted
//   causes     the mistake in the program that explains them
//   source     source lines of instructions, names of variables
//   api_*      the CUDA runtime calls
#ifndef EMULATED_EMULATOR_H
#define EMULATED_EMULATOR_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"

namespace emulated
{

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef const void *Pc; // a return address in instrumented code

// The lower end of the caller's frame. On aarch64 the frame pointer is that of the function itself.
#if defined __aarch64__
#define EMULATED_FRAME ((emulated::u64)__builtin_dwarf_cfa())
#else
#define EMULATED_FRAME ((emulated::u64)__builtin_frame_address(0))
#endif

// Objects that must exist before the program's own constructors run, and outlive its exit handlers.
#define EMULATED_EARLY __attribute__((init_priority(101)))

const int kWarp = 32;

// The kind of an access. An atomic reads and writes. kCompare: an atomic that may leave the value
// unchanged (compare-and-swap, minimum, maximum). "Strong" accesses (atomic, volatile) never race
// with each other. kPart: part of a structure, which may be uninitialised: padding, or a member
// that nobody uses.
enum : u8 {
    kRead = 1,
    kWrite = 2,
    kAtomic = 4,
    kVolatile = 8,
    kCompare = 16,
    kPart = 32,
    kSwap = 64,     // compare-and-swap
    kInteger = 128, // an atomic whose operands a warp can combine: a sum, an extreme, bits
    kStrong = kAtomic | kVolatile
};
// Lane::strong. kSpin: an atomic or volatile access. kLook: in global memory. kPoll: to the same
// address as the one before it, with no other read in between.
enum : u8 { kSpin = 1, kLook = 2, kPoll = 4 };
enum Space : u8 { kGlobal, kShared, kConstant };

// ---- settings, read from the environment once ---------------------------------------------------
struct Settings {
    bool fast;           // no counters, no race or initialisation checks
    u64 sample;          // steps after which only samples of a launch are checked; 0: never
    bool profile;        // table of counters at exit
    bool profile_source; // the same as a listing of the source
    bool findings_fatal;
    const char *counters_file, *findings_file, *trace_file, *times_file; // NULL: do not write
    int device_count;
    int compiled_for;                   // the compute capability asked for, such as 700; 0: any
    enum { early, late, random } order; // in which streams, blocks and warps run
    u64 seed;
    u64 memory;           // bytes that the process should not exceed
    double patience;      // seconds without progress after which a kernel is ended
    double limit;         // seconds that a kernel may take; 0: any
    int cores;            // that the blocks of a launch may use; 0: those that are idle
    double worth_sharing; // expected seconds of a launch from which it uses several cores
    bool tell_cores;      // print the decision on stderr
    cudaDeviceProp device;
};
extern Settings settings;
u64 random_below(u64 n); // from the seed of CUDA_EMULATED_ORDER=random:SEED

// ---- threads, warps, blocks ---------------------------------------------------------------------
struct Warp;
struct Block;
struct Cluster;
struct Order;  // order.cpp
struct Copies; // async.cpp
struct Site;

enum State : u8 {
    kNew,
    kRunning,
    kAtBlockBarrier,
    kAtWarpBarrier,
    kAtGridBarrier,
    kAtClusterBarrier,
    kAtNamedBarrier,
    kDone
};
enum WarpOperation : u8 {
    kShuffleIndex,
    kShuffleUp,
    kShuffleDown,
    kShuffleXor,
    kVote,
    kMatch,
    kMeet
};

const int kPathLength = 16; // basic blocks that a lane may enter before it must stop
const int kLoops = 8;       // loops whose iterations a lane counts
struct Trace;               // lockstep.h

struct Stop { // where a lane is: about to make an access, or waiting
    Pc pc;    // NULL before its first access
    u64 address;
    u64 depth; // bytes of its stack in use: the deepest call runs first
    u32 bytes;
    u8 flags; // of that access, 0 when it stopped for another reason
    State state;
    bool on_its_way; // stopped after many basic blocks, not for an access
};

// The members are ordered for the cache: three lines hold what every thread needs.
struct alignas(64) Lane : Stop { // the base is how far its warp has been simulated
    void *stack_pointer;         // saved while the lane does not run
    char *stack_top;             // NULL when it has ended and another has taken over its stack
    Trace *trace;                // its path and accesses since it was last resumed
    u8 index;                    // 0..31 within the warp
    u8 slot;                     // its number among the lanes that run together
    bool straight;               // no branch since the read that it last stopped for
    bool watching;               // compare the value before and after its next store
    u8 last_flags;               // of the last access
    u8 strong;                   // kSpin, kLook, kPoll
    u8 reads_noted;              // valid elements of reads[], at most 4
    u8 next_read;

    Stop stopped;   // where it really is
    u16 row, rows;  // of its trace: the next row, and the number of its own rows
    int own_length; // length of its own path; in fast mode: strong accesses
    const Pc *way;  // how far it has followed the path of its trace
    uint3 id;
    u32 thread; // linear index within the block

    Pc block_now;   // the basic block before those of its path
    const Pc *path; // basic blocks between the previous stop and this one
    int path_length;
    u32 last_wait; // when it last ran, in waits of its warp
    u64 last_step; // the same in steps of the device
    Warp *warp;
    u64 last_read; // address of its last plain load in global memory
    // address of its last atomic or volatile access, and last_read then
    u64 polled, read_before_poll;

    Order *order;   // NULL until it makes a fence or acquires another thread's release
    Copies *copies; // its pending asynchronous copies; NULL: none yet
    struct {
        u64 address;
        u16 site;
    } reads[4]; // its last four plain loads
    Pc own_path[kPathLength + 1];
    struct {
        int loop; // flow.cpp
        u32 times;
    } loops[kLoops]; // iterations of each since the warp diverged
    u8 loops_known;
    // at a barrier or warp operation
    int wait_line;
    Pc wait_pc;
    u32 mask;
    WarpOperation operation;
    int argument, width;
    u64 value, result;
    // barriers of its cluster that it has waited for, and whether it has arrived at the next one
    u32 cluster_phase;
    bool arrived;
    u32 fenced;  // the first interval after its last fence
    u32 proxied; // the same of fence.proxy.async
};

struct Wait { // for loads that do not need each other's results (times.cpp)
    struct {
        u16 site;
        u64 address; // of its first lane
    } loads[4];      // the first of them, at different places
    int count, rounds;
    int first;    // of these in a loop, if `looping`
    bool looping; // the first load of a loop has come again
    bool open, indirect, far;
    bool loading;    // no store since its last load
    u16 looked;      // the place where it has just looked whether a barrier's phase has ended
    bool strong;     // it was an atomic or volatile access
    bool step;       // the loop around them goes on by small steps
    u32 waits, fars; // since the last barrier
    u64 fenced;      // the step in which one of its lanes made a fence
    u64 arrived;     // and the one in which it found a copy that it had waited for
};

struct Warp {
    Lane *lanes;
    int count, live;
    u32 index;
    Block *block;
    u32 epoch;    // warp-wide synchronisations since the last block barrier
    u32 interval; // id of the current interval, 0 when the next access must begin one
    u32 spins;    // steps that made strong accesses
    u32 waits;    // iterations of spin loops that changed nothing while others waited
    u64 progress; // of the launch at the end of the last round
    bool strong_in_round;
    int running;   // lanes that could run when its last group was formed
    bool together; // these lanes are all at one place
    bool fresh;    // none of its lanes has begun
    Wait wait;
};

// "Everything that this thread knew by then": all of its block before the last block barrier, all
// of its warp before the last warp barrier, and its own accesses up to `interval`.
struct Known {
    u32 block, warp, lane, epoch, warp_epoch, interval;
    bool block_only; // released by __threadfence_block(): means nothing to other blocks
    bool all;        // true of every thread of the block, up to and including `epoch`
};
typedef std::vector<Known> Clock;
typedef std::shared_ptr<const Clock> ClockPointer;

struct NamedBarrier { // bar.sync and bar.arrive with a number, or the barrier of a tile of warps
    int number;
    u32 threads, arrived; // of this turn
    u32 turn;
    std::vector<Known> came; // by arrival
    ClockPointer observed, seen, known;
};

struct Block {
    uint3 id;
    u32 linear;
    u32 epoch; // block barriers passed
    u32 born;  // its first possible interval
    u32 since; // the first interval after its last barrier
    std::vector<Lane> lanes;
    std::vector<Warp> warps;
    uint3 shape; // for which `lanes` is set up
    std::vector<NamedBarrier> named;
    int live;
    u64 steps; // of its warps so far
    bool started;
    std::vector<char> saved_shared, saved_dynamic; // while another block runs
    std::vector<char> saved_shadow[2];
    Cluster *cluster; // NULL: it is alone in it
    u32 rank;         // in its cluster
    u32 window;       // where the others see its shared memory (cluster.cpp)
    u32 together;     // the first interval after the last barrier of its cluster
};

// ---- the launch that runs now -------------------------------------------------------------------
struct Launch {
    std::string kernel;            // its name as the programmer wrote it
    Pc place;                      // of the launch itself
    uint3 grid, block, cluster;    // cluster: in blocks
    u32 cluster_blocks;            // in all
    size_t dynamic_shared, shared; // bytes; the latter with those of its variables
    void (*thunk)(void *);
    void *arguments;
    size_t arguments_size;
    bool cooperative;
    int device;     // that runs it
    bool elsewhere; // there are devices whose memory it must not use
    bool killed;    // an error ended the kernel
    bool again;     // before it had begun: it is to be launched with another cluster
    // lanes run in lockstep from their first access, since they used each other's data
    bool careful;
    bool one_core; // the order of its blocks may matter
    bool in_turns; // a block has waited for others
    bool spread;   // parts of it ran in other processes, whose stamps are lost
    cudaError_t error;
    u64 strays;   // accesses outside all arrays
    u64 progress; // counts changes that another thread could wait for
    u64 visible;  // counts changes that another block could wait for
    u64 ended;    // threads
    u64 polls;    // atomic and volatile reads of global memory; suspicious ones count more
    u64 printed;  // bytes in printf()'s buffer, about
    u64 step;
    // steps that clock() skipped while all blocks waited, see run_blocks()
    u64 leapt;
    // sampling: one block in `every` is checked, and how many were so far
    u64 every, checked;
    u32 first_interval;          // older ones belong to earlier launches or precede a grid barrier
    u64 stride, offset;          // the random order of blocks
    u32 resident_limit;          // blocks that the device holds at once
    Pc entry;                    // its first basic block, once it runs
    u64 shared_low, shared_high; // range of static shared memory in use, as addresses
};
extern Launch launch_now;
// A launch's arguments as words of 8 bytes: whether one is a pointer, its value tells.
std::vector<u64> words_of(const void *arguments, size_t bytes);
extern u64 launch_count;
extern Lane *current; // the lane that runs, NULL in host code

void run_kernel(Launch &launch); // grid.cpp
struct Bounds {                  // what a kernel says of its launches; zeros: nothing
    u32 threads, blocks;
    uint3 cluster;
};
Bounds bounds_of(u64 code); // source.cpp: of the function there
bool is_kernel(u64 code);   // also if nobody can tell, in a shared library
// grid.cpp: reports that blocks wait for others that cannot begin
bool report_full_device();
// warp.cpp: false when its turn ended, though it could continue
bool run_warp(Warp &warp);
bool release_block(Block &block);            // warp.cpp: releases a complete block barrier
bool release_named(Block &block);            // likewise, those with a number
[[noreturn]] void leave_forever(Lane *lane); // warp.cpp: a killed kernel's lane never runs again
// All lanes of the warp wait for each other, without memory ordering. Returns the lanes that came
// to the same place.
u32 meet_warp(const char *call, u64 value, Pc pc); // warp.cpp
void kill_kernel(cudaError_t error);

// ---- patience -----------------------------------------------------------------------------------
void begin_patience();
void end_patience();
bool out_of_patience(Pc pc, Lane *lane); // reads the clock, and ends the kernel if it took too long
void interrupted(Lane *lane, Pc pc);     // no progress for too long
// Ends the program if all blocks would take longer than the limit.
void end_if_too_long(u64 done, u64 blocks, u64 processes);
extern bool watches_loop;                   // call is_back() after each step of a warp:
bool is_back(const Warp &warp, Lane *lane); // ends the kernel if it is in a loop without end
extern bool suspicious; // the launch looks endless: note the memory that it touches
void note_touched(const Lane *lane, const u64 *addresses, int count);
class Rounds
{ // of a graph's loop
    struct Looks;
    Looks *l_;

  public:
    Rounds();
    ~Rounds();
    Rounds(const Rounds &) = delete;
    Rounds &operator=(const Rounds &) = delete;
    std::string never_end(); // call before each iteration; why the loop is endless, or ""
};

// ---- clusters (cluster.cpp) ---------------------------------------------------------------------

struct Stamp;
struct Cluster {
    std::vector<Block *> blocks; // by rank
    size_t ended = 0;
    u32 threads, arrived = 0; // those that have not ended; of them, those at the next barrier
    u32 phase = 0;            // barriers that are complete
    // The last barriers, by phase % 3: the first intervals after the first arrival, after the last,
    // and for each thread after its own. Threads between two barriers know the one before
    // the last.
    struct Barrier {
        u32 first, complete;
        std::vector<u32> after;
        ClockPointer observed, seen;
    } barriers[3];
};
void begin_cluster(const std::vector<Block *> &blocks);
bool end_in_cluster(Block &block); // the block has ended; true when all of its cluster have
void end_thread_in_cluster(Lane *lane);
bool release_from_cluster(Block &block);         // those who wait for a barrier that is complete
void enter_block_of_cluster(const Block &block); // what the threads see of their place
Lane *waits_for_cluster(const Block &block);     // one that waits for the barrier, or NULL
bool ordered_by_cluster(const Stamp &earlier, u32 block, const Lane *now);
// Before a request: false, and reported, if it leads to a block that may not have begun, or may
// have ended
bool check_windows(Lane **lanes, const u64 *addresses, int count, u32 bytes, u8 flags, Pc pc);
u64 in_window(const Block &block, u64 address); // where others see that shared memory
u64 from_window(u64 address, Block **owner);    // its place when that block runs
void order_at_cluster_arrival(Lane *lane);
void order_at_cluster_barrier(Lane *lane);
void reserve_windows();
u64 window_bytes();

// ---- several cores (cores.cpp) ------------------------------------------------------------------
struct Part { // the blocks that this process runs, numbered in the order of their start
    u64 next, end;
};
// record which global memory the launch uses, since it may use several processes
extern bool noting_use;
void begin_noting(u64 blocks);
void end_noting();
// While no block is in progress: starts processes for parts of the launch if that pays. Returns in
// each of them, with its own part.
void share_out(Part &mine, u64 blocks);
// At the end of a part. A child does not return; the parent merges the children's results, or takes
// their blocks back.
void bring_together(Part &mine, u64 blocks);
void take_back(Part &mine, u64 blocks); // in the parent: discards the children's results
// Call before anything that reveals the order of blocks, or that a child cannot hand over. In a
// child it does not return; in the parent the launch uses one process from then on.
void stay_on_one_core();
inline void needs_one_core()
{
    if (!launch_now.one_core)
        stay_on_one_core();
}
void child_is_alive();
u64 processes_now(); // that share the launch; 0 in one that the parent has started
// quota.cpp; 0: as many as there are
int cores_of_quota(const std::string &groups, const std::string &mount);

// ---- fibers -------------------------------------------------------------------------------------
extern char *stacks_begin;
extern u64 stacks_size, stack_size;
char *new_stack();
void free_stack(char *top);
void set_stack_size(u64 bytes);   // of later kernels
const u64 kMostStack = 512 << 10; // that cudaDeviceSetLimit() gives
void forget_stacks();             // after a killed kernel: all stacks are free again
void prepare_fiber(Lane &lane, void (*entry)());
extern "C" void emulated_switch(void **save, void *to);
inline bool on_fiber(u64 address) { return address - (u64)stacks_begin < stacks_size; }
inline bool on_stack_of(const Lane *lane, u64 frame)
{
    return (u64)lane->stack_top - frame < stack_size - 4096;
}

// ---- memory -------------------------------------------------------------------------------------

// One per 4-byte word: its last writer and reader. `who` is the lane (5 bits), kStrongBit, and the
// number of readers in that interval's launch (kSeveral...).
struct Stamp {
    u32 interval;
    u16 site;
    u8 who;
    u8 bytes; // mask of the bytes concerned
};
enum : u8 {
    kLaneBits = 31,
    kStrongBit = 32,
    kSeveralLanes = 64,
    kSeveralWarps = 128,
    kSeveral = 192
};
// (both kSeveral bits: several blocks)
struct Cell {
    Stamp write, read;
};
// A word whose bytes are used by different threads has a cell for each byte (Region::byte_cells).
// Its own cell then has kSplit as the interval of its write, and the last interval that used it as
// that of its read.
const u32 kSplit = ~0u;

// Most words are used by a whole warp at a time, 32 consecutive ones. One row then replaces 32
// cells, until the words are used in any other way in the same launch.
const u64 kRow = 32;
struct Row32 {
    Stamp write, read; // of the first word; that of word i has lane i
    u32 opened;        // first interval of the launch in which the cells replace the row
};

struct Region {
    char *begin;
    u64 size;
    Cell *cells;
    Cell *byte_cells; // four per word, for the words that are split
    Row32 *rows;      // one for kRow words; NULL in shared memory
    // one per word: low nibble, initialised bytes; high nibble, bytes that may be accessed
    u8 *meta;
    Space space;
    const char *name;
    bool any_split;
    u64 *read_bits, *written_bits; // one bit per word while use is recorded; otherwise NULL
    u8 *pages_used;                // then: kRead, kWrite, for each kPageOfBits words
};
enum {
    kArena,
    kStaticShared,
    kDynamicShared,
    kDeviceVariables,
    kConstants,
    kManagedVariables,
    kWindows, // shared memory as the other blocks of a cluster see it
    kRegions
};
extern Region regions[kRegions];

struct Allocation {
    u64 offset, size;
    enum Kind { device, pinned, managed, heap } kind; // heap: malloc() in a kernel
    int owner;                                        // device ordinal
    Pc place;                                         // of the call that made it
    bool freed;
    const char *name; // of the pointer that it was stored in, if known
    u32 element;      // bytes of what that points to
    u64 pitch;        // bytes from row to row, of cudaMallocPitch(), or 0
    bool of_graph;    // belongs to a graph: freed and allocated again at the same address
    Pc freed_at = nullptr;
};

#ifndef EMULATED_ARENA_UNIT // bytes; tests/emulated/arm.sh has fewer, since qemu records each page
#define EMULATED_ARENA_UNIT (1ull << 30)
#endif
// The arena: memory of cudaMalloc(), the device's heap, pinned and managed memory
const u64 kHeapPart = 20 * EMULATED_ARENA_UNIT, kDevicePart = 24 * EMULATED_ARENA_UNIT,
          kArenaSize = 32 * EMULATED_ARENA_UNIT;

// Reserves address space, of which only touched pages become memory. Ends the program if there is
// none for `what`.
void *reserve(u64 bytes, const char *what);
void memory_init();
// For each 512 bytes of device memory: 1 + the device that owns it; 0: any device. NULL: there is
// one device.
extern u8 *owners;
void note_owners();              // from here on, if there are several devices
inline int owner_of(u64 address) // -1: no device alone
{
    const u64 offset = address - (u64)regions[kArena].begin;
    return owners && offset < kDevicePart ? owners[offset / 512] - 1 : -1;
}
inline bool in_arena(u64 address) { return address - (u64)regions[kArena].begin < kArenaSize; }
inline Region *region_of(u64 address)
{
    if (in_arena(address))
        return &regions[kArena];
    for (int i = 1; i < kRegions; i++)
        if (address - (u64)regions[i].begin < regions[i].size)
            return &regions[i];
    return nullptr;
}
inline bool device_only(u64 address) { return address - (u64)regions[kArena].begin < kDevicePart; }
inline bool is_shared(u64 address)
{
    return address - (u64)regions[kStaticShared].begin < regions[kStaticShared].size ||
           address - (u64)regions[kDynamicShared].begin < regions[kDynamicShared].size;
}
inline bool is_window(u64 address)
{
    return address - (u64)regions[kWindows].begin < regions[kWindows].size;
}
inline void changed(u64 address) // a thread has written there
{
    launch_now.progress++;
    launch_now.visible += device_only(address) || !is_shared(address);
}
// constants of the executable, registered host memory
bool readable_by_kernels(u64 address, u32 bytes);
bool registered_host(u64 address);
void register_host(void *p, size_t n, bool add);
enum : u8 { kInitialised = 0x0f, kAddressable = 0xf0 };
u64 page_size(); // of the host: 4 KB, on aarch64 16 or 64 KB, too
void make_region(int i, char *begin, u64 bytes, Space space, const char *name, u8 *meta = nullptr);
void mark(Region &region, u64 offset, u64 bytes, u8 set, u8 clear);
// If this is the first copy to a constant, has no initialiser, and leaves a rest, which then counts
// as unwritten: a kernel that reads it hardly means the zeros there.
bool leave_rest_unwritten(u64 to, u64 bytes);
u64 copy_initialised(u64 to, u64 from, u64 bytes); // the first byte without a value, or `bytes`
Allocation *array_of_site(u16 site); // that it has used in this launch, if only one; or NULL
bool is_used_in_launch(u64 address); // of device memory
bool is_read_by_blocks(u64 address);
u16 last_writer(u64 address);     // the site in a kernel; 0: none, or that is not known
bool is_fresh_again(u64 address); // made so after an earlier run, see emulatedMakeFresh()
// marks the bytes of page-locked and managed memory that the host has written by now
void learn_host_writes(u64 address, u64 bytes);
void *allocate(size_t bytes, Allocation::Kind kind, Pc place); // NULL: not enough
void *allocate_heap(u64 bytes, Pc place);                      // likewise
// heap.cpp: malloc() and free() in a kernel, and cudaMalloc() and cudaFree() there, as on a GPU
void *new_on_device(u64 size, Pc pc);
void free_on_device(void *p, Pc pc, bool by_cuda = false);
extern u64 heap_limit;
extern bool heap_is_used; // since the device was reset: its size is fixed
extern bool heap_is_full; // malloc() has failed in this launch
// heap.cpp: malloc() or new of the host, if known
bool host_block_around(u64 address, u64 *begin, u64 *size);
void leave_host_blocks_to_children(bool leave); // heap.cpp: when the process forks
// that starts there, live or freed; else NULL
Allocation *allocation_at(const void *p);
bool is_variable(u64 address);
bool is_managed(u64 address);                   // memory of the host and the device
Allocation *allocation_around(u64 address);     // the nearest at or below in the arena; else NULL
void release(Allocation &allocation, Pc place); // where it is freed
void allocate_again(Allocation &allocation);
u64 device_bytes_in_use(int device);
void free_everything(int device); // cudaDeviceReset
void open_row_now(const Region &r, u64 row);
inline void open_row(const Region &r, u64 word) // before anybody looks at its cell
{
    if (r.rows && r.rows[word / kRow].opened != launch_now.first_interval)
        open_row_now(r, word / kRow);
}
// not in the heap, which is allocated within a launch
inline bool may_be_row(const Region &r, u64 word)
{
    return r.rows && word % kRow == 0 && word * 4 - kHeapPart >= kDevicePart - kHeapPart;
}
void forget_stamps();
void leave_stamps_to_children(bool leave); // before a fork: whether the children inherit the stamps
// in a child without stamps: begins new ones; false: no memory
bool begin_stamps();
void stamps_will_be_dense(bool dense);
struct Words { // a part of a region of global memory, by multiples of 64 words
    int region;
    u64 begin, end;
};
std::vector<Words> words_in_use(); // all that kernels may use
bool arena_has_a_file();
char *map_arena_of_parent();
bool memory_is_ample(const std::vector<Words> &words);
// The words that this process uses, while that is recorded
const u64 kPageOfBits = 4096 * 8;
inline void note_words(Region &r, u64 first, u64 count, u8 flags)
{
    u64 *bits = flags & kWrite ? r.written_bits : r.read_bits;
    while (count) {
        const u64 bit = first % 64, n = count < 64 - bit ? count : 64 - bit;
        bits[first / 64] |= ~0ull >> (64 - n) << bit;
        r.pages_used[first / kPageOfBits] |= flags & kWrite ? kWrite : kRead;
        first += n;
        count -= n;
    }
}
inline void note_word(Region &r, u64 word, u32 words, u8 flags) // all within one u64 of bits
{
    u64 &bits = (flags & kWrite ? r.written_bits : r.read_bits)[word / 64];
    const u64 mask = ((1ull << words) - 1) << word % 64;
    if ((bits & mask) != mask) {
        bits |= mask;
        r.pages_used[word / kPageOfBits] |= flags & kWrite ? kWrite : kRead;
    }
}
void note_use(u64 address, u64 bytes, u8 flags);
// forgets the stamps when the process has become too large
void watch_memory();
bool is_of_runtime(u64 address, u32 bytes); // in static shared memory
void shared_memory_here();                  // the calling host thread's static shared memory
void clear_shared();                        // before a block's first run
void save_shared(Block &block);
void restore_shared(Block &block);
void clear_window(const Block &block); // before a block of a cluster begins
void use_static_shared(u64 low, u64 high);
std::string describe(u64 address); // "byte 12 of the 400-byte allocation made at a.cu:7"
// likewise, of an access out of bounds: it may be far from its own array, and near to another
std::string describe_stray(u64 address, u16 site);
std::string foreign_kernel_at(u64 address); // whose shared variable it is, if another's; or ""
std::string describe_wrapped(u64 address);  // behind all arrays, by a wrong index of one; or ""
std::string object_name(u64 address);       // "allocation a.cu:7", "s"
// of the static shared variable at or before an address; 0 if it is none
u64 shared_variable_begin(u64 address);

// ---- access checks ------------------------------------------------------------------------------

// One request of a group of lanes. With `notes`, each lane remembers its plain reads for a
// compare-and-swap that may follow.
void check_request(Lane **lanes, const u64 *addresses, int count, u32 bytes, u8 flags, Pc pc,
                   bool notes = true);
void note_reads(Lane **lanes, const u64 *addresses, int count, Pc pc);
// no byte there has been written
bool wholly_unknown(u64 address, u64 bytes);
bool check_bounds(Lane *lane, u64 address, u32 bytes, u8 flags, Pc pc); // fast mode
bool check_owner(Lane *lane, u64 address, u8 flags, Pc pc);
// ends the kernel
[[gnu::cold]] void report_alignment(Lane *lane, u64 address, u32 bytes, u8 flags, Pc pc);
bool is_mapped(u64 address); // memory of the process

// ---- host_copies.cpp
struct Extent { // all of some places lie between
    u64 begin, end;
    bool holds(u64 address) const { return address - begin < end - begin; }
};
extern Extent unwritten_on_host;
extern Extent device_variables; // __device__, __constant__ and __managed__ ones
// Nothing but the host has to do with it: the usual case in host code, whose loops wait for this.
inline bool is_hosts_own(u64 address)
{
    return !in_arena(address) && !device_variables.holds(address) &&
           !unwritten_on_host.holds(address);
}
void host_access_closely(u64 address, u64 bytes, u8 flags, Pc pc);
inline void host_access(u64 address, u64 bytes, u8 flags, Pc pc)
{
    if (!is_hosts_own(address))
        host_access_closely(address, bytes, flags, pc);
}
void note_host_copy(u64 to, u64 from, u64 bytes, Pc place, const char *call); // has ended
// of as many bytes as the whole, `whole` bytes long, has elements
void note_short_copy(u64 to, u64 bytes, u64 whole, Pc place, const std::string &cause);
void host_uses_copy(u64 address, u64 bytes, u8 flags, Pc pc);
void forget_host_copies(u64 begin, u64 end);
void forget_host_block(u64 begin, u64 size); // of the heap, which is being freed
void host_free(u64 address, Pc pc);
void check_array_index(Lane *lane, const char *file, u32 line, u32 column, const char *type,
                       long long index, Pc pc);
// Call before anything that others may see, or that cannot be repeated: checks the lane's trace
// first.
void settle(Pc pc, u64 frame, bool prints = false); // ahead.cpp
void forget_traces();                               // ahead.cpp: after a killed kernel
void begin_watch(Lane *lane);
void end_watch(Lane *lane, const void *before = nullptr);
void finish_races(); // at the end of a launch: reports the races that were held back

// ---- the read-only cache (read_only.cpp) --------------------------------------------------------
extern bool read_only_loads; // the program has some
void read_only_load(Pc pc);  // declares this instruction as one
void read_only_begin_launch();
void check_read_only(Lane **lanes, const u64 *addresses, int count, const Site &s);

// ---- asynchronous copies into shared memory -----------------------------------------------------
void delete_copies(Lane *lane);
extern int lanes_with_copies;
// Of bulk copies (mbarrier.cpp)
extern int lanes_with_stores;
void end_stores(Lane *lane);
void end_bulk_of_block(const Block &block);
void forget_bulk();
// Why the lane waits for ever, or ""
std::string mbarrier_that_never_completes(const Lane *lane, bool *by_bytes);
Lane *waiting_at_mbarrier(std::string *why); // grid.cpp: the thread that tells most, or NULL
void must_be_fenced(Lane *lane, u64 address, u32 bytes, Pc pc, const char *reader);
inline void forget_copies(Lane *lane)
{
    if (lanes_with_stores)
        end_stores(lane);
    if (lanes_with_copies && lane->copies)
        delete_copies(lane);
}
extern bool arriving; // the access that is checked is the store of an asynchronous copy
// a pending copy of any thread of the block to that address
bool copy_on_its_way(const Lane *lane, u64 address);
// where the bulk copy was started that is to write there, or NULL
const Pc *load_on_its_way(const Lane *lane, u64 address);

// ---- operations: kernels, copies, and the host beside them --------------------------------------
extern bool several_streams;     // there is more than the default stream
inline bool watched(u64 address) // other operations or the host may use it at the same time
{
    return several_streams ||
           address - (u64)regions[kArena].begin - kDevicePart < kArenaSize - kDevicePart ||
           address - (u64)regions[kManagedVariables].begin < regions[kManagedVariables].size;
}
void touch_by_lanes(Lane **lanes, const u64 *addresses, int count, u32 bytes, u8 flags, Pc pc);
void touch_by_host(u64 address, u64 bytes, u8 flags, Pc pc);
void host_claims(u64 address); // by compare-and-swap

// ---- order --------------------------------------------------------------------------------------
struct Interval {
    u32 block, epoch, warp, warp_epoch;
};
u32 current_interval(Warp &warp);
u32 next_interval_id();
extern std::vector<Interval> intervals;
extern u32 base_interval; // id of intervals[0]
inline const Interval &interval(u32 id) { return intervals[id - base_interval]; }
void order_begin_launch();
void order_end_launch();
u64 shared_key(const Block &block,
               u64 address); // of that place in its shared memory, in all blocks
// The device itself writes on behalf of a block: who waits at `key` comes after
u32 interval_of_device(Block &block);
void release_by_device(const Block &block, u64 key, u32 interval);
void stamp_by_device(u64 address, u32 bytes, u32 interval, Pc pc); // access.cpp
bool ordered(const Stamp &earlier, Lane *now, bool shared);
bool only_acquire_is_missing(const Stamp &earlier, Lane *now); // a fence by `now` would order them
void fence(Lane *lane, bool block_only);
void order_by_fence(Lane *lane, bool block_only);                    // which costs no time
void synchronise(Lane *lane, u64 address, bool writes, bool shared); // after a strong access
void order_at_warp_barrier(Warp &warp, u32 lanes);
void order_at_barrier_of_some(Warp &warp, u32 lanes);
void order_at_block_barrier(Block &block);
void order_at_arrival(Lane *lane, NamedBarrier &barrier, bool last);
void order_after_named_barrier(Lane *lane, const NamedBarrier &barrier);
void order_at_grid_barrier();
void order_forget(Lane &lane);

// ---- counters -----------------------------------------------------------------------------------
// kNeighbours: consecutive addresses; kSame: all equal
enum Pattern : u8 { kNeighbours, kSame, kOther };
inline Pattern pattern_of(const u64 *addresses, int count, u32 bytes)
{
    u64 apart = 0, different = 0;
    for (int i = 1; i < count; i++) {
        apart |= addresses[i] - addresses[i - 1] - bytes;
        different |= addresses[i] - addresses[i - 1];
    }
    return !apart ? kNeighbours : !different ? kSame : kOther;
}
struct Sums { // over the requests of an access
    u64 requests = 0, lanes = 0, sectors = 0, lines = 0, bytes_used = 0;
    u64 wavefronts = 0, ideal_wavefronts = 0, same_address = 0;
    u64 groups = 0; // those of loads that are the first after a store
    void add(const Sums &more);
};
struct BankConflict { // the worst of an access to shared memory, since the start of the program
    u64 passes = 0;   // over the banks; 0: there has been none
    u8 lanes = 0, i = 0, j = 0; // how many were active; two of them that want one bank
    u64 apart = 0;              // bytes between their words
};
struct Site : Sums { // one access instruction
    Pc pc = nullptr;
    u8 flags = 0;
    Space space = kGlobal;
    u32 bytes = 0;
    bool compare_seed = false; // its loads feed a compare-and-swap
    bool read_only = false;    // __ldg()
    bool by_device = false;    // copied, and no warp executes it
    bool ahead = false;        // copied by a warp, which waits for it later
    BankConflict conflict;
};
u16 site_of(Pc pc);
Site &site(u16 id);
void count_request(Site &s, const u64 *addresses, int count, Pattern pattern);
bool one_way(Lane **lanes, int count); // have all lanes taken the same path?
// counts a group's branches; `same`: one_way()
void count_paths(Lane **lanes, int count, bool same);
// the same for a common path; returns its last block
Pc count_path(Pc from, const Pc *path, int length);
void counters_end_block(u64 steps);
void counters_end_launch(u64 blocks, u64 threads);
void counters_library_call();
void counters_from_host(u64 bytes); // that it has written into memory of kernels
bool write_counters();              // false: failed, and has printed why
void print_profile();
void print_annotated_source();

// ---- distinct sectors ---------------------------------------------------------------------------
struct Distinct {
    // sectors that the launch reads before it has written them, and that it writes
    u64 in = 0, out = 0;
};
// in global memory
void distinct_request(const u64 *addresses, int count, u32 bytes, u8 flags, Pattern pattern);
Distinct distinct_end_launch();
u64 pack_distinct(char *to, u64 room); // as pack_counters() below
void unpack_distinct(const char *from);

// ---- counters of a part of a launch -------------------------------------------------------------
void begin_counters_of_part();          // in a child: from zero
u64 pack_counters(char *to, u64 room);  // bytes; 0: no room
void unpack_counters(const char *from); // added to what this process has counted

// ---- trace --------------------------------------------------------------------------------------
bool trace_wanted(const Warp &warp);
// sectors or passes
void trace_request(Lane **lanes, const u64 *addresses, int count, const Site &s, u64 units);
void trace_lanes(Lane **lanes, int count, const char *event, Pc pc);
void trace_end_launch();
bool write_trace(); // as write_counters()

// ---- source -------------------------------------------------------------------------------------
struct Place {
    std::string path, file = "?"; // whole, and without its directories
    int line = 0;                 // 0: unknown, as the column
    std::string function;
    int column = 0;
    std::string caller; // "file.cu:12", if the function is inlined and of another file, else ""
};
const Place &place_of(Pc pc);
Pc in_program(Pc pc);                                // in a library's kernel: of its launch
std::string place_name(Pc pc);                       // "file.cu:12"
bool line_and_column(Pc pc, u32 *line, u32 *column); // lines.cpp: false when not known
std::string source_line(const std::string &path, u32 line);
std::string source_of(Pc pc); // its line
struct Symbol {
    u64 address, size;
    std::string name;
    bool function;
};
const Symbol *symbol_at(u64 address);
// addresses are offsets in the thread-local image
const std::vector<Symbol> &shared_symbols();
std::vector<Symbol> variables_between(u64 begin, u64 end); // by address
u64 static_shared_of(const Symbol &kernel);
std::string kernel_of_shared(const Symbol &variable); // that declares it; "": another function does
bool belongs_to_runtime(const Symbol &symbol);
std::string demangled_name(const std::string &symbol); // without the parameter list
void source_init();
u64 code_base();
bool in_executable_constants(u64 address, u32 bytes);
u64 shared_image_size();

// ---- findings -----------------------------------------------------------------------------------
struct Who { // a thread, or nobody; a copy, since lanes change
    bool somebody;
    uint3 thread, block;
    Who(const Lane *lane);
};
struct Finding {
    const char *kind;
    Pc pc; // where
    Who who;
    std::string object, message;
    u64 key;                   // findings of one kind with the same pc and key are one
    bool may_be_right = false; // if nothing of the result depends on it
    u64 address = 0;           // of the device's memory that it is about; 0: of none
    bool shown_late = false;   // when the launch has ended, which shows how far its kernel reaches
    bool neighbours = false;   // the lanes of the warp use consecutive elements
    std::string cause = "";    // if it was found when this was held back
    u64 other = ~0ull;         // of a race: the other thread's number in the grid
    bool writes = false, other_writes = false;
    bool both_write = false;    // at one line
    std::string remedy = "";    // what would order the two accesses of a race
    u16 reader = 0, writer = 0; // sites of a race in which one reads and one writes
    bool between_blocks = false;
    bool of_unwritten = false; // what has led there may be a value that nothing had written
};
void report(const Finding &finding);
[[noreturn]] void end_program(const Finding &finding); // as a real run would, at this place
void show_late_findings();
void replace_late(const Finding &finding); // one of the same place and key that is not shown yet
bool settle_order(Finding *finding); // when the launch has ended; 1 if the message has changed
// causes.cpp: the mistake behind the findings since forget_causes(); emulatedCause() tells it.
void find_cause(const Finding &finding);
std::string cause_of(const Finding &finding); // in its launch; "": unknown
void forget_causes();
void keep_arguments(); // of the launch that ends
struct SmallGrid {
    Pc place; // of a launch
    std::string text;
};
SmallGrid small_grid(); // that leaves the values at the end of an array alone; no text: none does
void note_reach(u64 address, u32 bytes, Pc pc); // an access past the end of an allocation
void note_allocated(u64 bytes, Pc place, bool refused);
bool is_size_in_elements(const Allocation &a, u64 bytes); // instead of bytes, by mistake
std::string size_text(u64 bytes);                         // api_memory.cpp
// whose source has no value from its byte `known` on
void note_copy(u64 to, u64 from, u64 bytes, u64 known, Pc place, const char *call);
// a copy of so many bytes of each row
void note_rows(u64 to, u64 width, u64 from_pitch, Pc place, const char *call);
void note_set(u64 to, u64 bytes, Pc place);          // by cudaMemset
void note_same_value(const Finding &race);           // two writes that change nothing
std::string symbol_problem(u64 p, const char *call); // of a host's pointer; "": none
// Reports a call that CUDA refuses, with what to do instead. Returns `error`.
cudaError_t bad_call(Pc place, const std::string &message, cudaError_t error);
// prints on stderr, unless the program has asked for silence
void say(const std::string &line);
// counts a known finding, which saves building its message
bool known(const char *kind, Pc pc, u64 key);
void exit_report(int status);
// remarks.cpp: of the kernel that runs; of what lets the host have its results; of an operation
void note_kernel_stores();
void note_kernel_output();
void note_results_for_host();
void note_submitted(const std::string &name, Pc place, u32 number, u32 track, bool is_kernel);
void make_remarks();
double clock_seconds(clockid_t clock);   // read for the runtime, not by the program
std::string triple(const uint3 &v);      // "(1,2,3)"
std::string thread_name(const Who &who); // "thread (1,0,0) of block (2,0,0)"

// ---- runtime calls ------------------------------------------------------------------------------
cudaError_t fail(cudaError_t error); // remembers it for cudaGetLastError
cudaError_t sticky_error();
int current_device();
bool may_use_memory_of(int device, int peer); // the same device, or peer access is enabled

} // namespace emulated
#endif
