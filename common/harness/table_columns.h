/* The columns of the table of results, for the code that prints the table and the code that
 * explains it (./course help table). The runner has one more table, with columns of its own
 * (compare.h). */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

/* A column: its heads and widths in a wide table and in one of 80 columns (width 0: left out), and
 * its meaning. */
struct table_head {
    const char *wide, *narrow;
    int wideWidth, narrowWidth;
    const char *meaning;
};

enum time_head {
    HEAD_TIME,
    HEAD_BYTES,
    HEAD_OPERATIONS,
    HEAD_LIMIT,
    HEAD_COPIES,
    HEAD_CORE,
    HEAD_CPU,
    TIME_HEADS
};
enum counter_head {
    HEAD_REQUESTS,
    HEAD_SECTORS,
    HEAD_USED,
    HEAD_BANK,
    HEAD_DIVERGENCE,
    HEAD_ATOMIC,
    COUNTER_HEADS
};

/* For rows with times. A table has one of HEAD_BYTES and HEAD_OPERATIONS. */
static const struct table_head timeHeads[TIME_HEADS] = {
    {"time", "time", 11, 11, "median of the timed runs; no copies from and to the host"},
    {"GB/s", "GB/s", 7, 8, "bytes that one run must move, in billions a second"},
    {"GFLOP/s", "GFLOP/s", 7, 8, "instead, where arithmetic counts: operations, likewise"},
    {"of limit", "of limit", 8, 8, "that rate, as a part of what a copy on the device reaches"},
    {"with copies", "", 11, 0, "time with allocation and the copies from and to the host"},
    {"x 1 core", "", 8, 0, "times as fast as the plain loop on one core of the CPU"},
    {"x CPU", "x CPU", 6, 8, "times as fast as all cores of the CPU"},
};

/* For rows of the emulated device, which counts instead of timing. A column is left out where its
 * head or meaning has a word that no lesson has explained yet (taught.h). */
static const struct table_head counterHeads[COUNTER_HEADS] = {
    {"requests", "requests", 10, 8, "accesses to global memory, one for all lanes of a warp"},
    {"sectors/rq", "sec/rq", 10, 6, "sectors of 32 bytes for each; 32 floats in a row take 4"},
    {"used", "used", 6, 5, "part of the sectors' bytes that some lane asked for"},
    {"bank", "bank", 6, 6, "passes of shared memory for each one needed; 1 is best"},
    {"diverg.", "diverg", 8, 6, "part of the branches at which the lanes of a warp divided"},
    {"atomic", "atomic", 6, 6, "lanes of a warp that change the same address; 1 is best"},
};

#endif
