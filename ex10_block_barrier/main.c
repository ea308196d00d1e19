/* TASK     rounds exchanges between the blocks of a grid: the problem, its values, its reference,
 *          and the sweep over numbers of blocks.
 * TRAFFIC  rounds blocks sizeof(unsigned) bytes that each block reads; all of it stays in caches.
 * LIMIT    the latency of a barrier: each is a trip to the L2 cache and back, and another. */
#include "measure.h"
#include "block_barrier.h"
#include "harness.h"
#include <string.h>

enum { EMULATED_BLOCKS = 9 }; /* they wait for each other, so that each adds to what all cost */

static int sweep;

static const struct course_option options[] = {
    {"sweep", OPTION_FLAG | OPTION_ASIDE, &sweep, 0, 0, NULL,
     "1 block to 4 on every multiprocessor"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double bytes(size_t size)
{
    (void)size;
    return 1 << 20; /* a few values per block */
}

static const struct exercise exercise = {
    .name = "ex10_block_barrier",
    .title = "a barrier for all blocks of a grid",
    .unit = "rounds",
    .size = 1000,
    .emulatedSize = 5,
    .quickSize = 100,
    .minSize = 0,
    .maxSize = 1000000,
    .deviceBytes = bytes,
    .hostBytes = bytes,
    .options = options,
};

static int rounds;

/* One set of rows, for a number of blocks. */
static void runAll(int blocks, enum timed timed)
{
    unsigned int *first = newArray((size_t)blocks, sizeof *first);
    unsigned int *value = newArray((size_t)blocks, sizeof *value);
    unsigned int *reference = newArray((size_t)blocks, sizeof *reference);
    unsigned int *next = newArray((size_t)blocks, sizeof *next);

    for (int block = 0; block < blocks; block++)
        first[block] = reference[block] = (unsigned int)randomBits(1, (size_t)block);
    for (int round = 0; round < rounds; round++) {
        unsigned int sum = 0;

        for (int block = 0; block < blocks; block++)
            sum += reference[block];
        for (int block = 0; block < blocks; block++)
            next[block] = newValue(sum, block, round);
        memcpy(reference, next, (size_t)blocks * sizeof *next);
    }
    if (timed == BARRIERS)
        harnessOnly(ON_DEVICE);
    harnessParameters("%s blocks=%d", timed == BARRIERS ? "barriers" : "exchanges", blocks);
    harnessWork(0.0, 0.0, (size_t)rounds);
    RUN_VARIANTS (v) {
        if (timed == EXCHANGES)
            poison(value, (size_t)blocks * sizeof *value);
        else /* no result of what is measured: the exchanges come before */
            memset(value, 0xFF, (size_t)blocks * sizeof *value);
        v->run(first, value, blocks, rounds, timed);
        verifyUnsigned("value", value, reference, (size_t)blocks);
        if ((v->traits & LAUNCHES_ROUNDS) && rounds > 0 && rowSteps() > 0.0)
            verifyThat(rowSteps() >= rounds, "%.0f launches, one after another, for %d rounds",
                       rowSteps(), rounds);
        if ((v->traits & LAUNCHES_ROUNDS) && rounds > 0 && rowThreads() > 0.0) {
            const double threads = (double)rounds * blocks * blockSize(256);

            verifyThat(rowThreads() >= threads,
                       "the kernels have %.0f threads in all, but %d launches of %d blocks of %d "
                       "threads have %.0f",
                       rowThreads(), rounds, blocks, blockSize(256), threads);
            verifyThat(timed == EXCHANGES || rowBytesUsed() == 0.0,
                       "a kernel uses global memory: launch nothing<<<>>> when barriers are timed");
        }
        if ((v->traits & TOOLKITS_BARRIER) && timed == BARRIERS)
            verifyThat(rowBytesUsed() == 0.0,
                       "the barrier uses global memory: here it is the toolkit's, see TODO 6");
        if (timed == BARRIERS && rounds > 0 && !harnessEmulated() && rowVerdict() == EXIT_PASS)
            harnessRemark("%.3f us a barrier", rowSeconds() / rounds * 1e6);
    }
    harnessAll();
}

int main(int argc, char **argv)
{
    int blocks;

    harnessStart(&exercise, argc, argv);
    rounds = (int)harnessSize();
    /* One block per multiprocessor; a program without a device computes what an H200 would. */
    blocks = harnessCpuOnly() ? 132 : multiprocessors();
    if (sweep) {
        const int most = 4 * blocks;

        for (int b = 1; b < most; b = 2 * b < most ? 2 * b : most) {
            runAll(b, BARRIERS);
            if (b < blocks && 2 * b > blocks)
                runAll(blocks, BARRIERS);
            if (b < 2 * blocks && 2 * b > 2 * blocks)
                runAll(2 * blocks, BARRIERS);
        }
        runAll(most, BARRIERS);
    } else {
        blocks = (int)gridSize(harnessEmulated() ? EMULATED_BLOCKS : (size_t)blocks);
        runAll(blocks, EXCHANGES);
        if (!harnessCpuOnly())
            runAll(blocks, BARRIERS);
    }
    return harnessFinish();
}
