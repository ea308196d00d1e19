/* The rows of the table: a variant's verdict and figures. One row at a time is open, and only the
 * functions here change it; a closed row never changes again. */
#ifndef ROW_H
#define ROW_H

#include "counters.h"
#include "harness.h"
#include "traits.h"

enum { MESSAGE = 512, NAME = 128 };

/* The times of one measurement, in seconds. */
struct timing {
    double median, min, max;
    long samples;
    int once; /* it took so long that it was run only once */
};

struct row {
    char name[NAME];
    enum place place;
    unsigned traits; /* enum variant_trait */
    enum exit_code verdict;
    int demonstration;     /* wrong on purpose: not judged */
    int own;               /* the student's own: not judged */
    int cached;            /* taken from a cache: not run */
    int later;             /* an advanced TODO that is allowed to be unfilled */
    int todo, todoLine;    /* the first unfilled TODO; 0: none */
    char todoFile[NAME];   /* "ex03_vector_add/template.cu" */
    char message[MESSAGE]; /* the first mistake */
    char *remarks;         /* lines below the row, each ended by a newline; NULL: none */
    struct timing time;
    double whole; /* seconds with allocation and copies */
    double maxError;
    int hasError;
    struct device_counters counters; /* counters.work: the row's own, NULL: none */
    int findings;                    /* mistakes that the emulated device has found */
    int hidden;                      /* of these, those that only --verbose shows */
    double bytes, flops, limit;
    size_t size;
    char parameters[NAME];
};

/* Opens a row with the latest values of harnessWork(), harnessParameters() and harnessLimit(). */
void rowOpen(const char *name, enum place place, unsigned traits);
/* The parameters last given to harnessParameters(). */
const char *rowParameters(void);
/* The copy rate of the CPU, which its rows are compared with. */
void rowLimitOfCpu(double bytesPerSecond);
/* The open row; NULL between rows. */
const struct row *rowNow(void);
/* 1 if the open row runs on a device: a GPU, the emulated one, or OpenACC's. */
int rowIsOnDevice(void);

/* Changes to the open row. Without one, rowIsWrong() and rowIsUnfilled() do nothing; the others
 * need it. */
void rowIsOwn(void);
void rowIsWrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
void rowIsUnfilled(int todo, const char *file, int line);
void rowHasTime(const struct timing *time);
void rowHasWhole(double seconds);
void rowHasCounters(const struct device_counters *counters);
/* Makes the row WRONG if the emulated device has found mistakes. Its message is `cause`, or if that
 * is NULL what the device says of the mistake behind them, or else the first of them. The others,
 * and the row's remarks, are listed below it only if COURSE_VERBOSE is set. */
void rowHasFindings(const char *cause);
/* Makes verdict and message those of the rank with the worst one. */
void rowAgree(void);

/* Closes the open row, and returns it. */
const struct row *rowClose(void);
/* Adds a finished row, from a cache. Returns the row that is kept. */
const struct row *rowAdd(const struct row *row);
/* All closed rows, in order; count them in *count. */
const struct row *rowAll(size_t *count);

/* The number of rows by verdict. Rows from a cache count only as `cached`, a student's own only as
 * `own`, and rows of advanced TODOs that are unfilled only as `later`, unless there are no other
 * rows: then they count as unfilled. */
struct tally {
    size_t rows, judged, wrong, unfilled, skipped, demonstrations, cached, own, later;
    size_t rightOnCpu; /* of `judged` */
    size_t hidden;     /* findings */
    const struct row *firstUnfilled, *firstWrong;
};
struct tally rowTally(void);

#endif
