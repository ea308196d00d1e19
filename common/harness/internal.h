/* What the harness's own files share. */
#ifndef INTERNAL_H
#define INTERNAL_H

#include "harness.h"
#include "device.h"
#include "traits.h"
#include <stdio.h>

enum { MESSAGE = 512, NAME = 128 };

/* What the command line asks for. */
struct settings {
    const char *program; /* "ex03_solution" */
    size_t size;
    int sizeGiven;
    unsigned long seed;
    int repeat; /* timed samples; 0: as the device suits */
    int block;
    size_t grid;
    int ordinal;
    const char *csv;
    const char *verdict; /* file for the verdict (verdict.c) */
    const char *variant;
    int list, quick, silent;
    int reading; /* 1 while all ranks would fail alike: only rank 0 says why */
    int failing; /* 1 once courseFail() has said why the program ends */
    int only;    /* an enum place, or -1 for all */
};

/* One row of the table: a variant's verdict and figures. */
struct row {
    char name[NAME];
    enum place place;
    unsigned traits; /* enum variant_trait */
    enum exit_code verdict;
    int demonstration; /* wrong on purpose */
    int todo, todoLine;
    char todoFile[NAME];
    char message[MESSAGE];             /* the first mistake */
    double median, least, most, whole; /* seconds; whole includes allocation and copies */
    long samples;
    double maxError;
    int hasError;
    struct device_counters counters;
    int findings;
    double bytes, flops, limit;
    size_t size;
    char parameters[NAME];
};

extern struct settings settings;
extern const struct harness_ranks *theRanks; /* NULL: this process is alone */
extern struct device theDevice;
extern const struct exercise *theExercise;
extern struct row *openRow; /* the row under way; NULL between rows */

void optionsRead(const struct exercise *exercise, int argc, char **argv);
void arraysFree(void);
void measureReset(void);
/* Median, least, most and total seconds of the row's measurement (total: all samples and the warm-up); 0 if none. */
double measureMedian(void);
double measureLeast(void);
double measureMost(void);
long measureSamples(void);
double measureTotal(void);
/* Threads per block of the row's last blockSize() call; 0 before the first. */
int blockSizeUsed(void);
/* Start and end of the time that the row's variant takes as a whole. */
void rowStart(void);
void rowStop(void);
/* PASS, WRONG, SKIPPED, NOT IMPLEMENTED */
const char *verdictWord(enum exit_code verdict);
/* The CSV file: checked when the program starts, added to when it ends. */
void csvOpen(const char *file);
void csvWrite(const char *file, const struct row *rows, size_t count);
/* Writes the verdict to a file, for the program that started this one. */
void verdictWrite(const char *file, enum exit_code verdict, const struct row *rows, size_t count);

#endif
