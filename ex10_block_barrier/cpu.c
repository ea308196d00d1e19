/* TASK     rounds exchanges between blocks: the CPU baseline, one core, and all cores with the
 *          barrier of OpenMP.
 * TRAFFIC  rounds blocks sizeof(unsigned) bytes that each block reads; all of it stays in caches.
 * LIMIT    the latency of a barrier. */
#include "measure.h"
#include "block_barrier.h"
#include <stdlib.h>
#include <string.h>

/* Round r reads one half of value[2 * blocks] and writes the other. */
static void exchange(unsigned int *value, int blocks, int block, int round)
{
    const unsigned int *from = value + (round % 2 ? blocks : 0);
    unsigned int *to = value + (round % 2 ? 0 : blocks);
    unsigned int sum = 0;

    for (int b = 0; b < blocks; b++)
        sum += from[b];
    to[block] = newValue(sum, block, round);
}

static void exchangeOneCore(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                            enum timed timed)
{
    unsigned int *both = mustAllocate(2 * (size_t)blocks * sizeof *both, "the values");

    (void)timed;
    MEASURE (run) {
        memcpy(both, first, (size_t)blocks * sizeof *both);
        for (int round = 0; round < rounds; round++)
            for (int block = 0; block < blocks; block++)
                exchange(both, blocks, block, round);
    }
    memcpy(value, both + (rounds % 2 ? blocks : 0), (size_t)blocks * sizeof *both);
    free(both);
}

static void exchangeAllCores(const unsigned int *first, unsigned int *value, int blocks, int rounds,
                             enum timed timed)
{
    unsigned int *both = mustAllocate(2 * (size_t)blocks * sizeof *both, "the values");

    (void)timed;
    MEASURE (run) {
        memcpy(both, first, (size_t)blocks * sizeof *both);
#pragma omp parallel
        for (int round = 0; round < rounds; round++) {
#pragma omp for
            for (int block = 0; block < blocks; block++)
                exchange(both, blocks, block, round);
            /* The loop ends with a barrier: nobody begins the next round early. */
        }
    }
    memcpy(value, both + (rounds % 2 ? blocks : 0), (size_t)blocks * sizeof *both);
    free(both);
}

const struct variant cpuVariants[] = {
    {"one core", exchangeOneCore},
    {"all cores, OpenMP's barrier", exchangeAllCores},
    {NULL, NULL},
};
