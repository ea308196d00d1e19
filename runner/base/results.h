/* Results files (columns.h): reading one, and adding rows to one. */
#ifndef RESULTS_H
#define RESULTS_H

#include "columns.h"
#include <stddef.h>

/* One row of a results file; all fields are there, those that do not apply are "". */
struct result {
    char *field[COLUMN_COUNT];
    const char *file; /* its path */
};

/* The rows of one file or of several. Starts as {0}. */
struct results {
    struct result *rows;
    size_t count;
};

/* Adds the rows of a file and returns NULL. If it is not a complete results file of this version of
 * the course, adds nothing and returns the error, one line that names the file. */
const char *resultsRead(struct results *results, const char *path);
/* The same of a file, or of all *.csv in a folder. Files of a folder that cannot be read are named
 * on stderr and left out. Returns the error if nothing at all could be read. */
const char *resultsReadAll(struct results *results, const char *path);
/* 1 if a file beside the results holds curves of convergence, which have other columns. */
int resultsAreHistory(const char *path);
/* Says on stderr that a file is left out if there is an error in it. Returns 1 if there is none. */
int resultsTaken(const char *error);

/* Ends the program (exit 2) unless rows can be added to the file. */
void resultsMustTakeRows(const char *path);
/* Adds the rows of the results file `from` to the results file `path`, which is made if it is not
 * there. Others may add to it at the same time. Ends the program (exit 2), and leaves the file as
 * it was, if it cannot. */
void resultsAdd(const char *path, const char *from);

/* A number in a column; 0 if the field is empty. */
double resultNumber(const struct result *row, enum column column);
/* The value of "name=" among the words of a field, up to a blank; NULL if there is none. */
const char *resultPart(const struct result *row, enum column column, const char *name);
/* A number among a row's counters; 0 if it is not there. */
double resultCounter(const struct result *row, const char *name);
/* 1 if the row is of the device or a library, not of the CPU. */
int resultIsOnDevice(const struct result *row);
/* 1 if two rows have the same identity: exercise, variant, size and parameters, which include all
 * given options. Their files do not matter. */
int resultSame(const struct result *a, const struct result *b);
/* The same except for the variant: rows that a speed-up compares. Names with a colon agree in the
 * part before it. */
int resultSameProblem(const struct result *a, const struct result *b);
/* The bytes that a run of the row must move or, without these, its floating-point operations. */
double resultWork(const struct result *row);
/* Bytes per second of a row that is right; 0 if it moves none, has no time, or is not right. */
double resultBandwidth(const struct result *row);
/* Work per second of a row that is right (work_rate.h); 0 for any other. */
double resultPace(const struct result *row);

#endif
