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

enum { HEAD_BYTES = 1, HEAD_OPERATIONS = 2, TIME_HEADS = 7, COUNTER_HEADS = 6 };

/* For rows with times. A table has one of HEAD_BYTES and HEAD_OPERATIONS. */
static const struct table_head timeHeads[TIME_HEADS] = {
    {"time", "time", 12, 12, "median of the timed runs; no copies from and to the host"},
    {"GB/s", "GB/s", 9, 8, "bytes that one run must move, in billions a second"},
    {"GFLOP/s", "GFLOP/s", 9, 8, "instead, where arithmetic counts: operations, likewise"},
    {"of limit", "of limit", 9, 8, "that rate, as a part of what a copy on the device reaches"},
    {"with copies", "", 12, 0, "time with allocation and the copies from and to the host"},
    {"x 1 core", "", 9, 0, "times as fast as the plain loop on one core of the CPU"},
    {"x CPU", "x CPU", 9, 8, "times as fast as all cores of the CPU"},
};

/* For rows of the emulated device, which counts instead of timing. */
static const struct table_head counterHeads[COUNTER_HEADS] = {
    {"requests", "requests", 10, 8, "accesses to global memory, one for all lanes of a warp"},
    {"sectors/rq", "sec/rq", 10, 6, "sectors of 32 bytes for each; 32 floats in a row take 4"},
    {"used", "used", 8, 5, "part of the moved bytes that some lane asked for"},
    {"bank", "bank", 8, 6, "passes of shared memory for each one needed; 1 is best"},
    {"diverg.", "diverg", 8, 6, "part of the branches at which the lanes of a warp divided"},
    {"atomic", "atomic", 8, 6, "lanes of a warp that change the same address; 1 is best"},
};

#endif
