/* time_model.h: the time of a GPU, computed from what the emulated device has counted. Plain C: the
 * runtime uses it, and so may any program that reads the counts. */
#ifndef TIME_MODEL_H
#define TIME_MODEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What all launches of a kernel have done together; X(name, meaning). An instruction, a request or
 * a pass is one of a whole warp. */
#define KERNEL_WORK(X)                                                                             \
    X(launches, "of the kernel; of a copy: calls")                                                 \
    X(blocks, "of all launches")                                                                   \
    X(warps, "of all launches")                                                                    \
    X(threads, "of a block")                                                                       \
    X(shared, "bytes of shared memory of a block")                                                 \
    X(floats, "instructions on float; a product that is added is one; what a division, a root "    \
              "or a function takes besides")                                                       \
    X(doubles, "instructions on double, likewise")                                                 \
    X(specials, "roots, quotients, sines, double from float: the special function unit's")         \
    X(integers, "instructions on integers of 32 bits, comparisons included")                       \
    X(addresses, "the same of 64 bits, most of them for addresses")                                \
    X(elements, "results that go to elements of a thread's own array")                             \
    X(branches, "two-way branches")                                                                \
    X(requests, "global loads and stores")                                                         \
    X(lines, "of 128 bytes that these touch")                                                      \
    X(far, "sectors of 32 bytes that L1 does not hold, and those of stores")                       \
    X(loaded_lines, "of 128 bytes that loads want of L2")                                          \
    X(stored_lines, "of 128 bytes that stores, atomics and volatile accesses touch")               \
    X(host, "bytes that loads and stores move from and to the host's memory")                      \
    X(moved, "bytes of managed memory whose pages move to the device when a thread touches them")  \
    X(in, "bytes of the distinct sectors that each launch reads")                                  \
    X(out, "bytes of the distinct sectors that each launch writes")                                \
    X(shared_requests, "loads and stores in shared memory")                                        \
    X(passes, "over the banks of shared memory")                                                   \
    X(remote, "bytes of the sectors of other blocks' shared memory")                               \
    X(constants, "passes of the constant cache")                                                   \
    X(constant_lines, "of 64 bytes that this cache does not hold")                                 \
    X(atomics, "atomic operations of lanes in global memory")                                      \
    X(hot,                                                                                         \
      "of these in turn, on the 512 bytes or the word that has most, summed over the launches; "   \
      "a sum of floating-point numbers in one word is 2.4")                                        \
    X(swaps, "compare-and-swaps that have changed the word with most, summed over the launches")   \
    X(shared_hot, "atomics in shared memory that wait for each other")                             \
    X(shared_swaps, "compare-and-swaps and sums of floating-point numbers on the word of each "    \
                    "block's shared memory that has most")                                         \
    X(waits, "for a group of independent loads")                                                   \
    X(far_waits, "of these for data that L1 does not hold")                                        \
    X(barriers, "of a block, for each of its warps")                                               \
    X(exchanges, "shuffles, votes and the like")                                                   \
    X(matched, "values that lanes of these are matched by, each for itself")                       \
    X(steps, "of warps")                                                                           \
    X(busiest, "of these of the block that has most, summed over the launches")                    \
    X(alone, "s that all of it takes one after the other, by the rates alone")                     \
    X(added, "of these s in which nothing else runs that was begun before")

struct kernel_work {
#define X(name, meaning) double name;
    KERNEL_WORK(X)
#undef X
};

/* A GPU. Rates are the published ones; how much of them a kernel reaches is the same part
 * everywhere. */
struct gpu {
    const char *name, *title;
    int is_fitted;                 /* to recorded times; otherwise from published figures alone */
    double multiprocessors, clock; /* Hz */
    double memory_rate, l2_rate;   /* B/s */
    double l2_bytes, l1_bytes, shared_bytes;    /* the last two of a multiprocessor */
    double threads, blocks;                     /* that a multiprocessor holds */
    double floats, doubles, specials, integers; /* operations of a multiprocessor in a clock */
    double issues;                              /* instructions of warps, likewise */
    double far_latency, near_latency;           /* s: of memory behind L1, of L1 */
    double launch;                              /* s */
    double atomic;                              /* s: between two of integers at one place */
    double link_rate, pageable_rate;            /* B/s from and to the host */
};

const struct gpu *gpu_named(const char *name); /* NULL: none has it */
const char *gpu_names(void);                   /* all of them, for a message */

/* Constants that the table of devices cannot tell, fitted to recorded times. */
struct model_constants {
    double memory_part, l2_part;     /* of the published rates that kernels reach */
    double start;                    /* s that a block takes until its first instruction */
    double integer_part;             /* of the counted integer instructions that nvcc leaves */
    double dependence;               /* clocks that a warp takes for an instruction on its own */
    double loaded_line, stored_line; /* clocks that a multiprocessor and L2 need for a line */
    double barrier;                  /* clocks */
    double sharpness; /* of the corner where one limit takes over from another: see time_of() */
    double latency;   /* factor for the table's latencies */
    double registers; /* that a thread uses, as far as they limit the warps of a multiprocessor */
};
enum { MODEL_CONSTANTS = sizeof(struct model_constants) / sizeof(double) };
extern struct model_constants model_constants;

/* What a kernel's time consists of: seconds of all its launches. The whole is less than the sum,
 * since most of it happens at the same time. */
#define LIMITS(X)                                                                                  \
    X(launch, "starting kernels and their blocks")                                                 \
    X(latency, "waiting for loads, barriers and results with nothing else to do")                  \
    X(dram, "moving data from and to memory")                                                      \
    X(l2, "moving data from and to the L2 cache")                                                  \
    X(l1, "moving data from and to the L1 cache")                                                  \
    X(shared, "passes over the banks of shared memory")                                            \
    X(arithmetic, "arithmetic and other instructions")                                             \
    X(atomics, "atomics that wait for each other")                                                 \
    X(link, "copies from and to the host")

enum limit {
#define X(name, meaning) LIMIT_##name,
    LIMITS(X)
#undef X
        LIMIT_COUNT
};
extern const char *const limit_names[LIMIT_COUNT], *const limit_meanings[LIMIT_COUNT];

struct gpu_time {
    double seconds;
    double term[LIMIT_COUNT];
    enum limit limit; /* the largest term */
};
struct gpu_time time_of(const struct gpu *gpu, const struct kernel_work *work);

/* The seconds that remain if nothing had to wait for what limits the kernel. */
double time_without_limit(const struct gpu_time *t);

/* The ways between host and device: X(name, what moves) */
#define COPIES(X)                                                                                  \
    X(pageable_copy, "from or to pageable memory")                                                 \
    X(page_locked_copy, "from or to page-locked memory")                                           \
    X(prefetch, "pages of managed memory, by cudaMemPrefetchAsync()")
enum copy_way {
#define X(name, what) COPY_##name,
    COPIES(X)
#undef X
        COPY_COUNT
};
extern const char *const copy_names[COPY_COUNT];
/* of copies, whose work is their launches and their bytes `in` */
struct gpu_time time_of_copies(const struct gpu *gpu, const struct kernel_work *work,
                               enum copy_way way);

/* The part of t that streams do not hide: the launches, which the host makes one after the other,
 * and of the rest what work->added says. */
struct gpu_time visible_time(const struct gpu_time *t, const struct kernel_work *work);

/* The seconds of a launch or a copy among many of its kind: as the rates say, without its start. */
double steady_time(const struct gpu *gpu, const struct kernel_work *work);
double steady_copy_time(const struct gpu *gpu, double bytes, enum copy_way way);
/* The part of the device that the blocks of a launch occupy, at most 1. */
double occupied_part(const struct gpu *gpu, const struct kernel_work *work);

/* Blocks that a multiprocessor holds at once, at least 1. */
double resident_blocks(const struct gpu *gpu, double threads, double shared);

#ifdef __cplusplus
}
#endif
#endif
