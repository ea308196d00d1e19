/* time_model.c: how long a GPU takes for a kernel, as far as its counts tell.
 *
 * Warps wait, and while they wait others use the memory, the caches and the arithmetic units. So a
 * kernel has a time that it would take if its warps only waited, and for each unit the time for which
 * it is busy. The longest of these is the limit; the whole is a little longer where several are about
 * as long. */
#include "time_model.h"

#include <math.h>
#include <string.h>

/* Multiprocessors, clock rates, memory, caches, threads and units: NVIDIA's data sheets and the
 * tables of the CUDA C++ Programming Guide (throughput of native arithmetic instructions, technical
 * specifications per compute capability). L2 rates, latencies and atomics of devices other than the
 * H200 are derived: a quarter of all multiprocessors' 64 bytes in a clock, and the cycles of the
 * H200 at the device's clock rate. */
#define NOT_FITTED(clock, multiprocessors) 0.5 * 64.0 * (multiprocessors) * (clock)
static const struct gpu gpus[] = {
    {"h200", "H200", 1,  132, 1.98e9, 4.8e12, 8.4e12, 60e6,   256e3,  228e3, 2048, 32,
     128,    64,     16, 64,  4,      500e-9, 20e-9,  3.3e-6, 1.5e-9, 55e9,  9e9},
    {"a100", "A100", 0,     108,    1.41e9, 1.555e12, NOT_FITTED(1.41e9, 108),
     40e6,   192e3,  164e3, 2048,   32,     64,       32,
     16,     64,     4,     600e-9, 24e-9,  4e-6,     2.1e-9,
     25e9,   7e9},
    {"v100", "V100", 0,    80,     1.53e9, 0.9e12, NOT_FITTED(1.53e9, 80),
     6e6,    128e3,  96e3, 2048,   32,     64,     32,
     16,     64,     4,    550e-9, 20e-9,  5e-6,   1.9e-9,
     12e9,   6e9},
    {"rtx4090", "RTX 4090", 0,     128,    2.52e9, 1.008e12, NOT_FITTED(2.52e9, 128),
     72e6,      128e3,      100e3, 1536,   24,     128,      2,
     16,        64,         4,     500e-9, 14e-9,  4e-6,     1.2e-9,
     25e9,      9e9},
    {"t4", "T4", 0,    40,     1.59e9, 0.32e12, NOT_FITTED(1.59e9, 40),
     4e6,  96e3, 64e3, 1024,   16,     64,      2,
     16,   64,   4,    550e-9, 20e-9,  5e-6,    1.9e-9,
     12e9, 6e9},
    {"k20x", "K20X", 0,    14,     0.732e9, 0.25e12, NOT_FITTED(0.732e9, 14),
     1.5e6,  48e3,   48e3, 2048,   16,      192,     64,
     32,     160,    6,    900e-9, 45e-9,   7e-6,    4e-9,
     6e9,    3e9},
    {"c2050", "C2050", 0,    14,     1.15e9, 0.144e12, NOT_FITTED(1.15e9, 14),
     0.768e6, 16e3,    48e3, 1536,   8,      32,       16,
     4,       32,      1,    700e-9, 40e-9,  8e-6,     8e-9,
     6e9,     3e9},
};
enum { GPUS = sizeof gpus / sizeof *gpus };

struct model_constants model_constants = {1.0, 0.76, 50e-9, 0.046, 2.3, 4.5, 84.0, 2.6, 0.79, 32.0};

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
    const double issued =
        w->floats + w->doubles + w->specials + integers + w->requests + w->passes + w->exchanges;
    double clocks = issued / gpu->issues;

    clocks = at_least(clocks, 32.0 * w->floats / gpu->floats);
    clocks = at_least(clocks, 32.0 * w->doubles / gpu->doubles);
    clocks = at_least(clocks, 32.0 * w->specials / gpu->specials);
    clocks = at_least(clocks, 32.0 * integers / gpu->integers);
    return clocks / busy / gpu->clock;
}

/* The seconds of one warp, from its block's start to its end, if nothing but its own results and
 * barriers make it wait. `missing`: the part of its far loads that go to memory. */
static double warp_time(const struct gpu *gpu, const struct kernel_work *w, double missing)
{
    const struct model_constants *c = &model_constants;
    const double far = c->latency * gpu->far_latency * (0.5 + 0.5 * missing), /* L2 takes half */
        instructions = w->floats + w->doubles + 4.0 * w->specials + w->passes +
                       (w->integers + w->branches) * c->integer_part + 6.0 * w->exchanges;

    return c->start +
           (w->far_waits * far + (w->waits - w->far_waits) * c->latency * gpu->near_latency +
            (instructions * c->dependence + w->barriers * c->barrier) / gpu->clock) /
               w->warps;
}

struct gpu_time time_of(const struct gpu *gpu, const struct kernel_work *w)
{
    const struct model_constants *c = &model_constants;
    struct gpu_time t = {0};
    const double blocks = w->blocks / w->launches, /* of one launch, as everything here */
        resident = resident_blocks(gpu, w->threads, w->shared),
                 room = resident * gpu->multiprocessors, each = blocks / gpu->multiprocessors,
                 /* multiprocessors that share the work of the busiest one */
        busy = blocks < room ? blocks / ceil(each) : gpu->multiprocessors,
                 footprint = (w->in + w->out) / w->launches,
                 missing = at_least(0.0, 1.0 - gpu->l2_bytes / footprint),
                 /* where blocks take work by atomics, who has most is chance */
        uneven = w->atomics > 0.0 ? 1.0 : at_least(1.0, w->busiest * blocks / w->steps),
                 compulsory = at_most(1.0, (w->in + w->out) / (32.0 * w->far)),
                 all = busy * w->launches; /* of sums over the launches */
    double sum = 0.0;

    t.term[LIMIT_launch] = gpu->launch + 0.55e-9 * blocks; /* the H200's for empty blocks */
    t.term[LIMIT_latency] = warp_time(gpu, w, missing * compulsory) *
                            at_least(blocks < room ? 1.0 : blocks / room, uneven);
    t.term[LIMIT_dram] = footprint * missing / (gpu->memory_rate * c->memory_part);
    t.term[LIMIT_l2] =
        at_least(32.0 * w->far / w->launches / (gpu->l2_rate * c->l2_part),
                 32.0 * w->far / (64.0 * gpu->clock * all)); /* what a multiprocessor takes in */
    t.term[LIMIT_l2] = at_least(t.term[LIMIT_l2], c->line * w->far_lines / all / gpu->clock);
    t.term[LIMIT_l1] = w->lines / all / gpu->clock;
    t.term[LIMIT_shared] = (w->passes + w->shared_hot + w->constants) / all / gpu->clock;
    t.term[LIMIT_arithmetic] = arithmetic_time(gpu, w, all);
    t.term[LIMIT_atomics] = w->hot / w->launches * gpu->atomic + w->atomics / w->launches / 200e9;
    t.term[LIMIT_link] = w->host / w->launches / gpu->link_rate;
    for (int i = 0; i < LIMIT_COUNT; i++) {
        sum += pow(t.term[i], c->sharpness);
        t.term[i] *= w->launches;
        if (t.term[i] > t.term[t.limit])
            t.limit = (enum limit)i;
    }
    t.seconds = w->launches * pow(sum, 1.0 / c->sharpness);
    return t;
}

struct gpu_time time_of_copy(const struct gpu *gpu, const struct kernel_work *w, int is_pageable)
{
    struct gpu_time t = {.limit = LIMIT_link};

    t.seconds = t.term[LIMIT_link] = w->launches * 2.0 * gpu->launch +
                                     w->in / (is_pageable ? gpu->pageable_rate : gpu->link_rate);
    return t;
}
