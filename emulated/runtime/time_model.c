/* time_model.c: how long a GPU takes for a kernel, as far as its counts tell.
 *
 * Warps wait, and while they wait others use the memory, the caches and the arithmetic units. So a
 * kernel has a time that it would take if its warps only waited, and for each unit the time for
 * which it is busy. The longest of these is the limit; the whole is a little longer where several
 * are about as long. */
#include "time_model.h"

#include <math.h>
#include <string.h>

/* Multiprocessors, clock rates, memory, caches, threads and units: NVIDIA's data sheets and the
 * tables of the CUDA C++ Programming Guide (throughput of native arithmetic instructions, technical
 * specifications per compute capability). No device but the H200 was measured: for the others, the
 * rate of L2 is half of what the multiprocessors can take in, 64 bytes in a clock each, and
 * latencies, launches, atomics and the link are estimates from the clock, the generation and the
 * bus. */
/* clang-format off */
static const struct gpu gpus[] = {
    {.name = "h200", .title = "H200", .is_fitted = 1,
     .multiprocessors = 132, .clock = 1.98e9, .threads = 2048, .blocks = 32,
     .memory_rate = 4.8e12, .l2_rate = 8.4e12,
     .l2_bytes = 60e6, .l1_bytes = 256e3, .shared_bytes = 228e3,
     .floats = 128, .doubles = 64, .specials = 16, .integers = 64, .issues = 4,
     .far_latency = 500e-9, .near_latency = 20e-9, .launch = 3.3e-6, .atomic = 0.73e-9,
     .link_rate = 55e9, .pageable_rate = 9e9},
    {.name = "a100", .title = "A100",
     .multiprocessors = 108, .clock = 1.41e9, .threads = 2048, .blocks = 32,
     .memory_rate = 1.555e12, .l2_rate = 0.5 * 64 * 108 * 1.41e9,
     .l2_bytes = 40e6, .l1_bytes = 192e3, .shared_bytes = 164e3,
     .floats = 64, .doubles = 32, .specials = 16, .integers = 64, .issues = 4,
     .far_latency = 600e-9, .near_latency = 24e-9, .launch = 4e-6, .atomic = 0.9e-9,
     .link_rate = 25e9, .pageable_rate = 7e9},
    {.name = "v100", .title = "V100",
     .multiprocessors = 80, .clock = 1.53e9, .threads = 2048, .blocks = 32,
     .memory_rate = 0.9e12, .l2_rate = 0.5 * 64 * 80 * 1.53e9,
     .l2_bytes = 6e6, .l1_bytes = 128e3, .shared_bytes = 96e3,
     .floats = 64, .doubles = 32, .specials = 16, .integers = 64, .issues = 4,
     .far_latency = 550e-9, .near_latency = 20e-9, .launch = 5e-6, .atomic = 0.8e-9,
     .link_rate = 12e9, .pageable_rate = 6e9},
    {.name = "rtx4090", .title = "RTX 4090",
     .multiprocessors = 128, .clock = 2.52e9, .threads = 1536, .blocks = 24,
     .memory_rate = 1.008e12, .l2_rate = 0.5 * 64 * 128 * 2.52e9,
     .l2_bytes = 72e6, .l1_bytes = 128e3, .shared_bytes = 100e3,
     .floats = 128, .doubles = 2, .specials = 16, .integers = 64, .issues = 4,
     .far_latency = 500e-9, .near_latency = 14e-9, .launch = 4e-6, .atomic = 0.5e-9,
     .link_rate = 25e9, .pageable_rate = 9e9},
    {.name = "t4", .title = "T4",
     .multiprocessors = 40, .clock = 1.59e9, .threads = 1024, .blocks = 16,
     .memory_rate = 0.32e12, .l2_rate = 0.5 * 64 * 40 * 1.59e9,
     .l2_bytes = 4e6, .l1_bytes = 96e3, .shared_bytes = 64e3,
     .floats = 64, .doubles = 2, .specials = 16, .integers = 64, .issues = 4,
     .far_latency = 550e-9, .near_latency = 20e-9, .launch = 5e-6, .atomic = 0.8e-9,
     .link_rate = 12e9, .pageable_rate = 6e9},
    {.name = "k20x", .title = "K20X",
     .multiprocessors = 14, .clock = 0.732e9, .threads = 2048, .blocks = 16,
     .memory_rate = 0.25e12, .l2_rate = 0.5 * 64 * 14 * 0.732e9,
     .l2_bytes = 1.5e6, .l1_bytes = 48e3, .shared_bytes = 48e3,
     .floats = 192, .doubles = 64, .specials = 32, .integers = 160, .issues = 6,
     .far_latency = 900e-9, .near_latency = 45e-9, .launch = 7e-6, .atomic = 1.7e-9,
     .link_rate = 6e9, .pageable_rate = 3e9},
    {.name = "c2050", .title = "C2050",
     .multiprocessors = 14, .clock = 1.15e9, .threads = 1536, .blocks = 8,
     .memory_rate = 0.144e12, .l2_rate = 0.5 * 64 * 14 * 1.15e9,
     .l2_bytes = 0.768e6, .l1_bytes = 16e3, .shared_bytes = 48e3,
     .floats = 32, .doubles = 16, .specials = 4, .integers = 32, .issues = 1,
     .far_latency = 700e-9, .near_latency = 40e-9, .launch = 8e-6, .atomic = 3.5e-9,
     .link_rate = 6e9, .pageable_rate = 3e9},
};
/* clang-format on */
enum { GPUS = sizeof gpus / sizeof *gpus };

struct model_constants model_constants = {
    .memory_part = 0.985,
    .l2_part = 0.88,
    .start = 100e-9,
    .integer_part = 0.09,
    .dependence = 2.3,
    .loaded_line = 2.0,
    .stored_line = 4.3,
    .barrier = 56.0,
    .sharpness = 2.7,
    .latency = 0.85,
    .registers = 32.0,
};

/* What has been recorded of the H200 (solutions/timings/h200/device.csv): s from one block's start
 * to the next where all are empty; atomics a second to many addresses; by tests/emulated/unseen.cu
 * clocks of a multiprocessor for each of the values of a __match_any_sync(); by ex23's table in
 * constant memory those for a line that its cache does not hold, one after the other; by ex08's
 * sweep those from one swap in shared memory to the next. */
static const double emptyBlock = 0.55e-9, atomicRate = 400e9, matchedValue = 2.1,
                    constantLine = 24.0, sharedSwap = 85.0;
/* Bytes in a clock from the other multiprocessors of a cluster of four: 2.65e12 B/s on an H800 (Luo
 * et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", 2024). */
static const double remoteBytes = 13.0;
/* B/s of pages that move because a thread has touched them, and by prefetches: ex16's and ex17's
 * managed memory on H200s. They depend on the driver and the host more than on the link: the same
 * prefetches moved 15 and 25 GB/s on two machines. */
static const double faultRate = 6.6e9, prefetchRate = 15e9;
/* Parts of L2: data up to the first are there when they are wanted once more, and of more data than
 * the second nothing is, since what comes last drives out what is wanted first. Read on an H200
 * from its beginning to its end, again and again. */
static const double l2Keeps = 0.6, l2Loses = 0.85;

const struct gpu *gpu_named(const char *name)
{
    for (int i = 0; i < GPUS; i++)
        if (strcmp(gpus[i].name, name) == 0)
            return &gpus[i];
    return NULL;
}

const char *gpu_names(void)
{
    static char names[256];

    names[0] = '\0';
    for (int i = 0; i < GPUS; i++) {
        strcat(names, i == 0 ? "" : i + 1 < GPUS ? ", " : " or ");
        strcat(names, gpus[i].name);
    }
    return names;
}

#define X(name, meaning) #name,
const char *const limit_names[] = {LIMITS(X)};
#undef X
#define X(name, meaning) meaning,
const char *const limit_meanings[] = {LIMITS(X)};
#undef X

#define X(name, what) #name,
const char *const copy_names[] = {COPIES(X)};
#undef X

/* a where b is no number: a quotient of two sums that are 0 */
static double at_most(double a, double b) { return b < a ? b : a; }
static double at_least(double a, double b) { return b > a ? b : a; }

double resident_blocks(const struct gpu *gpu, double threads, double shared)
{
    const double whole = 32.0 * ceil(threads / 32.0),
                 registers = 65536.0 / model_constants.registers;
    double blocks = at_most(gpu->blocks, floor(gpu->threads / whole));

    blocks = at_most(blocks, floor(registers / whole));
    if (shared > 0.0)
        blocks = at_most(blocks, floor(gpu->shared_bytes / (shared + 1024.0)));
    return at_least(blocks, 1.0);
}

/* The seconds for which the units of the busiest multiprocessor have arithmetic to do. */
static double arithmetic_time(const struct gpu *gpu, const struct kernel_work *w, double busy)
{
    const double integers = (w->integers + w->branches) * model_constants.integer_part;
    const double issued = w->floats + w->doubles + w->specials + integers + w->requests +
                          w->shared_requests + w->exchanges;
    double clocks = issued / gpu->issues;

    clocks = at_least(clocks, 32.0 * w->floats / gpu->floats);
    clocks = at_least(clocks, 32.0 * w->doubles / gpu->doubles);
    clocks = at_least(clocks, 32.0 * w->specials / gpu->specials);
    clocks = at_least(clocks, 32.0 * integers / gpu->integers);
    clocks = at_least(clocks, matchedValue * w->matched);
    return clocks / busy / gpu->clock;
}

/* The seconds of one warp, from its block's start to its end, if nothing but its own results and
 * barriers make it wait. `missing`: the part of its far loads that go to memory. */
static double warp_time(const struct gpu *gpu, const struct kernel_work *w, double missing)
{
    const struct model_constants *c = &model_constants;
    const double far = c->latency * gpu->far_latency * (0.5 + 0.5 * missing), /* L2 takes half */
        independent = at_most(w->elements, w->floats + w->doubles + w->passes),
                 instructions = w->floats + w->doubles + 4.0 * w->specials + w->passes -
                                independent + (w->integers + w->branches) * c->integer_part +
                                6.0 * w->exchanges;

    return c->start + sharedSwap * w->shared_swaps / w->blocks / gpu->clock +
           (w->far_waits * far + (w->waits - w->far_waits) * c->latency * gpu->near_latency +
            (instructions * c->dependence + independent + w->barriers * c->barrier) / gpu->clock) /
               w->warps;
}

/* The seconds for which L2 is busy with the bytes and lines that L1 does not hold. */
static double l2_time(const struct gpu *gpu, const struct kernel_work *w, double busy)
{
    const double bytes = 32.0 * w->far;
    double seconds = bytes / (gpu->l2_rate * model_constants.l2_part);

    seconds = at_least(seconds, bytes / (64.0 * gpu->clock * busy)); /* that they can take in */
    return at_least(seconds, (model_constants.loaded_line * w->loaded_lines +
                              model_constants.stored_line * w->stored_lines) /
                                 busy / gpu->clock);
}

/* The seconds that atomics take which wait for each other. A compare-and-swap must have seen what
 * the one before it has left, so that they are a way to L2 and back apart; those that fail
 * meanwhile are in their way. Both figures are of ex08's sweep with 1024 and 4096 threads. */
static double atomics_time(const struct gpu *gpu, const struct kernel_work *w, double room)
{
    const double rivals = at_most(w->swaps / w->launches, room * w->threads),
                 apart = 0.54 * gpu->far_latency + 0.105 * gpu->atomic * rivals;

    return w->hot * gpu->atomic + w->atomics / atomicRate + w->swaps * apart;
}

struct gpu_time time_of(const struct gpu *gpu, const struct kernel_work *w)
{
    const struct model_constants *c = &model_constants;
    struct gpu_time t = {0};
    const double blocks = w->blocks / w->launches;
    const double room = resident_blocks(gpu, w->threads, w->shared) * gpu->multiprocessors;
    /* as many multiprocessors as would have all the work if each had as much as the busiest */
    const double busy =
        blocks < room ? blocks / ceil(blocks / gpu->multiprocessors) : gpu->multiprocessors;
    const double footprint = (w->in + w->out) / w->launches;
    const double missing =
        at_most(1.0, at_least(0.0, (footprint / gpu->l2_bytes - l2Keeps) / (l2Loses - l2Keeps)));
    const double compulsory = at_most(1.0, (w->in + w->out) / (32.0 * w->far));
    /* where blocks take work by atomics, who has most is chance */
    const double uneven = w->atomics > 0.0 ? 1.0 : at_least(1.0, w->busiest * blocks / w->steps);
    double sum = 0.0;

    t.term[LIMIT_launch] = w->launches * gpu->launch + emptyBlock * w->blocks;
    t.term[LIMIT_latency] = w->launches * warp_time(gpu, w, missing * compulsory) *
                            at_least(at_least(1.0, blocks / room), uneven);
    t.term[LIMIT_dram] = (w->in + w->out) * missing / (gpu->memory_rate * c->memory_part);
    t.term[LIMIT_l2] = l2_time(gpu, w, busy);
    t.term[LIMIT_l1] = w->lines / busy / gpu->clock;
    t.term[LIMIT_shared] = (w->passes + w->shared_hot + w->constants +
                            constantLine * w->constant_lines + w->remote / remoteBytes) /
                           busy / gpu->clock;
    t.term[LIMIT_arithmetic] = arithmetic_time(gpu, w, busy);
    t.term[LIMIT_atomics] = atomics_time(gpu, w, room);
    t.term[LIMIT_link] = w->host / gpu->link_rate + w->moved / at_most(gpu->link_rate, faultRate);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        sum += pow(t.term[i], c->sharpness);
        if (t.term[i] > t.term[t.limit])
            t.limit = (enum limit)i;
    }
    t.seconds = pow(sum, 1.0 / c->sharpness);
    return t;
}

double time_without_limit(const struct gpu_time *t)
{
    const double p = model_constants.sharpness;
    double all = 0.0, others = 0.0;

    for (int i = 0; i < LIMIT_COUNT; i++) {
        all += pow(t->term[i], p);
        others += i == (int)t->limit ? 0.0 : pow(t->term[i], p);
    }
    return all > 0.0 ? t->seconds * pow(others / all, 1.0 / p) : 0.0;
}

double occupied_part(const struct gpu *gpu, const struct kernel_work *w)
{
    const double room = resident_blocks(gpu, w->threads, w->shared) * gpu->multiprocessors;

    return at_most(1.0, w->blocks / w->launches / room);
}

double steady_time(const struct gpu *gpu, const struct kernel_work *w)
{
    const struct gpu_time t = time_of(gpu, w);
    double longest = t.term[LIMIT_latency] * occupied_part(gpu, w);

    for (int i = 0; i < LIMIT_COUNT; i++)
        if (i != LIMIT_launch && i != LIMIT_latency)
            longest = at_least(longest, t.term[i]);
    return longest;
}

double steady_copy_time(const struct gpu *gpu, double bytes, enum copy_way way)
{
    const double rates[COPY_COUNT] = {
        [COPY_pageable_copy] = gpu->pageable_rate,
        [COPY_page_locked_copy] = gpu->link_rate,
        [COPY_prefetch] = at_most(gpu->link_rate, prefetchRate),
    };

    return bytes / rates[way];
}

struct gpu_time time_of_copies(const struct gpu *gpu, const struct kernel_work *w,
                               enum copy_way way)
{
    struct gpu_time t = {.limit = LIMIT_link};

    t.term[LIMIT_launch] = w->launches * 2.0 * gpu->launch;
    t.term[LIMIT_link] = steady_copy_time(gpu, w->in, way);
    t.seconds = t.term[LIMIT_launch] + t.term[LIMIT_link];
    return t;
}

struct gpu_time visible_time(const struct gpu_time *t, const struct kernel_work *w)
{
    const double part = w->alone > 0.0 ? w->added / w->alone : 1.0,
                 launches = t->term[LIMIT_launch];
    struct gpu_time visible = *t;

    for (int i = 0; i < LIMIT_COUNT; i++)
        visible.term[i] *= i == LIMIT_launch ? 1.0 : part;
    visible.seconds = at_most(t->seconds, launches + (t->seconds - launches) * part);
    return visible;
}
